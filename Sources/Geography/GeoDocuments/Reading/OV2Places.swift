import Encodings
import Spatial

/// Reads TomTom's points of interest (TomTom Navigator SDK 3, "POI database").
///
/// A file is a sequence of records. Each begins with its type and, but for an area, its length in
/// bytes, type and length included. Numbers are little-endian; positions are in 1e-5°, longitude
/// first. Names are in Windows-1252, in newer files in UTF-8.
enum OV2Places {
  /// The types of records that the format defines.
  private enum Kind: UInt8 {
    /// A deleted record, whose content means nothing.
    case deleted = 0
    /// The area of the records that follow.
    case area = 1
    /// A place with a name.
    case simple = 2
    /// A place with a name, an id and further data, each a text.
    case extended = 3
  }

  private static let areaLength = 21
  private static let headLength = 13

  /// Returns whether a file begins with two whole records, or consists of one.
  static func isStart(_ bytes: [UInt8]) -> Bool {
    guard let first = record(bytes, at: 0), first.kind != .deleted else { return false }
    guard first.end < bytes.count else { return true }
    return record(bytes, at: first.end) != nil
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - encoding: The name of the encoding of the names as given by the user.
  /// - Returns: The places.
  /// - Throws: ``PlaceFileError`` where there are too many places, or the encoding is not known.
  static func read(_ bytes: [UInt8], encoding: String?) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .ov2)
    var start = 0
    while start < bytes.count {
      guard let record = record(bytes, at: start) else {
        // The next record cannot be found.
        file.skip(.malformed, "byte \(start)")
        break
      }
      if record.kind == .simple || record.kind == .extended {
        try add(bytes, start..<record.end, record.kind, encoding, to: &file)
      }
      start = record.end
    }
    return file
  }

  /// Returns the kind and the end of a record that is whole and has a possible position.
  private static func record(_ bytes: [UInt8], at start: Int) -> (kind: Kind, end: Int)? {
    guard start < bytes.count, let kind = Kind(rawValue: bytes[start]), bytes.count - start >= 5
    else { return nil }
    let length = kind == .area ? areaLength : Int(number(bytes, at: start + 1))
    guard length >= (kind == .deleted ? 5 : headLength), length <= bytes.count - start else {
      return nil
    }
    let isPlaced = kind == .deleted || coordinate(bytes, at: start + 5) != nil
    return isPlaced ? (kind, start + length) : nil
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }

  private static func coordinate(_ bytes: [UInt8], at place: Int) -> Coordinate? {
    let degrees = [place + 4, place].map {
      Double(Int32(bitPattern: number(bytes, at: $0))) / 100_000
    }
    return Coordinate(latitude: degrees[0], longitude: degrees[1])
  }

  private static func add(
    _ bytes: [UInt8], _ range: Range<Int>, _ kind: Kind, _ encoding: String?,
    to file: inout PlaceFile
  ) throws(PlaceFileError) {
    guard let coordinate = coordinate(bytes, at: range.lowerBound + 5) else { return }
    let texts = bytes[range].dropFirst(headLength)
      .split(separator: 0, omittingEmptySubsequences: false)
    var lines: [String] = []
    for text in texts.prefix(kind == .simple ? 1 : 3) {
      let decoded = try TextEncoding(Array(text), asked: encoding)
      file.take(decoded)
      lines.append(String(decoding: decoded.text, as: UTF8.self))
    }
    var record = PlaceRecord(coordinate: coordinate)
    record.set(name: lines.first ?? "")
    for text in lines.dropFirst() { record.add(note: text) }
    try file.add(record)
  }
}
