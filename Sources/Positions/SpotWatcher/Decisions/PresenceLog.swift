import CLibrary
import CivilTime
import Spatial

/// The days on which a device was present and slow, by cells of a grid of about 40 m.
///
/// It depends on no spot, so that it survives new photos and knows places that never alerted.
struct PresenceLog: Hashable, Sendable {
  /// The presence in the cells around a position.
  struct Presence: Hashable, Sendable {
    /// The last time; `nil` where the device never was.
    var last: Instant?
    /// A bit for a day and each day before.
    fileprivate var days: UInt32 = 0
    /// The number of days.
    var dayCount: Int { days.nonzeroBitCount }
  }

  fileprivate struct Cell: Hashable {
    var last: Instant
    /// The last day, and a bit for it and each day before.
    var day: Int
    var days: UInt32
  }

  /// The cells, by row and column.
  private var cells: [UInt64: Cell] = [:]
  /// The number of cells at which those without recent presence are dropped.
  private var limit = Self.leastLimit

  private static let leastLimit = 4096
  /// The greatest number of cells: two weeks of walking for some hours a day.
  private static let maximumCount = 8192
  /// The number of days that a cell remembers.
  private static let dayLimit = 32
  /// The edge of a cell in metres, approximately.
  private static let cellMeters = 40.0
  /// The distance in metres from the centre of a cell within which all of it lies.
  private static let cornerMeters = 0.75 * cellMeters
  private static let rowCount = (Earth.greatestDistanceMeters / cellMeters).rounded()
  private static let rowDegrees = 180 / rowCount
  private static let degreesPerMeter = 180 / Earth.greatestDistanceMeters

  /// Records presence at a position, on a local day.
  ///
  /// - Returns: Whether it is the first on this day in the position's cell.
  @discardableResult
  mutating func note(_ coordinate: Coordinate, at time: Instant, day: Int) -> Bool {
    let row = Self.row(coordinate.latitude)
    let key = Self.key(row, Self.column(coordinate.longitude, of: Self.columnCount(row)))
    let isNew = cells[key, default: Cell(last: time, day: day, days: 0)].note(time, day: day)
    if cells.count > limit { drop(before: day) }
    return isNew
  }

  /// Drops the cells whose presence no longer counts, and if there are still too many, the earlier
  /// half.
  private mutating func drop(before day: Int) {
    cells = cells.filter { $0.value.day > day - Self.dayLimit }
    if cells.count > Self.maximumCount {
      let times = cells.values.map(\.last).sorted()
      let middle = times[times.count / 2]
      cells = cells.filter { $0.value.last > middle }
    }
    limit = min(max(Self.leastLimit, 2 * cells.count), Self.maximumCount)
  }

  /// Returns the presence in the cells that lie within a distance of a position, up to a time, on
  /// a local day and some days before, at most 31.
  ///
  /// Presence after the time, which is known if a log is read again, counts as presence at it.
  func presence(
    within meters: Double, of center: Coordinate, until now: Instant, day: Int, dayCount: Int
  ) -> Presence {
    var presence = Presence()
    guard !cells.isEmpty else { return presence }
    let (here, reach) = (Standpoint(center), meters * Self.degreesPerMeter)
    for row in Self.row(center.latitude - reach)...Self.row(center.latitude + reach) {
      let count = Self.columnCount(row)
      let middle = Self.column(center.longitude, of: count)
      let width = Int(
        saturating: min(meters / Self.cellMeters + 1, Double(count - 1) / 2).rounded(.up))
      for column in (middle - width)...(middle + width) {
        let turned = (column + count) % count
        guard let cell = cells[Self.key(row, turned)],
          here.distance(to: Standpoint(Self.center(row, turned, of: count)))
            <= meters - Self.cornerMeters
        else { continue }
        presence.last = max(presence.last ?? min(cell.last, now), min(cell.last, now))
        presence.days |= cell.days(before: day)
      }
    }
    presence.days &= 1 << UInt32(min(max(dayCount, 0), Self.dayLimit - 1)) - 1
    return presence
  }

  private static func row(_ latitude: Double) -> Int {
    Int(saturating: min(max((latitude + 90) / rowDegrees, 0), rowCount - 1))
  }

  /// Returns the number of cells of a row, all around the Earth.
  private static func columnCount(_ row: Int) -> Int {
    let latitude = (Double(row) + 0.5) * rowDegrees - 90
    return max(1, Int(saturating: 2 * rowCount * cos(latitude * Double.pi / 180)))
  }

  private static func column(_ longitude: Double, of count: Int) -> Int {
    min(max(Int(saturating: (longitude + 180) / 360 * Double(count)), 0), count - 1)
  }

  private static func center(_ row: Int, _ column: Int, of count: Int) -> Coordinate {
    Coordinate(
      uncheckedLatitude: (Double(row) + 0.5) * rowDegrees - 90,
      longitude: (Double(column) + 0.5) * 360 / Double(count) - 180)
  }

  private static func key(_ row: Int, _ column: Int) -> UInt64 {
    UInt64(row) << 32 | UInt64(column)
  }
}

extension PresenceLog.Cell {
  /// Records presence on a day, and returns whether it is the first on that day.
  fileprivate mutating func note(_ time: Instant, day new: Int) -> Bool {
    if new > day {
      days = new - day < 32 ? days << UInt32(new - day) : 0
      day = new
    }
    last = max(last, time)
    guard day - new < 32 else { return false }
    let bit: UInt32 = 1 << UInt32(day - new)
    defer { days |= bit }
    return days & bit == 0
  }

  /// Returns a bit for a day and each day before.
  fileprivate func days(before day: Int) -> UInt32 {
    let shift = day - self.day
    guard abs(shift) < 32 else { return 0 }
    return shift >= 0 ? days << UInt32(shift) : days >> UInt32(-shift)
  }
}
