/// Finds out in which format a feed is, from its first lines.
///
/// A line may show the format by itself. Or a document begins with it, which may take several lines
/// to show of which kind it is; these are held, at most ``maximumLength`` bytes of them. What is
/// decided depends on the lines alone, not on the chunks in which they came.
struct FeedRecognizer: Sendable {
  /// What a line shows.
  enum Finding {
    /// The feed is read by lines in a format, from this one on.
    case lines(FeedFormat)
    /// The feed is a document, whose text is given with this line.
    case document(FeedFormat, text: [UInt8])
    /// The line is held until more is known.
    case held
    /// The line shows nothing.
    case nothing
  }

  /// How much of a document is looked at.
  static let maximumLength = LineSplitter.maximumLength
  /// How many lines are looked at as each comes, so that junk before a document is soon known as
  /// such.
  private static let alwaysLookedAt = 4
  /// How many of the lines behind one that begins no document are taken for the first one after
  /// all.
  private static let maximumRetries = 4

  private struct HeldLine {
    var number: Int
    /// Where it begins in the text.
    var start: Int
  }

  /// The lines that are held, with line ends.
  private var text: [UInt8] = []
  private var lines: [HeldLine] = []
  /// The length from which what is held is looked at again: twice the last one, so that all looks
  /// together cost little more than one at the whole.
  private var nextLookLength = 0

  /// Looks at a line that is not blank.
  ///
  /// - Parameters:
  ///   - bytes: An array that holds the line.
  ///   - line: Where it is.
  ///   - number: The line's number in the feed.
  ///   - dropped: Takes the numbers of lines that were held and show nothing after all.
  /// - Returns: What the line shows.
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

  /// Looks at the start of a line that is longer than lines are held.
  ///
  /// - Returns: For a document the text before the line.
  mutating func look(atStartOfLongLine start: [UInt8], dropping dropped: inout [Int]) -> Finding {
    guard !lines.isEmpty || DocumentSniffer.isStart(start[...].trimmed.first),
      case .found(let format) = DocumentSniffer.look(at: text + start)
    else {
      drop(lines.count, into: &dropped)
      return .nothing
    }
    return takeDocument(format)
  }

  /// Looks at what is held for the last time.
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

  /// Looks at what is held, if it is time to.
  ///
  /// Lines that begin no document are dropped, up to one that may. Where there is none nothing is
  /// held any more, and the last line is not dropped but left to whoever looks at it.
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
        if next == nil { letGo() }
      }
    }
    if !lines.isEmpty {
      drop(lines.count - 1, into: &dropped)
      letGo()
    }
    return nil
  }

  private mutating func letGo() {
    text = []
    lines = []
  }

  private mutating func takeDocument(_ format: FeedFormat) -> Finding {
    defer { letGo() }
    return .document(format, text: text)
  }

  /// Drops the first lines that are held.
  private mutating func drop(_ count: Int, into dropped: inout [Int]) {
    dropped += lines[..<count].map(\.number)
    let length = count < lines.count ? lines[count].start : text.count
    text.removeSubrange(..<length)
    lines.removeSubrange(..<count)
    for index in lines.indices { lines[index].start -= length }
  }
}
