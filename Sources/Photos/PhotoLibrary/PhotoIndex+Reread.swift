import Encodings

/// The files that an interrupted full re-read of their root has already read, so that the next one
/// continues from there.
struct RereadFiles: Sendable, Hashable {
  /// The ranges of files in increasing order; adjacent ranges are merged.
  private(set) var ranges: [Range<Int32>] = []

  /// Appends a file, whose row is greater than all others.
  mutating func append(_ file: Int32) {
    if let last = ranges.last, last.upperBound == file {
      ranges[ranges.count - 1] = last.lowerBound..<file + 1
    } else {
      ranges.append(file..<file + 1)
    }
  }

  /// Returns whether a file has been read.
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

  /// Writes the ranges as an array of `[first, end)` pairs.
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

  /// Reads the format that ``write(to:)`` writes.
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
          offset: start, reason: "a range of files read again is invalid")
      }
      ranges.append(bounds[0]..<bounds[1])
    }
  }
}
