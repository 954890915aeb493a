import CivilTime
import PhotoLibrary
import PhotoMetadata
import TestSupport
import Testing

@testable import Recreations

@Suite struct RecreationNameTests {
  @Test func `the library recognises the names of recreations, and no others`() {
    for place in ["Arezzo", "", "Žďár (1999)", "a.jpg"] {
      for number in [1, 2, 31] {
        let text = name(place, number: number)
        #expect(RecreatedFileName.matches(Array(text.utf8)), "\(text)")
      }
    }
    for other in [
      "2013-05-04 10.15.03.jpg", "2013-05-04 10.15.03 HDR.jpg", "Arezzo (2008).jpg", "",
      "2026-11-22 10.15.03 (2008).png", "2026-11-22 10.15.03 Arezzo (208).jpg", ".jpg",
    ] {
      #expect(!RecreatedFileName.matches(Array(other.utf8)), "\(other)")
    }
  }

  private func name(
    _ place: String?, taken: CaptureTime? = CaptureTime(instant: now, utcOffsetMinutes: 60),
    number: Int = 1
  ) -> String {
    var old = OldPhoto.arezzo
    old.place = place
    return RecreationName.text(taken: taken, old: old, number: number)
  }

  @Test func `a file is named after its time, the place and the original photo's year`() {
    #expect(name("Arezzo") == "2026-11-22 10.15.03 Arezzo (2008).jpg")
    #expect(name("Arezzo", number: 2) == "2026-11-22 10.15.03 Arezzo (2008) 2.jpg")
    #expect(name("Arezzo", taken: nil) == "Arezzo (2008).jpg")
    #expect(name(nil) == "2026-11-22 10.15.03 Photo (2008).jpg")
    var undated = OldPhoto.arezzo
    undated.captured = nil
    #expect(RecreationName.text(taken: nil, old: undated, number: 1) == "Arezzo.jpg")
  }

  @Test(arguments: [
    ("../../etc/passwd", "etc-passwd"), ("/", "Photo"), ("..", "Photo"), (" . ", "Photo"),
    ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"), ("a\u{0}b\nc\u{1B}[31md", "a b c [31md"),
    ("\u{202E}gpj.exe", "gpj.exe"), ("\u{2028}line", "line"), ("\u{EFFF}raw", "raw"),
    (".hidden", "hidden"), ("end. .", "end"), ("Pão de Açúcar", "Pão de Açúcar"),
    ("Αθήνα", "Αθήνα"), ("東京", "東京"), ("-rf", "rf"),
  ])
  func `a file name is safe, whatever the place's name`(_ place: String, _ expected: String) {
    #expect(name(place) == "2026-11-22 10.15.03 \(expected) (2008).jpg")
    #expect(name(place, taken: nil) == "\(expected) (2008).jpg")
  }

  @Test func `a long file name is cut between characters`() {
    let flag = "🏴󠁧󠁢󠁳󠁣󠁴󠁿"
    for place in [
      String(repeating: "é", count: 300), String(repeating: "a ", count: 300),
      String(repeating: flag, count: 90), "e" + String(repeating: "\u{301}", count: 400),
    ] {
      let name = name(place, number: 999)
      #expect(name.utf8.count <= RecreationName.maximumLength)
      #expect(name.hasSuffix(" (2008) 999.jpg") && !name.contains("  "))
    }
    #expect(name(String(repeating: "é", count: 300)).utf8.count > RecreationName.maximumLength - 2)
  }

  @Test func `any place name gives a valid file name`() {
    for seed in UInt64(0)..<500 {
      var generator = SeededGenerator(seed: seed)
      let scalars = (0..<Int.random(in: 0...120, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &generator) >> (seed % 12))
      }
      let name = name(String(String.UnicodeScalarView(scalars)), taken: nil)
      #expect(!name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }, "\(seed)")
      #expect(name.utf8.count <= RecreationName.maximumLength, "seed \(seed)")
      #expect(name.first != "." && name.first != " " && name.hasSuffix(" (2008).jpg"), "\(seed)")
    }
  }
}
