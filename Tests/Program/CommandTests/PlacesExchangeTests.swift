import GeoDocuments
import SystemPackage
import TestSupport
import Testing

/// The import and export of places, with the real program.
@Suite(.timeLimit(.minutes(30))) struct PlacesExchangeTests {
  let folder = TemporaryFolder()
  let photospots: PhotoSpotsProcess

  init() { photospots = PhotoSpotsProcess(home: folder.root) }

  private static let waypoints = """
    <gpx><wpt lat="48.8584" lon="2.2945"><time>2026-05-01T10:00:00Z</time><name>Tower</name>\
    <desc>Iron</desc><type>tower</type></wpt>\
    <wpt lat="48.86" lon="2.3"><name>&lt;img onerror&gt;</name></wpt><wpt><name>Lost</name></wpt></gpx>
    """

  private func places(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
    try await photospots.run(["places"] + arguments)
  }

  private func export(_ format: String) async throws -> String {
    try await places("export", "--format", format, "--output", "-").output
  }

  /// Creates a state with a place that has a photo, by importing the program's own GPX.
  private func importWithPhoto() async throws -> FilePath {
    let photo = folder.path("photos/2019/a b.jpg")
    try folder.write(JPEGFile(ExifBlock()).bytes, to: photo)
    let address = photo.string.replacing(" ", with: "%20")
    try folder.write(
      """
      <gpx><wpt lat="48.8584" lon="2.2945"><name>Tower</name><desc>Iron</desc>\
      <link href="file://\(address)"/><type>tower</type></wpt></gpx>
      """, to: "photo.gpx")
    #expect(try await places("import", folder.path("photo.gpx").string).code == 0)
    return photo
  }

  @Test func `places import --dry-run prints the result and changes nothing`() async throws {
    try folder.write(Self.waypoints, to: "w.gpx")
    let outcome = try await places("import", folder.path("w.gpx").string, "--dry-run")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("GPX, 2 places: 2 new"))
    #expect(outcome.output.contains("left out: 1 without a position ('Lost')"))
    #expect(outcome.errors.contains("nothing was changed"))
    #expect(try await export("csv").split(separator: "\n").count == 1)
  }

  @Test func `importing the same file again changes nothing`() async throws {
    try folder.write(Self.waypoints, to: "w.gpx")
    let path = folder.path("w.gpx").string
    let first = try await places("import", path, "--collection", "Paris")
    #expect(first.output.contains("2 places: 2 new") && first.output.contains("Paris 2"))
    let document = try await export("json")
    let second = try await places("import", path, "--collection", "Paris")
    #expect(second.output.contains("2 places: 0 new, 2 unchanged"))
    #expect(try await export("json") == document)
    #expect(document.contains("<img onerror>"))
  }

  /// Every look at the places is by a new process, which reads the disk.
  @Test(arguments: ["json", "zip", "csv", "merge"])
  func `changes of another machine arrive where the file has no new place`(way: String) async throws
  {
    try folder.createFolder(folder.path("other"))
    let other = PhotoSpotsProcess(home: folder.path("other"))
    let added = try await places("add", "48.8584,2.2945", "--name", "Old").output
    let id = try #require(added.firstMatch(of: /[0-9a-z]{16}/)).output.description
    try folder.write(try await export("json"), to: "first.json")
    #expect(
      try await other.run("places", "import", folder.path("first.json").string).code == 0)
    for words in [
      ["rename", id, "New"], ["note", id, "At dusk"], ["collect", id, "Walks"],
    ] {
      #expect(try await other.run(["places"] + words).code == 0, "\(words)")
    }
    let file = folder.path("second." + (way == "merge" ? "json" : way)).string
    #expect(
      try await other.run(
        "places", "export", "--format", way == "merge" ? "json" : way, "--output", file
      ).code == 0)
    let taken = try await places(way == "merge" ? "merge" : "import", file)
    #expect(taken.code == 0, "\(taken)")
    #expect(way == "merge" || taken.output.contains("1 changed"), "\(taken)")
    let list = try await places("list").output
    #expect(list.contains("New") && !list.contains("Old"), "\(list)")
    let shown = try await places("show", id).output
    #expect(shown.contains("At dusk") && shown.contains("Walks"), "\(shown)")
    // Taken once more, nothing changes.
    let document = try await export("json")
    let again = try await places(way == "merge" ? "merge" : "import", file)
    #expect(way == "merge" || again.output.contains("1 unchanged"), "\(again)")
    #expect(try await export("json") == document)
  }

  @Test func `pictures of a KMZ are stored, or counted, and its files are named`() async throws {
    let document = """
      <kml><Placemark><name>Gate</name><description><![CDATA[<img src="files/a.jpg"/>]]></description>\
      <Point><coordinates>2,48</coordinates></Point></Placemark></kml>
      """
    var writer = ZipWriter()
    let bytes =
      writer.file("doc.kml", Array(document.utf8))
      + writer.file("files/a.jpg", JPEGFile(ExifBlock()).bytes)
      + writer.file("files/icon.png", Array("icon".utf8))
    try folder.write(bytes + writer.finish(), to: "tour.kmz")
    let path = folder.path("tour.kmz").string
    let counted = try await places("import", path)
    #expect(counted.output.contains("left out: 1 picture of the archive"), "\(counted)")
    #expect(counted.output.contains("left out: 1 other file of the archive"), "\(counted)")
    #expect(counted.output.hasSuffix("read 1 place: 1 new, 2 left out\n"), "\(counted)")
    let stored = try await places("import", path, "--photos-to", folder.path("stored").string)
    #expect(stored.output.contains("1 changed") && stored.output.contains("1 photo written"))
    let list = try await places("list", "--format", "json").output
    #expect(list.contains("stored/tour/files/a.jpg"), "\(list)")
    let again = try await places("import", path, "--photos-to", folder.path("stored").string)
    #expect(again.output.contains("1 unchanged") && again.output.contains("already there"))
  }

  @Test func `an import of a removed place names the option that restores it`() async throws {
    try folder.write(Self.waypoints, to: "w.gpx")
    let path = folder.path("w.gpx").string
    _ = try await places("import", path)
    let list = try await places("list").output
    let id = try #require(list.firstMatch(of: /[0-9a-z]{16}/)).output.description
    _ = try await places("remove", id)
    let plain = try await places("import", path)
    #expect(plain.output.contains("1 removed here, not restored"), "\(plain)")
    #expect(plain.output.contains("--restore"), "\(plain)")
    let restored = try await places("import", path, "--restore")
    #expect(restored.output.contains("1 restored"), "\(restored)")
    #expect(try await places("list").output.contains(id))
    let unknown = try await places("restore", "0123456789abcdef")
    #expect(unknown.errors.contains("places import FILE --restore"), "\(unknown)")
  }

  @Test func `--prefer decides where the file differs`() async throws {
    let added = try await places("add", "48.8584,2.2945", "--name", "Mill").output
    let id = try #require(added.firstMatch(of: /[0-9a-z]{16}/)).output.description
    let file = try await export("csv").replacing("Mill", with: "Abbey")
    try folder.write(file, to: "edited.csv")
    let path = folder.path("edited.csv").string
    _ = try await places("rename", id, "Fort")
    let newest = try await places("import", path)
    #expect(newest.output.contains("differs, not taken: 1 place"), "\(newest)")
    #expect(newest.output.contains(": name\n") && newest.output.contains("1 differs"))
    _ = try await places("import", path, "--prefer", "mine")
    #expect(try await places("list").output.contains("Fort"))
    _ = try await places("import", path, "--prefer", "file")
    #expect(try await places("list").output.contains("Abbey"))
  }

  /// What a spreadsheet makes of an exported table.
  private static let saved: [(name: String, change: @Sendable ([[String]]) -> String)] = [
    ("column added", { $0.map { ($0 + ["yes"]).joined(separator: ",") }.joined(separator: "\n") }),
    (
      "columns moved",
      { $0.map { $0.reversed().joined(separator: ",") }.joined(separator: "\r\n") }
    ),
    (
      "capitals and fewer columns",
      { rows in
        ([rows[0].map { $0.prefix(1).uppercased() + $0.dropFirst() }] + rows.dropFirst())
          .map { $0.prefix(7).joined(separator: ",") }.joined(separator: "\n")
      }
    ),
    (
      "decimal commas",
      { rows in
        "\u{FEFF}sep=;\n"
          + rows.map { row in
            row.enumerated().map { (2...5).contains($0) ? $1.replacing(".", with: ",") : $1 }
              .joined(separator: ";")
          }.joined(separator: "\n")
      }
    ),
  ]

  @Test(arguments: saved.indices)
  func `the own table is known by its ids after a spreadsheet saved it`(place: Int) async throws {
    for words in [
      ["48.8584,2.2945", "--name", "Tower", "--radius", "62.5"],
      ["-33.8568,151.2153", "--name", "Opera"],
    ] {
      #expect(try await photospots.run(["places", "add"] + words).code == 0)
    }
    let before = try await export("json")
    let rows = try await export("csv").split(whereSeparator: \.isNewline).map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    try folder.write(Self.saved[place].change(rows), to: "saved.csv")
    let taken = try await places("import", folder.path("saved.csv").string)
    #expect(taken.output.contains("2 places: 0 new, 2 unchanged"), "\(taken)")
    #expect(!taken.output.contains("left out"), "\(taken)")
    #expect(try await export("json") == before, "\(Self.saved[place].name)")
  }

  @Test func `an import takes edits of a file, and names what was changed here later`() async throws
  {
    let added = try await places("add", "48.8584,2.2945", "--name", "Mill").output
    let id = try #require(added.firstMatch(of: /[0-9a-z]{16}/)).output.description
    let table = try await export("csv")
    try folder.write(table.replacing("Mill", with: "Abbey"), to: "edited.csv")
    let edited = folder.path("edited.csv").string
    let taken = try await places("import", edited)
    #expect(taken.output.contains("0 new, 1 changed"), "\(taken)")
    #expect(!taken.output.contains("differs"), "\(taken)")
    #expect(try await places("list").output.contains("Abbey"))
    try folder.write(table, to: "older.csv")
    let older = try await places("import", folder.path("older.csv").string)
    #expect(older.output.contains("differs, not taken: 1 place"), "\(older)")
    #expect(older.output.contains("'Abbey' (\(id)): name"), "\(older)")
    #expect(try await places("list").output.contains("Abbey"))
  }

  @Test func `known places are put into a collection by an import`() async throws {
    try folder.write(Self.waypoints, to: "w.gpx")
    let path = folder.path("w.gpx").string
    #expect(try await places("import", path).code == 0)
    for name in ["Trips", "More"] {
      let outcome = try await places("import", path, "--collection", name)
      #expect(outcome.output.contains("2 changed"), "\(outcome)")
      #expect(try await places("list", "--collection", name).output.contains("Tower"))
    }
    #expect(try await places("list", "--collection", "Trips").output.contains("Tower"))
  }

  @Test func `an imported note without a date is shown as undated`() async throws {
    try folder.write("name,lat,lon,notes\nOak,1.5,2.5,Hollow\n", to: "a.csv")
    #expect(try await places("import", folder.path("a.csv").string).code == 0)
    let row = try #require(try await export("csv").split(separator: "\n").last)
    let shown = try await places("show", String(row.prefix(while: { $0 != "," }))).output
    #expect(shown.contains("undated           Hollow"))
    #expect(!shown.contains("1970"))
  }

  @Test func `an ambiguous table fails with its columns and the option to name them`() async throws
  {
    try folder.write("Title,X,Y\nOak,2.5,1.5\n", to: "t.csv")
    let path = folder.path("t.csv").string
    let unclear = try await places("import", path)
    #expect(unclear.code != 0)
    #expect(unclear.errors.contains("1 'Title', 2 'X', 3 'Y'"))
    #expect(unclear.errors.contains("--columns latitude="))
    let named = try await places("import", path, "--columns", "latitude=Y,longitude=X,name=Title")
    #expect(named.output.contains("1 place: 1 new"))
  }

  @Test func `importing a place close to an existing one reports the existing one`() async throws {
    try folder.write("name,lat,lon\nOld oak,1.5,2.5\n", to: "a.csv")
    try folder.write("name,lat,lon\nOak,1.50003,2.5\n", to: "b.csv")
    #expect(try await places("import", folder.path("a.csv").string).code == 0)
    let outcome = try await places("import", folder.path("b.csv").string, "--dry-run")
    #expect(outcome.output.contains("'Oak' is 3 m from your place 'Old oak'"))
  }

  @Test(arguments: ["csv", "gpx", "kml", "geojson", "kmz", "json"])
  func `an export can be imported into an empty state without loss`(
    _ format: String
  ) async throws {
    _ = try await importWithPhoto()
    let before = try await export("geojson")
    let file = folder.path("export.\(format)").string
    let written = try await places("export", "--output", file)
    #expect(written.code == 0 && written.output == file + "\n")
    #expect(try await places("export", "--output", file).code != 0, "no file is overwritten")
    folder.remove(folder.path("xdg_state_home"))
    let back = try await places("import", file)
    #expect(back.output.contains("1 place: 1 new"), "\(back)")
    #expect(try await export("geojson").contains("Tower"))
    func withoutTimes(_ text: String) -> String {
      text.replacing(/"changed":"[^"]*"/, with: "")
    }
    #expect(withoutTimes(try await export("geojson")) == withoutTimes(before))
    #expect(try await places("import", file).output.contains("1 unchanged"))
  }

  @Test func `an archive restores places and photos byte for byte`() async throws {
    let photo = try await importWithPhoto()
    let content = try folder.contents(of: photo)
    let first = folder.path("first.zip")
    #expect(try await places("export", "--output", first.string).code == 0)
    // If nothing was lost, nothing changes.
    let same = try await places("import", first.string)
    #expect(same.output.contains("1 unchanged") && same.output.contains("1 photo already there"))
    folder.remove(folder.path("xdg_state_home"))
    folder.remove(folder.path("photos"))
    let asked = try await places("import", first.string)
    #expect(asked.code != 0 && asked.errors.contains("--photos-to \(folder.path("photos/2019"))"))
    let back = try await places(
      "import", first.string, "--photos-to", folder.path("photos/2019").string)
    #expect(back.code == 0 && back.output.contains("1 photo written"), "\(back)")
    #expect(try folder.contents(of: photo) == content)
    let second = folder.path("second.zip")
    #expect(try await places("export", "--output", second.string).code == 0)
    #expect(try folder.contents(of: second) == folder.contents(of: first))
  }

  @Test func `--photos-to restores photos to another folder and overwrites no file`()
    async throws
  {
    let photo = try await importWithPhoto()
    let archive = folder.path("a.zip")
    #expect(try await places("export", "--output", archive.string).code == 0)
    try folder.write("another", to: photo)
    try folder.write("in the way", to: "taken/a b.jpg")
    let blocked = try await places(
      "import", archive.string, "--photos-to", folder.path("taken").string)
    #expect(blocked.code != 0 && blocked.errors.contains("would be overwritten"))
    let moved = try await places("import", archive.string, "--photos-to", folder.path("new").string)
    #expect(moved.code == 0)
    #expect(folder.exists(folder.path("new/a b.jpg")))
    #expect(try folder.contents(of: photo) == Array("another".utf8))
    let listing = try await export("geojson")
    #expect(listing.contains("/new/a b.jpg") && !listing.contains("2019/a b.jpg"))
  }

  @Test func `a KMZ takes the photos along, which come back beside their places`() async throws {
    let photo = try await importWithPhoto()
    let content = try folder.contents(of: photo)
    let map = folder.path("map.kmz")
    #expect(try await places("export", "--output", map.string).code == 0)
    let bytes = try folder.contents(of: map)
    let archive = try ZipReader(size: bytes.count) { Array(bytes[$0]) }
    #expect(archive.entries.map(\.name) == ["doc.kml", "photos/a b.jpg"])
    let document = try archive.contents(of: archive.entries[0], limit: 1 << 20)
    #expect(
      String(decoding: document, as: UTF8.self).contains(
        "&lt;img src=&quot;photos/a%20b.jpg&quot;/&gt;"))
    let same = try await places("import", map.string)
    #expect(same.output.contains("1 unchanged") && same.output.contains("1 photo already there"))
    #expect(!same.output.contains("left out"), "\(same)")
    // On another machine.
    folder.remove(folder.path("xdg_state_home"))
    folder.remove(folder.path("photos"))
    let without = try await places("import", map.string)
    #expect(without.output.contains("left out: 1 picture of the archive"), "\(without)")
    let stored = folder.path("stored")
    let back = try await places("import", map.string, "--photos-to", stored.string)
    #expect(back.output.contains("1 photo written"), "\(back)")
    #expect(try folder.contents(of: stored.appending("map/photos/a b.jpg")) == content)
    let listing = try await export("geojson")
    #expect(listing.contains("stored/map/photos/a b.jpg") && !listing.contains("2019/a b.jpg"))
    let again = try await places("import", map.string, "--photos-to", stored.string)
    #expect(again.output.contains("1 unchanged"), "\(again)")
  }

  @Test(arguments: ["zip", "json", "kmz", "gpx", "csv"])
  func `a place comes back from a backup by its name or id`(format: String) async throws {
    let photo = try await importWithPhoto()
    try folder.write(Self.waypoints, to: "w.gpx")
    _ = try await places("import", folder.path("w.gpx").string)
    let file = folder.path("backup.\(format)").string
    #expect(try await places("export", "--output", file).code == 0)
    let list = try await places("list").output
    let row = try #require(list.split(separator: "\n").first { $0.contains("1 photo") })
    let id = try #require(row.firstMatch(of: /[0-9a-z]{16}/)).output.description
    let present = try await places("restore", id, "--from", file)
    #expect(present.code == 1 && present.errors.contains("is not removed"), "\(present)")
    let before = try await places("show", id).output
    _ = try await places("remove", id)
    // As after a removal of long ago, whose contents are dropped.
    let path = folder.path("xdg_state_home/photospots/places.json")
    let text = String(decoding: try folder.contents(of: path), as: UTF8.self)
    let removal = #"{"id":"\#(id)","created":1000,"removed":true,"times":{"removed":1}}"#
    let lines = text.split(separator: "\n").map { line in
      line.contains(id) ? removal + (line.hasSuffix("]}") ? "]}" : ",") : String(line)
    }
    try folder.write(lines.joined(separator: "\n") + "\n", to: path)
    let gone = try await places("restore", id)
    #expect(gone.code == 1 && gone.errors.contains("--from FILE"), "\(gone)")
    folder.remove(photo)
    let byName = try await places("restore", "<img onerror>", "--from", file)
    #expect(byName.code == 1 && byName.errors.contains("is not removed"), "\(byName)")
    let stored = folder.path("stored")
    let back = try await places("restore", id, "--from", file, "--photos-to", stored.string)
    #expect(back.code == 0 && back.output.hasPrefix("restored \(id)"), "\(back)")
    let after = try await places("show", id).output
    #expect(after.split(separator: "\n").count == before.split(separator: "\n").count, "\(after)")
    if format == "zip" || format == "kmz" {
      #expect(back.errors.contains("1 photo written"), "\(back)")
      #expect(after.contains(stored.string) && !after.contains(photo.string), "\(after)")
    }
  }

  @Test func `a damaged archive is refused and nothing is imported`() async throws {
    _ = try await importWithPhoto()
    let archive = folder.path("a.zip")
    #expect(try await places("export", "--output", archive.string).code == 0)
    var bytes = try folder.contents(of: archive)
    // The photo is the last content before the directory.
    let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
    bytes[directory.lowerBound - 3] ^= 1
    try folder.write(bytes, to: "b.zip")
    folder.remove(folder.path("xdg_state_home"))
    let outcome = try await places("import", folder.path("b.zip").string)
    #expect(outcome.code != 0 && outcome.errors.contains("nothing was imported"))
    #expect(try await export("csv").split(separator: "\n").count == 1)
  }
}
