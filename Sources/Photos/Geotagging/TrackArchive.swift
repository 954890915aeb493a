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
}

/// A collection of recorded tracks that can be searched by time.
///
/// Tracks may overlap, such as those of a phone and a watch on the same walk. Points of different
/// recordings or devices are never joined.
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

  /// A device in a recording.
  private struct Source: Hashable {
    let recording: Int
    let device: String?
  }

  private var collected: [Source: [RecordedTrack.Point]] = [:]
  /// The tracks in the order of their first points.
  private var tracks: [RecordedTrack] = []
  /// The latest end of each track and all tracks before it, in milliseconds since 1970.
  private var latestEnds: [Int64] = []
  /// The number of points.
  public private(set) var pointCount = 0
  /// Whether points beyond ``maximumPointCount`` were omitted.
  public private(set) var isCut = false

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
  public mutating func append(_ fix: LocationFix, ofRecording recording: Int) {
    guard let time = fix.time, let coordinate = fix.coordinate, !coordinate.isNullIsland,
      fix.horizontalAccuracyMeters ?? 0 <= Self.worstAccuracyMeters
    else { return }
    guard pointCount < Self.maximumPointCount else {
      isCut = true
      return
    }
    let source = Source(recording: recording, device: fix.device)
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
    tracks += collected.values.map { RecordedTrack($0) }
    collected = [:]
    tracks.sort { $0.order < $1.order }
    latestEnds = []
    latestEnds.reserveCapacity(tracks.count)
    for track in tracks {
      let end = track.span?.upperBound ?? .min
      latestEnds.append(max(end, latestEnds.last ?? .min))
    }
  }

  /// Returns the position at a time; if several tracks have one, the most accurate.
  ///
  /// - Returns: The position; `nil` if no track has points within ``maximumGapSeconds`` before and
  ///   after the time that are at most ``maximumStepMeters`` apart.
  /// - Complexity: O(log *n* + *k* log *p*) for *n* tracks of *p* points, where *k* tracks begin
  ///   before the time and either end after it or overlap such a track.
  public func position(at time: Instant) -> TrackPosition? {
    let time = time.millisecondsSince1970
    var (low, high) = (0, tracks.count)
    while low < high {
      let middle = (low + high) / 2
      if tracks[middle].span?.lowerBound ?? .max <= time { low = middle + 1 } else { high = middle }
    }
    var best: TrackPosition?
    var number = low - 1
    while number >= 0, latestEnds[number] >= time {
      if let found = tracks[number].position(at: time),
        found.accuracyMeters < best?.accuracyMeters ?? .infinity
      {
        best = found
      }
      number -= 1
    }
    return best
  }
}

extension RecordedTrack {
  /// The sort key of a track, which makes results independent of the order in which tracks were
  /// added.
  fileprivate var order: (Int64, Int64, Int, Int32, Int32) {
    (
      span?.lowerBound ?? .max, span?.upperBound ?? .max, points.count,
      points.first?.latitude ?? 0, points.first?.longitude ?? 0
    )
  }
}
