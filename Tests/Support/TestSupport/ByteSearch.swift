import CLibrary

extension [UInt8] {
  /// Returns the offsets at which a sequence of bytes begins, ascending; none for an empty
  /// sequence.
  ///
  /// It uses the C library, since a loop over large files is slow in builds without optimization.
  public func offsets(of sought: [UInt8]) -> [Int] {
    guard let first = sought.first else { return [] }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [] }
      var found: [Int] = []
      var start = 0
      while start + sought.count <= bytes.count,
        let place = memchr(base + start, CInt(first), bytes.count - start)
      {
        let offset = UnsafeRawPointer(place) - base
        guard offset + sought.count <= bytes.count else { break }
        if memcmp(place, sought, sought.count) == 0 { found.append(offset) }
        start = offset + 1
      }
      return found
    }
  }
}

extension [UInt8] {
  /// Returns whether the bytes contain one of some texts.
  ///
  /// - Parameter texts: The texts that are sought.
  /// - Returns: Whether one of them is found.
  public func contains(anyOf texts: [String]) -> Bool {
    texts.contains { !offsets(of: Array<UInt8>($0.utf8)).isEmpty }
  }
}
