import CLibrary
import Encodings
public import Spatial
public import SystemPackage

/// A place that another program's parser found in an exported file.
public struct ReadBackPlace: Hashable, Sendable {
  /// The position in degrees, with seven decimals.
  public var latitude: String
  public var longitude: String
  /// The name; the id in formats that have no other.
  public var name: String
  /// The time to the second, without its offset from UTC; empty if there is none.
  public var time: String
  /// The notes or the description.
  public var note: String

  /// Creates a place from what the file should hold.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - name: The name.
  ///   - time: The time as ISO 8601.
  ///   - note: The notes or the description.
  public init(_ coordinate: Coordinate, name: String, time: String? = nil, note: String = "") {
    latitude = Self.decimals(coordinate.latitude)
    longitude = Self.decimals(coordinate.longitude)
    (self.name, self.note) = (name, note)
    self.time = String(time?.prefix(19) ?? "")
  }

  fileprivate init(members: [String: String]) {
    (latitude, longitude) = (members["latitude"] ?? "", members["longitude"] ?? "")
    (name, time) = (members["name"] ?? "", members["time"] ?? "")
    note = members["note"] ?? ""
  }

  private static func decimals(_ degrees: Double) -> String {
    let parts = Degrees.text(degrees).split(separator: ".")
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    return "\(parts[0]).\(decimals)" + String(repeating: "0", count: 7 - decimals.utf8.count)
  }
}

/// Parsers of other programs, which read exported files.
public enum ReadBack {
  /// A parser: those of Python's standard library, gpxpy, and GDAL's `ogr2ogr`.
  public enum Reader: String, Sendable, CaseIterable {
    case csv, json, xml, gpxpy, ogr
  }

  /// A failure of a parser.
  public struct Failure: Error {
    let reader: Reader
    let status: Int32
  }

  /// The exit status of the script where a parser is not installed.
  private static let missing: Int32 = 3

  /// Reads a file by a parser.
  ///
  /// - Parameters:
  ///   - path: The file, whose extension is that of its format.
  ///   - reader: The parser.
  /// - Returns: The places in the order of the file; `nil` where the parser is not installed.
  /// - Throws: A `Failure` where the parser rejects the file.
  public static func places(in path: FilePath, by reader: Reader) throws -> [ReadBackPlace]? {
    guard let python = ChildProcess.path(of: "python3") else { return nil }
    let script = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .appending("ReadBack/read_back.py")
    let folder = TemporaryFolder()
    let answer = folder.path("answer.json")
    let process = try ChildProcess(
      python, [script.string, reader.rawValue, path.string, answer.string])
    let status = process.exitStatus()
    guard status != missing else { return nil }
    guard status == 0 else { throw Failure(reader: reader, status: status) }
    var json = JSONReader(try folder.contents(of: answer))
    var places: [ReadBackPlace] = []
    try json.beginArray()
    while try json.nextElement() { places.append(try place(&json)) }
    return places
  }

  private static func place(_ json: inout JSONReader) throws -> ReadBackPlace {
    var members: [String: String] = [:]
    try json.beginObject()
    while let key = try json.nextKey() { members[key] = try json.string() }
    return ReadBackPlace(members: members)
  }
}
