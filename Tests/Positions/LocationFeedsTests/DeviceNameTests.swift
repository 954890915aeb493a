import TestSupport
import Testing

@testable import LocationFeeds

@Suite struct DeviceNameTests {
  @Test(arguments: [
    ("phone", "phone"), (" phone ", "phone"), ("Jan's phone", "Jan's phone"),
    ("\u{1B}[31mX", "[31mX"), ("a\u{200B}\u{202E}b\n", "ab"), ("\u{9B}1m", "1m"),
    ("Höhe 7", "Höhe 7"), ("📷", "📷"), ("\u{3000}a\u{2028}", "a"),
  ])
  func `invisible characters are removed from a device name`(name: String, cleaned: String) {
    #expect(DeviceName.cleaned(name) == cleaned)
    #expect(LocationFix(time: nil, latitude: 1, longitude: 2, device: name).device == cleaned)
    var fix = LocationFix(time: nil, latitude: 1, longitude: 2)
    fix.device = name
    #expect(fix.device == cleaned)
  }

  @Test(arguments: ["", " ", "\n", "\u{200B} \u{FEFF}"])
  func `a name without visible characters is nil`(name: String) {
    #expect(DeviceName.cleaned(name) == nil)
  }

  @Test func `long names are cut to 64 characters and stay distinct`() {
    let long = String(repeating: "ä", count: 16_384)
    let names = [long, long + "b", long + "c", "b" + long].compactMap(DeviceName.cleaned)
    #expect(Set(names).count == 4)
    #expect(names.allSatisfy { $0.unicodeScalars.count == DeviceName.maximumLength })
    // The result is stable, also for a truncated name.
    #expect(names == [long, long + "b", long + "c", "b" + long].compactMap(DeviceName.cleaned))
    #expect(names.compactMap(DeviceName.cleaned) == names)
    let just = String(repeating: "a", count: 64)
    #expect(DeviceName.cleaned(just) == just)
    // A single character in Swift, but a thousand scalars in storage.
    let marks = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(DeviceName.cleaned(marks)?.unicodeScalars.count == 64)
  }

  @Test func `a cleaned name is short, not empty and stable for random scalars`() {
    var generator = SeededGenerator(seed: 29)
    for _ in 0..<2000 {
      let scalars = (0..<Int.random(in: 0...100, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &generator))
      }
      let name = String(String.UnicodeScalarView(scalars))
      guard let cleaned = DeviceName.cleaned(name) else { continue }
      #expect(cleaned.unicodeScalars.count <= 64, "\(scalars)")
      #expect(!cleaned.isEmpty && DeviceName.cleaned(cleaned) == cleaned, "\(scalars)")
    }
  }
}
