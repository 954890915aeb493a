#if Postgres
  import PhotoLibrary

  /// Numbers of folders, counted from 0 in the order in which they occur.
  struct FolderNumbers {
    /// The range of each folder's path in the text.
    private(set) var ranges: [Range<Int>] = []
    /// The numbers of the folders by the hash of the path, or by the next free hash if it is taken.
    private var numbers: [UInt64: Int32] = [:]

    /// Returns the number of a folder, and assigns the next one when it occurs for the first time.
    ///
    /// - Parameters:
    ///   - path: The path, a slice of the text.
    ///   - text: The bytes that contain the paths of all folders.
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
