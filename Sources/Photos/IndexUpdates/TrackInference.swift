package import CivilTime
package import Geotagging
package import PhotoLibrary
import PhotoMetadata
package import ProcessControl
import Spatial
package import SystemPackage

/// The inference of missing photo positions from recorded tracks.
package struct TrackInference {
  /// The folders or files of tracks.
  package let roots: [TrackRoot]
  /// The name of the tracks that count where tracks contradict each other; `nil` for none.
  package let owner: String?
  /// The clock offsets given by the user.
  package let clocks: GivenClocks
  /// The clock of the machine's time zone, for cameras whose clocks nothing else tells.
  package let machineClock: LocalClock

  /// Creates an inference; nothing is read yet.
  package init(
    _ roots: [TrackRoot], owner: String? = nil, clocks: GivenClocks, machineClock: LocalClock
  ) {
    (self.roots, self.owner, self.clocks, self.machineClock) = (roots, owner, clocks, machineClock)
  }

  /// The result.
  package struct Report {
    /// The number of photos without a position of their own.
    package var photoCount = 0
    /// The number of them with an inferred position.
    package var inferredCount = 0
    /// The number of new or changed positions.
    package var changeCount = 0
    /// The number of photos left without a position because tracks contradict each other at their
    /// time.
    package var contradictedCount = 0
    /// The number of photos with a position from one of several tracks that contradict each other,
    /// chosen because photos with positions of their own lie on it.
    package var decidedByPhotosCount = 0
    /// The number of photos left without a position because several clocks fit.
    package var undecidedCount = 0
    /// The number of recordings.
    package var fileCount = 0
    /// The number of files that hold no position with a time, or cannot be read.
    package var unreadCount = 0
    /// The number of points of all recordings.
    package var pointCount = 0
    /// Whether points were left out because there are too many.
    package var isCut = false
    /// The clocks of cameras, for each series of photos.
    package var clocks: [SeriesClock] = []
    /// Files and folders that cannot be read, with the reason.
    package var problems: [(path: FilePath, reason: String)] = []
  }

  /// The clock of a camera during consecutive photos.
  package struct SeriesClock {
    /// The camera; `nil` if unknown.
    package let camera: Camera?
    /// The times that the clock showed at the first and the last photo.
    package let times: ClosedRange<Instant>
    /// The clock.
    package let clock: CameraClock
  }

  /// A group of photos whose clocks are estimated together.
  private struct Group: Hashable {
    let camera: Camera?
    let statesOffset: Bool
  }

  /// Assigns positions to photos that were taken during recorded tracks.
  ///
  /// An inferred position is kept if no photo of its series matches a track any more: the recording
  /// may only have been moved. A position from another program's database is always kept.
  ///
  /// - Parameters:
  ///   - index: The index, which must not have been loaded for queries only.
  ///   - isIncluded: Whether a photo is one of those that may be on the tracks.
  ///   - interruption: Ends the reading of tracks early; nothing is assigned then.
  /// - Returns: The results.
  package func place(
    in index: inout PhotoIndex, where isIncluded: (FilePath) -> Bool = { _ in true },
    orUntil interruption: Interruption
  ) -> Report {
    var report = Report()
    let photos = index.unlocatedPhotos.filter {
      $0.given?.source != .imported && isIncluded($0.path)
    }
    report.photoCount = photos.count
    report.inferredCount = photos.count { $0.given != nil }
    guard !photos.isEmpty else { return report }
    let reading = TrackReading(roots, owner: owner, orUntil: interruption)
    (report.fileCount, report.unreadCount) = (reading.fileCount, reading.unreadCount)
    report.pointCount = reading.archive.pointCount
    (report.isCut, report.problems) = (reading.archive.isCut, reading.problems)
    guard reading.archive.pointCount > 0, !interruption.isRequested else { return report }
    let offsets = index.statedOffsets
    let located = LocatedPhotos(in: index, where: isIncluded, on: reading.archive)
    var positions: [(photo: UnlocatedPhoto, position: GivenPosition?)] = []
    for (group, photos) in Self.groups(photos) {
      let tracks = located.decided(for: group.camera)
      let estimate = ClockEstimate(tracks: tracks, machineClock: machineClock) { time in
        offsets[time.utcDayNumber]
      }
      var groups: [Double?: [UnlocatedPhoto]] = [:]
      for photo in photos {
        groups[given(for: photo, of: group), default: []].append(photo)
      }
      for (given, photos) in groups.sorted(by: { $0.key ?? -.infinity < $1.key ?? -.infinity }) {
        let times = photos.compactMap { $0.captured?.instant }
        let clocks = ClockSeries.split(times, statesOffset: group.statesOffset)
          .flatMap { Self.clocks(of: $0, given: given, estimate) }
          .map { SeriesClock(camera: group.camera, times: $0.times, clock: $0.clock) }
        report.clocks += clocks.filter { $0.clock.coveredCount > 0 }
        positions += Self.positions(of: photos, clocks, on: tracks, counting: &report)
      }
    }
    report.changeCount = index.assign(positions)
    report.inferredCount = index.unlocatedPhotos.count {
      $0.given?.source == .inferred && isIncluded($0.path)
    }
    return report
  }

  /// Removes all inferred positions.
  ///
  /// - Returns: The number of photos whose position was removed.
  package static func drop(from index: inout PhotoIndex) -> Int {
    let inferred = index.unlocatedPhotos.filter { $0.given?.source == .inferred }
    return index.assign(inferred.map { (photo: $0, position: nil) })
  }

  /// Returns the seconds by which the camera's clock was ahead of UTC according to the user.
  private func given(for photo: UnlocatedPhoto, of group: Group) -> Double? {
    photo.captured.flatMap {
      clocks.seconds(ofMake: group.camera?.make, model: group.camera?.model, at: $0.instant)
    }
  }

  private static func clocks(
    of series: ClockSeries, given: Double?, _ estimate: ClockEstimate
  ) -> [DatedCameraClock] {
    guard let given else { return estimate.clocks(of: series) }
    return [
      DatedCameraClock(
        times: series.times[0].through(series.times[series.times.count - 1]),
        clock: estimate.clock(of: series, given: given))
    ]
  }

  /// Returns the dated photos grouped by camera, in the order of the index.
  private static func groups(
    _ photos: [UnlocatedPhoto]
  ) -> [(group: Group, photos: [UnlocatedPhoto])] {
    var places: [Group: Int] = [:]
    var groups: [(group: Group, photos: [UnlocatedPhoto])] = []
    for photo in photos {
      guard let captured = photo.captured else { continue }
      let group = Group(camera: photo.camera, statesOffset: captured.utcOffsetMinutes != nil)
      if let place = places[group] {
        groups[place].photos.append(photo)
      } else {
        places[group] = groups.count
        groups.append((group, [photo]))
      }
    }
    return groups
  }

  private static func positions(
    of photos: [UnlocatedPhoto], _ clocks: [SeriesClock], on tracks: TrackArchive,
    counting report: inout Report
  ) -> [(photo: UnlocatedPhoto, position: GivenPosition?)] {
    photos.compactMap { photo in
      guard let time = photo.captured?.instant,
        let clock = clocks.first(where: { $0.times.contains(time) })?.clock,
        clock.coveredCount > 0
      else { return nil }
      let found = InferredPosition(ofPhotoAt: time, clock: clock, on: tracks)
      if found != nil {
        if tracks.isDecidedByPhotos(at: clock.instant(ofShown: time)) {
          report.decidedByPhotosCount += 1
        }
      } else {
        if tracks.isContradicted(at: clock.instant(ofShown: time)) {
          report.contradictedCount += 1
        } else if !clock.rivalMinutes.isEmpty {
          report.undecidedCount += 1
        }
      }
      let position = found.map { found in
        GivenPosition(
          found.coordinate,
          horizontalAccuracyMeters: (found.accuracyMeters * 10).rounded() / 10,
          source: .inferred)
      }
      return (photo, position)
    }
  }
}
