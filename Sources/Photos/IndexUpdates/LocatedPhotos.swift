import CivilTime
import Geotagging
import PhotoLibrary
import PhotoMetadata
import SystemPackage

/// The photos with positions of their own, which decide where tracks contradict each other.
struct LocatedPhotos {
  private let tracks: TrackArchive
  /// The votes of the photos of each camera; `nil` is an unknown one.
  private var votes: [Camera?: TrackVotes] = [:]
  /// The tracks, decided by the photos of all cameras.
  private var decidedByAll: TrackArchive

  /// Collects the photos of an index, and on which tracks they lie; none where no tracks overlap.
  ///
  /// Of a camera's photos in one minute, the first counts.
  init(in index: PhotoIndex, where isIncluded: (FilePath) -> Bool, on tracks: TrackArchive) {
    (self.tracks, decidedByAll) = (tracks, tracks)
    guard tracks.overlaps else { return }
    var photos: [Camera?: [Int64: LocatedPhoto]] = [:]
    index.forEachDatedPhotoWithOwnPosition { path, captured, camera, position, accuracy in
      guard isIncluded(path) else { return }
      let minute = captured.instant.millisecondsSince1970 / 60_000
      guard photos[camera]?[minute] == nil else { return }
      photos[camera, default: [:]][minute] = LocatedPhoto(
        takenAt: captured.instant, statesOffset: captured.utcOffsetMinutes != nil, at: position,
        accuracyMeters: accuracy)
    }
    func ordered(_ photos: [Int64: LocatedPhoto]) -> [LocatedPhoto] {
      photos.sorted { $0.key < $1.key }.map(\.value)
    }
    votes = photos.mapValues { tracks.votes(of: ordered($0)) }
    decidedByAll = tracks.decided(by: votes.values.reduce(into: TrackVotes()) { $0.add($1) })
  }

  /// Returns the tracks for the photos of a camera: decided by its own photos with positions, or
  /// else by those of all cameras.
  func decided(for camera: Camera?) -> TrackArchive {
    guard let camera, let own = votes[camera], own.areDecisive else { return decidedByAll }
    return tracks.decided(by: own)
  }
}
