import Encodings
import ServiceSupport
import SpotService
import TestSupport
import Testing

/// The suggestions of a search field.
@Suite struct SearchTests {
  private func bench(_ photos: [TestPhoto]) -> ServiceBench {
    var bench = ServiceBench()
    bench.sources = TestSources(photos)
    return bench
  }

  private let vienna = [
    TestPhoto("/p/Wien 2013/a.jpg", 48.2082, 16.3738, "2013-05-12T10:00:00Z"),
    TestPhoto("/p/Wien 2013/b.jpg", 48.2001, 16.3601, "2013-05-15T10:00:00Z", isFavorite: true),
    TestPhoto("/p/Scans Wien/c.jpg", 48.2200, 16.3900, "1994-08-01T10:00:00Z"),
    TestPhoto("/p/2013 Barcelona/d.jpg", 41.3874, 2.1686, "2013-05-03T10:00:00Z"),
    TestPhoto("/p/2013 Barcelona/e.jpg", 41.4036, 2.1744, "2013-10-07T10:00:00Z"),
    TestPhoto("/p/Home/f.jpg", 41.4037, 2.1745, "2014-10-07T10:00:00Z"),
  ]

  private func items(_ query: String, _ bench: ServiceBench) throws -> [JSONValue] {
    try bench.json("search?query=\(query)").items
  }

  /// The kind and name of each suggestion.
  private func names(_ query: String, _ bench: ServiceBench) throws -> [String] {
    try items(query, bench).map { item in
      [item["kind"]?.text, item["name"]?.text].compactMap(\.self).joined(separator: " ")
    }
  }

  @Test func `a town in any language comes before albums whose name it begins`() throws {
    let bench = bench(vienna)
    let found = try items("wien", bench)
    #expect(found[0]["kind"] == .string("town") && found[0]["name"] == .string("Vienna"))
    #expect(found[0]["photos"] == .number(3) && found[0]["group"] == .string("map"))
    let albums = found.filter { $0["kind"] == .string("album") }
    #expect(albums.map { $0["name"]?.text } == ["Wien 2013", "Scans Wien"])
    #expect(albums[0]["photos"] == .number(2))
    #expect(albums[0]["firstCaptured"]?.text?.hasPrefix("2013-05-12") == true)
    #expect(albums[0]["lastCaptured"]?.text?.hasPrefix("2013-05-15") == true)
    let cover = try bench.json("photos/\(try #require(albums[0]["cover"]?.text))")
    #expect(cover["name"] == .string("b.jpg"))
  }

  @Test(arguments: ["barcelona%202013", "Barcelona%20in%202013", "2013%20barcelona"])
  func `photos of a year in a town come first`(query: String) throws {
    let found = try items(query, bench(vienna))
    #expect(found[0]["kind"] == .string("photos") && found[0]["name"] == .string("Barcelona"))
    #expect(found[0]["from"] == .number(2013) && found[0]["to"] == .number(2013))
    #expect(found[0]["photos"] == .number(2) && found[0]["spots"] == .number(2))
    let kinds = found.compactMap { $0["kind"]?.text }
    #expect(kinds.contains("days") && kinds.contains("town"))
  }

  @Test func `an album has all words of the text, in any order, from their beginnings`() throws {
    let bench = bench(vienna)
    #expect(try names("barc%202013", bench).contains("album 2013 Barcelona"))
    #expect(try !names("arcelona%202013", bench).contains("album 2013 Barcelona"))
  }

  @Test func `years and months have their photos`() throws {
    let bench = bench(vienna)
    let year = try items("2013", bench)[0]
    #expect(year["kind"] == .string("days") && year["photos"] == .number(4))
    let month = try items("2013-05", bench)[0]
    #expect(month["month"] == .number(5) && month["photos"] == .number(3))
    #expect(try items("2010..2013", bench)[0]["from"] == .number(2010))
    // A day is not offered, nor are years without photos.
    #expect(try items("2013-05-12", bench).allSatisfy { $0["kind"] != .string("days") })
    #expect(try items("1850", bench).allSatisfy { $0["kind"] != .string("days") })
  }

  @Test func `positions in people's notations are suggested first`() throws {
    let bench = bench(vienna)
    for query in ["48.2082,%2016.3738", "48%C2%B012'29.5%22N%2016%C2%B022'26%22E"] {
      let found = try items(query, bench)[0]
      #expect(found["kind"] == .string("position"), "\(query)")
      #expect(abs((found["latitude"]?.number ?? 0) - 48.2082) < 0.001, "\(query)")
    }
    let link = "https://www.openstreetmap.org/%23map=15/48.2/16.37"
    #expect(try items(link, bench)[0]["note"] == .string("middle"))
  }

  @Test func `own places come by match, then by distance`() throws {
    var bench = bench(vienna)
    for (name, kind, latitude) in [
      ("Old oak", "tree", 10.0), ("Oak", "", 40), ("Oak bench", "", 20), ("Bench", "oak", 5),
    ] {
      _ = try bench.add(
        #"{"name": "\#(name)", "kind": "\#(kind)", "latitude": \#(latitude), "longitude": 0}"#)
    }
    _ = try bench.add(#"{"name": "Oak bridge", "latitude": 2, "longitude": 0}"#)
    let found = try bench.json("search?query=oak&near=0,0").items.filter {
      $0["kind"] == .string("place")
    }
    #expect(
      found.compactMap { $0["name"]?.text }
        == ["Oak", "Oak bridge", "Oak bench", "Bench", "Old oak"])
    #expect((found[1]["distance"]?.number ?? 0) > 200_000)
    #expect(try bench.json("search?query=oak&limit=2").items.count == 4)
  }

  @Test func `nothing has a name that nothing has`() throws {
    #expect(try items("xqzt", bench(vienna)).isEmpty)
    #expect(try items("xqzt%202013", bench(vienna)).count == 1)
    #expect(try items("a", bench([])).allSatisfy { $0["kind"] == .string("town") })
  }

  @Test func `albums are listed, the one with the latest photo first`() throws {
    let albums = try bench(vienna).json("albums").items
    let names = albums.compactMap { $0["name"]?.text }
    #expect(names == ["Home", "2013 Barcelona", "Wien 2013", "Scans Wien"])
    #expect(albums.compactMap { $0["photos"]?.number } == [1, 2, 2, 1])
  }

  @Test func `the box of an album across the 180° meridian is the narrow one`() throws {
    let bench = bench([
      TestPhoto("/p/Fiji/a.jpg", -17, 179, "2013-05-12T10:00:00Z"),
      TestPhoto("/p/Fiji/b.jpg", -16, -179, "2013-05-12T10:00:00Z"),
    ])
    let box = try bench.json("albums")[0]?["box"]?.items.compactMap(\.number)
    #expect(box == [-17, 179, -16, -179])
  }
}
