import CLibrary
package import SystemPackage

extension FilePath {
  /// Creates a path from bytes, which need not be UTF-8.
  package init(bytes: some Sequence<UInt8>) {
    var terminated = Array(bytes)
    terminated.append(0)
    self = terminated.withUnsafeBytes { buffer in
      // The array above ends with a NUL, so there is a first element.
      buffer.assumingMemoryBound(to: CChar.self).baseAddress.map { FilePath(platformString: $0) }
        ?? FilePath()
    }
  }

  /// The bytes of the path.
  package var bytes: [UInt8] {
    withPlatformString(FilePath.bytes(of:))
  }

  /// The bytes of the last component; `nil` for a root and an empty path.
  ///
  /// Components of `FilePath` are checked one by one in debug builds, which costs a hundred times
  /// as much.
  package var lastName: ArraySlice<UInt8>? { Self.lastName(of: bytes[...]) }

  /// Returns the bytes of the last component of a path; `nil` for a root and an empty path.
  package static func lastName(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { path[path.index(after: $0)...] } ?? path
    return name.isEmpty ? nil : name
  }

  /// Returns the bytes of the path of the folder that contains the file at a path; empty for a name
  /// alone.
  package static func parent(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return path[...(slash == path.startIndex ? slash : path.index(before: slash))]
  }

  fileprivate static func bytes(of string: UnsafePointer<CChar>) -> [UInt8] {
    [UInt8](UnsafeRawBufferPointer(start: string, count: strlen(string)))
  }

  /// Joins the bytes of a folder's path and of a name.
  package static func join(_ folder: [UInt8], _ name: some Collection<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(folder.count + 1 + name.count)
    path.append(contentsOf: folder)
    if folder.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
    path.append(contentsOf: name)
    return path
  }
}

extension FilePath.Component {
  /// The bytes of the name.
  package var bytes: [UInt8] { withPlatformString(FilePath.bytes(of:)) }
}
