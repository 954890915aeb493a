/// Recognises the format of a feed from its first lines.
///
/// A line may show the format by itself, or it may begin a document whose kind only several lines
/// show. Such lines are held, at most ``maximumLength`` bytes of them. The result depends on the
/// lines alone, not on how they are cut into chunks.
struct FeedRecognizer: Sendable {
  /// The result of examining a line.
  enum Finding {
    /// The feed consists of lines in a format, from this one on.
    case lines(FeedFormat)
    /// The feed is a document; its text up to and including this line is given.
    case document(FeedFormat, text: [UInt8])
    /// The line is held until more lines are known.
    case held
    /// The line shows no format.
    case nothing
  }

  /// The greatest number of bytes of a document to examine.
  static let maximumLength = LineSplitter.maximumLength
  /// The number of held lines up to which each new line is examined at once, so that junk before a
  /// document is soon dropped.
  private static let alwaysLookedAt = 4
  /// The number of later lines tried as the start of a document after a line turned out not to
  /// begin one.
  private static let maximumRetries = 4

  private struct HeldLine {
    var number: Int
    /// The line's offset in the text.
    var start: Int
  }

  /// The held lines, with line ends.
  private var text: [UInt8] = []
  private var lines: [HeldLine] = []
  /// The length at which the held text is examined again: twice the last one, so that all attempts
  /// together cost little more than one pass over the whole.
  private var nextLookLength = 0

  /// Examines a line that is not blank.
  ///
  /// - Parameters:
  ///   - bytes: An array that contains the line.
  ///   - line: The line's range in the array.
  ///   - number: The line's number in the feed.
  ///   - dropped: Receives the numbers of held lines that turn out to show no format.
  /// - Returns: The result for the line.
  mutating func look(
    at bytes: [UInt8], line: Range<Int>, number: Int, dropping dropped: inout [Int]
  ) -> Finding {
    if !lines.isEmpty {
      hold(bytes, line, number)
      if let format = lookAtDocument(dropping: &dropped) { return takeDocument(format) }
    }
    if let format = FeedFormat.recognized(in: bytes, line: line) {
      if !lines.isEmpty { lines.removeLast() }
      drop(lines.count, into: &dropped)
      return .lines(format)
    }
    if lines.isEmpty, DocumentSniffer.isStart(bytes[line].trimmed.first) {
      hold(bytes, line, number)
      if let format = lookAtDocument(dropping: &dropped) { return takeDocument(format) }
    }
    guard text.count <= Self.maximumLength else {
      lines.removeLast()
      drop(lines.count, into: &dropped)
      return .nothing
    }
    return lines.isEmpty ? .nothing : .held
  }

  /// Examines the start of a line that is too long to be held.
  ///
  /// - Returns: For a document, the held text before the line.
  mutating func look(atStartOfLongLine start: [UInt8], dropping dropped: inout [Int]) -> Finding {
    guard !lines.isEmpty || DocumentSniffer.isStart(start[...].trimmed.first),
      case .found(let format) = DocumentSniffer.look(at: text + start, isLong: true)
    else {
      drop(lines.count, into: &dropped)
      return .nothing
    }
    return takeDocument(format)
  }

  /// Examines the held lines for the last time, at the end of the feed.
  mutating func finish(dropping dropped: inout [Int]) -> Finding {
    guard !lines.isEmpty, case .found(let format) = DocumentSniffer.look(at: text) else {
      drop(lines.count, into: &dropped)
      return .nothing
    }
    return takeDocument(format)
  }

  private mutating func hold(_ bytes: [UInt8], _ line: Range<Int>, _ number: Int) {
    lines.append(HeldLine(number: number, start: text.count))
    text.append(contentsOf: bytes[line])
    text.append(0x0A)
  }

  /// Examines the held lines if there are few of them or their length has doubled.
  ///
  /// Lines that begin no document are dropped, up to the next line that may begin one. If there is
  /// none, nothing is held any more; the last line is not reported as dropped, since the caller
  /// handles it.
  private mutating func lookAtDocument(dropping dropped: inout [Int]) -> FeedFormat? {
    guard lines.count <= Self.alwaysLookedAt || text.count >= nextLookLength else { return nil }
    for _ in 0...Self.maximumRetries where !lines.isEmpty {
      nextLookLength = text.count * 2
      switch DocumentSniffer.look(at: text) {
      case .found(let format): return format
      case .undecided: return nil
      case .impossible:
        let next = lines.indices.dropFirst().dropLast().first { index in
          DocumentSniffer.isStart(text[lines[index].start...].first { !$0.isSpace })
        }
        drop(next ?? lines.count - 1, into: &dropped)
        if next == nil { clearHeldLines() }
      }
    }
    if !lines.isEmpty {
      drop(lines.count - 1, into: &dropped)
      clearHeldLines()
    }
    return nil
  }

  private mutating func clearHeldLines() {
    text = []
    lines = []
  }

  private mutating func takeDocument(_ format: FeedFormat) -> Finding {
    defer { clearHeldLines() }
    return .document(format, text: text)
  }

  /// Removes the first held lines and reports their numbers.
  private mutating func drop(_ count: Int, into dropped: inout [Int]) {
    dropped += lines[..<count].map(\.number)
    let length = count < lines.count ? lines[count].start : text.count
    text.removeSubrange(..<length)
    lines.removeSubrange(..<count)
    for index in lines.indices { lines[index].start -= length }
  }
}
