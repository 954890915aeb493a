import CivilTime
import Encodings
import Spatial

/// The values of a place's fields, as read from a table or a list of properties.
struct PlaceValues {
  private var values: [PlaceField: [String]] = [:]
  /// Whether a comma may be the decimal mark.
  var allowsDecimalComma = false

  /// Adds a value; returns false where the field has another value and accepts only one.
  mutating func take(_ value: String, as field: PlaceField) -> Bool {
    switch field {
    case .northSouth where !Self.isLetter(value, of: "NS"),
      .eastWest where !Self.isLetter(value, of: "EWO"):
      return false
    case .note, .collection, .address, .url: values[field, default: []].append(value)
    default:
      if let known = values[field]?.first {
        return PlaceText.line(known, limit: .max) == PlaceText.line(value, limit: .max)
      }
      values[field] = [value]
    }
    return true
  }

  /// Takes the values of missing fields from other values.
  mutating func fill(from others: PlaceValues) {
    for (field, list) in others.values where text(field).isEmpty { values[field] = list }
  }

  /// Removes the values of some fields.
  mutating func remove(_ fields: [PlaceField]) {
    for field in fields { values[field] = nil }
  }

  /// Returns the first value of a field; empty where there is none.
  func text(_ field: PlaceField) -> String { values[field]?.first ?? "" }

  /// Whether all values are empty or white space.
  var isEmpty: Bool {
    values.values.allSatisfy { $0.allSatisfy { PlaceText.line($0, limit: 2).isEmpty } }
  }

  /// The position, or the reason why there is none.
  var coordinate: Result<Coordinate, Absence> {
    let (latitude, longitude) = writtenDegrees
    if !latitude.isEmpty, !longitude.isEmpty {
      guard let coordinate = Self.coordinate(latitude, longitude) else {
        return .failure(.unreadable)
      }
      // Programs write 0, 0 for a missing position.
      if !coordinate.isNullIsland { return .success(coordinate) }
    }
    let position = PlaceText.line(text(.position), limit: 1000)
    if !position.isEmpty {
      switch WKT.geometry(position) {
      case .point(let coordinate): return .success(coordinate)
      case .empty: break
      case .other: return .failure(.otherGeometry)
      case .unreadable: return .failure(.unreadable)
      case nil:
        let coordinate = try? Coordinate(written: position)
        return coordinate.map { .success($0) } ?? .failure(.unreadable)
      }
    }
    for link in values[.url] ?? [] {
      if let coordinate = try? Coordinate(written: PlaceText.line(link, limit: 4096)) {
        return .success(coordinate)
      }
    }
    return .failure(.missing)
  }

  /// The reason why there is no position.
  enum Absence: Error {
    case missing, unreadable, otherGeometry

    /// The reason why an element without a position is left out.
    var reason: PlaceFile.Reason {
      switch self {
      case .missing: .withoutPosition
      case .unreadable: .unreadablePosition
      case .otherGeometry: .otherGeometry
      }
    }
  }

  /// The latitude and longitude, with the letters of their hemispheres where these are in columns
  /// of their own.
  private var writtenDegrees: (latitude: String, longitude: String) {
    let degrees = (text(.latitude), text(.longitude))
    let letters = (text(.northSouth), text(.eastWest))
    guard !degrees.0.isEmpty, !degrees.1.isEmpty, !letters.0.isEmpty, !letters.1.isEmpty else {
      return degrees
    }
    return (degrees.0 + " " + letters.0, degrees.1 + " " + letters.1)
  }

  private static func isLetter(_ text: String, of letters: String) -> Bool {
    let line = PlaceText.line(text, limit: 8).uppercased()
    return line.count == 1 && letters.contains(line)
  }

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
    record.set(created: text(.time))
    record.set(radius: text(.radius))
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
