import KeptPlaces
import PhotoLibrary
import SystemPackage
import WatchService

/// The places of one's own for commands that answer or watch with them.
struct OwnPlaces: Sendable {
  let store: PlaceStore

  /// The places of a state folder, or of the file that a setting names.
  init(stateFolder: FilePath, _ settings: Settings) throws {
    store = try settings.placeStore(stateFolder: stateFolder)
  }

  /// Joins spots with the places; the spots alone where the places cannot be read, which is told:
  /// an answer does not need them.
  func joined(with spots: SpotIndex, clusterRadius radiusMeters: Double) -> SpotIndex {
    do throws(PlaceStoreError) {
      let places = try store.load().ownPlaces
      return spots.joined(with: places, clusterRadius: radiusMeters)
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return spots
    }
  }

  /// The same for the spots of any source.
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

  /// The same for a watch, which reads them again after they changed.
  var source: WatchSources.Places {
    WatchSources.Places(
      generation: { store.generation }, load: { try store.load().ownPlaces })
  }
}
