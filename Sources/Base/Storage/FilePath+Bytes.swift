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
    withPlatformString { string in
      var result: [UInt8] = []
      var next = string
      while next.pointee != 0 {
        result.append(UInt8(bitPattern: next.pointee))
        next += 1
      }
      return result
    }
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
  package var bytes: [UInt8] {
    FilePath(root: nil, [self]).bytes
  }
}
