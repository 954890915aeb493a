import Encodings
import SystemPackage
import TestSupport
import Testing

/// The command `photospots pairs`, run as a process.
@Suite struct PairsCommandTests {
  private let folder = TemporaryFolder()
  private let photospots: PhotoSpotsProcess

  init() { photospots = PhotoSpotsProcess(home: folder.root) }

  private func add(
    _ name: String, _ date: String, _ view: DrawnView, latitude: Double = 43.4674
  ) throws {
    try folder.write(
      view.jpeg(date: date, latitude: latitude, longitude: 11.8851), to: "photos/" + name)
  }

  /// Adds two views of a spot with a recreation of each, and a spot elsewhere.
  private func addYears() throws {
    try add("1994 Arezzo/old.jpg", "1994:05:01 12:00:00", DrawnView(seed: 1))
    try add("1994 Arezzo/square.jpg", "1994:05:01 12:10:00", DrawnView(seed: 2))
    try add(
      "2024 Arezzo/new.jpg", "2024:05:01 12:00:00", DrawnView(seed: 1, isDarker: true, width: 400))
    try add("2024 Arezzo/square.jpg", "2024:05:01 12:10:00", DrawnView(seed: 2, x: 4))
    try add("Siena/a.jpg", "2004:05:01 12:00:00", DrawnView(seed: 5), latitude: 43.3)
    try add("Siena/b.jpg", "2010:05:01 12:00:00", DrawnView(seed: 5), latitude: 43.3)
  }

  private func index() async throws {
    let outcome = try await photospots.run("index", folder.path("photos").string)
    #expect(outcome.code == 0)
  }

  @Test func `pairs lists pairs of photos, best first`() async throws {
    try addYears()
    try await index()
    let outcome = try await photospots.run("pairs")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 9)
    let root = folder.path("photos").string
    let photos = lines.filter { $0.hasPrefix("     ") }
    #expect(
      photos.suffix(2) == [
        "     1994-05-01  \(root)/1994 Arezzo/square.jpg",
        "     2024-05-01  \(root)/2024 Arezzo/square.jpg",
      ])
    #expect(photos.contains("     2024-05-01  \(root)/2024 Arezzo/new.jpg"))
    #expect(lines.filter { $0.contains("  30.0 years  ") }.count == 2)
    #expect(lines.filter { $0.hasSuffix("  taken again") }.count == 2)
    let scores = lines.compactMap { Int($0.prefix(3).drop { $0 == " " }) }
    #expect(scores.count == 3 && scores == scores.sorted(by: >) && scores[1] >= 75)
    #expect(scores[2] < 75 && scores[2] > 30)
  }

  @Test func `pairs is filtered by spot, album, years and limit`() async throws {
    try addYears()
    try await index()
    func count(_ arguments: String...) async throws -> Int {
      let outcome = try await photospots.run(["pairs"] + arguments)
      #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
      return outcome.output.split(separator: "\n").filter { !$0.hasPrefix("     ") }.count
    }
    #expect(try await count("--album", "siena") == 1)
    #expect(try await count("--album", "1994") == 2)
    #expect(try await count("--min-years", "7") == 2)
    #expect(try await count("--min-years", "30") == 2)
    #expect(try await count("--min-years", "30.5") == 0)
    #expect(try await count("--limit", "1") == 1)
    #expect(try await count("--all") == 3)
    let spots = try await photospots.run("spots").output.split(separator: "\n")
    let siena = try #require(spots.first { $0.contains("2 photos") }).suffix(12)
    #expect(try await count("--spot", String(siena)) == 1)
    #expect(try await count("--spot", String(siena.prefix(6)), "--min-years", "7") == 0)
  }

  @Test func `pairs explains an empty result and refuses invalid arguments`() async throws {
    try addYears()
    try await index()
    let none = try await photospots.run("pairs", "--min-years", "100")
    #expect(none.code == 0 && none.output.isEmpty)
    #expect(
      none.errors
        == "photospots: no two photos of the same view were taken at least 100 years apart\n")
    let album = try await photospots.run("pairs", "--album", "Sienna")
    #expect(album.errors.contains("no album has a name that begins with 'Sienna'"))
    for arguments in [["--min-years", "-1"], ["--min-years", "201"], ["--limit", "0"]] {
      #expect(try await photospots.run(["pairs"] + arguments).code == 64, "\(arguments)")
    }
    #expect(try await photospots.run("pairs", "--spot", "zzzzzz").code == 1)
  }

  @Test func `pairs --json has the score, years, view and both photos`() async throws {
    try addYears()
    try await index()
    let output = try await photospots.run("pairs", "--json").output
    #expect(output == (try await photospots.run("pairs", "--format", "json").output))
    var reader = JSONReader(Array(output.utf8))
    var pairs: [[String: String]] = []
    try reader.beginArray()
    while try reader.nextElement() {
      var pair: [String: String] = [:]
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "score", "years", "view": pair[key] = "\(try reader.double())"
        case "recreation": pair[key] = "\(try reader.boolean())"
        case "earlier", "later":
          try reader.beginObject()
          while let name = try reader.nextKey() {
            if name == "captured" {
              pair[key] = try reader.string()
            } else {
              try reader.skipValue()
            }
          }
        default: pair[key] = try reader.string()
        }
      }
      pairs.append(pair)
    }
    #expect(pairs.count == 3)
    for pair in pairs { #expect(pair["spot"]?.count == 12 && pair["place"] != nil) }
    let square = try #require(pairs.last)
    #expect(square["years"] == "30.0" && square["recreation"] == "false")
    #expect(square["view"] == "2.0")
    #expect(square["earlier"] == "1994-05-01T12:10:00.000+00:00")
    #expect(square["later"] == "2024-05-01T12:10:00.000+00:00")
  }

  @Test func `pairs compares only new photos and reuses earlier comparisons`() async throws {
    try addYears()
    try await index()
    let first = try await photospots.run("pairs", "-v")
    #expect(first.errors.contains("compared 5 pairs in 2 spots; 0 were compared in earlier runs"))
    let again = try await photospots.run("pairs", "-v")
    #expect(again.output == first.output)
    #expect(again.errors.contains("compared 0 pairs in 2 spots; 5 were compared in earlier runs"))
    try add("2025/c.jpg", "2025:05:01 12:00:00", DrawnView(seed: 5, x: 1), latitude: 43.3)
    try await index()
    let more = try await photospots.run("pairs", "-v")
    #expect(more.errors.contains("compared 2 pairs in 2 spots; 5 were compared in earlier runs"))
    #expect(more.output.contains("21.0 years"))
  }

  @Test func `pairs --html embeds pictures, escapes names, and overwrites no other file`()
    async throws
  {
    try add("1994/<img src=x>&.jpg", "1994:05:01 12:00:00", DrawnView(seed: 1))
    try add("2024/new.jpg", "2024:05:01 12:00:00", DrawnView(seed: 1))
    try await index()
    let page = folder.path("page.html")
    for _ in 0..<2 {
      let outcome = try await photospots.run("pairs", "--html", page.string)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.errors == "photospots: 1 pair on the page \(page.string)\n")
      #expect(outcome.output.split(separator: "\n").count == 3)
    }
    let text = String(decoding: try folder.contents(of: page), as: UTF8.self)
    #expect(text.split(separator: "data:image/jpeg;base64,").count == 3)
    #expect(text.contains("&lt;img src=x&gt;&amp;.jpg") && !text.contains("<img src=x>"))
    #expect(!text.contains("43.4674") && !text.contains("11.885"))
    try folder.write("my own page", to: "own.html")
    let own = try await photospots.run("pairs", "--html", folder.path("own.html").string)
    #expect(own.code == 1 && own.output.isEmpty)
    #expect(own.errors.contains("own.html exists and is not a page of pairs"))
    #expect(try folder.contents(of: folder.path("own.html")) == Array("my own page".utf8))
  }

  @Test func `pairs changes no photo and reports missing ones`() async throws {
    try addYears()
    try await index()
    let old = folder.path("photos/1994 Arezzo/old.jpg")
    let bytes = try folder.contents(of: old)
    folder.remove(folder.path("photos/Siena/a.jpg"))
    let outcome = try await photospots.run("pairs")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("1 photo: gone or changed since the last 'photospots index'"))
    #expect(outcome.output.split(separator: "\n").count == 6)
    #expect(try folder.contents(of: old) == bytes)
  }
}
