import Storage
package import SystemPackage

/// A folder or file of recorded tracks.
package struct TrackRoot: Hashable, Sendable {
  /// The absolute path.
  package let path: FilePath
  /// The name of the person who recorded the tracks; `nil` if unknown.
  package let name: String?

  /// Creates a folder or file of tracks.
  package init(_ path: FilePath, name: String? = nil) {
    (self.path, self.name) = (path, name)
  }

  /// Creates a folder or file from its stored form.
  package init(stored: [UInt8]) {
    // The path is absolute, so what precedes its first slash is a name.
    let start = stored.firstIndex(of: UInt8(ascii: "/")) ?? 0
    self.init(
      FilePath(bytes: Array(stored[start...])),
      name: start > 1 ? String(decoding: stored[..<(start - 1)], as: UTF8.self) : nil)
  }

  /// The stored form: `/tracks`, or `anna=/tracks` with a name.
  package var stored: [UInt8] { (name.map { Array("\($0)=".utf8) } ?? []) + path.bytes }
}
