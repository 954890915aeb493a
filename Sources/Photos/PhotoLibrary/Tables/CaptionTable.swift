/// The distinct captions of photos as bytes of UTF-8, numbered in order of appearance.
struct CaptionTable: Sendable {
  /// The captions.
  private(set) var texts = TextColumn()
  /// The numbers of the added captions, by their hashes.
  private var numbers: [UInt64: CaptionID] = [:]

  /// The maximum length of a title and a caption in bytes: 1,000 scalars each, and a line feed.
  private static let maximumTextLength = 8001
  /// The maximum length of all captions in bytes, for which ``TextColumn`` has room.
  private static let maximumLength = 1 << 30

  init() {}

  /// Creates a table of known captions.
  init(_ texts: TextColumn) {
    self.texts = texts
  }

  /// Maps a table; `nil` if its sections are missing.
  init?(from reader: inout MappedReader) {
    guard texts.map(from: &reader) else { return nil }
  }

  subscript(caption: CaptionID) -> String {
    String(decoding: bytes(ofRow: caption.row), as: UTF8.self)
  }

  /// Returns the bytes of a caption; at most those of a title and a caption of the greatest length,
  /// also if a mapped file is damaged.
  func bytes(ofRow row: Int) -> ArraySlice<UInt8> {
    texts.elements.storedValues(texts.range(of: row).prefix(Self.maximumTextLength))
  }

  /// Returns the number of a caption, assigning the next number to a new one; `nil` if there is no
  /// room for it.
  mutating func index(of caption: ArraySlice<UInt8>) -> CaptionID? {
    let hash = caption.withUnsafeBytes { XXH64.hash($0) }
    if let number = numbers[hash], texts[number.row] == caption { return number }
    guard texts.elements.count + caption.count <= Self.maximumLength else { return nil }
    let number = CaptionID(texts.count)
    texts.append(caption)
    numbers[hash] = number
    return number
  }
}
