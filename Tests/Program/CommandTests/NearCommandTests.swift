import Encodings
import ProcessSupport
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

@Suite struct NearCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  @Test func `near without an index names the command that creates one`() async throws {
    let other = TemporaryFolder()
    let outcome = try await PhotoSpotsProcess(home: other.root).run("near", "1", "2")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("photospots index FOLDER"))
  }

  @Test(arguments: [
    ["48.86194", "2.2883"], ["48.86194,2.2883"], [#"48°51'43"N 2°17'17.9"E"#],
    [#"2°17'17.9"E"#, #"48°51'43"N"#], ["N48.86194", "E2.2883"],
  ])
  func `near accepts a place in several notations`(place: [String]) async throws {
    let outcome = try await photospots.run(["near"] + place)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("6 photos"))
  }

  @Test(arguments: [
    (["Paris"], "the album 'Paris'"), (["巴黎"], "Paris, France"),
    (["Rio", "de", "Janeiro"], "Rio de Janeiro, Brazil"),
    (["Рио-де-Жанейро"], "Rio de Janeiro, Brazil"),
    (["south america"], "the album 'south america'"), (["Paris, FR"], "Paris, France"),
  ])
  func `near takes a name of a town or of an album`(name: [String], found: String) async throws {
    let outcome = try await photospots.run(["near"] + name)
    #expect(outcome.code == 0 && outcome.output.contains("photo"), "\(outcome.errors)")
    #expect(outcome.errors.contains("this is ") && outcome.errors.contains(found))
  }

  @Test(arguments: [
    (["near", "Paris", "2016"], "2016"),
    (["near", "Paris, FR", "--taken", "2016-01..2016"], "2016"),
    (["spots", "--in", "Paris 2022", "--photos"], "2022-"), (["near", "Paris 2022"], "2024"),
    (["spots", "--in", "巴黎", "--taken", "2022", "--photos"], "2022-"),
    (["spots", "--in", "Paris in 2022", "--photos"], "2022-"),
    (["spots", "--in", "2022 Paris", "--photos"], "2022-"),
  ])
  func `a name and days list the spots there with a photo taken then`(
    arguments: [String], month: String
  ) async throws {
    let outcome = try await photospots.run(arguments)
    #expect(outcome.code == 0 && !outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.output.contains(month) && !outcome.output.contains("Rio"), "\(outcome)")
  }

  @Test func `lengths are taken in feet and miles, and written so if that is set`() async throws {
    let metric = try await photospots.run("near", "48.8584", "2.2945", "--radius", "500ft")
    let same = try await photospots.run("near", "48.8584", "2.2945", "--radius", "152.4m")
    #expect(metric.code == 0 && !metric.output.isEmpty && metric.output == same.output)
    #expect(metric.output.contains(" m ") && !metric.output.contains(" ft "))
    let imperial = try await photospots.run(
      "near", "48.8584", "2.2945", "--radius", "1mi", "--set", "units=imperial")
    #expect(imperial.code == 0 && imperial.output.contains(" ft "), "\(imperial)")
    #expect(!imperial.output.contains(" m "))
    let none = try await photospots.run(
      "near", "48.8", "2.1", "--radius", "1mi", "--set", "units=imperial")
    #expect(none.errors.contains("no spot within 1.0 mi; the nearest is"), "\(none)")
    #expect(none.errors.contains(" mi away"))
    let json = try await photospots.run(
      "near", "48.8584", "2.2945", "--radius", "1mi", "--set", "units=imperial", "--json")
    let meters = try await photospots.run("near", "48.8584", "2.2945", "--radius", "1mi", "--json")
    #expect(json.output == meters.output)
    #expect(try await photospots.run("near", "1", "1", "--set", "units=yards").code == 64)
  }

  @Test func `of several towns of a name the one with photos is meant`() async throws {
    let several = try await photospots.run("near", "Barcelona")
    #expect(several.code == 64 && several.errors.contains("'Barcelona' may be Barcelona, Spain"))
    let known = try await photospots.run("near", "London")
    #expect(known.code == 0 && known.output.contains("London"))
  }

  @Test func `days without a photo list no spot, and a wrong date is refused`() async throws {
    let none = try await photospots.run("spots", "--in", "Paris, FR", "--taken", "1987")
    #expect(none.code == 0 && none.output.isEmpty && none.errors.contains("no spot matches"))
    for text in ["2013-13", "june", "2013..2010"] {
      #expect(try await photospots.run("spots", "--taken", text).code == 64)
    }
    #expect(try await photospots.run("near", "Nowhereville", "2013").code == 64)
  }

  @Test func `near prefers an own place of the name, and names those that share it`() async throws {
    _ = try await photospots.run("places", "add", "-22.9493", "-43.1546", "--name", "Paris")
    let place = try await photospots.run("near", "Paris")
    #expect(place.errors.contains("your place 'Paris'") && place.output.contains("Paris"))
    #expect(place.errors.contains("it comes before an album and "), "\(place)")
    let album = try await photospots.run("near", "Paris", "--no-places")
    #expect(album.errors.contains("in the album 'Paris'; it comes before "), "\(album)")
    #expect(album.errors.contains("'Paris, FR' of this name"), "\(album)")
    let town = try await photospots.run("near", "Paris, FR", "--no-places")
    #expect(town.code == 0 && !town.errors.contains("it comes before"), "\(town)")
    _ = try await photospots.run("places", "add", "10", "10", "--name", "Paris")
    let both = try await photospots.run("near", "Paris")
    #expect(both.code == 64 && both.output.isEmpty && both.errors.contains("'Paris' may be your"))
  }

  @Test func `near invents no position for an unknown name`() async throws {
    for name in ["Xyzzyville", "Tower of nowhere", "Springfield, Mars"] {
      let outcome = try await photospots.run("near", name)
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("is no position"))
    }
  }

  @Test func `near accepts negative coordinates without quotes`() async throws {
    let outcome = try await photospots.run("near", "-33.857", "151.215", "--photos")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("PXL_20231104_080511.jpg"))
    let west = try await photospots.run("near", "-22.9865", "-43.19", "--format", "json")
    #expect(west.output.contains(#""photoCount": 1"#))
  }

  @Test(arguments: [
    ["91", "0"], ["0", "181"], ["north", "pole"], ["1"], ["1", "2", "3"], ["nan", "0"],
    ["0", "0", "--radius", "-1"], ["0", "0", "--nearest", "0"], ["1", "2", "--limit", "-3"],
    ["0", "0", "--radius", "21000km"],
  ])
  func `near exits with status 64 for an invalid place or a value out of range`(arguments: [String])
    async throws
  {
    let outcome = try await photospots.run(["near"] + arguments)
    #expect(outcome.code == 64, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `near works across the antimeridian and at a pole`() async throws {
    let fiji = try await photospots.run("near", "-16.79", "180", "--radius", "300")
    #expect(fiji.output.split(separator: "\n").count == 2)
    let all = try await photospots.run("near", "90", "0", "--radius", "20037508")
    let spots = try await photospots.run("spots")
    #expect(all.output.split(separator: "\n").count == spots.output.split(separator: "\n").count)
  }

  @Test func `the user's places are listed with the spots, except with --no-places`()
    async throws
  {
    try folder.write(
      """
      {"format":"photospots-places","version":1,"places":[
      {"id":"smjyhscpak3d852b","created":1,"latitude":48.858,"longitude":2.295,"name":"Old \\u001boak","kind":"tree",
      "notes":[{"id":"a","date":1000,"text":"<Nest>"}]},
      {"id":"t17ns456rq3mgwww","created":1,"latitude":0,"longitude":0,"name":"Terrace","spot":"47xjsbmtz9sp"}]}
      """, to: "xdg_state_home/photospots/places.json")
    let near = ["near", "48.858", "2.295", "--radius", "1km"]
    let outcome = try await photospots.run(near)
    let rows = outcome.output.split(separator: "\n")
    #expect(rows.count == 3 && outcome.errors.isEmpty)
    #expect(
      rows.first?.contains("tree") == true && rows.first?.contains("smjyhscpak3d852b") == true)
    #expect(rows.last?.hasPrefix("Terrace") == true && rows.last?.contains("6 photos") == true)
    #expect(!outcome.output.contains("\u{1B}"))
    // A pinned place answers at its own position too, however far its spot is.
    for query in [["near", "0", "0.0001"], ["near", "0", "0.0001", "--nearest", "1"]] {
      let pinned = try await photospots.run(query)
      #expect(pinned.output.hasPrefix("Terrace  11 m W   6 photos"), "\(pinned.output)")
      #expect(pinned.errors.isEmpty)
    }
    #expect(try await photospots.run("near", "0", "0").output.hasPrefix("Terrace  here  6 photos"))
    let why = try await photospots.run("why", "0", "0")
    #expect(why.code == 0 && why.errors.contains("no visit is recorded there"))
    let without = try await photospots.run(near + ["--no-places"])
    #expect(without.output.split(separator: "\n").count == 2 && !without.output.contains("Terrace"))
    let json = try await photospots.run(near + ["--format", "json", "--photos", "--limit", "1"])
    #expect(json.output.contains(#""name": "Old oak""#) || json.output.contains("Old \\u001boak"))
    #expect(json.output.contains(#""text": "<Nest>""#) && json.output.contains(#""photos": []"#))
    let gpx = try await photospots.run(near + ["--format", "gpx"])
    #expect(
      gpx.output.contains("<desc>&lt;Nest&gt;</desc>") && gpx.output.contains("Terrace: 6 photos"))
    let kml = try await photospots.run(near + ["--format", "kml"])
    #expect(kml.output.contains("<Placemark id=\"place-smjyhscpak3d852b\">"))
    let csv = try await photospots.run(near + ["--format", "csv"])
    #expect(csv.output.contains("bearing,placeName,placeKind,placeNotes,name,label\n"))
    #expect(csv.output.split(separator: "\n").allSatisfy { $0.count { $0 == "," } == 13 })
    let spots = try await photospots.run("spots", "--box", "48,2,49,3")
    #expect(spots.output.contains("Terrace") && spots.output.contains("tree"))
    let walk = samples.appending("walk.nmea").string
    let watched = try await photospots.run("watch", walk)
    #expect(watched.output.contains(#""place":{"id":"smjyhscpak3d852b""#))
    let replayed = try await photospots.run("replay", walk)
    #expect(
      replayed.output.contains(/\(tree\), \d+ m south-east\. <Nest> \[smjyhscpak3d852b\]/),
      "\(replayed.output)")
    let muted = try await photospots.run("mute", "smjyh")
    #expect(muted.output.hasPrefix("muted smjyhscpak3d852b: "), "\(muted.errors)")
  }

  @Test func `a swapped position is suggested if it has spots and the position has none`()
    async throws
  {
    for arguments in [["2.2883", "48.86194"], ["2.2883", "48.86194", "--nearest", "1"]] {
      let swapped = try await photospots.run(["near"] + arguments)
      #expect(swapped.code == 0)
      #expect(
        swapped.errors == """
          photospots: no spot within 100 m. The latitude comes first: 1 spot is near the position with \
          latitude and longitude swapped: photospots near 48.86194 2.2883

          """)
    }
    // A filter applies to the suggestion too, and an answer needs none.
    let filtered = try await photospots.run("near", "2.2883", "48.86194", "--min-age", "100y")
    #expect(!filtered.errors.contains("swapped"))
    #expect(try await photospots.run("near", "48.86194", "2.2883").errors.isEmpty)
    // A longitude in the place of a latitude is out of range.
    let sydney = try await photospots.run("near", "151.215", "-33.857")
    #expect(sydney.code == 64)
    #expect(sydney.errors.contains("out of range −90 to 90; did you mean '-33.857 151.215'?"))
  }

  @Test func `a swapped position is not suggested where it is invalid or without spots`() throws {
    let sydney = try #require(Coordinate(latitude: -33.857, longitude: 151.215))
    let paris = try #require(Coordinate(latitude: 48.86194, longitude: 2.2883))
    var asked: [Coordinate] = []
    func suggestion(_ place: Coordinate, found meters: Double?, count: Int) -> Coordinate? {
      SwappedPosition(of: place, found: meters, withinMeters: 100) { swapped in
        asked.append(swapped)
        return count
      }?.coordinate
    }
    #expect(suggestion(sydney, found: nil, count: 3) == nil && asked.isEmpty)
    #expect(suggestion(paris, found: 100, count: 3) == nil && asked.isEmpty)
    #expect(suggestion(paris, found: nil, count: 0) == nil && asked.count == 1)
    #expect(suggestion(paris, found: 101, count: 1) == asked.last)
    #expect(asked.last?.latitude == 2.2883 && asked.last?.longitude == 48.86194)
  }

  @Test func `unreadable places are reported, and spots are still listed`() async throws {
    try folder.write("{", to: "xdg_state_home/photospots/places.json")
    let outcome = try await photospots.run("near", "48.86194", "2.2883")
    #expect(outcome.code == 0 && outcome.output.contains("6 photos"))
    #expect(outcome.errors.contains("places.json"))
    let without = try await photospots.run("near", "48.86194", "2.2883", "--no-places")
    #expect(without.errors.isEmpty)
  }

  @Test func `near prints well-formed JSON and GeoJSON with the same spots and photos`()
    async throws
  {
    var printed: [[String]] = []
    for format in ["json", "geojson"] {
      let outcome = try await photospots.run(
        "near", "48.86", "2.29", "--radius", "2km", "--photos", "--format", format)
      var reader = JSONReader(Array(outcome.output.utf8))
      try reader.skipValue()
      try reader.end()
      #expect(outcome.output.contains("PXL_20250914_074402.jpg"))
      #expect(outcome.output.contains(#""photoCount": 6"#))
      printed.append(
        outcome.output.matches(of: /"(?:id|path)": "(.+)"/).map { String($0.1) })
    }
    // Two spots and nine photos. GeoJSON has the id of a spot twice.
    #expect(printed[0].count == 2 + 9 && Set(printed[0]).count == 2 + 9)
    #expect(Set(printed[0]) == Set(printed[1]))
  }

  @Test func `GPX and KML are well-formed XML, and CSV has a line per spot or photo`() async throws
  {
    let place = ["near", "48.86", "2.29", "--radius", "2km"]
    for format in ["gpx", "kml"] {
      let outcome = try await photospots.run(place + ["--photos", "--format", format])
      var reader = XMLReader(Array(outcome.output.utf8))
      var names: [String] = []
      while let event = try reader.next() {
        if case .start(let name, _) = event { names.append(name.local) }
      }
      #expect(names.count { $0 == "wpt" || $0 == "Placemark" } == 2)
      #expect(outcome.output.contains("6 photos, 2016–2025"))
    }
    let spots = try await photospots.run(place + ["--format", "csv"])
    #expect(spots.output.split(separator: "\n").count == 1 + 2)
    let photos = try await photospots.run(place + ["--photos", "--format", "csv"])
    #expect(photos.output.split(separator: "\n").count == 1 + 9)
  }

  @Test func `coordinates in GPX have no exponent`() async throws {
    // The monument on the equator: latitude exactly 0.
    let outcome = try await photospots.run(
      "near", "0.000001", "-78.4558", "--nearest", "1", "--format", "gpx")
    #expect(outcome.output.contains(#"<wpt lat="0" lon="-78.4558">"#))
  }

  @Test func `a closed output pipe ends the program with status 0`() async throws {
    // `head` exits after one line; the shell reports the exit status of photospots.
    let outcome = try await Shell.run(
      """
      { \(PhotoSpotsProcess.program) spots --photos --format json \
      --index \(folder.root)/xdg_cache_home/photospots/index.json; echo "status $?" >&2; } | head -1
      """)
    #expect(outcome.errors.contains("status 0"))
  }

  @Test func `spots are filtered by box, favourite, album, age and limit`() async throws {
    for (box, reason) in [
      ("50,2,40,3", "the southern edge comes first; did you mean 40,2,50,3?"),
      ("40,2,95,3", "latitudes are from −90 to 90"), ("40,2,50", "four edges in degrees"),
    ] {
      let refused = try await photospots.run("spots", "--box", box)
      #expect(refused.code == 64 && refused.errors.contains(reason), "\(refused)")
    }
    let box = try await photospots.run("spots", "--box", "-34,151,-33,152")
    #expect(box.output.split(separator: "\n").count == 3)
    let favorites = try await photospots.run("spots", "--favorites")
    #expect(favorites.output.split(separator: "\n").count == 1)
    let album = try await photospots.run("spots", "--album", "2015 Fiji")
    #expect(album.output.split(separator: "\n").count == 2)
    let limited = try await photospots.run("spots", "--limit", "4")
    #expect(limited.output.split(separator: "\n").count == 4)
    let old = try await photospots.run("spots", "--min-age", "100y")
    #expect(old.output.isEmpty)
  }
}
