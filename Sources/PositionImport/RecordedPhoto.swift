package import PhotoMetadata
package import Spatial

/// A photo with a position, as the database of another program records it.
package struct RecordedPhoto: Sendable {
  /// The paths of its files as the database has them, the photo's own first: POSIX paths, Windows
  /// paths, or paths below an unknown mount point. Each has a name.
  package var paths: [RecordedPath] = []
  /// Further names that a copy of the photo may have.
  package var names: [[UInt8]] = []
  /// The size of its own file in bytes; `nil` where unknown.
  package var size: Int64?
  /// The capture time; `nil` where unknown.
  package var captured: CaptureTime?
  /// The position.
  package var coordinate: Coordinate
  /// Metres above sea level; `nil` where unknown.
  package var altitudeMeters: Double?
  /// Whether it is a version of another record's file (a virtual copy), whose position counts less.
  package var isCopy = false
}

/// A path as a database has it.
package struct RecordedPath: Sendable {
  /// The components from the name upwards, without separators; not empty.
  package let reversed: [[UInt8]]
  /// Whether it begins at the root of a POSIX file system.
  package let isAbsolute: Bool
  /// The path as it is written in the database.
  package let text: [UInt8]

  /// The greatest length in bytes (Linux: PATH_MAX).
  package static let maximumLength = 4096

  /// Creates a path; `nil` for one without a name, with `..`, or longer than
  /// ``maximumLength``.
  ///
  /// In a path that begins as one of Windows does, a backslash separates too.
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

  /// Whether a path begins with a drive (`D:`) or a share (`\\`).
  private static func isWindows(_ text: [UInt8]) -> Bool {
    guard text.count >= 2 else { return false }
    if text[0] == UInt8(ascii: "\\"), text[1] == UInt8(ascii: "\\") { return true }
    let letter = text[0] | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) && text[1] == UInt8(ascii: ":")
  }
}
