/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// All of it.
  case whole
  /// The bytes of a range, which is not empty.
  case part(Range<Int64>)
  /// A part that the file does not have.
  case unsatisfiable

  /// Reads the header Range.
  ///
  /// Several ranges, other units and what is malformed give the whole file, as the standard allows.
  ///
  /// - Parameters:
  ///   - field: The header; `nil` where there is none.
  ///   - condition: The header If-Range; `nil` where there is none.
  ///   - entityTag: The tag of the file.
  ///   - size: The file's size in bytes.
  init(_ field: String?, condition: String?, entityTag: String, size: Int64) {
    self = .whole
    // A date is never taken for the file's, so that a part of another content is not joined.
    guard let field, condition == nil || condition == entityTag else { return }
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
    let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1])
    else { return }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let count?):
      // The last bytes.
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    case (let first?, let last):
      guard last.map({ $0 >= first }) ?? true else { return }
      self = first < size ? .part(first..<min((last ?? size - 1), size - 1) + 1) : .unsatisfiable
    }
  }

  /// A number, which may be missing; `nil` where the text is none. One beyond all files is the
  /// greatest.
  private static func number(_ text: Substring) -> Int64?? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if text.isEmpty { return .some(nil) }
    return .some(min(Int64(text) ?? .max, .max - 1))
  }
}
