import SystemPackage

extension FilePath {
  /// The path's bytes, UTF-8 or not, without the closing zero.
  var bytes: [UInt8] {
    withPlatformString { pointer in
      var bytes: [UInt8] = []
      var next = pointer
      while next.pointee != 0 {
        bytes.append(UInt8(bitPattern: next.pointee))
        next += 1
      }
      return bytes
    }
  }

  /// Creates a path from bytes; a zero among them ends it.
  init(bytes: [UInt8]) {
    self.init(platformString: bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0])
  }
}
