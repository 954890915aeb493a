public import CivilTime
public import PhotoLibrary
public import PhotoMetadata

/// What helps to take a picture again: how long ago the others were taken, and how the camera
/// stood.
public struct SpotMemory: Hashable, Sendable {
  /// Time gone by, in whole years and the days left over.
  public struct Elapsed: Hashable, Sendable {
    /// Whole years.
    public let years: Int
    /// The days after them, fewer than 366.
    public let days: Int

    /// Creates a time gone by.
    public init(years: Int, days: Int) {
      self.years = years
      self.days = days
    }
  }

  /// A day of years ago that comes around about now.
  public struct Anniversary: Hashable, Sendable {
    /// How many years ago it was, at least one.
    public let years: Int
    /// How many days the anniversary is away, 0–6, before or behind.
    public let daysAway: Int

    /// Creates an anniversary.
    public init(years: Int, daysAway: Int) {
      self.years = years
      self.daysAway = daysAway
    }
  }

  /// Since the latest photo; `nil` where none is dated.
  public let sinceLatest: Elapsed?
  /// The one that is nearest, of those the oldest; `nil` where none comes around.
  public let anniversary: Anniversary?
  /// In how many different years photos were taken.
  public let yearCount: Int
  /// The direction in degrees clockwise from north that the camera faced, in the photo that stands
  /// for the spot; north is true or magnetic, as the camera has it.
  public let headingDegrees: Double?
  /// The focal length of that photo.
  public let focalLength: FocalLength?
  /// The name of the place, on one line and without what cannot be seen.
  public let place: String?

  /// Creates a memory from its parts, as they were stored.
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

  /// Creates what is worth to say of a spot's past on a day.
  public init(of past: SpotPast, on today: CivilDay) {
    let elapsed = past.days.last.flatMap { today.elapsed(since: $0) }
    self.init(
      sinceLatest: elapsed.map { Elapsed(years: $0.years, days: $0.days) },
      anniversary: Self.anniversary(of: past.days, on: today),
      yearCount: Set(past.days.map(\.year)).count,
      headingDegrees: past.coverHeading?.degrees, focalLength: past.coverFocalLength,
      place: past.place)
  }

  /// A week either way is "this week" to people.
  private static let daysAround = 6

  private static func anniversary(of days: [CivilDay], on today: CivilDay) -> Anniversary? {
    var nearest: Anniversary?
    for day in days {
      // Around the turn of the year the anniversary may be of the year before or behind.
      for years in (today.year - day.year - 1)...(today.year - day.year + 1) where years > 0 {
        let away = abs(day.advanced(byYears: years).days(since: today))
        guard away <= daysAround, away < nearest?.daysAway ?? .max else { continue }
        nearest = Anniversary(years: years, daysAway: away)
      }
    }
    return nearest
  }
}
