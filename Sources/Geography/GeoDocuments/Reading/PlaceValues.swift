import CivilTime
import Encodings
import Spatial

/// The values of a place's fields, as read from a table or a list of properties.
struct PlaceValues {
  private var values: [PlaceField: [String]] = [:]
  /// Whether a comma may be the decimal mark.
  var allowsDecimalComma = false

  /// Adds a value; returns false where the field has a value and accepts only one.
  mutating func take(_ value: String, as field: PlaceField) -> Bool {
    switch field {
    case .note, .collection, .address, .url: values[field, default: []].append(value)
    default:
      guard values[field] == nil else { return false }
      values[field] = [value]
    }
    return true
  }

  /// Returns the first value of a field; empty where there is none.
  func text(_ field: PlaceField) -> String { values[field]?.first ?? "" }

  /// Whether all values are empty or white space.
  var isEmpty: Bool {
    values.values.allSatisfy { $0.allSatisfy { PlaceText.line($0, limit: 2).isEmpty } }
  }

  /// The position, or the reason why there is none.
  var coordinate: Result<Coordinate, Absence> {
    let (latitude, longitude) = (text(.latitude), text(.longitude))
    if !latitude.isEmpty, !longitude.isEmpty {
      guard let coordinate = Self.coordinate(latitude, longitude) else {
        return .failure(.unreadable)
      }
      // Programs write 0, 0 for a missing position.
      if !coordinate.isNullIsland { return .success(coordinate) }
    }
    let position = PlaceText.line(text(.position), limit: 200)
    if !position.isEmpty {
      let coordinate = WKT.point(position) ?? (try? Coordinate(written: position))
      return coordinate.map { .success($0) } ?? .failure(.unreadable)
    }
    for link in values[.url] ?? [] {
      if let coordinate = try? Coordinate(written: PlaceText.line(link, limit: 4096)) {
        return .success(coordinate)
      }
    }
    return .failure(.missing)
  }

  /// The reason why there is no position.
  enum Absence: Error { case missing, unreadable }

  private static func coordinate(_ latitude: String, _ longitude: String) -> Coordinate? {
    let texts = [latitude, longitude].map { PlaceText.line($0, limit: 100) }
    let plain = texts.map { text in
      let commas = text.utf8.count { $0 == UInt8(ascii: ",") }
      return commas == 1 && !text.contains(".") ? text.replacing(",", with: ".") : text
    }
    if let coordinate = WrittenDegrees.coordinate(plain[0], plain[1]) { return coordinate }
    guard WrittenDegrees.number(plain[0]) == nil, WrittenDegrees.number(plain[1]) == nil else {
      return nil
    }
    return try? Coordinate(written: plain.joined(separator: " "))
  }

  /// Sets the fields of a place other than its position.
  func apply(to record: inout PlaceRecord) {
    if record.name.isEmpty { record.set(name: text(.name)) }
    record.set(kind: text(.kind))
    record.created = record.created ?? Instant(written: text(.time))
    record.set(radiusMeters: WrittenDegrees.number(text(.radius).replacing(",", with: ".")))
    for note in (values[.note] ?? []) + (values[.address] ?? []) {
      record.add(note: note, time: record.created)
    }
    for collection in values[.collection] ?? [] {
      for name in collection.split(whereSeparator: { ";|".contains($0) }) {
        record.add(collection: String(name))
      }
    }
    if record.sourceID == nil { record.sourceID = SourceID.global(text(.id)) }
  }

  /// The values that are links.
  var links: [String] { values[.url] ?? [] }
}

/// The well-known text of points (OGC 06-103r4, section 7): `POINT (2.2945 48.8584)`.
enum WKT {
  /// Parses a point, longitude first; returns `nil` where the text is not one.
  static func point(_ text: String) -> Coordinate? {
    guard text.uppercased().hasPrefix("POINT"), let open = text.firstIndex(of: "("),
      let close = text.lastIndex(of: ")"), open < close
    else { return nil }
    let numbers = text[text.index(after: open)..<close].split(separator: " ")
    guard (2...4).contains(numbers.count) else { return nil }
    return WrittenDegrees.coordinate(String(numbers[1]), String(numbers[0]))
  }
}
