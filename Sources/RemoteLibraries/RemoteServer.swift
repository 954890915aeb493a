package import PhotoLibrary
package import WebRequests

/// A request that only reads: everything else cannot be said.
package struct RemoteRequest: Hashable, Sendable {
  /// The body of a search; `nil` for what a GET asks for.
  package let search: [UInt8]?
  /// The path below the host, with its query.
  package let path: String

  /// Asks for what is at a path.
  static func get(_ path: String) -> RemoteRequest { RemoteRequest(search: nil, path: path) }

  /// Searches, which Immich takes as POST.
  ///
  /// - Precondition: The path is one of a search.
  static func search(_ path: String, _ body: [UInt8]) -> RemoteRequest {
    precondition(path.hasPrefix("/api/search/"))
    return RemoteRequest(search: body, path: path)
  }
}

/// A remote library with the key that opens it.
package struct RemoteServer: Sendable, CustomStringConvertible {
  /// The library.
  package let library: RemoteLibrary
  private let key: String

  /// Creates a server.
  package init(_ library: RemoteLibrary, key: String) { (self.library, self.key) = (library, key) }

  /// The address of the library; the key is nobody's business.
  package var description: String { library.description }

  /// The request as it is sent; `nil` where the path makes no address.
  ///
  /// Immich takes keys in the header `x-api-key`, PhotoPrism app passwords as bearer tokens.
  package func webRequest(_ request: RemoteRequest) -> WebRequest? {
    guard let address = WebAddress(library.webAddress + request.path) else { return nil }
    var web =
      request.search.map {
        WebRequest(.post, to: address, contentType: "application/json", body: $0)
      } ?? WebRequest(for: address, userAgent: "PhotoSpots")
    web.add("Accept", "application/json, image/*")
    switch library.program {
    case .immich: web.add("x-api-key", key)
    case .photoprism: web.add("Authorization", "Bearer \(key)")
    }
    return web
  }
}

/// The keys of remote libraries: one for all servers of a program, or one for each host.
package struct RemoteKeys: Hashable, Sendable {
  private let common: String?
  private let byHost: [String: String]

  /// Reads keys, `KEY` or `HOST=KEY,HOST=KEY`; `nil` where a text cannot be a key: one is ASCII
  /// without spaces, at most 512 characters.
  package init?(_ text: String) {
    guard text.contains("=") else {
      guard Self.isKey(text) else { return nil }
      (common, byHost) = (text, [:])
      return
    }
    var byHost: [String: String] = [:]
    for pair in text.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, Self.isKey(parts[1]) else { return nil }
      byHost[parts[0].lowercased()] = String(parts[1])
    }
    (common, self.byHost) = (nil, byHost)
  }

  private static func isKey(_ text: some StringProtocol) -> Bool {
    (1...512).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// The key of a host.
  package func key(for host: String) -> String? { byHost[host] ?? common }
}
