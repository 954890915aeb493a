package import KeptPlaces
package import PhotoLibrary
package import ProcessControl
package import ProgramSettings
package import SystemPackage
package import WatchService

/// The user's own places, for commands that list or watch them.
package struct OwnPlaces: Sendable {
  /// The places.
  package let store: PlaceStore
  private let log: MessageLog

  /// Creates access to the places of a state folder, or of the file of the setting `placesFile`.
  package init(stateFolder: FilePath, _ settings: Settings, log: MessageLog) throws {
    self.log = log
    store = try settings.placeStore(stateFolder: stateFolder, log: log)
  }

  /// Joins spots with the places. If the places cannot be read, reports the error and returns the
  /// spots alone, since answers work without them.
  package func joined(with spots: SpotIndex, clusterRadius radiusMeters: Double) -> SpotIndex {
    do throws(PlaceStoreError) {
      let places = try store.load().ownPlaces
      return spots.joined(with: places, clusterRadius: radiusMeters)
    } catch {
      log.problem("\(error)")
      return spots
    }
  }

  /// Joins the spots of any source with the places, in the same way.
  package func joined(
    with spots: any SpotSource, clusterRadius radiusMeters: Double
  ) -> any SpotSource {
    if let index = spots as? SpotIndex {
      return joined(with: index, clusterRadius: radiusMeters) as SpotIndex
    }
    do throws(PlaceStoreError) {
      let places = try store.load().ownPlaces
      guard !places.isEmpty else { return spots }
      return JoinedSpots(spots, with: places, clusterRadius: radiusMeters)
    } catch {
      log.problem("\(error)")
      return spots
    }
  }

  /// The places for a watch, which reloads them after a change.
  package var source: WatchSources.Places {
    WatchSources.Places(
      generation: { store.generation }, load: { try store.load().ownPlaces })
  }
}

extension Settings {
  /// Opens the places of a state folder, or of the file of the setting `placesFile`.
  ///
  /// - Parameters:
  ///   - stateFolder: The state folder.
  ///   - log: Receives a notice about damage.
  /// - Returns: The places.
  /// - Throws: A `SettingsError` if the setting is invalid.
  package func placeStore(stateFolder: FilePath, log: MessageLog) throws -> PlaceStore {
    PlaceStore(stateFolder: stateFolder, file: try placesFile) { log.problem("\($0)") }
  }
}
