/// One or several days, months or years, without a time zone.
public struct CivilPeriod: Hashable, Sendable {
  /// The first day.
  public let first: CivilDay
  /// The last day.
  public let last: CivilDay

  /// Parses `2013`, `2013-06`, `2013-06-12`, or two of them with two dots between, as in
  /// `2010..2013-06`, which includes both. Returns `nil` for other text, a date that does not
  /// exist, or an end before the beginning.
  public init?(_ text: some StringProtocol) {
    let ends: [CivilPeriod?]
    if let dots = text.firstRange(of: "..") {
      ends = [Self.one(text[..<dots.lowerBound]), Self.one(text[dots.upperBound...])]
    } else {
      ends = [Self.one(text)]
    }
    guard let first = ends.first??.first, let last = ends.last??.last, first <= last else {
      return nil
    }
    self.init(first: first, last: last)
  }

  private init(first: CivilDay, last: CivilDay) { (self.first, self.last) = (first, last) }

  /// Whether a day is in the period.
  public func contains(_ day: CivilDay) -> Bool { first <= day && day <= last }

  /// Parses a year, a month or a day.
  private static func one(_ text: some StringProtocol) -> CivilPeriod? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let widths = [4, 2, 2]
    guard (1...3).contains(parts.count),
      zip(parts, widths).allSatisfy({ part, width in
        part.utf8.count == width && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    let (year, month) = (numbers[0], numbers.count > 1 ? numbers[1] : nil)
    let day = numbers.count > 2 ? numbers[2] : nil
    let lastMonth = month ?? 12
    guard let first = CivilDateTime(year: year, month: month ?? 1, day: day ?? 1),
      let last = CivilDateTime(
        year: year, month: lastMonth,
        day: day ?? CivilDateTime.dayCount(ofMonth: lastMonth, year: year))
    else { return nil }
    return CivilPeriod(first: CivilDay(first.instant()), last: CivilDay(last.instant()))
  }
}
