import MapTiles
import PhotoLibrary
import SpotService
import Synchronization
import SystemPackage
import WebService

/// The map tiles from the source that the setting `mapTiles` names.
final class ServedTiles: Sendable {
  private let settings: SettingsInForce
  private let made = Mutex<(setting: String, store: TileStore)?>(nil)

  init(_ settings: SettingsInForce) {
    self.settings = settings
  }

  /// Returns a tile.
  func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse {
    guard let store = current else {
      return Problem(.notFound, "There are no map tiles; the setting mapTiles gives their source.")
        .response
    }
    do throws(TileError) {
      let tile = try await store.tile(zoom: zoom, x: column, y: row)
      return ServiceResponse(
        status: 200,
        fields: [
          ("Content-Type", tile.mediaType),
          ("Cache-Control", "private, max-age=\(tile.freshSeconds)"),
        ], body: tile.bytes)
    } catch {
      return Self.problem(error).response
    }
  }

  /// The tiles of the setting's current value.
  private var current: TileStore? {
    guard let setting = try? settings.settings.mapTiles else { return nil }
    return made.withLock { made -> TileStore? in
      if let made, made.setting == setting { return made.store }
      guard let source = try? TileSource(setting: setting) else { return nil }
      let folder = Paths.caches.appending("tiles")
      let store = TileStore(
        source, cacheFolder: folder, userAgent: "photospots/\(PhotoSpotsVersion.current)",
        report: { error in
          StandardError.writeLine(
            "photospots: map tiles cannot be stored in \(folder.escaped): \(error); they are fetched again for each request"
          )
        })
      if let obstacle = store.obstacle {
        StandardError.writeLine("photospots: mapTiles: \(obstacle)")
      }
      made = (setting, store)
      return store
    }
  }

  private static func problem(_ error: TileError) -> Problem {
    switch error {
    case .notFound: Problem(.notFound, "The map has no such tile.")
    case .busy, .cancelled: Problem(.busy, "Too many tiles are being fetched; try again.")
    case .unavailable: Problem(.busy, "The source of map tiles is not available now.")
    }
  }
}
