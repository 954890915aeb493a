import TestSupport
import Testing

@testable import Pictures

@Suite struct TextLineTests {
  @Test(arguments: [
    "Arezzo", "Århus", "Łódź", "İstanbul", "Đà Nẵng", "Hồ Chí Minh", "Αθήνα", "Ἀθῆναι", "Москва",
    "Київ", "Ђаковица", "Ўзбекистон", "Ñuñoa", "Reykjavík", "Țăndărei",
    "O’Higgins – “Sud” №5, 12 €",
  ])
  func `names in Latin, Greek and Cyrillic are drawn unchanged`(name: String) throws {
    let line = try #require(TextLine(name))
    #expect(line.text == name)
    #expect(line.coverage(size: 30).values.contains(255))
  }

  @Test func `every Latin, Greek and Cyrillic letter is drawn inside its box`() throws {
    var count = 0
    for range: ClosedRange<UInt32> in [
      0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x386...0x3CE, 0x400...0x45F, 0x490...0x4FF,
      0x1E00...0x1EF9,
    ] {
      for scalar in range.compactMap(Unicode.Scalar.init) where scalar.properties.isAlphabetic {
        let line = try #require(TextLine(String(scalar)), "U+\(String(scalar.value, radix: 16))")
        let coverage = line.coverage(size: 20)
        #expect(coverage.values.contains { $0 > 100 }, "\(scalar)")
        let rows = [0, coverage.height - 1].flatMap { row in
          coverage.values[(row * coverage.width)..<((row + 1) * coverage.width)]
        }
        let columns = (0..<coverage.height).flatMap { row in
          [0, coverage.width - 1].map { coverage.values[row * coverage.width + $0] }
        }
        #expect(rows.allSatisfy { $0 == 0 }, "\(scalar)")
        #expect(columns.allSatisfy { $0 == 0 }, "\(scalar)")
        count += 1
      }
    }
    #expect(count > 900)
  }

  @Test func `a letter with a combining accent is drawn like the precomposed letter`() throws {
    let apart = try #require(TextLine("A\u{30A}rhus Κε\u{301}ρκυρα И\u{306}"))
    let whole = try #require(TextLine("Århus Κέρκυρα Й"))
    #expect(apart.coverage(size: 20) == whole.coverage(size: 20))
    // No precomposed letter exists, so the accent is left out.
    #expect(TextLine("Xx\u{30D}x")?.text == "Xxx")
  }

  @Test(arguments: [
    "東京", "Café 東京", "서울", "ירושלים", "دبي", "กรุงเทพ", "दिल्ली", "თბილისი", "Rome ２", "٢٠٠٨",
  ])
  func `a name with an unsupported character is not drawn at all`(name: String) {
    #expect(TextLine(name) == nil)
    #expect(!DiptychCaption.isDrawable(name))
    #expect(
      DiptychCaption(places: [name], years: "2008 and 2026").line == "2008 and 2026")
  }

  @Test func `the caption uses the first name that can be drawn`() {
    let caption = DiptychCaption(places: ["東京", "Tokyo"], years: "2008")
    #expect(caption.line == "Tokyo, 2008")
    #expect(DiptychCaption(places: ["東京"], years: nil).line == nil)
    #expect(DiptychCaption(places: [], years: nil).line == nil)
    #expect(DiptychCaption(text: "Home", years: "2008").line == "Home")
    #expect(DiptychCaption(text: "家", years: "2008").line == "2008")
  }

  @Test(arguments: [
    ("Rome 🎉", "Rome"), ("🎉🇮🇹", nil), ("", nil), (" \u{A0}\n", nil), ("\u{301}", nil),
    ("A\u{0}b\nc\r\nd\u{2028}e", "A b c d e"), ("\u{202E}Are\u{200F}zzo\u{2066}", "Arezzo"),
    ("\u{FEFF}Sie\u{AD}na\u{E0041}", "Siena"), ("\u{FFFE}\u{10FFFF}Pisa", "Pisa"),
    ("A\u{FE0F}\u{20E3}", "A"),
  ])
  func `invisible characters and marks without a glyph are omitted`(text: String, drawn: String?) {
    #expect(TextLine(text)?.text == drawn)
  }

  @Test func `a very long text is cut, even with stacked combining marks`() throws {
    let piled = try #require(TextLine(String(repeating: "e\u{301}\u{302}\u{303}", count: 100_000)))
    #expect(piled.text.count <= TextLine.maximumScalars)
    let long = try #require(TextLine(String(repeating: "Wide ", count: 100_000)))
    #expect(long.text.count <= TextLine.maximumScalars)
  }

  @Test func `letters are kerned`() throws {
    let width = { (text: String) in TextLine(text)?.width ?? .nan }
    #expect(width("AV") < width("A") + width("V"))
    #expect(width("nn") == 2 * width("n"))
  }

  @Test func `a long title is shortened with an ellipsis before its ending`() throws {
    let ending = ", 2008 and 2026"
    for title in ["Pisa", "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch", "A, B, C, D"]
    {
      let line = try #require(TextLine(title))
      for width in stride(from: 8.5, through: 60, by: 0.5) {
        let fitted = TextLine.fitted(line, ending, width: width)
        #expect(fitted.width <= width || fitted.text == title + ending, "\(title) \(width)")
        #expect(fitted.text.hasSuffix(ending))
        #expect(fitted.text == title + ending || fitted.text.contains("…"))
        #expect(!fitted.text.contains(",…") && !fitted.text.contains(" …"))
      }
      let whole = try #require(TextLine(title + ending))
      #expect(TextLine.fitted(line, ending, width: whole.width).text == title + ending)
    }
  }
}
