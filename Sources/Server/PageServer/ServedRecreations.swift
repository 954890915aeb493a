import CivilTime
import LocationFeeds
import PhotoMetadata
import ProcessControl
import Recreations
import SpotAlerts
import SpotService
import SystemPackage

/// Recreations as responses of the API.
struct ServedRecreations: Sendable {
  private let store: RecreationStore
  private let log: MessageLog

  init(stateFolder: FilePath, log: MessageLog) {
    self.log = log
    store = RecreationStore(stateFolder: stateFolder)
  }

  /// Checks that the list can be read.
  func check() throws(RecreationError) { try store.check() }

  /// A text that changes with every change of the list.
  var generation: String { store.generation }

  /// Returns the entries of the list, most recent first.
  func kept() throws(RecreationError) -> [KeptRecreation] { try store.all() }

  /// Returns entries of the list as recreations. The library determines which original photos still
  /// exist.
  static func answers(
    _ kept: [KeptRecreation], _ library: () throws(Problem) -> ServedLibrary
  ) -> [Recreation] {
    guard !kept.isEmpty else { return [] }
    let library = try? library()
    return kept.map { Recreation($0, library) }
  }

  /// Stores a recreation.
  ///
  /// - Parameters:
  ///   - jpeg: The picture.
  ///   - name: The id of the original photo.
  ///   - score: The alignment score, 0–1.
  ///   - taken: The time it was taken, as reported by the browser.
  ///   - state: The index and the devices.
  ///   - clusterRadiusMeters: The radius in metres within which photos are grouped into spots.
  ///   - folder: The folder of the new file.
  /// - Returns: The stored recreation.
  /// - Throws: A problem for the response.
  func keep(
    _ jpeg: [UInt8], ofPhoto name: String, score: Double?, taken: CaptureTime?,
    _ state: some ServiceSources, clusterRadiusMeters: Double, in folder: FilePath
  ) throws(Problem) -> Recreation {
    let library = try state.library()
    guard let (photo, spot) = library.photo(ofName: name) else {
      throw Problem(.noSuchPhoto, "The index has no photo with this id, or the file changed.")
    }
    let devices = (try? state.devices()) ?? []
    let kept = try answering { () throws(RecreationError) in
      try store.keep(
        jpeg,
        of: OldPhoto(name: name, photo, of: spot, clusterRadiusMeters: clusterRadiusMeters),
        score: score, in: folder, taken: taken, devices: devices, now: .now, localClock: .machine)
    }
    return Recreation(kept, library)
  }

  /// Removes a recreation from the list.
  func forget(_ id: String) throws(Problem) {
    _ = try answering { () throws(RecreationError) in try store.forget(id) }
  }

  /// Returns the file of a recreation.
  func file(of id: String) throws(Problem) -> FilePath {
    let path = try answering { () throws(RecreationError) in try store.file(of: id) }
    guard let path else {
      throw Problem(.notFound, "There is no retaken picture with this id.")
    }
    return path
  }

  private func answering<Result>(
    _ body: () throws(RecreationError) -> Result
  ) throws(Problem) -> Result {
    do throws(RecreationError) { return try body() } catch {
      switch error {
      case .noPicture(let reason):
        throw Problem(.noPicture, "The picture cannot be stored: \(reason).")
      case .tooLarge: throw Problem(.tooLong, "A picture may have at most 32 MiB.")
      case .inUse: throw Problem(.busy, "Another program is storing a picture; try again.")
      case .unreadable, .away, .newer, .damaged, .cannotWrite, .uncertain:
        log.problem("\(error)")
        throw Problem(
          storing: error.storageError,
          "Pictures cannot be stored or listed; the log of photospots has the reason.")
      }
    }
  }
}

extension Recreation {
  /// Creates the API's description of a recreation. The library determines whether the original
  /// photo exists.
  fileprivate init(_ kept: KeptRecreation, _ library: ServedLibrary?) {
    let isThere = library?.photo(ofName: kept.photoName) != nil
    self.init(
      id: kept.id, photoName: isThere ? kept.photoName : nil, spotID: kept.spotID, time: kept.time,
      score: kept.score, fileName: kept.fileName)
  }
}
