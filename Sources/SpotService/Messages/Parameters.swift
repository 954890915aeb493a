import CivilTime
import Codecs
import Interchange
import PhotoMetadata
import Spatial
import SpotMap

/// The parameters of a request's query, each of which its route knows and was given once.
struct Parameters {
  private var values: [String: [String]] = [:]
  /// The names and values in the order of the request.
  private(set) var pairs: [(name: String, value: String)] = []

  /// Reads a query (`application/x-www-form-urlencoded`, WHATWG URL, section 5.1).
  ///
  /// - Parameters:
  ///   - query: The query, without its question mark.
  ///   - known: The names that the route knows.
  ///   - repeatable: Those of them that may be given more than once.
  /// - Throws: A problem that names the first parameter that is unknown, given twice, or no UTF-8.
  init(
    _ query: some StringProtocol, known: [String], repeatable: Set<String> = []
  ) throws(Problem) {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.text(parts[0]) else {
        throw Problem(.badParameter, "The query is not UTF-8 in percent codes.")
      }
      guard known.contains(name) else {
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        throw Problem(
          .badParameter, "This path does not know the parameter; it takes \(list).",
          parameter: name)
      }
      guard let value = Self.text(parts.count > 1 ? parts[1] : "") else {
        throw Self.bad(name, "is not UTF-8 in percent codes")
      }
      guard values[name] == nil || repeatable.contains(name) else {
        throw Self.bad(name, "is given twice")
      }
      values[name, default: []].append(value)
      pairs.append((name, value))
    }
  }

  private static func text(_ part: some StringProtocol) -> String? {
    PercentEncoding.bytes(String(part).replacing("+", with: " ")).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// A part of a path; `nil` where it is empty, `.` or `..`, holds a slash or a control character,
  /// or is no UTF-8.
  static func pathPart(_ part: Substring) -> String? {
    guard
      let text = PercentEncoding.bytes(part).flatMap({ String(validating: $0, as: UTF8.self) }),
      !text.isEmpty, text != ".", text != "..",
      !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F })
    else { return nil }
    return text
  }

  /// The problem that a parameter is wrong.
  static func bad(_ name: String, _ reason: String) -> Problem {
    Problem(.badParameter, "The parameter '\(name)' \(reason).", parameter: name)
  }

  /// Whether a parameter is given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The text of a parameter; `nil` where it is not given.
  func text(_ name: String) -> String? { values[name]?.first }

  /// All texts of a parameter that may be repeated.
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of a parameter that must be given.
  func required<Value>(
    _ name: String, _ read: (String) throws(Problem) -> Value?
  ) throws(Problem) -> Value {
    guard has(name), let value = try read(name) else { throw Self.bad(name, "is missing") }
    return value
  }

  // MARK: - Kinds of values

  /// A number as JSON and people write it: no hexadecimal digits, no infinity.
  static func number(_ text: some StringProtocol) -> Double? {
    let text = String(text)
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    return isPlain ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  /// A number in a range.
  func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Self.number(text), range.contains(number) else {
      let bounds = [range.lowerBound, range.upperBound].map { PlainNumber.text($0, decimals: 3) }
      throw Self.bad(name, "must be a number from \(bounds[0]) to \(bounds[1])")
    }
    return number
  }

  /// A whole number in a range.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Self.digits(text), range.contains(number) else {
      throw Self.bad(
        name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func digits(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// `true` or `false`.
  func flag(_ name: String) throws(Problem) -> Bool {
    switch text(name) {
    case nil, "false": return false
    case "true": return true
    default: throw Self.bad(name, "must be true or false")
    }
  }

  /// A position: latitude and longitude with a comma between.
  func coordinate(_ name: String) throws(Problem) -> Coordinate? {
    guard let text = text(name) else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.number)
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { throw Self.bad(name, "must be latitude,longitude in degrees") }
    return coordinate
  }

  /// A box: south, west, north and east with commas between.
  ///
  /// West may lie up to a turn beyond ±180°, as on a map that goes on there; where it is greater
  /// than east the box crosses the 180° meridian.
  func box(_ name: String) throws(Problem) -> BoundingBox? {
    guard let text = text(name) else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map(Self.number)
    let reason = "must be south,west,north,east in degrees, south not above north"
    guard numbers.count == 4, let south = numbers[0], let west = numbers[1],
      let north = numbers[2], let east = numbers[3], (-540...540).contains(west),
      (-540...540).contains(east)
    else { throw Self.bad(name, reason) }
    let isWhole = east - west >= 360
    guard
      let box = BoundingBox(
        south: south, west: isWhole ? -180 : Self.wrapped(west), north: north,
        east: isWhole ? 180 : Self.wrapped(east))
    else { throw Self.bad(name, reason) }
    return box
  }

  private static func wrapped(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }

  /// An instant in ISO 8601.
  func instant(_ name: String) throws(Problem) -> Instant? {
    guard let text = text(name) else { return nil }
    guard let instant = Instant(iso8601: text) else {
      throw Self.bad(name, "must be a time such as 2026-05-12T10:04:00Z")
    }
    return instant
  }

  /// An instant in ISO 8601, and how far the clock there is ahead of UTC. `Z` says nothing of that
  /// clock.
  func captureTime(_ name: String) throws(Problem) -> CaptureTime? {
    guard let instant = try instant(name), let text = text(name) else { return nil }
    let isUTC = text.last == "Z" || text.last == "z"
    let offset = CivilDateTime.parse(iso8601: text.utf8)?.utcOffsetMinutes
    return CaptureTime(instant: instant, utcOffsetMinutes: isUTC ? nil : offset)
  }

  // MARK: - What many routes share

  /// The names of the parameters that choose photos.
  static let filterNames = ["from", "to", "favorites", "album", "around"]

  /// Which photos count.
  func filter() throws(Problem) -> SpotFilter {
    var filter = SpotFilter()
    filter.firstYear = try integer("from", in: 0...9999)
    filter.lastYear = try integer("to", in: 0...9999)
    filter.isFavoritesOnly = try flag("favorites")
    filter.album = text("album")
    if filter.album?.isEmpty == true { throw Self.bad("album", "is empty") }
    guard let text = text("around") else { return filter }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      let month = Self.digits(parts[0]), let day = Self.digits(parts[1]),
      let around = SpotFilter.YearDay(month: month, day: day)
    else { throw Self.bad("around", "must be a day such as 05-12") }
    filter.around = around
    return filter
  }

  /// The names of the parameters of lists.
  static let pageNames = ["limit", "cursor"]

  /// Which part of a list is asked for.
  func page() throws(Problem) -> ListPage {
    ListPage(
      first: try integer("cursor", in: 0...Int(Int32.max)) ?? 0,
      limit: try integer("limit", in: 1...500) ?? 50)
  }

  /// The query of the next page: the same with another cursor.
  func query(cursor: Int) -> String {
    (pairs.filter { $0.name != "cursor" } + [("cursor", "\(cursor)")]).map {
      "\($0.name)=\(PercentEncoding.text($0.value.utf8, keeping: "-._~,:"))"
    }.joined(separator: "&")
  }
}

/// A part of a list.
struct ListPage {
  /// How many elements come before it.
  let first: Int
  /// How many elements it has at most.
  let limit: Int

  /// The elements of the part.
  func elements<Element>(of list: [Element]) -> ArraySlice<Element> {
    list.dropFirst(first).prefix(limit)
  }

  /// Where the next part begins; `nil` where there is none.
  func next(total: Int) -> Int? { first + limit < total ? first + limit : nil }
}
