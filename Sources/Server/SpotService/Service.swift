public import CivilTime
import Encodings
import PhotoLibrary
import Spatial
public import SpotAlerts
import SpotMap

/// The API: creates the reply to each request.
///
/// It opens no files, reads no clock and uses no sockets: data comes from ``ServiceSources``, and
/// work to be done outside is returned as ``ServiceWork``.
///
/// ```swift
/// switch service.reply(to: request, now: .now) {
/// case .response(let response): send(response)
/// case .work(let work): send(await outside.perform(work))
/// }
/// ```
public struct Service: Sendable {
  /// The values that do not change while the program runs.
  public struct Configuration: Sendable {
    /// The version of the program.
    public var version: String
    /// The hosts that the program serves.
    public var hosts: HostRule
    /// The host of the address that the program shows, for browsers that come by another one; `nil`
    /// where they get no address.
    public var displayedHost: String?
    /// The hashes of the key that grants access.
    public var key: KeyHashes
    /// A sentence that says where to get the key.
    public var keyAdvice =
      "Open the address that 'photospots serve' prints, which contains the key."
    /// The sessions of browsers; `nil` where their cookies are derived from the key.
    public var sessions: (any BrowserSessions)?
    /// The authority whose certificate phones can install; `nil` for none.
    public var authority: MachineAuthority?
    /// The phones that may report their position; `nil` where there are none.
    public var phones: (any Phones)?
    /// The key that signs links in alerts; `nil` where alerts have no links.
    public var actionKey: AlertActionKey?
    /// The links that were used; `nil` where links may be used again.
    public var usedLinks: (any UsedLinks)?
    /// The description of the API: `openapi.json`.
    public var description: [UInt8]
    /// The optional features of this build and machine, for example `HEIF`.
    public var features: [String]

    /// Creates a configuration.
    public init(
      version: String, hosts: HostRule, key: KeyHashes, actionKey: AlertActionKey? = nil,
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

  /// The values that do not change while the program runs.
  public let configuration: Configuration
  let sources: any ServiceSources

  /// Creates the API with its data sources.
  public init(_ configuration: Configuration, sources: any ServiceSources) {
    self.configuration = configuration
    self.sources = sources
  }

  /// Returns the reply to a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: The response, or the work to be done for it.
  public func reply(to request: ServiceRequest, now: Instant) -> ServiceReply {
    do throws(Problem) {
      try admit(request)
      let (route, variables) = try ServiceRoute.find(request)
      try check(bodyLength: request.body.count, route)
      let parameters = try Parameters(
        request.rawQuery, known: route.parameters, repeatable: route.repeatable)
      let call = Call(request: request, variables: variables, parameters: parameters, now: now)
      return try conditionalAnswer(route, call)
    } catch {
      return .response(error.response)
    }
  }

  /// Checks the parts of a request that do not depend on its body: access, route and the body's
  /// length.
  ///
  /// - Parameters:
  ///   - request: The request, without its body.
  ///   - bodyLength: The length of the body as far as it is known.
  /// - Returns: The response to a refused request; `nil` where the body should be read.
  public func refusal(of request: ServiceRequest, bodyLength: Int = 0) -> ServiceResponse? {
    do throws(Problem) {
      try admit(request)
      try check(bodyLength: bodyLength, try ServiceRoute.find(request).route)
      return nil
    } catch {
      return error.response
    }
  }

  /// Returns the problem of a request for a resource outside of the API that needs the key; `nil`
  /// where it is permitted.
  public func problem(withKeyed request: ServiceRequest) -> Problem? {
    do throws(Problem) {
      try admit(request)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the problem of a request for a file of the page, which needs no key; `nil` where it is
  /// permitted. Links on other sites may lead to the page, so the origin is not checked.
  public func problem(withOpen request: ServiceRequest) -> Problem? {
    do throws(Problem) {
      try checkHost(request)
      return nil
    } catch {
      return error
    }
  }

  /// Returns whether a request presents the key or the cookie of a session.
  public func isOpen(to request: ServiceRequest) -> Bool {
    session(of: request) != nil || configuration.key.isShown(by: request)
  }

  private func check(bodyLength: Int, _ route: ServiceRoute) throws(Problem) {
    let limit = route.bodyLimit
    guard bodyLength > limit else { return }
    throw Problem(
      .tooLong,
      limit == 0 ? "This path takes no body." : "The body may have at most \(limit) bytes here.")
  }

  // MARK: - Access

  /// Admits a request, or throws the problem for which it is refused.
  ///
  /// The host is checked first, so that a foreign name that resolves here learns nothing; then the
  /// origin; then the key. A path with a token needs neither origin nor key: no other site can make
  /// a browser send a token that it does not know.
  private func admit(_ request: ServiceRequest) throws(Problem) {
    try checkHost(request)
    let route = ServiceRoute.route(of: request)
    if route?.holdsToken == true { return }
    let showsKey = configuration.key.isShown(by: request)
    if let problem = OriginRule.problem(of: request, showsKey: showsKey) { throw problem }
    if route?.isOpen == true { return }
    // Browsers send passwords automatically, so a password counts as a session and not as the key.
    let showsPassword =
      route?.takesPassword == true && configuration.key.isPassword(of: request)
    if showsKey || showsPassword { return }
    if route?.takesPhone == true, phone(of: request) != nil { return }
    guard let cookie = session(of: request) else {
      throw Problem(.noKey, configuration.keyAdvice)
    }
    // Servers on other ports of this host receive the cookie.
    guard route?.needsToken != true || isToken(of: request, ofSession: cookie) else {
      throw Problem(
        .noToken,
        "The header PhotoSpots-Token must be the token that was given when the session began.")
    }
  }

  /// Returns the phone whose token a request presents; `nil` where it presents none.
  func phone(of request: ServiceRequest) -> Phone? {
    guard let phones = configuration.phones, let token = request.bearerToken ?? request.password
    else { return nil }
    return phones.phone(showing: token)
  }

  private func isToken(of request: ServiceRequest, ofSession cookie: String) -> Bool {
    guard let token = request.field("PhotoSpots-Token") else { return false }
    return configuration.key.isChangeToken(token, ofSession: cookie)
  }

  /// Returns the value of a request's cookie of a session; `nil` where there is none.
  func session(of request: ServiceRequest) -> String? {
    // A browser sends one cookie of the name; other requests may try a few.
    request.sessionCookies.prefix(4).first { cookie in
      if let sessions = configuration.sessions {
        sessions.session(withCookie: cookie) != nil
      } else {
        configuration.key.isSession(cookie)
      }
    }
  }

  private func checkHost(_ request: ServiceRequest) throws(Problem) {
    guard !request.isRepeated("Host"), configuration.hosts.allows(request.field("Host")) else {
      throw Problem(
        .wrongHost,
        "This server does not answer for this host; add it to the setting serveHosts.")
    }
  }

  // MARK: - Answers

  /// An admitted request.
  struct Call {
    let request: ServiceRequest
    /// The values of the path's variables.
    let variables: [String]
    let parameters: Parameters
    let now: Instant

    /// The value of the path's first variable.
    var variable: String { variables.first ?? "" }
  }

  /// Answers a request, whatever its preconditions are.
  func answer(_ route: ServiceRoute, _ call: Call) throws(Problem) -> ServiceReply {
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
    case .memories: .response(try memories(call))
    case .spotsGeoJSON: .response(try spotsGeoJSON(call))
    case .places: .response(try places(call))
    case .addPlace: .work(try addPlace(call))
    case .importPlaces: .work(.importPlaces(try importPlaces(call)))
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
    case .search: .response(try search(call))
    case .albums: .response(try albums(call))
    case .glance: .response(try glance(call))
    case .glancePage: .response(try glancePage(call))
    case .devices: .response(try devices(call))
    case .trail: .response(try trail(call))
    case .alerts: .response(try alerts(call))
    case .mutes: .response(try mutes(call))
    case .mute: .work(try mute(call))
    case .unmute: .work(try unmute(call))
    case .action: .response(try confirmation(call))
    case .act: try act(call)
    case .settings: .response(try settings(call))
    case .changeSettings: .work(try changeSettings(call))
    case .replay: .work(try replay(call))
    case .recreations: .response(try recreations(call))
    case .recreation: .response(try recreation(call))
    case .recreationPicture: .work(.recreationPicture(id: try recreation(named: call).id))
    case .keepRecreation: .work(try keepRecreation(call))
    case .forgetRecreation: .work(.forgetRecreation(id: try recreation(named: call).id))
    case .openSession: .response(try openSession(call))
    case .endSession: .response(try endSession(call))
    case .sessions: .response(try sessions(call))
    case .endOtherSession: .response(try endOtherSession(call))
    case .makeCode: .response(try makeCode(call))
    case .authority: .response(try authority(call))
    case .authorityCertificate: .response(try authorityCertificate())
    case .authorityProfile: .response(try authorityProfile())
    case .phones: .response(try phones(call))
    case .addPhone: .response(try addPhone(call))
    case .renamePhone: .response(try renamePhone(call))
    case .removePhone: .response(try removePhone(call))
    case .folders: .work(.folders(folders(call)))
    case .indexing: .work(.folders(.state))
    case .startIndexing: .work(.folders(try startIndexing(call)))
    case .stopIndexing: .work(.folders(.stop))
    case .events:
      .work(
        .events(
          after: call.request.field("Last-Event-ID") ?? call.parameters.text("after")))
    }
  }

  /// Answers with the requested part of a list: `items`, `total`, `next`.
  func list<Element>(
    _ call: Call, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) throws(Problem) -> ServiceResponse {
    let page = try call.parameters.page()
    return list(call, page, Array(page.elements(of: elements)), total: elements.count, write)
  }

  /// Answers with elements that are already the requested part of a list.
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
