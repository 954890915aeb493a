public import CivilTime
public import LocationFeeds
public import Spatial

/// A position on a recorded track.
public struct TrackPosition: Hashable, Sendable {
  /// The interpolated position.
  public let coordinate: Coordinate
  /// The radius in metres within which the device was: the accuracy of the two neighbouring points
  /// and the distance to the farther one.
  public let accuracyMeters: Double
  /// The average speed between the neighbouring points in m/s.
  public let speedMetersPerSecond: Double
}

/// Recorded tracks, searchable by time.
///
/// Tracks may overlap: a phone and a watch record the same walk. Positions of different recordings
/// and devices are never joined.
public struct TrackArchive: Sendable {
  /// The greatest number of points; some years of daily tracks, 24 bytes each.
  public static let maximumPointCount = 10_000_000
  /// The longest time in seconds between a photo and the track points before and after it.
  public static let maximumGapSeconds = 300.0
  /// The greatest distance in metres between two points with a photo between them.
  public static let maximumStepMeters = 500.0
  /// The accuracy in metres of a point whose receiver gives none: HDOP 3 at 5 m.
  static let unknownAccuracyMeters = 15.0
  /// The worst accuracy in metres of a point that is used.
  private static let worstAccuracyMeters = 100.0
  /// A point is left out that is sooner than this after the last one, in milliseconds, and nearer.
  private static let thinnedMilliseconds: Int64 = 5000
  /// A point is left out that is nearer than this to the last one, in metres, and sooner.
  private static let thinnedMeters = 25.0

  /// One device in one recording.
  private struct Source: Hashable {
    let recording: Int
    let device: String?
  }

  private var collected: [Source: [RecordedTrack.Point]] = [:]
  /// In the order of their first points.
  private var tracks: [RecordedTrack] = []
  /// For each track the latest end of it and all before, in milliseconds since 1970.
  private var latestEnds: [Int64] = []
  /// The number of points.
  public private(set) var pointCount = 0
  /// Whether points beyond ``maximumPointCount`` were left out.
  public private(set) var isCut = false

  /// Creates an archive without tracks.
  public init() {}

  /// The number of tracks.
  public var trackCount: Int { tracks.count }

  /// Adds a fix of a recording.
  ///
  /// Fixes without a time or a valid position, and those less accurate than 100 m, are passed over.
  /// Of points closer than 5 s and 25 m to each other the first one stays. ``finish()`` makes what
  /// was added searchable.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - recording: The number of its file.
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

  /// Sorts what was added since the last call.
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

  /// Returns the position at a time; of several tracks that of the best accuracy.
  ///
  /// - Returns: `nil` where no track has points within ``maximumGapSeconds`` before and after the
  ///   time, at most ``maximumStepMeters`` apart.
  /// - Complexity: O(log *n* + *k* log *p*): *k* of the *n* tracks begin before the time and end
  ///   after it, or overlap one that does, with *p* points each.
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
  /// What decides about the place of a track among others, so that it does not depend on the order
  /// in which they were added.
  fileprivate var order: (Int64, Int64, Int, Int32, Int32) {
    (
      span?.lowerBound ?? .max, span?.upperBound ?? .max, points.count,
      points.first?.latitude ?? 0, points.first?.longitude ?? 0
    )
  }
}
