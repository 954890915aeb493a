package import PhotoMetadata
package import Spatial

/// A photo with a position, as recorded in another program's database.
package struct RecordedPhoto: Sendable {
  /// The paths of its files as stored in the database, with the photo's own file first: POSIX
  /// paths, Windows paths, or paths below an unknown mount point. Each has a file name.
  package var paths: [RecordedPath] = []
  /// Alternative names that a copy of the photo may have.
  package var names: [[UInt8]] = []
  /// The size of the photo's own file in bytes; `nil` if unknown.
  package var size: Int64?
  /// The capture time; `nil` if unknown.
  package var captured: CaptureTime?
  /// The position.
  package var coordinate: Coordinate
  /// Metres above sea level; `nil` if unknown.
  package var altitudeMeters: Double?
  /// Whether the record is a version of another record's file (a virtual copy), whose position has
  /// lower priority.
  package var isCopy = false
}

/// A path as stored in a database.
package struct RecordedPath: Sendable {
  /// The components without separators, in reverse order from the file name; not empty.
  package let reversed: [[UInt8]]
  /// Whether it begins at the root of a POSIX file system.
  package let isAbsolute: Bool
  /// The path as stored in the database.
  package let text: [UInt8]

  /// The maximum length in bytes (Linux: PATH_MAX).
  package static let maximumLength = 4096

  /// Creates a path; `nil` if it has no file name, contains `..`, or is longer than
  /// ``maximumLength``.
  ///
  /// In a path that begins as a Windows path, a backslash is also a separator.
  package init?(_ text: [UInt8]) {
    guard text.count <= Self.maximumLength, !text.contains(0) else { return nil }
    let isWindows = Self.isWindows(text)
    var components = text.split { $0 == UInt8(ascii: "/") || isWindows && $0 == UInt8(ascii: "\\") }
    components.removeAll { $0.elementsEqual([UInt8(ascii: ".")]) }
    guard !components.isEmpty, !components.contains(where: { $0.elementsEqual("..".utf8) }) else {
      return nil
    }
    reversed = components.reversed().map { Array($0) }
    isAbsolute = !isWindows && text.first == UInt8(ascii: "/")
    self.text = text
  }

  /// Returns whether a path begins with a drive (`D:`) or a share (`\\`).
  private static func isWindows(_ text: [UInt8]) -> Bool {
    guard text.count >= 2 else { return false }
    if text[0] == UInt8(ascii: "\\"), text[1] == UInt8(ascii: "\\") { return true }
    let letter = text[0] | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) && text[1] == UInt8(ascii: ":")
  }
}
