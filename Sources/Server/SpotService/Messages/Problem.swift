import Encodings

/// The reason why a request cannot be answered, in the form of RFC 9457.
public struct Problem: Error, Hashable, Sendable {
  /// The kinds of problems.
  public enum Kind: String, CaseIterable, Sendable {
    /// A parameter is unknown, missing, repeated or out of range.
    case badParameter = "bad-parameter"
    /// The key is missing or wrong.
    case noKey = "no-key"
    /// A change has a session's cookie, but not its token.
    case noToken = "no-token"
    /// The request comes from a page of another origin.
    case wrongOrigin = "wrong-origin"
    /// There is nothing at the path.
    case notFound = "not-found"
    /// The link has expired.
    case expired
    /// There is no spot with the id.
    case noSuchSpot = "no-such-spot"
    /// There is no photo with the id.
    case noSuchPhoto = "no-such-photo"
    /// There is no session with the id.
    case noSuchSession = "no-such-session"
    /// The phone with the id is unknown.
    case noSuchPhone = "no-such-phone"
    /// Another phone has the name.
    case nameTaken = "name-taken"
    /// There are too many phones.
    case tooManyPhones = "too-many-phones"
    /// There is no device with the name.
    case noSuchDevice = "no-such-device"
    /// The path does not support the method.
    case wrongMethod = "wrong-method"
    /// The entity tag that a change was made for is not the current one.
    case changed
    /// The body is too long.
    case tooLong = "too-long"
    /// No picture can be created from the file.
    case noPicture = "no-picture"
    /// The program that decodes the file's format is not installed on the server.
    case noDecoder = "no-decoder"
    /// The program does not serve the requested host.
    case wrongHost = "wrong-host"
    /// The body contains no track.
    case noTrack = "no-track"
    /// The body is not a file of places that can be read.
    case noPlaces = "no-places"
    /// A setting does not accept the value, or cannot be changed here.
    case badSetting = "bad-setting"
    /// Too many wrong codes were entered from an address.
    case tooManyTries = "too-many-tries"
    /// There are too many requests at a time.
    case busy
    /// The index cannot be read.
    case indexDamaged = "index-damaged"
    /// The state of alerts, devices or muted spots cannot be read or written.
    case stateDamaged = "state-damaged"
    /// The disk of the state is full.
    case noRoom = "no-room"
    /// The disk of the state is read-only, away or broken, or its files may not be used.
    case diskUnavailable = "disk-unavailable"
    /// The store of libraries cannot be reached.
    case storeUnavailable = "store-unavailable"
    /// A program that serves a store does not support the request.
    case notServed = "not-served"

    /// The HTTP status code.
    public var status: Int {
      switch self {
      case .badParameter: 400
      case .noKey: 401
      case .noToken, .wrongOrigin: 403
      case .notFound, .noSuchSpot, .noSuchPhoto, .noSuchSession, .noSuchPhone, .noSuchDevice: 404
      case .wrongMethod: 405
      case .nameTaken, .tooManyPhones: 409
      case .expired: 410
      case .changed: 412
      case .tooLong: 413
      case .noPicture, .noDecoder: 415
      case .wrongHost: 421
      case .noTrack, .noPlaces, .badSetting: 422
      case .tooManyTries: 429
      case .notServed: 501
      case .busy, .indexDamaged, .stateDamaged, .diskUnavailable, .storeUnavailable: 503
      // RFC 4918, section 11.5.
      case .noRoom: 507
      }
    }

    /// A short title, the same for all problems of the kind.
    public var title: String {
      switch self {
      case .badParameter: "A parameter is invalid"
      case .noKey: "The key is missing"
      case .noToken: "The token of the session is missing"
      case .wrongOrigin: "The request comes from another site"
      case .notFound: "Nothing was found"
      case .expired: "The link has expired"
      case .noSuchSpot: "No such spot"
      case .noSuchPhoto: "No such photo"
      case .noSuchSession: "No such session"
      case .noSuchPhone: "No such phone"
      case .nameTaken: "The name is taken"
      case .tooManyPhones: "Too many phones"
      case .noSuchDevice: "No such device"
      case .wrongMethod: "The method is not supported here"
      case .changed: "It was changed meanwhile"
      case .tooLong: "The content is too long"
      case .noPicture: "No picture of this file"
      case .noDecoder: "Pictures in this format cannot be shown"
      case .wrongHost: "The host is unknown"
      case .noTrack: "This file contains no track"
      case .noPlaces: "The places in this file cannot be read"
      case .badSetting: "The setting cannot have this value"
      case .tooManyTries: "Too many tries"
      case .busy: "Too busy"
      case .indexDamaged: "The index is damaged"
      case .stateDamaged: "The stored data cannot be used"
      case .noRoom: "The disk of PhotoSpots is full"
      case .diskUnavailable: "The disk of PhotoSpots cannot be used"
      case .storeUnavailable: "The store cannot be reached"
      case .notServed: "Not available from a store"
      }
    }
  }

  /// The kind.
  public let kind: Kind
  /// The problem with this request, with advice; it contains no position, key or path.
  public let detail: String
  /// The parameter or setting that is wrong; `nil` where there is none.
  public let parameter: String?
  /// The methods that the path supports, for a wrong method.
  var allowed: [String] = []

  /// Creates a problem.
  public init(_ kind: Kind, _ detail: String, parameter: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.parameter = parameter
  }

  /// The response for the problem.
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
    // RFC 9110, section 11.6.1: a 401 response names the authentication scheme.
    if kind == .noKey { fields.append(("WWW-Authenticate", "Bearer")) }
    switch kind {
    case .busy, .storeUnavailable: fields.append(("Retry-After", "2"))
    case .tooManyTries: fields.append(("Retry-After", "60"))
    default: break
    }
    return ServiceResponse(status: kind.status, fields: fields, body: writer.takeBytes())
  }
}
