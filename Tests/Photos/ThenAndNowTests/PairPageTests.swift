import Testing

@testable import ThenAndNow

@Suite struct PairPageTests {
  private static func entry(
    title: String = "Arezzo", name: String = "a.jpg", verdict: PairVerdict
  ) -> PairPage.Entry {
    let earlier = PairPage.Entry.Photo(
      day: "1994-05-01", name: name, jpeg: [0xFF, 0xD8, 0xFF], width: 960, height: 720)
    let later = PairPage.Entry.Photo(
      day: "2024-05-03", name: "b.jpg", jpeg: [0xFF, 0xD8], width: 720, height: 960)
    return PairPage.Entry(
      title: title, earlier: earlier, later: later, years: "30.0", isRecreation: true,
      verdict: verdict)
  }

  private static func verdict(
    dx: Double = 0, dy: Double = 0, turn: Double = 0, zoom: Double = 1
  ) throws -> PairVerdict {
    try #require(
      PairVerdict(score: 0.9, isLocked: true, dx: dx, dy: dy, turnDegrees: turn, zoom: zoom))
  }

  private static func text(_ page: PairPage, omitted: Int = 0) -> String {
    String(decoding: page.bytes(omitted: omitted), as: UTF8.self)
  }

  @Test func `a page embeds its pictures and loads nothing`() throws {
    var page = PairPage()
    page.add(Self.entry(verdict: try Self.verdict()))
    let text = Self.text(page)
    #expect(page.count == 1)
    #expect(text.contains("src=\"data:image/jpeg;base64,/9j/\""))
    #expect(text.contains("src=\"data:image/jpeg;base64,/9g=\""))
    #expect(text.contains("default-src 'none'; img-src data:"))
    #expect(text.contains("aria-label=\"Reveal: 1994 left, 2024 right\""))
    #expect(text.contains("30.0 years, score 90 <b>taken again</b>"))
    for word in ["http:", "https:", "@import", "url("] { #expect(!text.contains(word), "\(word)") }
    #expect(!text.contains("not shown"))
    #expect(Self.text(page, omitted: 1).contains("<p>1 more pair is not shown.</p>"))
    #expect(Self.text(page, omitted: 7).contains("<p>7 more pairs are not shown.</p>"))
    #expect(text.hasPrefix(PairPage.signature[0] + "\n" + PairPage.signature[1]))
  }

  @Test func `HTML in names is escaped`() throws {
    var page = PairPage()
    page.add(
      Self.entry(
        title: "</h2><script>alert(1)</script>", name: "\"><img src=x onerror=alert(1)>&.jpg",
        verdict: try Self.verdict()))
    let text = Self.text(page)
    #expect(text.contains("<h2>&lt;/h2&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h2>"))
    #expect(text.contains("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;.jpg"))
    #expect(text.components(of: "<script").count == 2)
    #expect(text.components(of: "<img").count == 3)
  }

  @Test(
    arguments: [
      (0.05, -0.02, 0, 1), (0, 0, 7, 1), (0, 0, 0, 1.2), (0.03, 0.04, -5, 0.85),
    ] as [(Double, Double, Double, Double)])
  func `the later picture is transformed onto the earlier one`(
    dx: Double, dy: Double, turn: Double, zoom: Double
  ) throws {
    let verdict = try Self.verdict(dx: dx, dy: dy, turn: turn, zoom: zoom)
    let (a, b, x, y) = verdict.laterToEarlier
    // For a point of the view: its place in the later picture, and where that is drawn.
    for (p, q) in [(0.4, 0.3), (-0.2, 0.1), (0, 0)] {
      let (cosine, sine) = (a * zoom * zoom, -b * zoom * zoom)
      let (foundX, foundY) = (cosine * p - sine * q + dx, sine * p + cosine * q + dy)
      #expect(abs(a * foundX - b * foundY + x - p) < 1e-12)
      #expect(abs(b * foundX + a * foundY + y - q) < 1e-12)
    }
    var page = PairPage()
    page.add(Self.entry(verdict: try Self.verdict(dx: 0.05, dy: 0.03)))
    #expect(
      Self.text(page).contains("transform:translate(-5.0%,-4.0%) matrix(1.0,0.0,0.0,1.0,0,0)"))
  }
}

extension String {
  /// The parts between occurrences of another text.
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
