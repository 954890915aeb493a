import CivilTime
import Spatial

/// The positions of one device in one recording, in order of time.
struct RecordedTrack: Hashable, Sendable {
  /// The source of a track: a named device, in any number of recordings, or one recording.
  enum Origin: Hashable, Sendable {
    case device(String)
    case recording(Int)
  }

  /// The evidence that a track is of the person who took the photos, in ascending order.
  enum Claim: Int, Comparable, Sendable {
    case none
    /// Photos with positions of their own lie on it, not on tracks that contradict it.
    case photos
    /// The user named it.
    case owner
    /// The user named it, and photos lie on it.
    case ownerAndPhotos

    static func < (left: Claim, right: Claim) -> Bool { left.rawValue < right.rawValue }

    /// Whether photos with positions of their own are part of the evidence.
    var includesPhotos: Bool { self == .photos || self == .ownerAndPhotos }
  }

  /// A position at a time.
  struct Point: Hashable, Sendable {
    /// The time in milliseconds since 1970.
    let time: Int64
    /// The latitude in degrees times 10⁷.
    let latitude: Int32
    /// The longitude in degrees times 10⁷.
    let longitude: Int32
    /// The horizontal accuracy as a radius in decimetres.
    private let accuracy: Int32

    init(_ coordinate: Coordinate, accuracyMeters: Double?, time: Instant) {
      self.time = time.millisecondsSince1970
      latitude = Self.fixed(coordinate.latitude)
      longitude = Self.fixed(coordinate.longitude)
      accuracy = Int32(
        saturating: ((accuracyMeters ?? TrackArchive.unknownAccuracyMeters) * 10).rounded())
    }

    /// The horizontal accuracy as a radius in metres.
    var accuracyMeters: Double { Double(accuracy) / 10 }

    /// The position, at most 6 mm from the original one due to rounding.
    var coordinate: Coordinate {
      Coordinate(uncheckedLatitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    /// Converts degrees to an integer in units of 10⁻⁷; ±180 · 10⁷ fits in 32 bits.
    private static func fixed(_ degrees: Double) -> Int32 {
      Int32(saturating: (degrees * 1e7).rounded())
    }
  }

  /// The points in ascending order of time, with distinct times.
  private(set) var points: [Point] = []
  /// The times during which the device stayed at a place, in ascending order.
  let stays: [Stay]
  /// The device and the recording.
  let origin: Origin
  /// The evidence that the track is of the person who took the photos.
  var claim: Claim

  /// Creates a track from points in any order; of several points with the same time, the most
  /// accurate is kept.
  init(_ unsorted: [Point], origin: Origin, claim: Claim) {
    (self.origin, self.claim) = (origin, claim)
    let sorted = unsorted.sorted {
      ($0.time, $0.accuracyMeters, $0.latitude, $0.longitude)
        < ($1.time, $1.accuracyMeters, $1.latitude, $1.longitude)
    }
    points.reserveCapacity(sorted.count)
    for point in sorted where points.last?.time != point.time { points.append(point) }
    stays = Stay.all(of: points)
  }

  /// The first and the last time in milliseconds since 1970; `nil` if there are no points.
  var span: ClosedRange<Int64>? {
    guard let first = points.first, let last = points.last else { return nil }
    return first.time...last.time
  }

  /// Returns the interpolated position at a time.
  ///
  /// - Returns: The position; `nil` unless the time is between two points that are at most
  ///   ``TrackArchive/maximumGapSeconds`` from it and at most ``TrackArchive/maximumStepMeters``
  ///   apart.
  /// - Complexity: O(log *n*) for *n* points.
  func position(at time: Int64) -> TrackPosition? {
    let next = points.firstIndex(atOrAfter: time)
    guard next < points.count else { return nil }
    let later = points[next]
    if later.time == time {
      let other = next + 1 < points.count ? points[next + 1] : points[max(next - 1, 0)]
      return TrackPosition(
        coordinate: later.coordinate, accuracyMeters: later.accuracyMeters,
        speedMetersPerSecond: Self.speed(from: later, to: other))
    }
    guard next > 0 else { return nil }
    let earlier = points[next - 1]
    let gap = Int64(saturating: TrackArchive.maximumGapSeconds * 1000)
    guard time - earlier.time <= gap, later.time - time <= gap else { return nil }
    let step = earlier.coordinate.distance(to: later.coordinate)
    guard step <= TrackArchive.maximumStepMeters else { return nil }
    let part = Double(time - earlier.time) / Double(later.time - earlier.time)
    // The device may have stayed at either end until the last moment.
    let deviation = max(part, 1 - part) * step
    return TrackPosition(
      coordinate: Self.between(earlier, later, part),
      accuracyMeters: max(earlier.accuracyMeters, later.accuracyMeters) + deviation,
      speedMetersPerSecond: Self.speed(from: earlier, to: later))
  }

  /// Returns the point nearest in time; `nil` for a track without points.
  func point(near time: Int64) -> Point? {
    let next = points.firstIndex(atOrAfter: time)
    let nearest = points[max(next - 1, 0)..<min(next + 1, points.count)]
    return nearest.min { abs($0.time - time) < abs($1.time - time) }
  }

  /// Interpolates between two points at most ``TrackArchive/maximumStepMeters`` apart.
  ///
  /// Interpolation is linear in degrees, within 0.3 m of the great circle up to 89° of latitude.
  /// Beyond that, the nearer point is returned.
  private static func between(_ from: Point, _ to: Point, _ part: Double) -> Coordinate {
    let (start, end) = (from.coordinate, to.coordinate)
    guard abs(start.latitude) < 89, abs(end.latitude) < 89 else { return part < 0.5 ? start : end }
    var turn = end.longitude - start.longitude
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    var longitude = start.longitude + part * turn
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(
      uncheckedLatitude: start.latitude + part * (end.latitude - start.latitude),
      longitude: longitude)
  }

  private static func speed(from: Point, to: Point) -> Double {
    let seconds = Double(abs(to.time - from.time)) / 1000
    return seconds > 0 ? from.coordinate.distance(to: to.coordinate) / seconds : 0
  }
}

extension [RecordedTrack.Point] {
  /// Returns the index of the first point at or after a time; the count if there is none.
  fileprivate func firstIndex(atOrAfter time: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
