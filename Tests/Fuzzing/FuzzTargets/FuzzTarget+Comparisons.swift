import Alignment
import Encodings
import Pictures
import ThenAndNow

extension FuzzTarget {
  /// The targets for what comparisons of photos read: cached results, and texts that are drawn.
  static let comparisons = [pairs, glyphs]

  /// The cached verdicts about pairs, or a cached grey picture. The checksum of an input is
  /// replaced by the right one, because a random change would only reach its check.
  private static let pairs = FuzzTarget("pairs", seeds: Seeds.pairs) { content in
    var hash = FNV1a()
    hash.combine(content.dropLast(8))
    let checksum = (0..<8).map { UInt8(truncatingIfNeeded: hash.mixed >> UInt64(8 * $0)) }
    let file = Array(content.dropLast(8)) + checksum
    if let verdicts = KnownVerdicts(file) {
      guard verdicts.verdicts.count <= KnownVerdicts.maximumKept else { return "too many verdicts" }
      let written = verdicts.bytes
      guard KnownVerdicts(written)?.verdicts == verdicts.verdicts else {
        return "other verdicts after writing them"
      }
    }
    if let picture = KeptPicture.picture(file) {
      guard picture.levels.count == picture.width * picture.height else { return "no picture" }
      guard KeptPicture.bytes(of: picture) == file else { return "another picture after writing" }
    }
    return nil
  }

  /// A text of foreign metadata, drawn as a line with the embedded glyphs.
  private static let glyphs = FuzzTarget("glyphs", seeds: Seeds.texts) { content in
    guard let line = TextLine(String(decoding: content, as: UTF8.self)) else { return nil }
    guard line.text.unicodeScalars.count <= TextLine.maximumScalars else { return "a longer text" }
    // No glyph is wider than two ems, and kerning never moves a line to the left of its origin.
    guard (0...2 * Double(TextLine.maximumScalars)).contains(line.width) else {
      return "a line \(line.width) ems wide"
    }
    guard TextLine(line.text)?.text == line.text else { return "another text when drawn again" }
    let fitted = TextLine.fitted(line, ", 2008", width: 20)
    guard fitted.width <= max(20, line.width + 10) else { return "a title that is not cut" }
    let drawn = fitted.coverage(size: 8)
    return drawn.values.count == drawn.width * drawn.height ? nil : "an incomplete picture"
  }
}

extension Seeds {
  /// Verdicts and a grey picture.
  static let pairs: [[UInt8]] = {
    var verdicts = KnownVerdicts()
    let names = ["k7mabcdefghijklm", "q3vabcdefghijklm", "47xjsbmtz5spaaaa"]
    for (number, name) in names.enumerated() {
      let key = KnownVerdicts.Key(earlier: name, later: names[(number + 1) % names.count])
      verdicts.verdicts[key] = PairVerdict(
        score: number == 0 ? nil : 0.4, isLocked: number != 0, dx: 0.1, dy: -0.05, turnDegrees: 2,
        zoom: 1.1)
    }
    let picture = GreyPicture(width: 3, height: 2, levels: [0, 50, 100, 150, 200, 250])
    return [verdicts.bytes, KnownVerdicts().bytes]
      + [picture].compactMap { $0.map(KeptPicture.bytes) }
  }()

  /// Texts of several scripts, with accents, and with characters that have no glyph.
  static let texts: [[UInt8]] = [
    "Arezzo, 2008", "Žďár nad Sázavou – Ångström", "Αθήνα", "Москва", "e\u{301}\u{323}\u{308}",
    "AVATAR To. fi", "東京 Tower", "\u{202E}a\u{0}b\u{FEFF}", String(repeating: "Wien ", count: 40),
  ].map { Array($0.utf8) }
}
