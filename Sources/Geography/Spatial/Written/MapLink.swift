import Encodings

/// A `geo:` URI or the URL of a map website.
struct MapLink {
  let host: String
  /// The path, decoded, with its plus signs.
  let path: String
  let query: [(name: String, value: String)]
  let fragment: String
  /// The parameters in the fragment.
  private let further: [(name: String, value: String)]
  private let isGeo: Bool

  /// Parses an address, with or without `https://`; `nil` if the text contains no address.
  init?(_ written: String) {
    let text = Self.withoutIntent(Self.withoutBrackets(written))
    let lowercased = text.lowercased()
    var body: Substring
    let isGeo = lowercased.hasPrefix("geo:")
    self.isGeo = isGeo
    if isGeo {
      body = text.dropFirst(4)
      while body.first == "/" { body = body.dropFirst() }
    } else if let scheme = MapSites.schemes.first(where: { lowercased.hasPrefix($0.scheme) }) {
      body = scheme.host + text.dropFirst(scheme.scheme.count)
    } else if let scheme = ["https://", "http://", "//"].first(where: lowercased.hasPrefix) {
      body = Self.address(text.dropFirst(scheme.count), after: nil)
    } else if let range = text.firstRange(of: "https://") ?? text.firstRange(of: "http://") {
      // Messengers write the name of a place before its link.
      body = Self.address(text[range.upperBound...], after: text[..<range.lowerBound].last)
    } else if let range = text.firstRange(of: "://"), Self.isScheme(text[..<range.lowerBound]) {
      body = text[range.upperBound...]
    } else if lowercased.hasPrefix("www.") || MapSites.isKnown(host: Self.host(lowercased[...])) {
      body = text[...]
    } else {
      return nil
    }
    let parts = body.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    self.fragment = parts.count > 1 ? Self.decoded(parts[1]) : ""
    // Some programs write `geo:48,2&z=17`.
    let mark = parts[0].firstIndex { $0 == "?" || isGeo && $0 == "&" }
    let place = parts[0][..<(mark ?? parts[0].endIndex)]
    let slash = place.firstIndex(of: "/") ?? place.endIndex
    host = isGeo ? "" : Self.host(place)
    path = Self.decoded(isGeo ? place : place[slash...])
    // Some sites write parameters into the fragment, behind a question mark or without one.
    let fragment = parts.count > 1 ? parts[1] : ""
    let inFragment = fragment.split(separator: "?").last ?? ""
    query = Self.parameters(mark.map { parts[0][$0...].dropFirst() } ?? "")
    further = isGeo ? [] : Self.parameters(inFragment).filter { !$0.value.isEmpty }
  }

  private static func parameters(_ text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // In a query, a plus sign before a space's neighbours encodes a space.
      let value = parts.count > 1 ? parts[1].replacing("+", with: " ") : ""
      return (decoded(parts[0]).lowercased(), decoded(value))
    }
  }

  /// Returns a text without the angle brackets around it.
  private static func withoutBrackets(_ text: String) -> String {
    text.hasPrefix("<") && text.hasSuffix(">") ? String(text.dropFirst().dropLast()) : text
  }

  /// Returns the `geo:` URI in a link of Android that starts the map, such as
  /// `intent:48.8584,2.2945#Intent;scheme=geo;end`; other text as it is.
  private static func withoutIntent(_ text: String) -> String {
    guard text.lowercased().hasPrefix("intent:") else { return text }
    let rest = text.dropFirst("intent:".count)
    if rest.lowercased().hasPrefix("geo:") { return String(rest) }
    guard text.contains(";scheme=geo;") else { return text }
    return "geo:" + rest.prefix { $0 != "#" }
  }

  /// Returns whether a text is the scheme of a URI (RFC 3986, section 3.1).
  private static func isScheme(_ text: Substring) -> Bool {
    text.first?.isLetter == true && (2...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
          || [0x2B, 0x2D, 0x2E].contains($0)
      }
  }

  /// Returns the address at the start of a text: up to a space or the bracket that closes one
  /// before it, without the full stop of a sentence.
  private static func address(_ text: Substring, after open: Character?) -> Substring {
    let close: Character? = open == "(" ? ")" : open == "<" ? ">" : nil
    var address = text.prefix { !$0.isWhitespace && $0 != close }
    // `?q=48.8584, 2.2945` with a plain space.
    if address.last == ",", let next = text.dropFirst(address.count).dropFirst().first,
      next.isNumber || next == "-"
    {
      let rest = text.dropFirst(address.count + 1).prefix { !$0.isWhitespace && $0 != close }
      address = text[..<rest.endIndex]
    }
    while let last = address.last, ".,;!".contains(last) { address.removeLast() }
    return address
  }

  /// Returns the position of the place that the link names, or else of the middle of its map.
  func position(
    _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition {
    if isGeo { return try geo(towns) }
    if let link = forwarded { return try link.position(towns) }
    guard let site = MapSites.site(of: host) else { throw .unknownLink }
    if site.isOfWords { throw .threeWords }
    if site.isShifted, !["coordinate", "coord_type"].contains(where: { value($0) == "wgs84" }) {
      throw .otherReferenceSystem
    }
    var namesPlace = false
    for rule in site.rules {
      for written in rule.texts(self) where !written.trimmingSpace.isEmpty {
        if written == MapLinkRule.noEnd { throw .routeWithoutEnd }
        if written == MapLinkRule.otherGrid { throw .otherReferenceSystem }
        if rule.kind == .middle, namesPlace { throw .linkWithName }
        if rule.kind == .middle, site.isShort(self) { throw .shortLink }
        if let place = try read(written, isLongitudeFirst: rule.isLongitudeFirst, towns) {
          switch rule.kind {
          case .place: return place
          case .end: return WrittenPosition(place.coordinate, note: .endOfRoute)
          case .middle: return WrittenPosition(place.coordinate, note: .middleOfMap)
          }
        }
        namesPlace = namesPlace || rule.kind != .middle
      }
    }
    if site.isShort(self) { throw .shortLink }
    if namesPlace { throw .linkWithName }
    // A part with digits that no rule knows may be a position.
    let hasDigits = ([path, fragment] + query.map(\.value)).contains {
      $0.contains(where: \.isNumber)
    }
    throw hasDigits ? .unknownLink : .linkWithoutPosition
  }

  /// Returns the first value of a parameter of the query, or of the fragment.
  func value(_ name: String) -> String? {
    query.first { $0.name == name }?.value ?? further.first { $0.name == name }?.value
  }

  /// Returns all values of a parameter of the query.
  func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

  /// The link of a known site to which another site, or `/url` of a search engine, forwards.
  private var forwarded: MapLink? {
    guard MapSites.site(of: host) == nil || path == "/url" else { return nil }
    for name in ["url", "q", "u", "link", "to"] {
      guard let address = value(name), address.hasPrefix("http"), let link = MapLink(address),
        MapSites.site(of: link.host) != nil, link.path != "/url"
      else { continue }
      return link
    }
    return nil
  }

  /// The parts of the path, with plus signs as spaces except in Plus codes.
  var segments: [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let text = String(segment).replacing("+", with: " ")
      guard let plus = segment.firstIndex(of: "+"), let code = Self.plusCode(segment, plus) else {
        return text
      }
      return code + String(text.dropFirst(code.count))
    }
  }

  /// Returns the Plus code at the start of a text whose first plus sign is at an index.
  private static func plusCode(_ text: Substring, _ plus: Substring.Index) -> String? {
    let after = text[plus...].dropFirst().prefix { $0 != " " && $0 != "+" && $0 != "," }
    let code = String(text[..<plus]) + "+" + after
    return PlusCode(code) == nil ? nil : code
  }

  /// Reads a text that may be a position, a position with a label, or a name; `nil` for a name.
  private func read(
    _ written: String, isLongitudeFirst: Bool, _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition? {
    var text = written.trimmingSpace
    let labels = ["loc:", "ll.", "pos.", "point.", "latlng:", "latlon:"]
    for prefix in labels where text.lowercased().hasPrefix(prefix) {
      text = text.dropFirst(prefix.count).trimmingSpace
    }
    // `color:red|48.8584,2.2945`, `48.8584,2.2945|name:Tower`.
    let fields = text.split(separator: "|")
    if fields.count > 1, let place = fields.first(where: { $0.first?.isLetter == false }) {
      text = String(place)
    }
    // A label in parentheses, as in `48.8584,2.2945(Tower)`.
    if !text.hasPrefix("("), let open = text.firstIndex(of: "("), text.last == ")" {
      text = text[..<open].trimmingSpace
    }
    // A short Plus code lost its plus sign to the encoding of spaces.
    if let space = text.firstIndex(of: " "), !text[..<space].contains("+") {
      let code = text[..<space] + "+" + text[space...].dropFirst()
      if let plus = code.firstIndex(of: "+"), let found = Self.plusCode(code[...], plus),
        PlusCode(found)?.isShort == false || found.count < code.count || text.count == found.count
      {
        text = found + code.dropFirst(found.count)
      }
    }
    do throws(WrittenPositionError) {
      guard isLongitudeFirst else { return try WrittenPosition.position(ofText: text, towns) }
      let numbers = text.split { $0 == "," || $0 == " " }.map { AngleNotation.decimal($0) }
      guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else {
        return nil
      }
      return WrittenPosition(
        try Coordinate(writtenLatitude: latitude, longitude: longitude))
    } catch {
      switch error {
      case .unreadable, .oneAngle, .gridMismatch: return nil
      default: throw error
      }
    }
  }

  // MARK: - geo

  /// Parses `geo:48.8584,2.2945,35;crs=wgs84;u=10` (RFC 5870), and the forms of phones: with a
  /// label, with encoded or additional signs, or with the position in the parameter `q` after 0,0.
  private func geo(
    _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition {
    let parts = path.split(separator: ";", omittingEmptySubsequences: false)
    let isOther = parts.first?.first?.isLetter == true || parts.first?.contains(" ") == true
    if isOther || parts.dropFirst().contains(where: { $0.first?.isLetter != true }) {
      // `geo:48,8584;2,2945` and `geo:48.8584 2.2945`.
      let label = path.firstIndex(of: "(") ?? path.endIndex
      if label != path.startIndex {
        return try WrittenPosition.position(ofText: String(path[..<label]), towns)
      }
    }
    for parameter in parts.dropFirst() {
      let sides = parameter.lowercased().split(separator: "=", maxSplits: 1)
      if sides.first == "crs", sides.last != "wgs84" { throw .otherReferenceSystem }
    }
    let searched = value("q")?.trimmingSpace ?? ""
    if !searched.isEmpty, let place = try read(searched, isLongitudeFirst: false, towns) {
      return place
    }
    let written = (parts.first ?? "").prefix { $0 != "(" }
    guard !written.isEmpty else { throw searched.isEmpty ? .linkWithoutPosition : .linkWithName }
    let numbers = written.split(separator: ",", omittingEmptySubsequences: false)
      .map { AngleNotation.decimal(WrittenText.plain($0).trimmingSpace) }
    guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
      numbers.last != .some(nil)
    else {
      if numbers.count == 1, numbers[0] != nil { throw .oneAngle }
      // `geo:33.8568S,70.65W`.
      let parts = written.split(separator: ",")
      guard parts.count == 2, parts.allSatisfy({ "NSEWnsew°".contains($0.last ?? " ") }) else {
        throw .unreadable
      }
      return try WrittenPosition.position(ofText: String(written), towns)
    }
    // Android writes 0,0 if the link only searches for the name of a place.
    if latitude == 0, longitude == 0, !searched.isEmpty { throw .linkWithName }
    return WrittenPosition(try Coordinate(writtenLatitude: latitude, longitude: longitude))
  }

  // MARK: - Parts

  private static func host(_ text: Substring) -> String {
    String(text.prefix { !"/?#:".contains($0) }).lowercased()
  }

  /// Returns a text with percent-encoding decoded.
  private static func decoded(_ text: some StringProtocol) -> String {
    String(decoding: PercentEncoding.plainBytes(text), as: UTF8.self)
  }
}
