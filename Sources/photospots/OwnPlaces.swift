import KeptPlaces
import PhotoLibrary
import SystemPackage
import WatchService

/// The user's own places, for commands that list or watch them.
struct OwnPlaces: Sendable {
  let store: PlaceStore

  /// Creates access to the places of a state folder, or of the file of the setting `placesFile`.
  init(stateFolder: FilePath, _ settings: Settings) throws {
    store = try settings.placeStore(stateFolder: stateFolder)
  }

  /// Joins spots with the places. If the places cannot be read, reports the error and returns the
  /// spots alone, since answers work without them.
  func joined(with spots: SpotIndex, clusterRadius radiusMeters: Double) -> SpotIndex {
    do throws(PlaceStoreError) {
      let places = try store.load().ownPlaces
      return spots.joined(with: places, clusterRadius: radiusMeters)
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return spots
    }
  }

  /// Joins the spots of any source with the places, in the same way.
  func joined(
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
      StandardError.writeLine("photospots: \(error)")
      return spots
    }
  }

  /// The places for a watch, which reloads them after a change.
  var source: WatchSources.Places {
    WatchSources.Places(
      generation: { store.generation }, load: { try store.load().ownPlaces })
  }
}
