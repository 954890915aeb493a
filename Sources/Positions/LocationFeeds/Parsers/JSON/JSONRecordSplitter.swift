/// Cuts JSON documents into records, wherever the chunks of the text begin and end.
///
/// The elements of an array are records if the array is the document itself, `[…]`, or a member of
/// it with one of a few names, `{"features": […]}`. A document that is an object is a record too,
/// without the elements of those arrays, and is returned at its end. A document of any size is
/// therefore read as it arrives, and only one record is held. Several documents may follow one
/// another.
///
/// The splitter counts brackets and recognises strings; it does not check that a record is valid
/// JSON. After malformed text it resumes at the next line that begins with a bracket. A value
/// without a comma before it, and a line end in a string, count as malformed, so that a cut-off
/// document does not swallow the documents after it. A cut at a place where a value may follow
/// cannot be detected.
struct JSONRecordSplitter: Sendable {
  /// A piece of the text.
  enum Piece {
    /// A record: an array of bytes, and the record's range in it.
    case record([UInt8], Range<Int>)
    /// The object around lists of records: a record too, but no report beside them.
    case frame([UInt8], Range<Int>)
    /// A record longer than ``maximumLength``, reported when it ends.
    case tooLong
    /// Text that is not a JSON document.
    case malformed
  }

  /// The maximum length of a record in bytes.
  static let maximumLength = 16 * 1024 * 1024

  private enum State {
    /// Between documents.
    case outside
    /// In an object that is a document, outside of the lists.
    case outline
    /// In an array whose elements are records, between two of them.
    case list
    /// In a record, which ends where the depth returns to that of its list.
    case record
    /// In malformed text, until a line begins with a bracket.
    case lost
  }

  /// The names of the members whose elements are records.
  private let lists: Set<String>
  private var state = State.outside
  private var depth = 0
  /// The depth of the array that holds the records: 1 if the array is the document.
  private var listDepth = 0
  private var isInString = false
  private var isEscaped = false
  private var isAtLineStart = true
  /// The last byte that is neither white space nor inside a string.
  private var lastByte: UInt8 = 0

  private var chunk: [UInt8] = []
  private var position = 0
  /// The offset in `chunk` at which the unfinished record begins or continues.
  private var recordStart = 0
  /// The start of a record, from earlier chunks.
  private var partial: [UInt8] = []
  private var isTooLong = false
  /// The object that is the document, without the elements of its lists.
  private var outline: [UInt8] = []
  private var isOutlineTooLong = false
  /// Whether the object has a list of records.
  private var hasList = false
  /// The range in `outline` of the content of the last string at depth 1.
  private var lastString = 0..<0
  private var key = 0..<0

  init(lists: Set<String>) {
    self.lists = lists
  }

  /// Whether the text so far ends inside a document.
  var isInDocument: Bool { state != .outside && state != .lost }

  /// Adds text; all pieces of the earlier text must have been taken.
  mutating func append(_ text: [UInt8]) {
    chunk = text
    position = 0
    recordStart = 0
  }

  /// Returns the next piece; `nil` where none is complete.
  mutating func next() -> Piece? {
    while position < chunk.count {
      let byte = chunk[position]
      position += 1
      let piece = take(byte)
      isAtLineStart = byte == 0x0A || byte == 0x0D
      if let piece { return piece }
    }
    if state == .record { keepRecord(upTo: chunk.count) }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Piece? {
    switch state {
    case .outside: return takeOutside(byte)
    case .lost: return takeLost(byte)
    case .outline, .list, .record: break
    }
    if state == .outline { append(toOutline: byte) }
    if isInString { return takeInString(byte) }
    if byte == 0x20 || (0x09...0x0D).contains(byte) { return nil }
    guard isPossible(byte) else { return lose(byte) }
    lastByte = byte
    switch state {
    case .outline: return takeInOutline(byte)
    case .list: return takeInList(byte)
    default: return takeInRecord(byte)
    }
  }

  /// Returns whether a byte may follow the last one: an object, array or string needs a comma, a
  /// colon or an opening bracket before it.
  private func isPossible(_ byte: UInt8) -> Bool {
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
    else { return true }
    switch lastByte {
    case UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: ":"): return true
    case UInt8(ascii: "{"): return byte == UInt8(ascii: "\"")
    default: return false
    }
  }

  private mutating func takeInString(_ byte: UInt8) -> Piece? {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      if state == .outline, depth == 1 {
        lastString = lastString.lowerBound..<max(lastString.lowerBound, outline.count - 1)
      }
    } else if byte == 0x0A || byte == 0x0D {
      return lose(byte)
    }
    return nil
  }

  // MARK: - Between documents

  private mutating func takeOutside(_ byte: UInt8) -> Piece? {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): begin(byte)
    // RFC 8142 puts a record separator before each document.
    case 0x1E, 0x20, 0x09...0x0D: break
    default: return lose(byte)
    }
    return nil
  }

  private mutating func takeLost(_ byte: UInt8) -> Piece? {
    if isAtLineStart, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { begin(byte) }
    return nil
  }

  private mutating func begin(_ bracket: UInt8) {
    depth = 1
    lastByte = bracket
    isInString = false
    isEscaped = false
    outline.removeAll(keepingCapacity: true)
    isOutlineTooLong = false
    hasList = false
    lastString = 0..<0
    key = 0..<0
    if bracket == UInt8(ascii: "[") {
      state = .list
      listDepth = 1
    } else {
      state = .outline
      listDepth = 2
      outline.append(bracket)
    }
  }

  /// Discards the current record and begins to skip malformed text.
  private mutating func lose(_ byte: UInt8) -> Piece {
    state = .lost
    partial = []
    isTooLong = false
    _ = takeLost(byte)
    return .malformed
  }

  // MARK: - The object that is a document

  private mutating func takeInOutline(_ byte: UInt8) -> Piece? {
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if depth == 1 { lastString = outline.count..<outline.count }
    case UInt8(ascii: ":") where depth == 1: key = lastString
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      depth += 1
      if depth == 2, byte == UInt8(ascii: "["), isListName { (state, hasList) = (.list, true) }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= 1
      if depth == 0 { return endOutline() }
    default: break
    }
    return nil
  }

  private mutating func append(toOutline byte: UInt8) {
    if outline.count < Self.maximumLength {
      outline.append(byte)
    } else {
      isOutlineTooLong = true
    }
  }

  private var isListName: Bool {
    guard !isOutlineTooLong, (1...64).contains(key.count) else { return false }
    return lists.contains(String(decoding: outline[key], as: UTF8.self))
  }

  private mutating func endOutline() -> Piece {
    state = .outside
    defer { hasList = false }
    if isOutlineTooLong { return .tooLong }
    return hasList ? .frame(outline, outline.indices) : .record(outline, outline.indices)
  }

  // MARK: - Lists and their records

  private mutating func takeInList(_ byte: UInt8) -> Piece? {
    switch byte {
    case UInt8(ascii: ","): return nil
    case UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 {
        state = .outside
      } else {
        state = .outline
        append(toOutline: byte)
      }
      return nil
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      state = .record
      recordStart = position - 1
      depth += 1
      return nil
    // Nulls and numbers in the list are skipped.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "E"):
      return nil
    default: return lose(byte)
    }
  }

  private mutating func takeInRecord(_ byte: UInt8) -> Piece? {
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == listDepth { return endRecord() }
    default: break
    }
    return nil
  }

  private mutating func endRecord() -> Piece {
    state = .list
    if partial.isEmpty, !isTooLong, position - recordStart <= Self.maximumLength {
      return .record(chunk, recordStart..<position)
    }
    keepRecord(upTo: position)
    defer {
      partial = []
      isTooLong = false
    }
    return isTooLong ? .tooLong : .record(partial, partial.indices)
  }

  private mutating func keepRecord(upTo end: Int) {
    if isTooLong || partial.count + (end - recordStart) > Self.maximumLength {
      isTooLong = true
      partial = []
    } else {
      partial.append(contentsOf: chunk[recordStart..<end])
    }
    recordStart = end
  }
}
