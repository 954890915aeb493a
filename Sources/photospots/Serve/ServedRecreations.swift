import CivilTime
import LocationFeeds
import PhotoMetadata
import Recreations
import SpotAlerts
import SpotService
import SystemPackage

/// Pictures taken again, as the API answers them.
struct ServedRecreations: Sendable {
  private let store: RecreationStore

  init(stateFolder: FilePath) {
    store = RecreationStore(stateFolder: stateFolder)
  }

  /// A text that differs after each change of the list.
  var generation: String { store.generation }

  /// The pictures, the latest first; the library tells which of the old photos are still there.
  func all(_ library: () throws(Problem) -> ServedLibrary) throws(Problem) -> [Recreation] {
    let kept = try answering { () throws(RecreationError) in try store.all() }
    guard !kept.isEmpty else { return [] }
    let library = try? library()
    return kept.map { Recreation($0, library) }
  }

  /// Keeps a picture.
  ///
  /// - Parameters:
  ///   - jpeg: The picture.
  ///   - name: The name of the old photo.
  ///   - score: The alignment score, 0–1.
  ///   - taken: When it was taken, as the browser says.
  ///   - state: The index and the devices.
  ///   - clusterRadiusMeters: The cluster radius in metres that spots are made with.
  ///   - folder: The folder of the new file.
  /// - Returns: What is kept.
  /// - Throws: The problem that is then the answer.
  func keep(
    _ jpeg: [UInt8], ofPhoto name: String, score: Double?, taken: CaptureTime?,
    _ state: some ServiceSources, clusterRadiusMeters: Double, in folder: FilePath
  ) throws(Problem) -> Recreation {
    let library = try state.library()
    guard let (photo, spot) = library.photo(ofName: name) else {
      throw Problem(.noSuchPhoto, "The index has no photo of this id, or the file changed.")
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

  /// Takes a picture off the list.
  func forget(_ id: String) throws(Problem) {
    _ = try answering { () throws(RecreationError) in try store.forget(id) }
  }

  /// The file of a picture.
  func file(of id: String) throws(Problem) -> FilePath {
    let path = try answering { () throws(RecreationError) in try store.file(of: id) }
    guard let path else {
      throw Problem(.notFound, "There is no picture taken again of this id.")
    }
    return path
  }

  private func answering<Result>(
    _ body: () throws(RecreationError) -> Result
  ) throws(Problem) -> Result {
    do throws(RecreationError) { return try body() } catch {
      switch error {
      case .noPicture(let reason):
        throw Problem(.noPicture, "The picture cannot be kept: \(reason).")
      case .tooLarge: throw Problem(.tooLong, "A picture may have 32 MiB.")
      case .inUse: throw Problem(.busy, "Another program is keeping a picture; try again.")
      case .unreadable, .damaged, .cannotWrite, .uncertain:
        StandardError.writeLine("photospots: \(error)")
        throw Problem(
          .stateDamaged, "Pictures cannot be kept or listed; the log of photospots says why.")
      }
    }
  }
}

extension Recreation {
  /// Creates what the API says of a picture; the library tells whether the old photo is there.
  fileprivate init(_ kept: KeptRecreation, _ library: ServedLibrary?) {
    let isThere = library?.photo(ofName: kept.photoName) != nil
    self.init(
      id: kept.id, photoName: isThere ? kept.photoName : nil, spotID: kept.spotID, time: kept.time,
      score: kept.score, fileName: kept.fileName)
  }
}
