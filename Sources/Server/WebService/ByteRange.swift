/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// The whole file.
  case whole
  /// A range of bytes, not empty.
  case part(Range<Int64>)
  /// A range outside of the file.
  case unsatisfiable

  /// Parses the header Range.
  ///
  /// Several ranges, other units and malformed ranges result in the whole file, as the standard
  /// allows.
  ///
  /// - Parameters:
  ///   - field: The header; `nil` where there is none.
  ///   - condition: The header If-Range; `nil` where there is none.
  ///   - entityTag: The file's entity tag.
  ///   - size: The file's size in bytes.
  init(_ field: String?, condition: String?, entityTag: String, size: Int64) {
    self = .whole
    // A date in If-Range never matches, so that parts of different contents are not joined.
    guard let field, condition == nil || condition == entityTag else { return }
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
    let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1])
    else { return }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let count?):
      // A suffix: the last bytes of the file.
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    case (let first?, let last):
      guard last.map({ $0 >= first }) ?? true else { return }
      self = first < size ? .part(first..<min((last ?? size - 1), size - 1) + 1) : .unsatisfiable
    }
  }

  /// Parses an optional number: `.some(nil)` for an empty text, `nil` for a malformed one. A number
  /// too large for `Int64` becomes the greatest.
  private static func number(_ text: Substring) -> Int64?? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if text.isEmpty { return .some(nil) }
    return .some(min(Int64(text) ?? .max, .max - 1))
  }
}
