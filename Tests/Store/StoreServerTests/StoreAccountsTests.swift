#if Postgres
  import PostgresStore
  import Spatial
  import SpotService
  import TestSupport
  import Testing

  @testable import StoreServer

  /// Separation of owners in `serve --store`.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct StoreAccountsTests {
    private let bench: StoreAccountsBench
    private let anna: StoreAccountsBench.Person
    private let ben: StoreAccountsBench.Person

    init() throws {
      bench = try StoreAccountsBench()
      anna = try bench.person("anna", latitude: 43.318, longitude: 11.331)
      ben = try bench.person("ben", latitude: -33.857, longitude: 151.215)
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    private static let bodies = ["", "{}", #"{"until": null}"#, "\u{FF}", "<gpx/>"]

    /// Values of the parameters and path variables for requests about a person.
    private func values(
      of name: String, _ person: StoreAccountsBench.Person
    ) -> [String] {
      let center = "\(person.center.latitude),\(person.center.longitude)"
      switch name {
      case "box": return ["-90,-180,90,180"]
      case "zoom": return ["3", "20"]
      case "near", "around": return [center]
      case "radius": return ["20037508"]
      case "from", "earlier", "later", "photo": return person.photoNames.prefix(1) + ["2000"]
      case "album": return [person.album]
      case "device", "name": return [person.device]
      case "query", "collection": return [person.name, person.album]
      case "size": return ["96"]
      case "shape": return ["whole"]
      default: return ["1"]
      }
    }

    /// Returns the targets of a route for a person: with each id and name in the path, and without
    /// a query, with each single parameter, and with some combinations.
    private func targets(
      _ route: ServiceRoute, _ person: StoreAccountsBench.Person
    ) -> [String] {
      let ids =
        person.spotIDs + [person.photoNames[0], person.alertID, person.device, person.album]
        + [person.key.text, "\(person.owner.id)"]
      let paths =
        route.path.contains("{")
        ? ids.map { id in
          route.path.split(separator: "/").map { $0.first == "{" ? id : String($0) }
            .joined(separator: "/")
        } : [route.path]
      var queries = [""]
      for name in route.parameters {
        queries += values(of: name, person).map { "?\(name)=\($0)" }
      }
      for names in [
        ["box", "zoom"], ["near", "radius"], ["box", "album"], ["earlier", "later"],
      ]
      where names.allSatisfy(route.parameters.contains) {
        queries.append(
          "?" + names.map { "\($0)=\(values(of: $0, person)[0])" }.joined(separator: "&"))
      }
      return paths.flatMap { path in queries.map { "/api/v1/\(path)\($0)" } }
    }

    /// Returns the bodies to try: several where the API accepts a body, and few otherwise.
    private func bodies(_ method: String, _ target: String) -> [String] {
      let request = ServiceRequest(method: method, target: target)
      let limit = ServiceRoute.route(of: request)?.bodyLimit ?? 0
      return limit > 0 ? Self.bodies : method == "GET" || method == "HEAD" ? [""] : ["", "{}"]
    }

    /// Returns all targets of the API for a person, without duplicates.
    private func allTargets(_ person: StoreAccountsBench.Person) -> [String] {
      Array(Set(ServiceRoute.all.flatMap { targets($0, person) })).sorted()
    }

    @Test func `no request of another owner reads or changes an owner's data`() async throws {
      let annasCookie = try await bench.cookie(anna.key)
      let bensCookie = try await bench.cookie(ben.key)
      let password = "Basic \(Self.base64("x:\(ben.key.text)"))"
      let before = try contents()
      let credentials = [
        StoreAccountsBench.bearer(ben.key), bensCookie, [("Authorization", password)],
      ]
      var count = 0
      for target in allTargets(anna) {
        // The same request with ids and names that do not exist.
        let unknown = anna.marks.reduce(target) { $0.replacing($1, with: Self.unknown($1)) }
        for method in Self.methods {
          for body in bodies(method, target) {
            count += 1
            let credential = credentials[count % credentials.count]
            let answer = await bench.ask(method, target, credential, body: Array(body.utf8))
            for mark in anna.marks + [annasCookie[0].value] where !target.contains(mark) {
              #expect(!answer.text.contains(mark), "\(method) \(target): \(mark)")
            }
            let other = await bench.ask(method, unknown, credential, body: Array(body.utf8))
            #expect(answer.status == other.status, "\(method) \(target)")
          }
        }
      }
      #expect(count > 2000)
      #expect(try contents() == before)
    }

    @Test func `the same requests with the owner's key return all of the owner's data`()
      async throws
    {
      var seen = ""
      for target in allTargets(anna) {
        seen += await bench.ask("GET", target, StoreAccountsBench.bearer(anna.key)).text
      }
      for mark in anna.marks where mark != anna.key.text {
        #expect(seen.contains(mark), "\(mark)")
      }
      for mark in ben.marks { #expect(!seen.contains(mark), "\(mark)") }
    }

    @Test func `without a valid key every route but the open ones gets status 401`() async throws {
      let (annasNumbers, bensSecret) = (
        anna.key.text.split(separator: "-").prefix(2).joined(separator: "-"),
        ben.key.text.split(separator: "-")[2]
      )
      let feed = try bench.key(for: "anna", ofDevice: "phone").text
      let otherDigit = anna.key.text.last == "0" ? "1" : "0"
      let wrong: [[(name: String, value: String)]] = [
        [], [("Authorization", "Bearer x")],
        [("Authorization", "Bearer \(annasNumbers)-\(bensSecret)")],
        [("Authorization", "Bearer \(anna.key.text.dropLast())\(otherDigit)")],
        [("Authorization", "Bearer \(anna.key.text.uppercased())x")],
        [("Cookie", "photospots-80=\(anna.key.text)")],
        [("Authorization", "Bearer 9223372036854775807-1-\(bensSecret)")],
        [("Authorization", "Bearer \(feed)")], [("Cookie", "photospots-80=\(feed)")],
        [("Authorization", "Basic \(Self.base64("phone:\(feed)"))")],
      ]
      let open = Set(ServiceRoute.all.filter(\.isOpen).map { String($0.path.prefix { $0 != "/" }) })
      for target in allTargets(anna) {
        guard
          !open.contains(
            String(target.dropFirst("/api/v1/".count).prefix { $0 != "/" && $0 != "?" }))
        else { continue }
        for fields in wrong {
          let answer = await bench.ask("GET", target, fields)
          #expect(answer.status == 401, "\(target) \(fields)")
          for mark in anna.marks where !target.contains(mark) {
            #expect(!answer.text.contains(mark))
          }
        }
      }
    }

    @Test func `a removed key and its session cookie are invalid from the next request on`()
      async throws
    {
      let cookie = try await bench.cookie(anna.key)
      let bearer = StoreAccountsBench.bearer(anna.key)
      for fields in [bearer, cookie] {
        #expect(await bench.ask("GET", "/api/v1/status", fields).status == 200)
      }
      let other = try bench.key(for: "anna")
      let (connection, _) = try bench.connection(for: "anna")
      #expect(try AccountKey.remove(1, connection) == 1)
      for fields in [bearer, cookie] {
        #expect(await bench.ask("GET", "/api/v1/status", fields).status == 401)
      }
      let still = await bench.ask("GET", "/api/v1/status", StoreAccountsBench.bearer(other))
      #expect(still.status == 200)
    }

    @Test func `a key counts as known only if it was valid at its last use`()
      async throws
    {
      func isKnown(_ key: SessionKey) -> Bool {
        bench.accounts.isKnown(
          ServiceRequest(
            method: "GET", target: "/api/v1/status", fields: StoreAccountsBench.bearer(key)))
      }
      #expect(!isKnown(anna.key))
      _ = await bench.ask("GET", "/api/v1/status", StoreAccountsBench.bearer(anna.key))
      #expect(isKnown(anna.key) && !isKnown(ben.key))
      let (connection, _) = try bench.connection(for: "anna")
      _ = try AccountKey.remove(nil, connection)
      _ = await bench.ask("GET", "/api/v1/status", StoreAccountsBench.bearer(anna.key))
      #expect(!isKnown(anna.key))
    }

    @Test func `responses follow each owner's photos in the store`() async throws {
      func tag(_ person: StoreAccountsBench.Person) async -> String {
        let answer = await bench.ask(
          "GET", "/api/v1/status", StoreAccountsBench.bearer(person.key))
        return answer.text.firstMatch(of: /ETag: ([^\n]+)/).map { String($0.1) } ?? ""
      }
      let (annasTag, bensTag) = (await tag(anna), await tag(ben))
      #expect(annasTag != bensTag && annasTag.hasPrefix("W/"))
      // One owner's tag does not match another owner's response.
      let conditional = StoreAccountsBench.bearer(ben.key) + [("If-None-Match", annasTag)]
      #expect(await bench.ask("GET", "/api/v1/status", conditional).status == 200)
      let own = StoreAccountsBench.bearer(ben.key) + [("If-None-Match", bensTag)]
      #expect(await bench.ask("GET", "/api/v1/status", own).status == 304)
      try bench.upload(StoreAccountsBench.photos(of: "anna", anna.center, count: 4), for: "anna")
      let status = await bench.ask("GET", "/api/v1/status", StoreAccountsBench.bearer(anna.key))
      let newTag = await tag(anna)
      #expect(status.text.contains("\"photos\":4") && newTag != annasTag)
      #expect(await bench.ask("GET", "/api/v1/status", own).status == 304)
    }

    @Test func `routes that need local files or state get status 501 with advice`() async throws {
      let key = StoreAccountsBench.bearer(anna.key)
      for (method, path, body, words) in [
        ("GET", "photos/\(anna.photoNames[0])/picture", "", "no files of photos"),
        ("GET", "photos/\(anna.photoNames[0])/original", "", "no files of photos"),
        ("PUT", "mutes/\(anna.spotIDs[0])", "", "photospots mute"),
        ("POST", "places", #"{"latitude": 1, "longitude": 1}"#, "photospots places"),
        ("POST", "replays", "<gpx/>", "photospots replay"),
      ] {
        let answer = await bench.ask(method, "/api/v1/\(path)", key, body: Array(body.utf8))
        #expect(answer.status == 501 && answer.text.contains(words), "\(path): \(answer)")
      }
    }

    @Test func `a library over the size limit gets status 501, and others are served`() async throws
    {
      var limits = StoredLibraries.Limits()
      limits.photosOfLibrary = 4
      let bench = try StoreAccountsBench(limits: limits)
      let large = try bench.person("large", latitude: 1, longitude: 1)
      try bench.upload(
        StoreAccountsBench.photos(of: "small", large.center, count: 4), for: "small")
      let small = try bench.key(for: "small")
      let refused = await bench.ask("GET", "/api/v1/status", StoreAccountsBench.bearer(large.key))
      #expect(refused.status == 501 && refused.text.contains("more than 4 photos"))
      let served = await bench.ask("GET", "/api/v1/status", StoreAccountsBench.bearer(small))
      #expect(served.status == 200)
    }

    @Test func `a new session uses the key of the request instead of an earlier cookie`()
      async throws
    {
      let opened = await bench.ask(
        "POST", "/api/v1/session", try await bench.cookie(ben.key),
        body: Array(#"{"key": "\#(anna.key.text)"}"#.utf8))
      #expect(opened.status == 200)
      let name = anna.key.text.split(separator: "-").prefix(2).joined(separator: "-")
      #expect(opened.text.contains("photospots-80=\(name)-"))
    }

    /// Returns all rows of the store, for comparison.
    private func contents() throws -> [String] {
      try StoreSchema.migrations.flatMap { $0.ownedTables + $0.sharedTables }.flatMap { table in
        try bench.database.execute("select '\(table)', t::text from \(table) t order by t::text")
      }
    }

    /// Returns a text of the same form that belongs to no owner.
    private static func unknown(_ text: String) -> String {
      String(text.map { $0.isNumber ? "4" : $0.isLetter ? ($0 == "z" ? "y" : "z") : $0 })
    }

    private static func base64(_ text: String) -> String {
      let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
      var (result, bits, count) = ("", 0, 0)
      for byte in text.utf8 {
        (bits, count) = (bits << 8 | Int(byte), count + 8)
        while count >= 6 {
          result.append(digits[bits >> (count - 6) & 63])
          count -= 6
        }
        bits &= (1 << count) - 1
      }
      if count > 0 { result.append(digits[bits << (6 - count) & 63]) }
      return result + String(repeating: "=", count: (4 - result.count % 4) % 4)
    }
  }
#endif
