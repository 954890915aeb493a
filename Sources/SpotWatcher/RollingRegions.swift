import CLibrary
public import CivilTime
public import LocationFeeds
public import PhotoLibrary
public import Spatial

/// The regions that a phone watches by itself: the nearest spots and places of one's own, as few as
/// phones allow, renewed as the phone moves.
///
/// iOS watches at most 20 regions of an app (Core Location, `CLLocationManager`, "Monitoring"), so
/// there are twelve, with numbers that stay: a spot keeps its number for as long as it is among
/// them, and a new spot takes the number of one that is not any more. So a phone is told of what
/// changed alone, and never holds more than twelve.
///
/// ```swift
/// var regions = RollingRegions()
/// let changed = regions.follow(fix, among: spots, settings: settings, now: now)
/// if let changed { send(changed) }
/// ```
///
/// What lies ahead counts as nearer than it is: half as near again at most. The set is made anew
/// once the phone has gone half of the distance within which the set holds every spot, at least
/// ``minimumStepMeters`` and ``minimumSeconds`` after the last one that was sent.
public struct RollingRegions: Sendable {
  /// A circle around a spot, with its number.
  public struct Region: Hashable, Sendable {
    /// The number, 1–12.
    public let number: Int
    /// The spot's id.
    public let spotID: String
    /// The spot's centre.
    public let center: Coordinate
    /// The radius in whole metres.
    public let radiusMeters: Int
  }

  /// The greatest number of regions.
  public static let maximumCount = 12
  /// The least radius in metres: phones do not notice smaller circles reliably.
  static let minimumRadiusMeters = 50.0
  /// The least distance between two sets in metres.
  static let minimumStepMeters = 50.0
  /// The least time between two sets in seconds.
  static let minimumSeconds = 60.0
  /// How much a spot straight ahead counts as nearer, and one straight behind as farther.
  static let aheadShare = 0.5
  /// How many of the nearest spots are looked at: muted spots and those ahead may make it many.
  private static let maximumCandidateCount = 4096

  /// The position of a phone when it was last told of regions, or needed none.
  private struct Origin {
    let coordinate: Coordinate
    /// The set holds every spot within this distance, in metres; infinite where it holds them all.
    let reachMeters: Double
  }

  /// The sending of a set.
  private struct Sending {
    let now: Instant
    /// The fix that led to it.
    let fix: LocationFix
  }

  /// What the phone holds at each number, whether in the set or left over from an earlier one.
  private var held: [Region?] = Array(repeating: nil, count: maximumCount)
  /// The numbers of the set.
  private var current: Set<Int> = []
  private var origin: Origin?
  private var sending: Sending?
  /// The last fix that was followed, and the last one before that was some way off.
  private var last: (time: Instant, coordinate: Coordinate)?
  private var earlier: (time: Instant, coordinate: Coordinate)?

  /// Creates the regions of a phone that holds none.
  public init() {}

  /// The regions in the set, by their numbers.
  public var regions: [Region] { held.compactMap(\.self).filter { current.contains($0.number) } }

  /// Takes a fix of the phone into account.
  ///
  /// A fix that led to the last set and comes again brings all of it again: the phone has not had
  /// the answer. A fix that is older than the last one, inaccurate or without a time brings
  /// nothing.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - spots: The spots.
  ///   - settings: The radius, the muted spots and zones, and whether only favourites count.
  ///   - now: The time.
  /// - Returns: The regions that the phone is to be told of; `nil` for none.
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

  /// The direction of movement in degrees; `nil` where the phone stands, or that is not known.
  private func course(
    of fix: LocationFix, _ time: Instant, _ here: Coordinate
  ) -> Double? {
    if let course = fix.courseDegrees, let speed = fix.speedMetersPerSecond, speed >= 1 {
      return course
    }
    // A phone that is asleep reports positions that are far apart, and often no course.
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

  /// A spot of the set.
  private struct Chosen {
    let id: String
    let center: Coordinate
    let radiusMeters: Int
  }

  /// Returns the spots of the set, the nearest first, and the distance within which it holds all.
  private static func nearest(
    among spots: SpotIndex, to here: Coordinate, course: Double?, settings: WatcherSettings,
    now: Instant
  ) -> (spots: [Chosen], reachMeters: Double) {
    let closest = 1 - (course == nil ? 0 : aheadShare)
    let farthest = 1 + (course == nil ? 0 : aheadShare)
    var asked = 3 * maximumCount
    while true {
      let found = spots.nearestPlaces(asked, to: here)
      let isAll = found.count < asked
      let ranked = found.filter { isWatched(spots.spots[$0.index], settings, now) }
        .map {
          (place: $0.index, weighted: $0.distanceMeters * factor(of: spots, $0, here, course))
        }
        .sorted { ($0.weighted, $0.place) < ($1.weighted, $1.place) }
      let set = ranked.prefix(maximumCount)
      // No spot beyond those that were found counts as nearer than the last of the set.
      let isExact =
        set.count == maximumCount
        && found.last.map { $0.distanceMeters * closest >= (set.last?.weighted ?? 0) } ?? true
      if isAll || isExact || asked >= maximumCandidateCount {
        let holdsAll = isAll && ranked.count <= maximumCount
        return (
          set.map { chosen(spots.spots[$0.place], settings) },
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

  /// Whether a phone is to wake for a spot: not for one that is muted, or no favourite where only
  /// those count.
  private static func isWatched(
    _ spot: PhotoSpot, _ settings: WatcherSettings, _ now: Instant
  ) -> Bool {
    if settings.isFavoritesOnly, spot.favoriteCount == 0 { return false }
    guard !settings.mutedSpots.isEmpty || !settings.mutedZones.isEmpty else { return true }
    let (id, center) = (spot.id, spot.coordinate)
    return !settings.mutedSpots.contains {
      $0.isInForce(at: now)
        && $0.covers(spotID: id, center: center, radiusMeters: settings.clusterRadiusMeters)
    } && !settings.mutedZones.contains { $0.center.distance(to: center) <= $0.radiusMeters }
  }

  private static func chosen(_ spot: PhotoSpot, _ settings: WatcherSettings) -> Chosen {
    let radius = max(
      spot.place?.alertRadiusMeters ?? settings.proximityRadiusMeters, minimumRadiusMeters)
    return Chosen(
      id: spot.id, center: spot.coordinate, radiusMeters: Int(saturating: radius.rounded(.up)))
  }

  /// Gives numbers to spots: its own to one that the phone holds, free ones to the others.
  private func assigned(_ spots: [Chosen]) -> [Region] {
    var numbers: [String: Int] = [:]
    for region in held.compactMap(\.self) { numbers[region.spotID] = region.number }
    let kept = Set(spots.compactMap { numbers[$0.id] })
    let isStale = (1...Self.maximumCount).filter { !kept.contains($0) }
    // Numbers that the phone holds nothing at come first.
    var free = isStale.filter { held[$0 - 1] == nil } + isStale.filter { held[$0 - 1] != nil }
    return spots.map { spot in
      Region(
        number: numbers[spot.id] ?? free.removeFirst(), spotID: spot.id, center: spot.center,
        radiusMeters: spot.radiusMeters)
    }.sorted { $0.number < $1.number }
  }

  /// Whether a set that differs is worth sending: the phone has gone far enough, or the spots, the
  /// radius or what is muted are others.
  private func isDue(
    _ next: [Region], at here: Coordinate, now: Instant, among spots: SpotIndex,
    _ settings: WatcherSettings
  ) -> Bool {
    guard let origin else { return true }
    // A clock that was turned back must not keep a phone without regions.
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

  /// Whether a region is still what the phone is to watch for its spot.
  private func isCurrent(
    _ region: Region, among spots: SpotIndex, _ settings: WatcherSettings, _ now: Instant
  ) -> Bool {
    guard let place = spots.place(ofID: region.spotID) else { return false }
    let spot = spots.spots[place]
    let chosen = Self.chosen(spot, settings)
    return Self.isWatched(spot, settings, now) && chosen.center == region.center
      && chosen.radiusMeters == region.radiusMeters
  }
}
