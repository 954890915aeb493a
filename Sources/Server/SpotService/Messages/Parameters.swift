import CivilTime
import Encodings
import PhotoMetadata
import Spatial
import SpotMap

/// The parameters of a request's query, validated against those of its route.
struct Parameters {
  private var values: [String: [String]] = [:]
  /// The names and values in the order of the request.
  private(set) var pairs: [(name: String, value: String)] = []

  /// Parses a query (`application/x-www-form-urlencoded`, WHATWG URL, section 5.1).
  ///
  /// - Parameters:
  ///   - query: The query, without its question mark.
  ///   - known: The parameters of the route.
  ///   - repeatable: The parameters that may be given more than once.
  /// - Throws: A problem that names the first parameter that is unknown, repeated or not UTF-8.
  init(
    _ query: some StringProtocol, known: [String], repeatable: Set<String> = []
  ) throws(Problem) {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.text(parts[0]) else {
        throw Problem(.badParameter, "The query is not percent-encoded UTF-8.")
      }
      guard known.contains(name) else {
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        throw Problem(
          .badParameter, "This path does not have the parameter; it takes \(list).",
          parameter: name)
      }
      guard let value = Self.text(parts.count > 1 ? parts[1] : "") else {
        throw Self.bad(name, "is not percent-encoded UTF-8")
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

  /// Decodes a component of a path; returns `nil` where it is empty, `.` or `..`, contains a slash
  /// or a control character, or is not UTF-8.
  static func pathPart(_ part: Substring) -> String? {
    guard
      let text = PercentEncoding.bytes(part).flatMap({ String(validating: $0, as: UTF8.self) }),
      !text.isEmpty, text != ".", text != "..",
      !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F })
    else { return nil }
    return text
  }

  /// Returns the problem for an invalid parameter.
  static func bad(_ name: String, _ reason: String) -> Problem {
    Problem(.badParameter, "The parameter '\(name)' \(reason).", parameter: name)
  }

  /// Returns whether a parameter is given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the text of a parameter; `nil` where it is not given.
  func text(_ name: String) -> String? { values[name]?.first }

  /// Returns all texts of a repeatable parameter.
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// Returns the value of a required parameter; throws a problem where it is missing.
  func required<Value>(
    _ name: String, _ read: (String) throws(Problem) -> Value?
  ) throws(Problem) -> Value {
    guard has(name), let value = try read(name) else { throw Self.bad(name, "is missing") }
    return value
  }

  // MARK: - Kinds of values

  /// Parses a decimal number; returns `nil` for other text, including hexadecimal digits and
  /// infinity.
  static func number(_ text: some StringProtocol) -> Double? {
    let text = String(text)
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    return isPlain ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  /// Returns a number within a range; `nil` where it is not given.
  func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Self.number(text), range.contains(number) else {
      let bounds = [range.lowerBound, range.upperBound].map { PlainNumber.text($0, decimals: 3) }
      throw Self.bad(name, "must be a number from \(bounds[0]) to \(bounds[1])")
    }
    return number
  }

  /// Returns a whole number within a range; `nil` where it is not given.
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

  /// Returns whether a parameter is `true`; it may be `true`, `false` or missing.
  func flag(_ name: String) throws(Problem) -> Bool {
    switch text(name) {
    case nil, "false": return false
    case "true": return true
    default: throw Self.bad(name, "must be true or false")
    }
  }

  /// Returns a position, given as latitude and longitude separated by a comma; `nil` where it is
  /// not given.
  func coordinate(_ name: String) throws(Problem) -> Coordinate? {
    guard let text = text(name) else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.number)
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { throw Self.bad(name, "must be latitude,longitude in degrees") }
    return coordinate
  }

  /// Returns a box, given as south, west, north and east separated by commas; `nil` where it is not
  /// given.
  ///
  /// Longitudes may be up to one turn beyond ±180°, as on a map that repeats the world. If west is
  /// greater than east, the box crosses the 180° meridian.
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

  /// Returns an instant in ISO 8601; `nil` where it is not given.
  func instant(_ name: String) throws(Problem) -> Instant? {
    guard let text = text(name) else { return nil }
    guard let instant = Instant(iso8601: text) else {
      throw Self.bad(name, "must be a time such as 2026-05-12T10:04:00Z")
    }
    return instant
  }

  /// Returns an instant in ISO 8601 with its UTC offset, which is unknown for `Z`; `nil` where it
  /// is not given.
  func captureTime(_ name: String) throws(Problem) -> CaptureTime? {
    guard let instant = try instant(name), let text = text(name) else { return nil }
    let isUTC = text.last == "Z" || text.last == "z"
    let offset = CivilDateTime.parse(iso8601: text.utf8)?.utcOffsetMinutes
    return CaptureTime(instant: instant, utcOffsetMinutes: isUTC ? nil : offset)
  }

  // MARK: - Parameters of several routes

  /// The parameters of the photo filter.
  static let filterNames = [
    "from", "to", "until", "month", "season", "favorites", "album", "text", "around",
  ]

  /// Returns the photo filter.
  func filter() throws(Problem) -> SpotFilter {
    var filter = SpotFilter()
    filter.firstYear = try integer("from", in: 0...9999)
    filter.lastYear = try integer("to", in: 0...9999)
    filter.isFavoritesOnly = try flag("favorites")
    filter.album = text("album")
    if filter.album?.isEmpty == true { throw Self.bad("album", "is empty") }
    filter.month = try integer("month", in: 1...12)
    if let text = text("season") {
      guard let season = SpotFilter.Season(rawValue: text) else {
        throw Self.bad("season", "must be spring, summer, autumn or winter")
      }
      filter.season = season
    }
    if let text = text("until") {
      guard let day = CivilPeriod(text), day.first == day.last else {
        throw Self.bad("until", "must be a day such as 2021-05-12")
      }
      filter.lastDay = day.last
    }
    filter.text = text("text")
    guard filter.text?.utf8.count ?? 0 <= 100 else { throw Self.bad("text", "is too long") }
    guard let text = text("around") else { return filter }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      let month = Self.digits(parts[0]), let day = Self.digits(parts[1]),
      let around = SpotFilter.YearDay(month: month, day: day)
    else { throw Self.bad("around", "must be a day such as 05-12") }
    filter.around = around
    return filter
  }

  /// The parameters of lists.
  static let pageNames = ["limit", "cursor"]

  /// Returns the requested part of a list.
  func page() throws(Problem) -> ListPage {
    ListPage(
      first: try integer("cursor", in: 0...Int(Int32.max)) ?? 0,
      limit: try integer("limit", in: 1...500) ?? 50)
  }

  /// Returns the query of the next part: the same parameters with another cursor.
  func query(cursor: Int) -> String {
    (pairs.filter { $0.name != "cursor" } + [("cursor", "\(cursor)")]).map {
      "\($0.name)=\(PercentEncoding.text($0.value.utf8, keeping: "-._~,:"))"
    }.joined(separator: "&")
  }
}

/// A requested part of a list.
struct ListPage {
  /// The number of elements before the part.
  let first: Int
  /// The maximum number of elements in the part.
  let limit: Int

  /// Returns the elements of the part.
  func elements<Element>(of list: [Element]) -> ArraySlice<Element> {
    list.dropFirst(first).prefix(limit)
  }

  /// Returns the start of the next part; `nil` where there is none.
  func next(total: Int) -> Int? { first + limit < total ? first + limit : nil }
}
