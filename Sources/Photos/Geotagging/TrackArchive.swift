public import CivilTime
public import LocationFeeds
public import Spatial

/// A position on a recorded track.
public struct TrackPosition: Hashable, Sendable {
  /// The interpolated position.
  public let coordinate: Coordinate
  /// The accuracy as a radius in metres: the worse accuracy of the two neighbouring points plus,
  /// between them, the distance to the farther one.
  public let accuracyMeters: Double
  /// The average speed between the neighbouring points, in m/s.
  public let speedMetersPerSecond: Double

  /// The limits of ``contradicts(_:)``.
  private static let contradictionFactor = 3.0
  private static let contradictionMeters = 50.0

  /// Returns whether two positions are too far apart to be those of one person: farther than three
  /// times the sum of their accuracies and 50 m.
  func contradicts(_ other: TrackPosition) -> Bool {
    let expected = Self.contradictionFactor * (accuracyMeters + other.accuracyMeters)
    return coordinate.distance(to: other.coordinate) > expected + Self.contradictionMeters
  }
}

/// A collection of recorded tracks that can be searched by time.
///
/// Tracks may overlap, such as those of a phone and a watch on the same walk. Points of different
/// recordings or devices are never joined. Tracks that contradict each other, such as those of
/// two people in one folder, give no position, unless some are known to be the owner's, or photos
/// with positions of their own show it (``decided(by:)``).
public struct TrackArchive: Sendable {
  /// The maximum number of points, enough for several years of daily tracks; each takes 24 bytes.
  public static let maximumPointCount = 10_000_000
  /// The maximum time in seconds between a photo and the track point before or after it.
  public static let maximumGapSeconds = 300.0
  /// The maximum distance in metres between the two track points around a photo.
  public static let maximumStepMeters = 500.0
  /// The assumed accuracy in metres of a point without one: HDOP 3 at 5 m.
  static let unknownAccuracyMeters = 15.0
  /// The worst accuracy in metres of points that are used.
  private static let worstAccuracyMeters = 100.0
  /// The time in milliseconds within which a point close to the previous one is omitted.
  private static let thinnedMilliseconds: Int64 = 5000
  /// The distance in metres within which a point shortly after the previous one is omitted.
  private static let thinnedMeters = 25.0
  /// The maximum number of tracks that are compared at one time.
  private static let maximumOverlap = 16

  /// A device in a recording.
  private struct Source: Hashable {
    let recording: Int
    let device: String?
    let isOwners: Bool

    var origin: RecordedTrack.Origin { device.map { .device($0) } ?? .recording(recording) }
  }

  private var collected: [Source: [RecordedTrack.Point]] = [:]
  /// The tracks in the order of their first points.
  var tracks: [RecordedTrack] = []
  /// The latest end of each track and all tracks before it, in milliseconds since 1970.
  private var latestEnds: [Int64] = []
  /// The parts of the time of all tracks that belong to each phase.
  private(set) var parts = TrackPhase.Parts()
  /// The number of points.
  public private(set) var pointCount = 0
  /// The timed fixes that cannot be points of a track.
  package private(set) var ignored = Ignored()
  /// Whether points beyond ``maximumPointCount`` were omitted.
  public private(set) var isCut = false

  /// Numbers of timed fixes that cannot be points of a track.
  package struct Ignored: Sendable {
    /// Those with a latitude or longitude out of range, or both zero.
    fileprivate(set) var nowhere = 0
    /// Those with an accuracy worse than 100 m.
    fileprivate(set) var inaccurate = 0

    /// Returns why a file of which no fix is a point has none.
    ///
    /// - Parameter before: The numbers before the file.
    /// - Returns: The reason; `nil` if the file had no timed fixes.
    package func reason(since before: Ignored) -> String? {
      if nowhere > before.nowhere {
        return "its positions are zero or out of range; degrees are expected"
      }
      return inaccurate > before.inaccurate ? "its positions have accuracies above 100 m" : nil
    }
  }

  /// Creates an empty archive.
  public init() {}

  /// Adds a fix of a recording; call ``finish()`` before searching.
  ///
  /// Fixes without a time or a valid position, or with an accuracy worse than 100 m, are ignored. A
  /// fix less than 5 s after and less than 25 m from the previous one is omitted.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - recording: The number of the recording's file.
  ///   - isOwners: Whether the recording is of the person who took the photos, and decides where
  ///     tracks contradict each other.
  public mutating func append(
    _ fix: LocationFix, ofRecording recording: Int, isOwners: Bool = false
  ) {
    guard let time = fix.time else { return }
    guard let coordinate = fix.coordinate, !coordinate.isNullIsland else {
      ignored.nowhere += 1
      return
    }
    guard fix.horizontalAccuracyMeters ?? 0 <= Self.worstAccuracyMeters else {
      ignored.inaccurate += 1
      return
    }
    guard pointCount < Self.maximumPointCount else {
      isCut = true
      return
    }
    let source = Source(recording: recording, device: fix.device, isOwners: isOwners)
    let point = RecordedTrack.Point(
      coordinate, accuracyMeters: fix.horizontalAccuracyMeters, time: time)
    if let last = collected[source]?.last {
      let elapsed = point.time - last.time
      if elapsed >= 0, elapsed < Self.thinnedMilliseconds,
        last.coordinate.distance(to: coordinate) < Self.thinnedMeters
      {
        return
      }
    }
    collected[source, default: []].append(point)
    pointCount += 1
  }

  /// Makes the fixes added since the last call searchable.
  public mutating func finish() {
    tracks += collected.map {
      RecordedTrack($0.value, origin: $0.key.origin, claim: $0.key.isOwners ? .owner : .none)
    }
    collected = [:]
    tracks.sort { $0.order < $1.order }
    latestEnds = []
    latestEnds.reserveCapacity(tracks.count)
    for track in tracks {
      let end = track.span?.upperBound ?? .min
      latestEnds.append(max(end, latestEnds.last ?? .min))
    }
    parts = TrackPhase.Parts(of: tracks)
  }

  /// Returns the position at a time; if several tracks have one, the most accurate.
  ///
  /// - Returns: The position; `nil` if no track has points within ``maximumGapSeconds`` before and
  ///   after the time that are at most ``maximumStepMeters`` apart, or if the tracks contradict
  ///   each other.
  /// - Complexity: O(log *n* + *k* log *p*) for *n* tracks of *p* points, where *k* tracks begin
  ///   before the time and either end after it or overlap such a track.
  public func position(at time: Instant) -> TrackPosition? {
    let found = positions(at: time)
    return Self.isContradiction(found) ? nil : found.min { $0.accuracyMeters < $1.accuracyMeters }
  }

  /// Returns whether two tracks have positions at a time that are too far apart to be those of one
  /// person, and nothing decides which counts.
  public func isContradicted(at time: Instant) -> Bool {
    Self.isContradiction(positions(at: time))
  }

  /// Returns whether tracks contradict each other at a time, and photos with positions of their own
  /// decide which count.
  package func isDecidedByPhotos(at time: Instant) -> Bool {
    let found = located(at: time.millisecondsSince1970)
    let counted = Self.counted(found)
    return counted.count < found.count && counted.contains(where: \.track.claim.includesPhotos)
      && !Self.isContradiction(counted.map(\.position))
  }

  private func positions(at time: Instant) -> [TrackPosition] {
    Self.counted(located(at: time.millisecondsSince1970)).map(\.position)
  }

  /// A track with its position at a time.
  typealias Located = (track: RecordedTrack, position: TrackPosition)

  /// Returns the tracks that count: of those that contradict each other, the ones with most
  /// evidence that they are the owner's.
  private static func counted(_ found: [Located]) -> [Located] {
    guard isContradiction(found.map(\.position)) else { return found }
    let most = found.map(\.track.claim).max()
    return found.filter { $0.track.claim == most }
  }

  private static func isContradiction(_ positions: [TrackPosition]) -> Bool {
    for (index, one) in positions.enumerated() {
      for other in positions.dropFirst(index + 1) {
        if one.contradicts(other) { return true }
      }
    }
    return false
  }

  /// Returns the tracks with a position at a time, at most ``maximumOverlap``; of more, those with
  /// evidence that they are the owner's first.
  func located(at time: Int64) -> [Located] {
    var found: [Located] = []
    var others: [Located] = []
    forEachTrack(at: time) { track in
      let isClaimed = track.claim > .none
      guard (isClaimed ? found : others).count < Self.maximumOverlap,
        let position = track.position(at: time)
      else { return }
      if isClaimed {
        found.append((track, position))
      } else {
        others.append((track, position))
      }
    }
    return found + others.prefix(Self.maximumOverlap - found.count)
  }

  /// Returns what the device did at a time; if several tracks include it, the greatest phase.
  func phase(at time: Instant) -> TrackPhase {
    let time = time.millisecondsSince1970
    var phase = TrackPhase.away
    for (track, _) in Self.counted(located(at: time)) {
      phase = max(phase, track.stays.stay(at: time).map(\.phase) ?? .moving)
    }
    return phase
  }

  /// Returns the position of the track point nearest in time; `nil` without tracks.
  func coordinate(near time: Instant) -> Coordinate? {
    let time = time.millisecondsSince1970
    let end = tracks.endIndex(ofTracksFrom: time)
    let candidates = tracks[max(end - 1, 0)..<min(end + 1, tracks.count)]
    let points = candidates.compactMap { $0.point(near: time) }
    return points.min { abs($0.time - time) < abs($1.time - time) }?.coordinate
  }

  private func forEachTrack(at time: Int64, _ body: (RecordedTrack) -> Void) {
    var number = tracks.endIndex(ofTracksFrom: time) - 1
    while number >= 0, latestEnds[number] >= time {
      body(tracks[number])
      number -= 1
    }
  }
}

extension [RecordedTrack] {
  /// Returns the index after the last track that begins at or before a time.
  fileprivate func endIndex(ofTracksFrom time: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].span?.lowerBound ?? .max <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension RecordedTrack {
  /// The sort key of a track, which makes results independent of the order in which tracks were
  /// added.
  fileprivate var order: (Int64, Int64, Int, Int32, Int32, Int) {
    (
      span?.lowerBound ?? .max, span?.upperBound ?? .max, points.count,
      points.first?.latitude ?? 0, points.first?.longitude ?? 0, -claim.rawValue
    )
  }
}
