public import CivilTime
public import PhotoLibrary
public import PhotoMetadata

/// Information that helps to take a picture again: the time since the earlier ones, and the
/// camera's direction and focal length.
public struct SpotMemory: Hashable, Sendable {
  /// A period in whole years and remaining days.
  public struct Elapsed: Hashable, Sendable {
    /// The number of whole years.
    public let years: Int
    /// The number of remaining days, fewer than 366.
    public let days: Int

    /// Creates a period.
    public init(years: Int, days: Int) {
      self.years = years
      self.days = days
    }
  }

  /// An anniversary, today or a few days away, of a day with photos.
  public struct Anniversary: Hashable, Sendable {
    /// The number of years since that day, at least one.
    public let years: Int
    /// The number of days to or since the anniversary, 0–6.
    public let daysAway: Int

    /// Creates an anniversary.
    public init(years: Int, daysAway: Int) {
      self.years = years
      self.daysAway = daysAway
    }
  }

  /// The time since the latest photo; `nil` where none is dated.
  public let sinceLatest: Elapsed?
  /// The nearest anniversary, of several the oldest; `nil` where there is none.
  public let anniversary: Anniversary?
  /// The number of different years with photos.
  public let yearCount: Int
  /// The direction of the camera in the spot's cover, in degrees clockwise from true or magnetic
  /// north, as recorded by the camera.
  public let headingDegrees: Double?
  /// The focal length of the cover.
  public let focalLength: FocalLength?
  /// The name of the place, on one line without invisible characters.
  public let place: String?

  /// Creates a memory from its stored parts.
  public init(
    sinceLatest: Elapsed?, anniversary: Anniversary?, yearCount: Int, headingDegrees: Double?,
    focalLength: FocalLength? = nil, place: String? = nil
  ) {
    self.sinceLatest = sinceLatest
    self.anniversary = anniversary
    self.yearCount = yearCount
    self.headingDegrees = headingDegrees
    self.focalLength = focalLength
    self.place = place.flatMap { PlaceName.name(ofAlbum: $0.utf8) }
  }

  /// Creates the memory of a spot's past for a day.
  public init(of past: SpotPast, on today: CivilDay) {
    let elapsed = past.days.last.flatMap { today.elapsed(since: $0) }
    self.init(
      sinceLatest: elapsed.map { Elapsed(years: $0.years, days: $0.days) },
      anniversary: Self.anniversary(of: past.days, on: today),
      yearCount: Set(past.days.map(\.year)).count,
      headingDegrees: past.coverHeading?.degrees, focalLength: past.coverFocalLength,
      place: past.place)
  }

  /// The number of days before and after a day that count as "this week".
  private static let daysAround = 6

  private static func anniversary(of days: [CivilDay], on today: CivilDay) -> Anniversary? {
    var nearest: Anniversary?
    for day in days {
      // Around New Year, the nearest anniversary may be in the previous or next year.
      for years in (today.year - day.year - 1)...(today.year - day.year + 1) where years > 0 {
        let away = abs(day.advanced(byYears: years).days(since: today))
        guard away <= daysAround, away < nearest?.daysAway ?? .max else { continue }
        nearest = Anniversary(years: years, daysAway: away)
      }
    }
    return nearest
  }
}
