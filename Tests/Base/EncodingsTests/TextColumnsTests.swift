import Encodings
import Testing

/// The widths of texts in a terminal.
@Suite struct TextColumnsTests {
  @Test(arguments: [
    ("Siena", 5), ("", 0), ("Zürich", 6), ("Zu\u{308}rich", 6), ("東京", 4), ("서울", 4), ("ｱｲ", 2),
    ("ＡＢ", 4), ("กรุงเทพ", 6), ("हिन्दी", 5), ("🏔", 1), ("🏔\u{FE0F}", 2), ("😀", 2), ("🇫🇷", 2),
    ("👨‍👩‍👧", 2), ("👍🏽", 2), ("می\u{200C}خواهم", 7), ("a\u{200B}b", 2), ("é", 1), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("€", 1), ("…", 1),
  ])
  func `a text takes the columns of its characters`(text: String, columns: Int) {
    #expect(text.columns == columns, "\(text)")
  }

  @Test func `a text is cut before the character that does not fit`() {
    #expect("東京都".prefix(columns: 4) == "東京" && "東京都".prefix(columns: 5) == "東京")
    #expect("ab".prefix(columns: 9) == "ab" && "ab".prefix(columns: 0).isEmpty)
    #expect("👨‍👩‍👧x".prefix(columns: 1).isEmpty)
  }

  @Test func `joiners stay where they shape the text, and are escaped elsewhere`() {
    for text in ["می\u{200C}خواهم", "👨\u{200D}👩\u{200D}👧", "क्\u{200D}ष"] {
      #expect(text.escaped == text)
    }
    #expect("a\u{200D}b".escaped == "a\\xe2\\x80\\x8db")
    #expect("ب\u{200D}\u{200D}".escaped == "ب\u{200D}\\xe2\\x80\\x8d")
    #expect("ب\u{202E}".escaped == "ب\\xe2\\x80\\xae")
  }
}
