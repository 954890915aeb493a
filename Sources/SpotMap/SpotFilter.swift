import CivilTime
import Interchange

/// Which photos count.
public struct SpotFilter: Hashable, Sendable {
  /// A day of any year.
  public struct YearDay: Hashable, Sendable {
    /// 1–12.
    public let month: Int
    /// 1–31.
    public let day: Int

    /// Creates a day; `nil` where no month has it. 29 February is a day.
    public init?(month: Int, day: Int) {
      guard CivilDateTime(year: 2000, month: month, day: day) != nil else { return nil }
      self.month = month
      self.day = day
    }
  }

  /// The first year, on the clock of the camera; `nil` for any.
  public var firstYear: Int?
  /// The last year; `nil` for any.
  public var lastYear: Int?
  /// Whether only favourites count.
  public var isFavoritesOnly = false
  /// The name of the folder that a file of the photo lies in; `nil` for any.
  public var album: String?
  /// Only photos that were taken at most ``daysAround`` days before or behind this day of some year
  /// count; `nil` for any.
  public var around: YearDay?

  /// A week either way is "this week" to people, as in alerts.
  public static let daysAround = 6

  /// Creates the filter that all photos pass.
  public init() {}

  /// Whether all photos pass, undated ones too.
  public var passesAll: Bool { self == SpotFilter() }

  /// Whether a photo has to have a time.
  var asksForTime: Bool { firstYear != nil || lastYear != nil || around != nil }
}

/// A filter that was made ready to look at many photos.
struct PreparedFilter {
  private let first: Int64
  private let end: Int64
  /// By the days of a leap year from 1 January on.
  private let days: Set<Int>?
  private let asksForTime: Bool

  init(_ filter: SpotFilter) {
    asksForTime = filter.asksForTime
    first = filter.firstYear.map { Self.beginning(ofYear: $0) } ?? .min
    end = filter.lastYear.map { Self.beginning(ofYear: $0 + 1) } ?? .max
    days = filter.around.map { around in
      let middle = Self.yearDay(month: around.month, day: around.day)
      let offsets = -SpotFilter.daysAround...SpotFilter.daysAround
      return Set(offsets.map { (middle + $0 + 366) % 366 })
    }
  }

  /// Whether a photo with a time of capture on the clock of its camera passes.
  func passes(clockMilliseconds: Int64?) -> Bool {
    guard asksForTime else { return true }
    guard let clockMilliseconds, clockMilliseconds >= first, clockMilliseconds < end else {
      return false
    }
    guard let days else { return true }
    guard let date = CivilDateTime(Instant(millisecondsSince1970: clockMilliseconds)) else {
      return false
    }
    return days.contains(Self.yearDay(month: date.month, day: date.day))
  }

  private static func beginning(ofYear year: Int) -> Int64 {
    guard let date = CivilDateTime(year: year, month: 1, day: 1) else {
      return year < 0 ? .min : .max
    }
    return date.instant().millisecondsSince1970
  }

  /// How many days of a leap year lie before a day.
  private static func yearDay(month: Int, day: Int) -> Int {
    [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335][month - 1] + day - 1
  }
}
