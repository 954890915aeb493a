import Encodings

/// A `geo:` URI or the URL of a map website.
struct MapLink {
  private let isGeo: Bool
  private let host: String
  private let path: String
  private let query: [(name: String, value: String)]
  private let fragment: String
  /// The address without its scheme.
  private let body: String

  /// Parses an address, with or without `https://`; `nil` if the text is not an address.
  init?(_ text: String) {
    let lowercased = text.lowercased()
    isGeo = lowercased.hasPrefix("geo:")
    if isGeo {
      body = String(text.dropFirst(4))
    } else if let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) {
      body = String(text.dropFirst(scheme.count))
    } else if ["www.", "maps.", "openstreetmap.org/", "osm.org/", "google.", "plus.codes/"]
      .contains(where: lowercased.hasPrefix)
    {
      body = text
    } else {
      return nil
    }
    let parts = body.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    fragment = parts.count > 1 ? String(parts[1]) : ""
    let address = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = address[0]
    let slash = place.firstIndex(of: "/") ?? place.endIndex
    host = isGeo ? "" : String(place[..<slash].prefix { $0 != ":" }).lowercased()
    path = isGeo ? String(place) : Self.decoded(place[slash...])
    query = (address.count > 1 ? address[1] : "").split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // In a query, a plus sign encodes a space, which is insignificant before a number.
      let value = parts.count > 1 ? parts[1].replacing("+", with: " ") : ""
      return (Self.decoded(parts[0]).lowercased(), Self.decoded(value))
    }
  }

  /// Returns the position that the link contains.
  func coordinate() throws(WrittenPositionError) -> Coordinate {
    if isGeo { return try geo() }
    let labels = host.split(separator: ".")
    if Self.isHost(host, "openstreetmap.org") || Self.isHost(host, "osm.org") {
      return try openStreetMap()
    }
    if labels.contains("google") { return try google() }
    if Self.isHost(host, "maps.apple.com") { return try apple() }
    if Self.isHost(host, "plus.codes") {
      guard let code = PlusCode(String(path.dropFirst())) else { throw .linkWithoutPosition }
      return try code.center()
    }
    throw .linkWithoutPosition
  }

  private static func isHost(_ host: String, _ site: String) -> Bool {
    host == site || host.hasSuffix("." + site)
  }

  // MARK: - Sites

  /// Parses `geo:48.8584,2.2945,35;crs=wgs84;u=10` (RFC 5870).
  ///
  /// Android may put the position into the parameter `q` and write 0,0 before it.
  private func geo() throws(WrittenPositionError) -> Coordinate {
    let parts = path.split(separator: ";", omittingEmptySubsequences: false)
    for parameter in parts.dropFirst() {
      let sides = parameter.lowercased().split(separator: "=", maxSplits: 1)
      if sides.first == "crs", sides.last != "wgs84" { throw .otherReferenceSystem }
    }
    if let point = try point(in: ["q"]) { return point }
    let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false)
      .map { AngleNotation.decimal($0) }
    guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
      numbers.last != .some(nil)
    else { throw .unreadable }
    // Android writes 0,0 if the link only searches for the name of a place.
    if latitude == 0, longitude == 0, query.contains(where: { $0.name == "q" }) {
      throw .linkWithoutPosition
    }
    return try Coordinate(writtenLatitude: latitude, longitude: longitude)
  }

  /// Returns the marker, or else the centre of the map:
  /// `?mlat=48.8584&mlon=2.2945#map=18/48.8584/2.2945`.
  private func openStreetMap() throws(WrittenPositionError) -> Coordinate {
    for (latitude, longitude) in [("mlat", "mlon"), ("lat", "lon")] {
      if let latitude = number(latitude), let longitude = number(longitude) {
        return try Coordinate(writtenLatitude: latitude, longitude: longitude)
      }
    }
    let map = fragment.split(separator: "&").first { $0.hasPrefix("map=") }
    let numbers = (map?.dropFirst(4) ?? "").split(separator: "/").map { AngleNotation.decimal($0) }
    guard numbers.count == 3, let latitude = numbers[1], let longitude = numbers[2] else {
      throw .linkWithoutPosition
    }
    return try Coordinate(writtenLatitude: latitude, longitude: longitude)
  }

  /// Returns the place (`!3d48.8584!4d2.2945`), or else the search term (`q`, `query`,
  /// `/maps/place/…`), or else the centre of the map (`/@48.8584,2.2945,17z`).
  private func google() throws(WrittenPositionError) -> Coordinate {
    if let place = try googlePlace() { return place }
    if let point = try point(in: ["q", "query", "ll", "destination", "center"]) { return point }
    let segments = path.split(separator: "/")
    for segment in segments where !segment.hasPrefix("@") {
      guard segment.contains(where: \.isNumber), segment.contains(",") || segment.contains("°")
      else { continue }
      let written = segment.replacing("+", with: " ").trimmingSpace
      if let point = try? AngleNotation.coordinate(written) { return point }
    }
    if let view = segments.first(where: { $0.hasPrefix("@") }) {
      let numbers = view.dropFirst().split(separator: ",").prefix(2).map {
        AngleNotation.decimal($0)
      }
      if numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] {
        return try Coordinate(writtenLatitude: latitude, longitude: longitude)
      }
    }
    throw .linkWithoutPosition
  }

  /// Returns the place in the path; throws `ambiguous` if there are several, such as those of a
  /// route.
  private func googlePlace() throws(WrittenPositionError) -> Coordinate? {
    var found: [Coordinate] = []
    let fields = path.split(separator: "!")
    for (field, next) in zip(fields, fields.dropFirst())
    where field.hasPrefix("3d") && next.hasPrefix("4d") {
      let longitude = next.dropFirst(2).prefix { $0 != "/" }
      guard let latitude = AngleNotation.decimal(field.dropFirst(2)),
        let longitude = AngleNotation.decimal(longitude)
      else { continue }
      found.append(try Coordinate(writtenLatitude: latitude, longitude: longitude))
    }
    guard Set(found).count <= 1 else { throw .ambiguous }
    return found.first
  }

  /// Returns the place, or else the search term: `?ll=48.8584,2.2945&q=Tower`.
  private func apple() throws(WrittenPositionError) -> Coordinate {
    guard let point = try point(in: ["coordinate", "ll", "q", "center"]) else {
      throw .linkWithoutPosition
    }
    return point
  }

  // MARK: - Parts

  private func number(_ name: String) -> Double? {
    query.first { $0.name == name }.flatMap { AngleNotation.decimal($0.value) }
  }

  /// Returns the first of the given parameters that contains a latitude and a longitude, optionally
  /// followed by a label in parentheses.
  private func point(in names: [String]) throws(WrittenPositionError) -> Coordinate? {
    for name in names {
      guard let written = query.first(where: { $0.name == name })?.value else { continue }
      let plain = written.hasPrefix("loc:") ? written.dropFirst(4) : written[...]
      guard let (latitude, longitude) = AngleNotation.decimalPair(plain.prefix { $0 != "(" })
      else { continue }
      return try Coordinate(writtenLatitude: latitude, longitude: longitude)
    }
    return nil
  }

  /// Returns a text with percent-encoding decoded.
  private static func decoded(_ text: some StringProtocol) -> String {
    String(decoding: PercentEncoding.plainBytes(text), as: UTF8.self)
  }
}
