package import HTTPClient
package import PhotoLibrary

/// A request that only reads. No other request can be expressed.
package struct RemoteRequest: Hashable, Sendable {
  /// The body of a search; `nil` for a GET request.
  package let search: [UInt8]?
  /// The path and query after the library's address.
  package let path: String

  /// Creates a GET request.
  static func get(_ path: String) -> RemoteRequest { RemoteRequest(search: nil, path: path) }

  /// Creates a search, which Immich accepts as POST.
  ///
  /// - Precondition: The path is that of a search.
  static func search(_ path: String, _ body: [UInt8]) -> RemoteRequest {
    precondition(path.hasPrefix("/api/search/"))
    return RemoteRequest(search: body, path: path)
  }
}

/// A remote library and its key.
package struct RemoteServer: Sendable, CustomStringConvertible {
  /// The library.
  package let library: RemoteLibrary
  private let key: String

  /// Creates a server.
  package init(_ library: RemoteLibrary, key: String) { (self.library, self.key) = (library, key) }

  /// The address of the library, without the key.
  package var description: String { library.description }

  /// Returns the request to send; `nil` where the path does not form a valid address.
  ///
  /// The key is sent in the header `x-api-key` to Immich, and as a bearer token (an app password)
  /// to PhotoPrism.
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

/// The keys of remote libraries: one for all servers, or one for each host.
package struct RemoteKeys: Hashable, Sendable {
  private let common: String?
  private let byHost: [String: String]

  /// Parses `KEY` or `HOST=KEY,HOST=KEY`; returns `nil` where a key is invalid. A key is ASCII
  /// without spaces, at most 512 characters long.
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

  /// Returns the key for a host; `nil` where there is none.
  package func key(for host: String) -> String? { byHost[host] ?? common }
}
