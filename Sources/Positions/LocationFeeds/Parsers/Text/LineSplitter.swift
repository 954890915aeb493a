/// Cuts the chunks of a byte stream into lines, wherever the chunks begin and end.
///
/// A line ends in LF, CR LF or CR. At most ``maximumLength`` bytes of a line are kept.
package struct LineSplitter: Sendable {
  /// A line without its line end.
  package enum Line: Equatable {
    /// The bytes in a range of an array, possibly none.
    case text([UInt8], Range<Int>)
    /// A line longer than ``maximumLength``, reported once, as soon as its length is known.
    case tooLong
  }

  /// The maximum length of a line in bytes.
  static let maximumLength = 64 * 1024

  private var chunk: [UInt8] = []
  /// The offset in `chunk` of the first byte that does not belong to a line yet.
  private var position = 0
  /// The start of a line, from earlier chunks.
  private var partial: [UInt8] = []
  /// The offset in `chunk` at which an overlong line continues, whose start is in `partial`.
  private var longLineStart = 0
  private var isTooLong = false
  /// Whether the rest of an overlong line is being skipped.
  private var isSkipping = false
  /// Whether the last byte was a CR, so that an LF after it belongs to the same line end.
  private var isAfterCarriageReturn = false
  private var isFinished = false

  /// Creates a splitter for a stream that starts at the beginning of a line.
  package init() {}

  /// Adds text; all lines of the earlier text must have been taken.
  package mutating func append(_ text: [UInt8]) {
    chunk = text
    position = 0
  }

  /// Ends the text, so that ``nextLine()`` returns the remaining bytes as the last line.
  mutating func finish() {
    append([])
    isFinished = true
  }

  /// Takes all bytes after the line returned last.
  mutating func takeRest() -> [UInt8] {
    skipLineFeed()
    defer { position = chunk.count }
    return Array(chunk[position...])
  }

  /// Returns the text that follows the result of ``takeRest()``, without an LF that belongs to the
  /// line end before it.
  mutating func withoutLineFeed(_ text: [UInt8]) -> [UInt8] {
    guard isAfterCarriageReturn, let first = text.first else { return text }
    isAfterCarriageReturn = false
    return first == 0x0A ? Array(text.dropFirst()) : text
  }

  /// The first ``maximumLength`` bytes of the line just reported as too long.
  var startOfLongLine: [UInt8] {
    partial + chunk[longLineStart...].prefix(Self.maximumLength - partial.count)
  }

  /// Takes the received part of the line just reported as too long, and all bytes after it.
  mutating func takeLongLine() -> [UInt8] {
    defer {
      partial = []
      isSkipping = false
      position = chunk.count
    }
    return partial + chunk[longLineStart...]
  }

  /// Returns the next line; `nil` where none is complete.
  package mutating func nextLine() -> Line? {
    if isTooLong {
      partial.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    skipLineFeed()
    guard let end = nextLineEnd() else { return keepRest() }
    let start = position
    position = end + 1
    isAfterCarriageReturn = chunk[end] == 0x0D
    if isSkipping {
      isSkipping = false
      return nextLine()
    }
    guard partial.count + (end - start) <= Self.maximumLength else { return tooLong(from: start) }
    guard !partial.isEmpty else { return .text(chunk, start..<end) }
    partial.append(contentsOf: chunk[start..<end])
    return takePartial()
  }

  private mutating func skipLineFeed() {
    guard isAfterCarriageReturn, position < chunk.count else { return }
    isAfterCarriageReturn = false
    if chunk[position] == 0x0A { position += 1 }
  }

  private func nextLineEnd() -> Int? {
    var index = position
    let count = chunk.count
    while index < count {
      let byte = chunk[index]
      if byte == 0x0A || byte == 0x0D { return index }
      index += 1
    }
    return nil
  }

  /// Keeps the bytes after the last line end for the next chunk.
  private mutating func keepRest() -> Line? {
    let rest = position..<chunk.count
    position = chunk.count
    if !isSkipping {
      guard partial.count + rest.count <= Self.maximumLength else {
        isSkipping = true
        return tooLong(from: rest.lowerBound)
      }
      partial.append(contentsOf: chunk[rest])
    }
    return isFinished && !partial.isEmpty ? takePartial() : nil
  }

  private mutating func tooLong(from start: Int) -> Line {
    longLineStart = start
    isTooLong = true
    return .tooLong
  }

  private mutating func takePartial() -> Line {
    defer { partial = [] }
    return .text(partial, partial.indices)
  }
}
