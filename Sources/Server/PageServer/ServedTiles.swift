import MapTiles
import PhotoLibrary
package import ProcessControl
import ProgramSettings
package import SpotService
import Synchronization
package import SystemPackage
import WebService

/// The map tiles from the source that the setting `mapTiles` names.
package final class ServedTiles: Sendable {
  private let settings: SettingsInForce
  private let made = Mutex<(setting: String, store: TileStore)?>(nil)

  private let cachesFolder: FilePath
  private let log: MessageLog

  /// Creates tiles; the source is opened by the first request.
  package init(_ settings: SettingsInForce, cachesFolder: FilePath, log: MessageLog) {
    (self.settings, self.cachesFolder, self.log) = (settings, cachesFolder, log)
  }

  /// Returns a tile.
  package func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse {
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
      let folder = cachesFolder.appending("tiles")
      let store = TileStore(
        source, cacheFolder: folder, userAgent: "photospots/\(PhotoSpotsVersion.current)",
        report: { [log] error in
          log.problem(
            "map tiles cannot be stored in \(folder.escaped): \(error); they are fetched again for each request"
          )
        })
      if let obstacle = store.obstacle {
        log.problem("mapTiles: \(obstacle)")
      } else {
        // The disk with the tiles may be mounted later, so this is not an error.
        do throws(TileSourceError) { try source.check() } catch {
          log.problem("mapTiles \(error)")
        }
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
