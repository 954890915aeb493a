public import CivilTime
import Interchange
import PhotoLibrary
import Spatial
public import SpotAlerts
import SpotMap

/// The API: what is answered to each request.
///
/// It opens no file, reads no clock and knows no socket: what a request asks for comes from
/// ``ServiceSources``, and what the outside has to do is returned as ``ServiceWork``.
///
/// ```swift
/// switch service.reply(to: request, now: .now) {
/// case .response(let response): send(response)
/// case .work(let work): send(await outside.perform(work))
/// }
/// ```
public struct Service: Sendable {
  /// What does not change while the program runs.
  public struct Configuration: Sendable {
    /// The version of the program.
    public var version: String
    /// The hosts that it answers for.
    public var hosts: HostRule
    /// What opens it.
    public var key: SessionKey
    /// The key that signs links in alerts; `nil` without links.
    public var actionKey: AlertActionKey?
    /// The description of the API: `openapi.json`.
    public var description: [UInt8]
    /// What this build and machine can do beyond the least: `HEIF`, say.
    public var features: [String]

    /// Creates a configuration.
    public init(
      version: String, hosts: HostRule, key: SessionKey, actionKey: AlertActionKey? = nil,
      description: [UInt8], features: [String] = []
    ) {
      self.version = version
      self.hosts = hosts
      self.key = key
      self.actionKey = actionKey
      self.description = description
      self.features = features
    }
  }

  /// What does not change while the program runs.
  public let configuration: Configuration
  let sources: any ServiceSources

  /// Creates the API over what it answers from.
  public init(_ configuration: Configuration, sources: any ServiceSources) {
    self.configuration = configuration
    self.sources = sources
  }

  /// What becomes of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The time.
  /// - Returns: The answer, or what has to be done for it.
  public func reply(to request: ServiceRequest, now: Instant) -> ServiceReply {
    do throws(Problem) {
      try admit(request)
      let (route, variables) = try ServiceRoute.find(request)
      try check(bodyLength: request.body.count, route)
      let parameters = try Parameters(
        request.rawQuery, known: route.parameters, repeatable: route.repeatable)
      let call = Call(request: request, variables: variables, parameters: parameters, now: now)
      guard let tag = try entityTag(route, request, now) else { return try answer(route, call) }
      // RFC 9110, section 13.1.2.
      if let known = request.field("If-None-Match"), Self.names(known, tag) {
        return .response(
          ServiceResponse(
            status: 304, fields: [("ETag", tag), ("Cache-Control", "private, no-cache")]))
      }
      switch try answer(route, call) {
      case .response(var response):
        response.fields.append(("ETag", tag))
        return .response(response)
      case .work(.share(var work)):
        work.entityTag = tag
        return .work(.share(work))
      case .work(let work): return .work(work)
      }
    } catch {
      return .response(error.response)
    }
  }

  /// Decides what needs no body: who may ask, and for what.
  ///
  /// - Parameters:
  ///   - request: The request, without its body.
  ///   - bodyLength: The known length of the body.
  /// - Returns: The answer to a request that is refused; `nil` where its body is to be read.
  public func refusal(of request: ServiceRequest, bodyLength: Int = 0) -> ServiceResponse? {
    do throws(Problem) {
      try admit(request)
      try check(bodyLength: bodyLength, try ServiceRoute.find(request).route)
      return nil
    } catch {
      return error.response
    }
  }

  /// Why a request for something beside the API that needs the key is refused; `nil` where it is
  /// not.
  public func problem(withKeyed request: ServiceRequest) -> Problem? {
    do throws(Problem) {
      try admit(request)
      return nil
    } catch {
      return error
    }
  }

  /// Why a request for a file of the page, which anyone may read, is refused; `nil` where it is
  /// not. A link on another site may lead to the page, so the origin is nothing to it.
  public func problem(withOpen request: ServiceRequest) -> Problem? {
    do throws(Problem) {
      try checkHost(request)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a request shows the key, or has the cookie that it gave.
  public func isOpen(to request: ServiceRequest) -> Bool {
    configuration.key.isSession(of: request) || configuration.key.isShown(by: request)
  }

  private func check(bodyLength: Int, _ route: ServiceRoute) throws(Problem) {
    let limit = route.bodyLimit
    guard bodyLength > limit else { return }
    throw Problem(
      .tooLong,
      limit == 0 ? "This path takes no body." : "A body has at most \(limit) bytes here.")
  }

  // MARK: - Who may ask

  /// Lets a request in, or throws the problem that keeps it out.
  ///
  /// The host comes first, so that a name that leads here by deceit learns nothing; then the
  /// origin; then the key. A path that holds a token needs neither: what no browser adds by itself
  /// no other site can make it send.
  private func admit(_ request: ServiceRequest) throws(Problem) {
    try checkHost(request)
    let route = ServiceRoute.route(of: request)
    if route?.holdsToken == true { return }
    let showsKey = configuration.key.isShown(by: request)
    if let problem = OriginRule.problem(of: request, showsKey: showsKey) { throw problem }
    if route?.isOpen == true { return }
    // Browsers send a password by themselves, so it stands for a session and not for the key.
    let showsPassword =
      route?.takesPassword == true && configuration.key.isPassword(of: request)
    guard showsKey || showsPassword || configuration.key.isSession(of: request) else {
      throw Problem(
        .noKey, "Open the address that 'photospots serve' prints, which holds the key.")
    }
  }

  private func checkHost(_ request: ServiceRequest) throws(Problem) {
    guard !request.isRepeated("Host"), configuration.hosts.allows(request.field("Host")) else {
      throw Problem(
        .wrongHost,
        "This program does not answer for that host; the setting serveHosts adds one.")
    }
  }

  /// Whether the header If-None-Match names a tag, by the weak comparison.
  ///
  /// Other answers than those of the API have tags too, so this is public.
  public static func names(_ field: String, _ tag: String) -> Bool {
    field.split(separator: ",").contains { part in
      let part = part.filter { $0 != " " && $0 != "\t" }
      return part == "*" || part == tag || "W/" + part == tag
    }
  }

  // MARK: - Answers

  /// A request that was let in.
  struct Call {
    let request: ServiceRequest
    /// The values of the variables of the path.
    let variables: [String]
    let parameters: Parameters
    let now: Instant

    /// The value of the first variable of the path.
    var variable: String { variables.first ?? "" }
  }

  private func answer(_ route: ServiceRoute, _ call: Call) throws(Problem) -> ServiceReply {
    switch route.name {
    case .description:
      .response(
        ServiceResponse(
          status: 200,
          fields: [("Content-Type", "application/json"), ("Cache-Control", "no-cache")],
          body: configuration.description))
    case .status: .response(try status(call))
    case .clusters: .response(try clusters(call))
    case .spots: .response(try spots(call))
    case .spot: .response(try spot(call))
    case .spotsGeoJSON: .response(try spotsGeoJSON(call))
    case .places: .response(try places(call))
    case .addPlace: .work(try addPlace(call))
    case .place: .response(try place(call))
    case .changePlace: .work(try changePlace(call))
    case .removePlace: .work(try removePlace(call))
    case .restorePlace: .work(try restorePlace(call))
    case .addNote: .work(try addNote(call))
    case .changeNote: .work(try changeNote(call))
    case .removeNote: .work(try removeNote(call))
    case .collections: .response(try collections(call))
    case .photo: .response(try photo(call))
    case .picture: .work(try picture(call))
    case .original: .work(try original(call))
    case .share: .work(try share(call))
    case .towns: .response(try towns(call))
    case .devices: .response(try devices(call))
    case .trail: .response(try trail(call))
    case .alerts: .response(try alerts(call))
    case .mutes: .response(try mutes(call))
    case .mute: .work(try mute(call))
    case .unmute: .work(try unmute(call))
    case .action: .response(try confirmation(call))
    case .act: .work(try act(call))
    case .settings: .response(try settings(call))
    case .changeSettings: .work(try changeSettings(call))
    case .replay: .work(try replay(call))
    case .recreations: .response(try recreations(call))
    case .recreation: .response(try recreation(call))
    case .recreationPicture: .work(.recreationPicture(id: try recreation(named: call).id))
    case .keepRecreation: .work(try keepRecreation(call))
    case .forgetRecreation: .work(.forgetRecreation(id: try recreation(named: call).id))
    case .openSession: .response(try openSession(call))
    case .endSession: .response(endSession(call))
    case .events:
      .work(
        .events(
          after: call.request.field("Last-Event-ID") ?? call.parameters.text("after")))
    }
  }

  /// The list of a page: `items`, `total`, `next`.
  func list<Element>(
    _ call: Call, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) throws(Problem) -> ServiceResponse {
    let page = try call.parameters.page()
    return list(call, page, Array(page.elements(of: elements)), total: elements.count, write)
  }

  /// The list of elements that are those of a page already.
  func list<Element>(
    _ call: Call, _ page: ListPage, _ elements: [Element], total: Int,
    _ write: (Element, inout JSONWriter) -> Void
  ) -> ServiceResponse {
    ServiceResponse { writer in
      writer.object { writer in
        writer.array("items") { writer in
          for element in elements { write(element, &writer) }
        }
        writer.member("total", total)
        writer.key("next")
        if let next = page.next(total: total) {
          writer.string("\(call.request.rawPath)?\(call.parameters.query(cursor: next))")
        } else {
          writer.null()
        }
      }
    }
  }
}
