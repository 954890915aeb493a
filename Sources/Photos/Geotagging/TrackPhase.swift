import Spatial

/// The state of a recording device at a time, as evidence for the time of a photo.
enum TrackPhase: Int, Comparable, CaseIterable, Sendable {
  /// No track has a position.
  case away
  case moving
  /// A stay of at least ``Stay/longMilliseconds``, such as a night: photos are rare.
  case resting
  /// A short stay, in which most photos are taken.
  case standing

  static func < (left: TrackPhase, right: TrackPhase) -> Bool { left.rawValue < right.rawValue }

  /// The parts of the time of tracks that belong to each phase, 0 to 1.
  struct Parts: Hashable, Sendable {
    var moving = 1.0
    var resting = 0.0
    var standing = 0.0

    init() {}

    init(of tracks: [RecordedTrack]) {
      var (total, resting, standing) = (0.0, 0.0, 0.0)
      for track in tracks {
        guard let span = track.span else { continue }
        total += Double(span.upperBound - span.lowerBound)
        for stay in track.stays {
          if stay.phase == .resting { resting += stay.length } else { standing += stay.length }
        }
      }
      guard total > 0 else { return }
      (self.resting, self.standing) = (resting / total, standing / total)
      moving = max(1 - self.resting - self.standing, 0)
    }
  }
}

/// A time during which a device stayed at a place.
struct Stay: Hashable, Sendable {
  /// The first time in milliseconds since 1970.
  let start: Int64
  /// The last time in milliseconds since 1970.
  private(set) var end: Int64

  /// The minimum length of a stay in milliseconds, in which a walker leaves ``radiusMeters``.
  private static let minimumMilliseconds: Int64 = 60_000
  /// The length from which photos become rare, in milliseconds.
  static let longMilliseconds: Int64 = 45 * 60_000
  /// The distance in metres from the first point of a stay, more than the noise of a receiver.
  private static let radiusMeters = 20.0
  /// The distance in metres and the pause in milliseconds up to which two stays are one, in which a
  /// receiver was wrong for a moment.
  private static let joinedMeters = 60.0
  private static let joinedMilliseconds: Int64 = 300_000

  /// The length in milliseconds.
  var length: Double { Double(end - start) }

  var phase: TrackPhase { end - start >= Self.longMilliseconds ? .resting : .standing }

  /// Finds the stays of a track whose points are in order of time.
  ///
  /// - Complexity: O(*n*) for *n* points.
  static func all(of points: [RecordedTrack.Point]) -> [Stay] {
    let longestGap = Int64(saturating: TrackArchive.maximumGapSeconds * 2000)
    var stays: [Stay] = []
    var lastPlace: Coordinate?
    var first = 0
    while first < points.count {
      let place = points[first].coordinate
      var last = first
      while last + 1 < points.count, points[last + 1].time - points[last].time <= longestGap,
        place.distance(to: points[last + 1].coordinate) <= radiusMeters
      { last += 1 }
      guard points[last].time - points[first].time >= minimumMilliseconds else {
        // Starts a second apart find the same stays, and bound the comparisons of dense points.
        let start = points[first].time
        repeat { first += 1 } while first < points.count && points[first].time - start < 1000
        continue
      }
      if let previous = stays.last, let lastPlace,
        points[first].time - previous.end <= joinedMilliseconds,
        lastPlace.distance(to: place) <= joinedMeters
      {
        stays[stays.count - 1].end = points[last].time
      } else {
        stays.append(Stay(start: points[first].time, end: points[last].time))
      }
      lastPlace = place
      first = last + 1
    }
    return stays
  }
}

extension [Stay] {
  /// Returns the stay at a time in milliseconds since 1970; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) for *n* stays.
  func stay(at time: Int64) -> Stay? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 && self[low - 1].end >= time ? self[low - 1] : nil
  }
}
