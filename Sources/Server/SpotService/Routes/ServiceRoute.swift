/// A route of the API: a method and a path.
public struct ServiceRoute: Sendable {
  /// The prefix of all paths.
  public static let base = "/api/v1/"

  /// The names of the routes.
  enum Name: Hashable, Sendable {
    case description, status, clusters, spots, spot, photo, picture, original, share, towns
    case devices, trail, alerts, mutes, mute, unmute, action, act, settings, changeSettings, replay
    case recreations, recreation, recreationPicture, keepRecreation, forgetRecreation
    case openSession, endSession, sessions, endOtherSession, makeCode, events
    case phones, addPhone, renamePhone, removePhone
    case places, addPlace, place, changePlace, removePlace, restorePlace, addNote, changeNote
    case authority, authorityCertificate, authorityProfile
    case removeNote, collections, spotsGeoJSON, importPlaces, memories, search, albums
    case folders, indexing, startIndexing, stopIndexing
    case glance, glancePage
  }

  let name: Name
  /// The method, in upper case.
  public let method: String
  /// The path after ``base``, with the names of variables in `{}`.
  public let path: String
  /// The parameters of the query.
  public let parameters: [String]
  /// The parameters that may be given more than once.
  var repeatable: Set<String> = []
  /// The maximum length of the body in bytes.
  public var bodyLimit = 0
  /// Whether requests need no key.
  public var isOpen = false
  /// Whether the path contains a token that grants access, regardless of the origin of the request.
  var holdsToken = false
  /// Whether a session needs its token, as for all changes.
  var needsToken: Bool
  /// Whether the key is accepted as the password of basic authentication, for clients that support
  /// nothing else.
  var takesPassword = false
  /// Whether the token of a phone is accepted, as a key or a password.
  var takesPhone = false

  /// 1 MiB, for JSON objects.
  private static let jsonLimit = 1 << 20
  /// The maximum length of a body with a key, which strangers can send.
  private static let keyLimit = 4096
  /// 32 MiB, for tracks, pictures and files of places.
  private static let fileLimit = 32 << 20

  private static let filters = Parameters.filterNames
  private static let pages = Parameters.pageNames

  /// All routes.
  public static let all: [ServiceRoute] = [
    .init(.description, "GET", "openapi.json", isOpen: true),
    .init(.status, "GET", "status"),
    .init(.clusters, "GET", "clusters", ["box", "zoom"] + filters),
    .init(.spots, "GET", "spots", ["box", "zoom", "near", "radius"] + filters + pages),
    .init(.spot, "GET", "spots/{id}", filters),
    .init(.memories, "GET", "memories", filters),
    .init(
      .spotsGeoJSON, "GET", "spots.geojson", ["box", "near", "radius", "limit"] + filters,
      takesPassword: true),
    .init(
      .places, "GET", "places",
      ["box", "near", "radius", "collection", "query", "removed"] + pages),
    .init(.addPlace, "POST", "places", bodyLimit: jsonLimit),
    .init(
      .importPlaces, "POST", "places/import",
      ["name", "dryRun", "prefer", "restore", "collection", "columns", "encoding"],
      bodyLimit: fileLimit),
    .init(.place, "GET", "places/{id}"),
    .init(.changePlace, "PATCH", "places/{id}", bodyLimit: jsonLimit),
    .init(.removePlace, "DELETE", "places/{id}"),
    .init(.restorePlace, "POST", "places/{id}/restore"),
    .init(.addNote, "POST", "places/{id}/notes", bodyLimit: jsonLimit),
    .init(.changeNote, "PATCH", "places/{id}/notes/{note}", bodyLimit: jsonLimit),
    .init(.removeNote, "DELETE", "places/{id}/notes/{note}"),
    .init(.collections, "GET", "collections", pages),
    .init(.photo, "GET", "photos/{id}"),
    .init(.picture, "GET", "photos/{id}/picture", ["size", "shape"], takesPhone: true),
    .init(.glance, "GET", "glance", ["near"], takesPhone: true),
    .init(.glancePage, "GET", "glance/page", ["near"], takesPhone: true),
    .init(.original, "GET", "photos/{id}/original", needsToken: true),
    .init(.share, "GET", "share", ["earlier", "later", "shape", "animated"]),
    .init(.towns, "GET", "towns", ["box", "query"] + pages),
    .init(.search, "GET", "search", ["query", "near", "limit"]),
    .init(.albums, "GET", "albums", pages),
    .init(.devices, "GET", "devices", pages),
    .init(.trail, "GET", "devices/{name}/trail", ["from", "to"]),
    .init(.alerts, "GET", "alerts", ["device"] + pages),
    .init(.mutes, "GET", "mutes", pages),
    .init(.mute, "PUT", "mutes/{spot}", bodyLimit: jsonLimit),
    .init(.unmute, "DELETE", "mutes/{spot}"),
    .init(.action, "GET", "actions/{token}", isOpen: true, holdsToken: true),
    .init(.act, "POST", "actions/{token}", isOpen: true, holdsToken: true),
    .init(.settings, "GET", "settings", pages),
    .init(.changeSettings, "PATCH", "settings", bodyLimit: jsonLimit),
    .init(.replay, "POST", "replays", ["set"], repeatable: ["set"], bodyLimit: fileLimit),
    .init(.recreations, "GET", "recreations", pages),
    .init(
      .keepRecreation, "POST", "recreations", ["photo", "spot", "name", "score", "time"],
      bodyLimit: fileLimit),
    .init(.recreation, "GET", "recreations/{id}"),
    .init(.recreationPicture, "GET", "recreations/{id}/picture"),
    .init(.forgetRecreation, "DELETE", "recreations/{id}"),
    .init(.openSession, "POST", "session", bodyLimit: keyLimit, isOpen: true),
    .init(.endSession, "DELETE", "session", needsToken: false),
    .init(.sessions, "GET", "sessions", pages, needsToken: true),
    .init(.endOtherSession, "DELETE", "sessions/{id}"),
    .init(.makeCode, "POST", "codes", bodyLimit: keyLimit),
    .init(.phones, "GET", "phones", pages, needsToken: true),
    .init(.addPhone, "POST", "phones", bodyLimit: keyLimit),
    .init(.renamePhone, "PATCH", "phones/{id}", bodyLimit: keyLimit),
    .init(.removePhone, "DELETE", "phones/{id}"),
    .init(.authority, "GET", "authority"),
    .init(.authorityCertificate, "GET", "authority/certificate"),
    .init(.authorityProfile, "GET", "authority/profile"),
    .init(.folders, "GET", "folders", needsToken: true),
    .init(.indexing, "GET", "indexing"),
    .init(.startIndexing, "POST", "indexing", bodyLimit: jsonLimit),
    .init(.stopIndexing, "DELETE", "indexing"),
    .init(.events, "GET", "events", ["after"]),
  ]

  private init(
    _ name: Name, _ method: String, _ path: String, _ parameters: [String] = [],
    repeatable: Set<String> = [], bodyLimit: Int = 0, isOpen: Bool = false,
    holdsToken: Bool = false, takesPassword: Bool = false, takesPhone: Bool = false,
    needsToken: Bool? = nil
  ) {
    (self.name, self.method, self.path, self.parameters) = (name, method, path, parameters)
    (self.repeatable, self.bodyLimit, self.isOpen) = (repeatable, bodyLimit, isOpen)
    self.holdsToken = holdsToken
    self.takesPassword = takesPassword
    self.takesPhone = takesPhone
    self.needsToken = needsToken ?? (method != "GET" && !isOpen)
  }

  /// Returns the route of a request by its method and path; `nil` where there is none. Its
  /// ``bodyLimit`` limits how much of the body a server reads.
  public static func route(of request: ServiceRequest) -> ServiceRoute? {
    try? find(request).route
  }

  /// Finds the route of a request and the values of its path's variables.
  ///
  /// - Throws: A problem where there is no such path, or it does not support the method.
  static func find(
    _ request: ServiceRequest
  ) throws(Problem) -> (route: ServiceRoute, variables: [String]) {
    let path = request.rawPath
    let nothing = Problem(.notFound, "The API has no such path; openapi.json lists all paths.")
    guard path.hasPrefix(base) else { throw nothing }
    let parts = path.dropFirst(base.utf8.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    var matches = all.compactMap { route in
      route.variables(of: parts).map { (route: route, variables: $0) }
    }
    guard !matches.isEmpty else { throw nothing }
    // A path without variables counts before one with them, which never have its value.
    if matches.contains(where: { $0.variables.isEmpty }) {
      matches.removeAll { !$0.variables.isEmpty }
    }
    // HEAD is handled as GET; the body is omitted when the response is written.
    let method = request.method == "HEAD" ? "GET" : request.method
    if let match = matches.first(where: { $0.route.method == method }) { return match }
    let methods = matches.map(\.route.method)
    var problem = Problem(
      .wrongMethod, "This path supports \(methods.joined(separator: ", ")).")
    problem.allowed = methods + (methods.contains("GET") ? ["HEAD"] : [])
    throw problem
  }

  /// Returns the values of the path's variables; `nil` where the path does not match. A value must
  /// not contain a slash, percent-encoded or not, and must not be `.` or `..`.
  private func variables(of parts: [Substring]) -> [String]? {
    let own = path.split(separator: "/")
    guard own.count == parts.count else { return nil }
    var variables: [String] = []
    for (own, part) in zip(own, parts) {
      if own.first == "{" {
        guard let value = Parameters.pathPart(part) else { return nil }
        variables.append(value)
      } else if own != part {
        return nil
      }
    }
    return variables
  }
}
