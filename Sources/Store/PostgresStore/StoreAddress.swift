#if Postgres
  import Encodings

  /// The address of a PostgreSQL database: `postgres://USER@HOST:PORT/DATABASE?option=value`.
  ///
  /// The notation is libpq's (PostgreSQL 15 documentation, section 34.1.1.2): several hosts are
  /// separated by commas, an IPv6 address is in brackets, and the option `host=/folder` gives the
  /// folder of a Unix socket. An address contains no secret: a password in it is refused.
  package struct StoreAddress: Hashable, Sendable, CustomStringConvertible {
    /// The reasons why a text is not an address of a store.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
      /// The text does not begin with `postgres://`, or is too long.
      case malformed
      /// The address contains a password.
      case password
      /// An unknown option, with its name.
      case unknownOption(String)
      /// An unreadable part, with its name.
      case unreadable(String)

      /// A sentence that says what to write instead.
      package var description: String {
        switch self {
        case .malformed: "write the store as postgres://USER@HOST:PORT/DATABASE"
        case .password:
          """
          an address must not contain a password; set it in the environment variable PGPASSWORD or in a \
          passfile (~/.pgpass or PGPASSFILE)
          """
        case .unknownOption(let name): "unknown option '\(name)' in the address of the store"
        case .unreadable(let part): "the \(part) of the store's address cannot be read"
        }
      }
    }

    /// The address as given, which contains no secret.
    package let description: String
    /// The parameters of libpq, by their names.
    let parameters: [String: String]

    private static let maximumLength = 4096
    private static let maximumHostCount = 16
    /// The supported options of libpq, none of which is a secret.
    private static let options: Set<String> = [
      "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname",
      "gssencmode", "host", "hostaddr", "keepalives", "keepalives_count", "keepalives_idle",
      "keepalives_interval", "krbsrvname", "options", "passfile", "port", "requirepeer", "service",
      "sslcert", "sslcompression", "sslcrl", "sslcrldir", "sslkey", "sslmode", "sslrootcert",
      "sslsni", "ssl_max_protocol_version", "ssl_min_protocol_version", "target_session_attrs",
      "tcp_user_timeout", "user",
    ]

    /// Parses an address.
    ///
    /// - Throws: The reason why the text is not an address.
    package init(_ text: String) throws(Problem) {
      let scheme = ["postgres://", "postgresql://"].first { text.hasPrefix($0) }
      guard let scheme, text.utf8.count <= Self.maximumLength else { throw .malformed }
      var rest = text.dropFirst(scheme.count)
      var parameters: [String: String] = [:]
      if let mark = rest.firstIndex(of: "?") {
        try Self.read(options: rest[rest.index(after: mark)...], to: &parameters)
        rest = rest[..<mark]
      }
      if let slash = rest.firstIndex(of: "/") {
        let database = rest[rest.index(after: slash)...]
        rest = rest[..<slash]
        if !database.isEmpty { parameters["dbname"] = try Self.decode(database, "database") }
      }
      if let sign = rest.lastIndex(of: "@") {
        let user = rest[..<sign]
        guard !user.contains(":") else { throw .password }
        rest = rest[rest.index(after: sign)...]
        if !user.isEmpty { parameters["user"] = try Self.decode(user, "user") }
      }
      if !rest.isEmpty { try Self.read(hosts: rest, to: &parameters) }
      self.parameters = parameters
      description = text
    }

    private static func read(
      options: Substring, to parameters: inout [String: String]
    ) throws(Problem) {
      for option in options.split(separator: "&") {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = try decode(parts[0], "options")
        if ["password", "sslpassword"].contains(name) { throw .password }
        guard Self.options.contains(name) else { throw .unknownOption(name) }
        guard parts.count == 2 else { throw .unreadable("option '\(name)'") }
        parameters[name] = try decode(parts[1], "option '\(name)'")
      }
    }

    private static func read(
      hosts: Substring, to parameters: inout [String: String]
    ) throws(Problem) {
      let places = hosts.split(separator: ",", omittingEmptySubsequences: false)
      guard places.count <= maximumHostCount else { throw .unreadable("list of hosts") }
      var (names, ports): ([String], [String]) = ([], [])
      for place in places {
        let (name, port) = try host(place)
        if let port {
          guard let number = UInt16(port), number > 0 else { throw .unreadable("port") }
        }
        names.append(name)
        ports.append(port.map(String.init) ?? "")
      }
      parameters["host"] = names.joined(separator: ",")
      if ports.contains(where: { !$0.isEmpty }) {
        parameters["port"] = ports.joined(separator: ",")
      }
    }

    private static func host(
      _ place: Substring
    ) throws(Problem) -> (name: String, port: Substring?) {
      var (name, port): (Substring, Substring?) = (place, nil)
      if place.first == "[" {
        guard let end = place.firstIndex(of: "]") else { throw .unreadable("host") }
        name = place[place.index(after: place.startIndex)..<end]
        let rest = place[place.index(after: end)...]
        guard rest.isEmpty || rest.first == ":" else { throw .unreadable("host") }
        if !rest.isEmpty { port = rest.dropFirst() }
      } else if let colon = place.firstIndex(of: ":") {
        name = place[..<colon]
        port = place[place.index(after: colon)...]
      }
      let decoded = try decode(name, "host")
      guard !decoded.contains(",") else { throw .unreadable("host") }
      return (decoded, port)
    }

    private static func decode(_ text: Substring, _ part: String) throws(Problem) -> String {
      guard let bytes = PercentEncoding.bytes(text), !bytes.contains(0),
        let decoded = String(validating: bytes, as: UTF8.self)
      else { throw .unreadable(part) }
      return decoded
    }
  }
#endif
