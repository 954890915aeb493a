#if Postgres
  import PhotoLibrary

  /// Numbers of folders, counted from 0 in the order in which they occur.
  struct FolderNumbers {
    /// Where the path of each folder lies in the text.
    private(set) var ranges: [Range<Int>] = []
    /// The folders by the hashes of their paths; a hash that is taken is counted up.
    private var numbers: [UInt64: Int32] = [:]

    /// Returns the number of a folder, which is a new one where it occurs for the first time.
    ///
    /// - Parameters:
    ///   - path: The path, a part of the text.
    ///   - text: The text in which the paths of all folders lie.
    /// - Returns: The number.
    mutating func number(of path: ArraySlice<UInt8>, in text: [UInt8]) -> Int32 {
      var hash = unsafe path.withUnsafeBytes { unsafe XXH64.hash($0) }
      while let number = numbers[hash] {
        if text[ranges[Int(number)]] == path { return number }
        hash &+= 1
      }
      let number = Int32(truncatingIfNeeded: ranges.count)
      numbers[hash] = number
      ranges.append(path.startIndex..<path.endIndex)
      return number
    }
  }
#endif
