import Towns

/// A test whether the names of a file and its folder, and the photo's caption, contain all words of
/// a text. Case, accents and punctuation are ignored.
package struct PhotoNameTest: Sendable {
  /// The greatest number of words.
  private static let maximumWordCount = 64

  private let words: [[UInt8]]
  /// The words that the name of each folder contains, a bit each.
  private let ofFolders: [UInt64]
  /// The words that each caption contains, likewise.
  private let ofCaptions: [UInt64]
  private let all: UInt64

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - text: The text. Of its words, the first 64 count.
  ///   - folders: The names of all folders, by their numbers.
  ///   - captions: All captions, by their numbers.
  init(_ text: String, folders: some Collection<String?>, captions: CaptionTable) {
    let words = Gazetteer.folded(text).split(separator: UInt8(ascii: " "))
      .prefix(Self.maximumWordCount).map { Array($0) }
    self.words = words
    all = words.isEmpty ? 0 : UInt64.max >> UInt64(Self.maximumWordCount - words.count)
    ofFolders = folders.map { name in
      name.map { Self.bits(of: words, in: Gazetteer.folded($0)) } ?? 0
    }
    ofCaptions =
      words.isEmpty
      ? []
      : captions.texts.indices.map { row in
        // The title and the caption are a line each.
        let text = captions.bytes(ofRow: row).map { $0 == 0x0A ? 0x20 : $0 }
        return Self.bits(of: words, in: Self.folded(text[...]))
      }
  }

  /// Returns whether the names of a file and its folder, and the photo's caption, contain all
  /// words.
  func passes(_ name: ArraySlice<UInt8>, folder: Int, caption: CaptionID?) -> Bool {
    var known = ofFolders[folder]
    if known != all, let caption { known |= ofCaptions[caption.row] }
    if known == all { return true }
    return known | Self.bits(of: words, in: Self.folded(name)) == all
  }

  private static func folded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    Gazetteer.folded(String(decoding: text, as: UTF8.self))
  }

  private static func bits(of words: [[UInt8]], in name: [UInt8]) -> UInt64 {
    var bits: UInt64 = 0
    for (place, word) in words.enumerated() where contains(name, word) {
      bits |= 1 << UInt64(place)
    }
    return bits
  }

  private static func contains(_ name: [UInt8], _ word: [UInt8]) -> Bool {
    name.indices.contains { start in name[start...].starts(with: word) }
  }
}
