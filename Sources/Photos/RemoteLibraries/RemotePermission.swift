import Encodings
import HTTPClient
import PhotoLibrary

/// A permission that a key can lack: API keys of Immich have permissions, and app passwords of
/// PhotoPrism have scopes.
package enum RemotePermission: CaseIterable, Sendable {
  case assets, pictures, statistics, albums

  /// The name of the permission in the settings of a program.
  func name(in program: RemoteLibrary.Program) -> String {
    switch (self, program) {
    case (.assets, .immich): "asset.read"
    case (.pictures, .immich): "asset.view"
    case (.statistics, .immich): "asset.statistics"
    case (.albums, .immich): "album.read"
    case (.assets, .photoprism), (.pictures, .photoprism), (.statistics, .photoprism): "photos"
    case (.albums, .photoprism): "albums"
    }
  }

  /// The use of the permission, as a relative clause.
  var use: String {
    switch self {
    case .assets: "which lists the photos"
    case .pictures: "which shows pictures on the page and in alerts"
    case .statistics: "which finds photos that were deleted for good"
    case .albums: "which finds the albums of photos"
    }
  }

  /// Returns the permission that a key lacks by the answer to a request, with the status 403.
  ///
  /// Immich names it: `{"message":"Missing required permission: asset.read"}`. Otherwise it is the
  /// one that the request needs.
  init(lackingFor request: RemoteRequest, of library: RemoteLibrary, _ answer: WebAnswer) {
    let text = String(decoding: answer.body.prefix(4096), as: UTF8.self)
    let named = Self.allCases.first {
      library.program == .immich && text.contains("permission: \($0.name(in: .immich))")
    }
    let path = request.path.prefix { $0 != "?" }
    let isOfAlbum = path.contains("/albums")
    let isPicture = path.contains("/thumbnail") || path.contains("/api/v1/t/")
    self =
      named
      ?? (isOfAlbum
        ? .albums : path.hasSuffix("/statistics") ? .statistics : isPicture ? .pictures : .assets)
  }
}
