import Interchange

/// Why a request cannot be answered, as RFC 9457 has it.
public struct Problem: Error, Hashable, Sendable {
  /// The kinds of problems.
  public enum Kind: String, CaseIterable, Sendable {
    /// A parameter is unknown, missing, given twice or out of range.
    case badParameter = "bad-parameter"
    /// The request has no key, or a wrong one.
    case noKey = "no-key"
    /// The request comes from a page of another site.
    case wrongOrigin = "wrong-origin"
    /// There is nothing at the path.
    case notFound = "not-found"
    /// The time of a link is over.
    case expired
    /// There is no spot of the id.
    case noSuchSpot = "no-such-spot"
    /// There is no photo of the id.
    case noSuchPhoto = "no-such-photo"
    /// There is no device of the name.
    case noSuchDevice = "no-such-device"
    /// The path does not know the method.
    case wrongMethod = "wrong-method"
    /// The body is too long.
    case tooLong = "too-long"
    /// No picture can be made of the file.
    case noPicture = "no-picture"
    /// The request names a host that this program does not answer for.
    case wrongHost = "wrong-host"
    /// The body holds no track.
    case noTrack = "no-track"
    /// A setting cannot have the value, or cannot be set here.
    case badSetting = "bad-setting"
    /// Too much is asked for at a time.
    case busy
    /// The index cannot be read.
    case indexDamaged = "index-damaged"
    /// The state of alerts, devices or muted spots cannot be read or written.
    case stateDamaged = "state-damaged"

    /// The status code.
    public var status: Int {
      switch self {
      case .badParameter: 400
      case .noKey: 401
      case .wrongOrigin: 403
      case .notFound, .noSuchSpot, .noSuchPhoto, .noSuchDevice: 404
      case .wrongMethod: 405
      case .expired: 410
      case .tooLong: 413
      case .noPicture: 415
      case .wrongHost: 421
      case .noTrack, .badSetting: 422
      case .busy, .indexDamaged, .stateDamaged: 503
      }
    }

    /// What it is in a few words, the same for all problems of the kind.
    public var title: String {
      switch self {
      case .badParameter: "A parameter is wrong"
      case .noKey: "The key is missing"
      case .wrongOrigin: "The request comes from another site"
      case .notFound: "There is nothing here"
      case .expired: "The link has expired"
      case .noSuchSpot: "No such spot"
      case .noSuchPhoto: "No such photo"
      case .noSuchDevice: "No such device"
      case .wrongMethod: "The method is not known here"
      case .tooLong: "The file is too long"
      case .noPicture: "No picture of this file"
      case .wrongHost: "The host is not known"
      case .noTrack: "This file holds no track"
      case .badSetting: "The setting cannot have this value"
      case .busy: "Too busy"
      case .indexDamaged: "The index is damaged"
      case .stateDamaged: "What is remembered cannot be used"
      }
    }
  }

  /// What kind of problem it is.
  public let kind: Kind
  /// What is wrong with this request, and what to do about it; without a position, a key or a path.
  public let detail: String
  /// The parameter or setting that is wrong.
  public let parameter: String?
  /// The methods that the path knows, where the method is wrong.
  var allowed: [String] = []

  /// Creates a problem.
  public init(_ kind: Kind, _ detail: String, parameter: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.parameter = parameter
  }

  /// The answer.
  public var response: ServiceResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "/problems/\(kind.rawValue)")
      writer.member("title", kind.title)
      writer.member("status", kind.status)
      writer.member("detail", detail)
      writer.member("parameter", parameter)
    }
    var fields = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
    if kind == .wrongMethod { fields.append(("Allow", allowed.joined(separator: ", "))) }
    // RFC 9110, section 11.6.1: a 401 says how to show the key.
    if kind == .noKey { fields.append(("WWW-Authenticate", "Bearer")) }
    if kind == .busy { fields.append(("Retry-After", "2")) }
    return ServiceResponse(status: kind.status, fields: fields, body: writer.takeBytes())
  }
}
