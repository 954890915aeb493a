public import CivilTime
import Encodings

/// A filter of the photos to count.
public struct SpotFilter: Hashable, Sendable {
  /// A day of the year.
  public struct YearDay: Hashable, Sendable {
    /// The month, 1–12.
    public let month: Int
    /// The day of the month, 1–31.
    public let day: Int

    /// Creates a day, or returns `nil` if no year has such a day. 29 February is valid.
    public init?(month: Int, day: Int) {
      guard CivilDateTime(year: 2000, month: month, day: day) != nil else { return nil }
      self.month = month
      self.day = day
    }
  }

  /// A season of the year, by whole months.
  public enum Season: String, Hashable, Sendable, CaseIterable {
    case spring, summer, autumn, winter

    /// Returns whether a month, 1–12, is in this season north or south of the equator.
    func contains(month: Int, isSouthern: Bool) -> Bool {
      let first = [Season.spring: 3, .summer: 6, .autumn: 9, .winter: 12][self] ?? 0
      return (month - first + (isSouthern ? 18 : 12)) % 12 < 3
    }
  }

  /// The earliest accepted year of capture, in the camera's local time; `nil` for any.
  public var firstYear: Int?
  /// The latest accepted year of capture, in the camera's local time; `nil` for any.
  public var lastYear: Int?
  /// The latest accepted day of capture, in the camera's local time; `nil` for any.
  public var lastDay: CivilDay?
  /// The accepted month of capture, 1–12; `nil` for any.
  public var month: Int?
  /// The accepted season of capture at the photo's place; `nil` for any.
  public var season: Season?
  /// A text whose words the names of the photo's file and folder, and its caption, contain; `nil`
  /// for any. Case, accents and punctuation are ignored.
  public var text: String?
  /// Whether only favourites count.
  public var isFavoritesOnly = false
  /// The name of the folder that must contain a file of the photo; `nil` for any.
  public var album: String?
  /// Selects photos captured at most ``daysAround`` days before or after this day in any year;
  /// `nil` for any day.
  public var around: YearDay?

  /// The number of days before and after ``around`` that count as "this week", as in alerts.
  public static let daysAround = 6

  /// Creates a filter that all photos pass.
  public init() {}

  /// Whether all photos pass, including undated ones.
  public var passesAll: Bool { self == SpotFilter() }

  /// Whether only photos with a time of capture can pass.
  var asksForTime: Bool {
    firstYear != nil || lastYear != nil || around != nil || lastDay != nil || month != nil
      || season != nil
  }
}

/// A filter prepared for testing many photos.
struct PreparedFilter {
  private let first: Int64
  private let end: Int64
  /// The accepted days, numbered from zero on 1 January in a leap year; `nil` for all.
  private let days: Set<Int>?
  private let asksForTime: Bool
  private let month: Int?
  private let season: SpotFilter.Season?

  init(_ filter: SpotFilter) {
    asksForTime = filter.asksForTime
    first = filter.firstYear.map { Self.beginning(ofYear: $0) } ?? .min
    let endOfYears = filter.lastYear.map { Self.beginning(ofYear: $0 + 1) } ?? .max
    let epoch = CivilDay(Instant(millisecondsSince1970: 0))
    let endOfDays = filter.lastDay.map { Int64($0.days(since: epoch) + 1) * 86_400_000 } ?? .max
    end = min(endOfYears, endOfDays)
    (month, season) = (filter.month, filter.season)
    days = filter.around.map { around in
      let middle = Self.yearDay(month: around.month, day: around.day)
      let offsets = -SpotFilter.daysAround...SpotFilter.daysAround
      return Set(offsets.map { (middle + $0 + 366) % 366 })
    }
  }

  /// Returns whether a photo with a time of capture, in the camera's local time, passes.
  ///
  /// - Parameters:
  ///   - clockMilliseconds: The time; `nil` if it is unknown.
  ///   - isSouthern: Whether the photo was taken south of the equator.
  /// - Returns: Whether it passes.
  func passes(clockMilliseconds: Int64?, isSouthern: Bool) -> Bool {
    guard asksForTime else { return true }
    guard let clockMilliseconds, clockMilliseconds >= first, clockMilliseconds < end else {
      return false
    }
    if days == nil, month == nil, season == nil { return true }
    guard let date = CivilDateTime(Instant(millisecondsSince1970: clockMilliseconds)) else {
      return false
    }
    if let month, date.month != month { return false }
    if let season, !season.contains(month: date.month, isSouthern: isSouthern) { return false }
    guard let days else { return true }
    return days.contains(Self.yearDay(month: date.month, day: date.day))
  }

  private static func beginning(ofYear year: Int) -> Int64 {
    guard let date = CivilDateTime(year: year, month: 1, day: 1) else {
      return year < 0 ? .min : .max
    }
    return date.instant().millisecondsSince1970
  }

  /// Returns the number of days in a leap year before a day.
  private static func yearDay(month: Int, day: Int) -> Int {
    [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335][month - 1] + day - 1
  }
}
