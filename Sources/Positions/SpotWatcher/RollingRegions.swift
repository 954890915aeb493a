import CLibrary
public import CivilTime
public import LocationFeeds
public import PhotoLibrary
public import Spatial

/// The regions that a phone monitors itself: the nearest spots and places of the user's own, within
/// the number that phones permit, updated as the phone moves.
///
/// The spots of a viewpoint have one region, around the one with most photos, which contains the
/// alert circles of all; otherwise a few photos apart would use up the number.
///
/// iOS monitors at most 20 regions per app (Core Location, `CLLocationManager`, "Monitoring"), so
/// there are twelve, with stable numbers: a spot keeps its number while it is in the set, and a new
/// spot takes the number of one that is no longer in it. A phone is sent only changed regions, and
/// never holds more than twelve.
///
/// ```swift
/// var regions = RollingRegions()
/// let changed = regions.follow(fix, among: spots, settings: settings, now: now)
/// if let changed { send(changed) }
/// ```
///
/// Distances are weighted by direction: a spot straight ahead counts as half as far away, one
/// straight behind as half as far again. The set is renewed once the phone has moved by half of the
/// distance within which the set contains all spots, but at least `minimumStepMeters` and
/// `minimumSeconds` after the last set sent.
public struct RollingRegions: Sendable {
  /// A circle around a viewpoint, with a number.
  public struct Region: Hashable, Sendable {
    /// The number, 1–12.
    public let number: Int
    /// The id of the viewpoint's spot with most photos.
    public let spotID: String
    /// The spot's centre.
    public let center: Coordinate
    /// The radius in whole metres.
    public let radiusMeters: Int
  }

  /// The maximum number of regions.
  public static let maximumCount = 12
  /// The minimum radius in metres; phones do not detect smaller circles reliably.
  static let minimumRadiusMeters = 50.0
  /// The minimum movement between two sets, in metres.
  static let minimumStepMeters = 50.0
  /// The minimum time between two sets, in seconds.
  static let minimumSeconds = 60.0
  /// The share by which the distance of a spot straight ahead is reduced, and of one straight
  /// behind increased.
  static let aheadShare = 0.5
  /// The maximum number of spots to examine; many are needed if spots are muted or the phone is
  /// moving.
  private static let maximumCandidateCount = 4096

  /// The position of the phone when the current set was calculated.
  private struct Origin {
    let coordinate: Coordinate
    /// The distance in metres within which the set contains all spots; infinite if it contains all
    /// of the index.
    let reachMeters: Double
  }

  /// The record of a sent set.
  private struct Sending {
    let now: Instant
    /// The fix that caused it.
    let fix: LocationFix
  }

  /// The region that the phone holds at each number, in the current set or left over from an
  /// earlier one.
  private var held: [Region?] = Array(repeating: nil, count: maximumCount)
  /// The numbers in the current set.
  private var current: Set<Int> = []
  private var origin: Origin?
  private var sending: Sending?
  /// The last processed fix, and the last fix before it at some distance.
  private var last: (time: Instant, coordinate: Coordinate)?
  private var earlier: (time: Instant, coordinate: Coordinate)?

  /// Creates the regions of a phone that holds none.
  public init() {}

  /// The regions in the current set, by number.
  public var regions: [Region] { held.compactMap(\.self).filter { current.contains($0.number) } }

  /// Processes a fix of the phone.
  ///
  /// If the fix that caused the last set arrives again, the whole set is returned again, since the
  /// phone did not receive the answer. A fix that is older than the last one, inaccurate or without
  /// a time has no effect.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - spots: The spots.
  ///   - settings: The settings: radius, muted spots and zones, and whether only favourites count.
  ///   - now: The current time.
  /// - Returns: The changed regions to send to the phone; `nil` for none.
  /// - Complexity: A query for the nearest spots, at most 4096 of them.
  public mutating func follow(
    _ fix: LocationFix, among spots: SpotIndex, settings: WatcherSettings, now: Instant
  ) -> [Region]? {
    guard let time = fix.time, let here = fix.coordinate, !here.isNullIsland,
      (fix.horizontalAccuracyMeters ?? 0) <= settings.maximumAccuracyMeters
    else { return nil }
    if let last, time <= last.time {
      return fix == sending?.fix ? regions : nil
    }
    let course = course(of: fix, time, here)
    note(time, here)
    let set = Self.nearest(among: spots, to: here, course: course, settings: settings, now: now)
    let next = assigned(set.spots)
    let changed = next.filter { held[$0.number - 1] != $0 }
    guard changed.isEmpty || isDue(next, at: here, now: now, among: spots, settings) else {
      return nil
    }
    current = Set(next.map(\.number))
    origin = Origin(coordinate: here, reachMeters: set.reachMeters)
    guard !changed.isEmpty else { return nil }
    for region in changed { held[region.number - 1] = region }
    sending = Sending(now: now, fix: fix)
    return changed
  }

  // MARK: - Movement

  /// Returns the direction of movement in degrees; `nil` where the phone stands still or it is
  /// unknown.
  private func course(
    of fix: LocationFix, _ time: Instant, _ here: Coordinate
  ) -> Double? {
    if let course = fix.courseDegrees, let speed = fix.speedMetersPerSecond, speed >= 1 {
      return course
    }
    // A sleeping phone reports distant positions, often without a course.
    for before in [last, earlier].compactMap(\.self)
    where time.seconds(since: before.time) <= Self.courseSeconds
      && before.coordinate.distance(to: here) >= Self.courseMeters
    {
      return before.coordinate.bearing(to: here)
    }
    return nil
  }

  private static let courseMeters = 30.0
  private static let courseSeconds = 900.0

  private mutating func note(_ time: Instant, _ here: Coordinate) {
    if let last {
      let isFar = earlier.map { $0.coordinate.distance(to: here) >= 2 * Self.courseMeters } ?? true
      if isFar { earlier = last }
    }
    last = (time, here)
  }

  // MARK: - The set

  /// A spot chosen for the set, for all spots of its viewpoint.
  private struct Chosen {
    let id: String
    let center: Coordinate
    let radiusMeters: Int
  }

  /// Returns the spots for the set, those of the nearest viewpoints first, and the distance within
  /// which they are complete.
  private static func nearest(
    among spots: SpotIndex, to here: Coordinate, course: Double?, settings: WatcherSettings,
    now: Instant
  ) -> (spots: [Chosen], reachMeters: Double) {
    let closest = 1 - (course == nil ? 0 : aheadShare)
    let farthest = 1 + (course == nil ? 0 : aheadShare)
    let viewpoints = Viewpoints(spots, settings, now)
    var asked = 3 * maximumCount
    while true {
      let found = spots.nearestPlaces(asked, to: here)
      let isAll = found.count < asked
      let watched = found.filter { viewpoints.isWatched($0.index) }
      let heads = viewpoints.heads(of: watched.map(\.index))
      var seen: Set<Int> = []
      // A viewpoint is as near as the nearest of its spots.
      let ranked = watched.map {
        (place: $0.index, weighted: $0.distanceMeters * factor(of: spots, $0, here, course))
      }
      .sorted { ($0.weighted, $0.place) < ($1.weighted, $1.place) }
      .compactMap { spot in
        heads[spot.place].flatMap {
          seen.insert($0).inserted ? (place: $0, weighted: spot.weighted) : nil
        }
      }
      let set = ranked.prefix(maximumCount)
      // Whether no spot beyond the examined ones can have a smaller weighted distance than the last
      // chosen one, or belong to its viewpoint.
      let isExact =
        set.count == maximumCount
        && found.last.map {
          $0.distanceMeters * closest >= (set.last?.weighted ?? 0) + viewpoints.meters
        } ?? true
      if isAll || isExact || asked >= maximumCandidateCount {
        let holdsAll = isAll && ranked.count <= maximumCount
        return (
          set.map { chosen($0.place, viewpoints) },
          holdsAll ? .infinity : (set.last?.weighted ?? 0) / farthest
        )
      }
      asked *= 3
    }
  }

  private static func factor(
    of spots: SpotIndex, _ found: SpatialIndex.Neighbor, _ here: Coordinate, _ course: Double?
  ) -> Double {
    guard let course else { return 1 }
    let angle = (here.bearing(to: spots.spots[found.index].coordinate) - course) * .pi / 180
    return 1 - aheadShare * cos(angle)
  }

  private static func chosen(_ place: Int, _ viewpoints: Viewpoints) -> Chosen {
    let spot = viewpoints.spots.spots[place]
    let radius = max(viewpoints.radiusMeters(around: place), minimumRadiusMeters)
    return Chosen(
      id: spot.id, center: spot.coordinate, radiusMeters: Int(saturating: radius.rounded(.up)))
  }

  /// Assigns numbers to spots: spots that the phone holds keep theirs, others get free ones.
  private func assigned(_ spots: [Chosen]) -> [Region] {
    var numbers: [String: Int] = [:]
    for region in held.compactMap(\.self) { numbers[region.spotID] = region.number }
    let kept = Set(spots.compactMap { numbers[$0.id] })
    let unused = (1...Self.maximumCount).filter { !kept.contains($0) }
    // Numbers without a region on the phone come first.
    var free = unused.filter { held[$0 - 1] == nil } + unused.filter { held[$0 - 1] != nil }
    return spots.map { spot in
      Region(
        number: numbers[spot.id] ?? free.removeFirst(), spotID: spot.id, center: spot.center,
        radiusMeters: spot.radiusMeters)
    }.sorted { $0.number < $1.number }
  }

  /// Returns whether a different set should be sent: the phone has moved far enough, or the spots,
  /// the radius or the muted spots have changed.
  private func isDue(
    _ next: [Region], at here: Coordinate, now: Instant, among spots: SpotIndex,
    _ settings: WatcherSettings
  ) -> Bool {
    guard let origin else { return true }
    // A sending in the future, after a clock was set back, does not delay the next one.
    if let sending, (0..<Self.minimumSeconds).contains(now.seconds(since: sending.now)) {
      return false
    }
    let step = max(origin.reachMeters / 2, Self.minimumStepMeters)
    if origin.coordinate.distance(to: here) >= step { return true }
    let known = Set(regions.map(\.spotID))
    let isNewNear = next.contains {
      !known.contains($0.spotID) && origin.coordinate.distance(to: $0.center) < origin.reachMeters
    }
    return isNewNear || !regions.allSatisfy { isCurrent($0, among: spots, settings, now) }
  }

  /// Returns whether a region still matches its spot and the settings.
  private func isCurrent(
    _ region: Region, among spots: SpotIndex, _ settings: WatcherSettings, _ now: Instant
  ) -> Bool {
    guard let place = spots.place(ofID: region.spotID) else { return false }
    let viewpoints = Viewpoints(spots, settings, now)
    let chosen = Self.chosen(place, viewpoints)
    return viewpoints.isWatched(place) && chosen.center == region.center
      && chosen.radiusMeters == region.radiusMeters
  }
}
