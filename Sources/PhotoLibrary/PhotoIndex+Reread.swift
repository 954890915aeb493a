import Interchange

/// Which files a whole re-read of their root has reached that was ended before it was done, so that
/// the next one goes on from there.
struct RereadFiles: Sendable, Hashable {
  /// In order, none touching another.
  private(set) var ranges: [Range<Int32>] = []

  /// Takes in the place of a file, which is beyond all others.
  mutating func append(_ file: Int32) {
    if let last = ranges.last, last.upperBound == file {
      ranges[ranges.count - 1] = last.lowerBound..<file + 1
    } else {
      ranges.append(file..<file + 1)
    }
  }

  /// Whether a file is one of them.
  ///
  /// - Complexity: O(log *n*) for *n* ranges.
  func contains(_ file: Int) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(ranges[middle].upperBound) <= file { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && Int(ranges[low].lowerBound) <= file
  }

  // MARK: - JSON

  /// Writes them as an array of `[first, behind the last]`.
  func write(to writer: inout JSONWriter) {
    writer.array("reread") { writer in
      for range in ranges {
        writer.array { writer in
          writer.integer(range.lowerBound)
          writer.integer(range.upperBound)
        }
      }
    }
  }

  init() {}

  /// Reads what ``write(to:)`` wrote.
  init(from reader: inout JSONReader) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      let start = reader.offset
      var bounds: [Int32] = []
      try reader.beginArray()
      while try reader.nextElement() {
        guard let bound = Int32(exactly: try reader.integer()) else { break }
        bounds.append(bound)
      }
      guard bounds.count == 2, bounds[0] > ranges.last?.upperBound ?? -1, bounds[0] < bounds[1]
      else {
        throw JSONError(
          offset: start, reason: "a range of files that were read again makes no sense")
      }
      ranges.append(bounds[0]..<bounds[1])
    }
  }
}
