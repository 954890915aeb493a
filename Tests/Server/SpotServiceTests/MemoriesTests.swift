import ServiceSupport
import TestSupport
import Testing

@testable import SpotService

/// Tests of `memories`, and of the area where the map opens. The bench's day is 20 November 2026.
@Suite struct MemoriesTests {
  private func bench(_ photos: [TestPhoto]) -> ServiceBench {
    var bench = ServiceBench()
    bench.sources = TestSources(photos)
    return bench
  }

  private static let vienna = (48.2082, 16.3738)
  private static let paris = (48.8584, 2.2945)
  private static let lisbon = (38.7169, -9.1399)

  private func photo(
    _ path: String, _ place: (Double, Double), _ captured: String?, isFavorite: Bool = false
  ) -> TestPhoto {
    TestPhoto("/home/me/\(path)", place.0, place.1, captured, isFavorite: isFavorite)
  }

  private func memories(_ bench: ServiceBench) throws -> JSONValue {
    try bench.json("memories?around=11-20")
  }

  // MARK: - This week in other years

  @Test func `the week has spots with photos of other years, and one of the latest such year`()
    throws
  {
    let bench = bench([
      photo("a.jpg", Self.paris, "2016-11-18T10:00:00Z"),
      photo("b.jpg", Self.paris, "2019-11-22T10:00:00Z"),
      photo("c.jpg", Self.paris, "2019-11-22T11:00:00Z"),
      photo("summer.jpg", Self.paris, "2021-07-01T10:00:00Z"),
      photo("today.jpg", Self.paris, "2026-11-20T09:00:00Z"),
      photo("d.jpg", Self.vienna, "2022-11-14T10:00:00Z"),
      photo("undated.jpg", Self.vienna, nil),
      photo("only now.jpg", Self.lisbon, "2026-11-19T10:00:00Z"),
    ])
    let week = try #require(try memories(bench)["week"]?.items)
    #expect(week.map { $0["spot"]?["photoCount"]?.number } == [4, 1])
    let first = try #require(week.first)
    #expect(first["photo"]?["captured"]?.text?.hasPrefix("2019-11-22") == true)
    #expect(first["spot"]?["years"]?.items.compactMap(\.number) == [2016, 2019, 2026])
    #expect(week.last?["photo"]?["captured"]?.text?.hasPrefix("2022-11-14") == true)
    #expect(try bench.json("memories?around=07-01")["week"]?.items.count == 1)
    #expect(try bench.json("memories?around=03-01")["week"]?.items.isEmpty == true)
  }

  @Test func `at the turn of the year the week of two months ago is no other year`() throws {
    let bench = bench([photo("a.jpg", Self.paris, "2026-09-25T10:00:00Z")])
    #expect(try bench.json("memories?around=09-25")["week"]?.items.isEmpty == true)
  }

  // MARK: - Not seen for long

  @Test func `areas without a photo for two years are listed, the oldest first`() throws {
    let bench = bench([
      photo("v.jpg", Self.vienna, "2001-05-01T10:00:00Z"),
      photo("p.jpg", Self.paris, "1994-05-01T10:00:00Z"),
      photo("q.jpg", (48.8600, 2.2945), "2019-05-01T10:00:00Z"),
      // An old photo beside a new one: the area was seen lately.
      photo("l.jpg", Self.lisbon, "1990-05-01T10:00:00Z"),
      photo("m.jpg", (38.7200, -9.1400), "2025-05-01T10:00:00Z"),
      photo("undated.jpg", (0, 0), nil),
    ])
    let unseen = try #require(try memories(bench)["unseen"])
    let items = try #require(unseen["items"]?.items)
    #expect(items.map { $0["lastCaptured"]?.text?.prefix(4) } == ["2001", "2019"])
    #expect(items.map { $0["pin"]?["photos"]?.number } == [1, 2])
    // The pin is one of the map.
    let zoom = try #require(unseen["zoom"]?.number)
    let pins = try bench.json("clusters?box=-90,-180,90,180&zoom=\(zoom)").items
    for item in items { #expect(pins.contains { $0 == item["pin"] }) }
  }

  @Test func `at most three areas are listed`() throws {
    let photos = (0..<5).map { year in
      photo("\(year).jpg", (10 * Double(year), 0), "200\(year)-05-01T10:00:00Z")
    }
    let items = try bench(photos).json("memories?around=11-20")["unseen"]?["items"]?.items
    #expect(items?.map { $0["lastCaptured"]?.text?.prefix(4) } == ["2000", "2001", "2002"])
  }

  // MARK: - The newest album

  @Test func `the newest album is that of the latest photo with an album of a name`() throws {
    let bench = bench([
      photo("2025 Paris/a.jpg", Self.paris, "2025-05-01T10:00:00Z"),
      photo("2025 Paris/b.jpg", Self.paris, "2025-05-02T10:00:00Z"),
      photo("2025 Paris/c.jpg", Self.vienna, nil),
      photo("Wien/d.jpg", Self.vienna, "2024-05-01T10:00:00Z"),
      photo("DCIM/100CANON/e.jpg", Self.lisbon, "2026-05-01T10:00:00Z"),
    ])
    let album = try #require(try memories(bench)["album"])
    #expect(album["name"] == .string("2025 Paris") && album["title"] == .string("Paris"))
    #expect(album["photos"] == .number(3))
    #expect(album["items"]?.items.compactMap { $0["name"]?.text } == ["b.jpg", "a.jpg", "c.jpg"])
    let box = (album["box"]?.items ?? []).compactMap(\.number)
    #expect(box.count == 4 && box[1] < 2.3 && box[3] > 16.3)
    let first = try bench.json("memories?around=11-20&to=2024")["album"]
    #expect(first?["name"] == .string("Wien"))
  }

  @Test func `pictures taken again are no album`() throws {
    let bench = bench([
      photo("Paris/a.jpg", Self.paris, "2019-05-01T10:00:00Z"),
      photo("Mine/2026-11-19 12.00.00 Paris (2019).jpg", Self.paris, "2026-11-19T12:00:00Z"),
    ])
    #expect(try bench.json("memories?around=11-20")["album"]?["name"] == .string("Paris"))
  }

  @Test func `a library without dates or names of albums has no memories`() throws {
    let memories = try bench([photo("DCIM/a.jpg", Self.paris, nil)]).json("memories?around=11-20")
    #expect(memories["week"]?.items.isEmpty == true && memories["album"] == .null)
    #expect(memories["unseen"]?["items"]?.items.isEmpty == true)
  }

  @Test func `the day must be given, and filters hold`() throws {
    let bench = bench([
      photo("Paris/a.jpg", Self.paris, "2019-11-20T10:00:00Z"),
      photo("Wien/b.jpg", Self.vienna, "2015-11-20T10:00:00Z", isFavorite: true),
    ])
    #expect(bench.response("GET", "memories").status == 400)
    let memories = try bench.json("memories?around=11-20&favorites=true")
    #expect(memories["week"]?.items.count == 1)
    #expect(memories["unseen"]?["items"]?.items.count == 1)
    #expect(memories["album"]?["name"] == .string("Wien"))
  }

  // MARK: - The densest area

  @Test func `the densest area has the most photos, and not the whole box`() throws {
    let bench = bench([
      photo("a.jpg", Self.vienna, nil), photo("b.jpg", Self.vienna, nil),
      photo("c.jpg", (48.3, 16.4), nil),
      photo("d.jpg", Self.lisbon, nil), photo("e.jpg", Self.lisbon, nil),
    ])
    let status = try bench.json("status")
    #expect(status["densest"]?.items.compactMap(\.number) == [48.2082, 16.3738, 48.3, 16.4])
    #expect(try self.bench([]).json("status")["densest"] == .null)
  }
}
