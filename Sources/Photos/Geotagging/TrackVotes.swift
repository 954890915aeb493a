package import CivilTime
package import Spatial

/// A photo with a position of its own, as evidence for whose tracks are the owner's.
package struct LocatedPhoto: Hashable, Sendable {
  /// The instants at which the photo may have been taken.
  let instants: [Instant]
  /// The position, with its accuracy.
  let position: TrackPosition

  /// Creates a photo.
  ///
  /// - Parameters:
  ///   - time: The capture time; without a UTC offset, the time on the camera's clock interpreted
  ///     as UTC. All offsets in use at the longitude are considered then.
  ///   - statesOffset: Whether the photo contains its UTC offset, so that `time` is an instant.
  ///   - coordinate: The position.
  ///   - accuracyMeters: The accuracy as a radius in metres; `nil` if it is unknown.
  package init(
    takenAt time: Instant, statesOffset: Bool, at coordinate: Coordinate, accuracyMeters: Double?
  ) {
    let offsets = ClockRule.offsetsInUse.filter {
      ClockRule.weight(ofMinutes: $0, at: coordinate) == 1
    }
    instants =
      statesOffset ? [time] : offsets.map { time.advanced(bySeconds: -Double($0) * 60) }
    position = TrackPosition(
      coordinate: coordinate,
      accuracyMeters: accuracyMeters ?? TrackArchive.unknownAccuracyMeters,
      speedMetersPerSecond: 0)
  }
}

/// The numbers of photos that lie on one of several tracks which contradict each other.
package struct TrackVotes: Hashable, Sendable {
  /// The numbers for one device or recording.
  private struct Tally: Hashable {
    var onIt = 0
    var elsewhere = 0

    /// Whether the photos show that the track is the owner's. One photo in ten may be of somebody
    /// else.
    var isDecisive: Bool { onIt > 0 && elsewhere * 10 <= onIt }
  }

  private var tallies: [RecordedTrack.Origin: Tally] = [:]

  /// Creates the numbers of no photos.
  package init() {}

  /// Whether the photos show of a track that it is that of their owner.
  package var areDecisive: Bool { tallies.values.contains(where: \.isDecisive) }

  func isDecisive(for origin: RecordedTrack.Origin) -> Bool { tallies[origin]?.isDecisive ?? false }

  /// Adds the numbers of other photos.
  package mutating func add(_ other: TrackVotes) {
    for (origin, tally) in other.tallies {
      tallies[origin, default: Tally()].onIt += tally.onIt
      tallies[origin, default: Tally()].elsewhere += tally.elsewhere
    }
  }

  fileprivate mutating func add(
    on tracks: Set<RecordedTrack.Origin>, notOn others: Set<RecordedTrack.Origin>
  ) {
    for track in tracks { tallies[track, default: Tally()].onIt += 1 }
    for other in others { tallies[other, default: Tally()].elsewhere += 1 }
  }
}

extension TrackArchive {
  /// The maximum number of photos that are asked; of more, every few.
  private static let maximumVotes = 2000

  /// Whether several tracks have the same time, so that they may contradict each other.
  package var overlaps: Bool {
    var end = Int64.min
    for track in tracks {
      guard let span = track.span else { continue }
      if span.lowerBound <= end { return true }
      end = max(end, span.upperBound)
    }
    return false
  }

  /// Counts on which of the tracks that contradict each other photos with positions of their own
  /// lie.
  ///
  /// A photo that lies on all tracks of its time, or on none, says nothing.
  ///
  /// - Complexity: O(*n* log *p*) for *n* photos, of which at most 2,000 are asked, and *p* points.
  package func votes(of photos: [LocatedPhoto]) -> TrackVotes {
    var votes = TrackVotes()
    let step = max((photos.count + Self.maximumVotes - 1) / Self.maximumVotes, 1)
    for index in stride(from: 0, to: photos.count, by: step) {
      let photo = photos[index]
      var (near, far) = (Set<RecordedTrack.Origin>(), Set<RecordedTrack.Origin>())
      for instant in photo.instants {
        let found = located(at: instant.millisecondsSince1970)
        let isOn = found.map { !$0.position.contradicts(photo.position) }
        guard isOn.contains(true) else { continue }
        for (located, isOn) in zip(found, isOn) {
          if isOn { near.insert(located.track.origin) } else { far.insert(located.track.origin) }
        }
      }
      // Together, or at another of the possible times.
      far.subtract(near)
      if !far.isEmpty { votes.add(on: near, notOn: far) }
    }
    return votes
  }

  /// Returns the tracks, of which those count, where they contradict each other, on which photos
  /// with positions lie. Tracks that are known to be the owner's still come first.
  package func decided(by votes: TrackVotes) -> TrackArchive {
    var decided = self
    for number in decided.tracks.indices where votes.isDecisive(for: tracks[number].origin) {
      decided.tracks[number].claim = tracks[number].claim >= .owner ? .ownerAndPhotos : .photos
    }
    return decided
  }
}
