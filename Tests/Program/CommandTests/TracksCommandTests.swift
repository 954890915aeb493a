import CivilTime
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

@Suite struct TracksCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  /// Creates six photos without a position, taken at 10:05, 10:15 … 10:55 by a clock in Paris,
  /// and a walk north from 8:00 to 9:30 UTC.
  init() throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(
      home: folder.root, environment: ["TZ": "Europe/Paris"])
    for number in 0..<6 {
      let entries = [ExifBlock.Entry(0x9003, .ascii("2025:06:15 10:\(number)5:00"))]
      let maker = [ExifBlock.Entry(0x10F, .ascii("Maker")), .init(0x110, .ascii("M1"))]
      try folder.write(
        JPEGFile(ExifBlock(image: maker, exif: entries)).bytes, to: "photos/\(number).jpg")
    }
    try folder.write(Self.walk, to: "gpx/walk.gpx")
  }

  private static var walk: String {
    let start = Instant(secondsSince1970: 1_749_974_400)
    let points = stride(from: 0, to: 5400, by: 10).map { second in
      """
      <trkpt lat="\(48 + Double(second) * 1e-5)" lon="2"><time>\
      \(start.advanced(bySeconds: Double(second)).iso8601)</time></trkpt>
      """
    }
    return """
      <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="test"><trk><trkseg>
      \(points.joined(separator: "\n"))
      </trkseg></trk></gpx>
      """
  }

  private func index(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
    try await photospots.run(["index", folder.path("photos").string] + arguments)
  }

  @Test("--tracks adds inferred positions, which are marked, and --drop-inferred removes them")
  func inference() async throws {
    let plain = try await index()
    #expect(plain.output.contains("0 located, 6 without position"))
    let placed = try await index("--tracks", folder.path("gpx").string)
    #expect(placed.code == 0)
    #expect(
      placed.output.contains(
        "6 of 6 photos without a position inferred from 1 recorded track, 6 new"))
    #expect(placed.output.contains("\n  1 file read, with 540 positions\n"), "\(placed)")
    #expect(placed.output.contains("Maker M1, 2025-06-15: clock +02:00"))
    // 10:05 in Paris is five minutes after the walk began.
    let near = try await photospots.run("near", "48.003", "2", "--radius", "10", "--photos")
    #expect(near.output.contains("photos/0.jpg"))
    #expect(near.output.contains("position inferred from a track, within "))
    let json = try await photospots.run(
      "near", "48.003", "2", "--radius", "10", "--photos", "--format", "json")
    #expect(json.output.contains(#""source": "inferred""#))
    #expect(json.output.contains(#""horizontalAccuracy": "#))
    let again = try await index("--tracks", folder.path("gpx").string, "--full")
    #expect(again.output.contains("6 located, 0 without position"))
    #expect(again.output.contains("0 new or changed"))
    let dropped = try await index("--drop-inferred")
    #expect(dropped.output.contains("the index holds 0 located photos"))
  }

  @Test("of a compressed track that is cut off, what comes before counts")
  func cutTrack() async throws {
    let (walk, cut) = (folder.path("gpx/walk.gpx"), folder.path("gpx/cut.gpx.gz"))
    _ = try await Shell.run("gzip -c \(walk) > \(cut); truncate -s -200 \(cut); rm \(walk)")
    let placed = try await index("--tracks", folder.path("gpx").string)
    #expect(placed.code == 2)
    #expect(placed.errors.contains("cut.gpx.gz: the compressed file is damaged or cut off"))
    #expect(placed.output.contains("photos without a position inferred from 1 recorded track"))
  }

  @Test("--camera-clock overrides the clock, and photos then off the track lose their positions")
  func givenClock() async throws {
    _ = try await index("--tracks", folder.path("gpx").string)
    let placed = try await index(
      "--tracks", folder.path("gpx").string, "--camera-clock", "M1=+02:30")
    #expect(placed.output.contains("clock +02:30 (as given); 3 of 6 on tracks"))
    #expect(placed.output.contains("the index holds 3 located photos"))
  }

  @Test("tracks and clocks are kept with the folder, shown by status, and ended by --no-tracks")
  func keptTracks() async throws {
    _ = try await index("--tracks", folder.path("gpx").string, "--camera-clock", "M1=+02:30")
    let entries = [ExifBlock.Entry(0x9003, .ascii("2025:06:15 10:58:00"))]
    let maker = [ExifBlock.Entry(0x10F, .ascii("Maker")), .init(0x110, .ascii("M1"))]
    try folder.write(
      JPEGFile(ExifBlock(image: maker, exif: entries)).bytes, to: "photos/later.jpg")
    let later = try await photospots.run("index")
    #expect(later.output.contains("4 of 7 photos without a position inferred"), "\(later.output)")
    let status = try await photospots.run("status")
    #expect(
      status.output.contains(
        "photos: --tracks \(folder.path("gpx").string) --camera-clock 'm1=+02:30'"))
    let ended = try await index("--no-camera-clock", "--no-tracks")
    #expect(!ended.output.contains("recorded track"))
    #expect(try await !photospots.run("status").output.contains("--tracks"))
    let both = try await index("--no-tracks", "--tracks", "x")
    #expect(both.code == 64)
  }

  @Test("the owner's tracks count where two people's tracks contradict each other")
  func owner() async throws {
    try folder.write(
      Self.walk.replacing(#"lat="48"#, with: #"lat="52"#), to: "gpx/ben/walk.gpx")
    try folder.write(Self.walk, to: "gpx/anna/walk.gpx")
    folder.remove(folder.path("gpx/walk.gpx"))
    let open = try await index("--tracks", folder.path("gpx").string)
    #expect(open.output.contains("0 of 6 photos without a position inferred"))
    #expect(open.output.contains("6 left without a position, since tracks of that time contradict"))
    let both = [
      "--tracks", "anna=\(folder.path("gpx/anna"))", "--tracks", "ben=\(folder.path("gpx/ben"))",
    ]
    let named = try await photospots.run(
      ["index", folder.path("photos").string, "--owner", "anna"] + both)
    #expect(named.output.contains("6 of 6 photos without a position inferred"), "\(named.output)")
    // Kept for later scans.
    let again = try await photospots.run("index", "--full")
    #expect(again.output.contains("0 new or changed"), "\(again.output)")
    let status = try await photospots.run("status")
    #expect(
      status.output.contains(
        "--tracks 'anna=\(folder.path("gpx/anna"))' --tracks 'ben=\(folder.path("gpx/ben"))' "
          + "--owner anna"))
    for (arguments, message) in [
      (["--owner", "eve"] + both, "is none of the names in --tracks: anna, ben"),
      (["--owner", "eve"], "names the owner of a store, or of tracks"),
    ] {
      let wrong = try await photospots.run(["index", folder.path("photos").string] + arguments)
      #expect(wrong.code == 64 && wrong.errors.contains(message), "\(wrong.errors)")
    }
  }

  @Test("photos with positions decide between the tracks of two people, and the report says so")
  func photosDecide() async throws {
    try folder.write(
      Self.walk.replacing(#"lat="48"#, with: #"lat="52"#), to: "gpx/ben.gpx")
    // At 10:25:30 in Paris on the walk, by another camera.
    let exif = [
      ExifBlock.Entry(0x9003, .ascii("2025:06:15 10:25:30")), .init(0x9011, .ascii("+02:00")),
    ]
    let phone = ExifBlock(
      image: [.init(0x110, .ascii("Phone"))], exif: exif,
      gps: ExifBlock.position(latitude: 48.0153, longitude: 2))
    try folder.write(JPEGFile(phone).bytes, to: "photos/phone.jpg")
    let outcome = try await index("--tracks", folder.path("gpx").string)
    #expect(outcome.output.contains("6 of 6 photos without a position inferred from 2 recorded"))
    #expect(
      outcome.output.contains(
        """
          6 of them by one of several tracks that contradict each other, since photos with positions \
        lie on it; --tracks NAME=FOLDER and --owner NAME decide
        """), "\(outcome.output)")
    let near = try await photospots.run("near", "48.003", "2", "--radius", "10", "--photos")
    #expect(near.output.contains("photos/0.jpg"))
    let json = try await index("--tracks", folder.path("gpx").string, "--json")
    #expect(json.output.contains(#""decidedByPhotos": 6"#), "\(json.output)")
  }

  @Test("a FIT file is a track, and one that is damaged is named")
  func fit() async throws {
    folder.remove(folder.path("gpx"))
    var file = FITFile()
    file.define()
    for second in stride(from: 0, to: 5400, by: 10) {
      file.add(
        time: Instant(secondsSince1970: 1_749_974_400 + Int64(second)),
        latitude: 48 + Double(second) * 1e-5, longitude: 2)
    }
    try folder.write(file.bytes, to: "gpx/walk.FIT")
    let placed = try await index("--tracks", folder.path("gpx").string)
    #expect(placed.code == 0)
    #expect(placed.output.contains("6 of 6 photos without a position inferred from 1 recorded"))
    var damaged = file.bytes
    damaged[damaged.count - 30] ^= 1
    try folder.write(damaged, to: "gpx/damaged.fit")
    let outcome = try await index("--tracks", folder.path("gpx").string)
    #expect(outcome.code == 2 && outcome.errors.contains("damaged.fit: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("the checksum is wrong"))
  }

  @Test("tracks for several folders of photos count once, and not where no photo needs them")
  func countedOnce() async throws {
    let tracks = folder.path("gpx").string
    for (name, photo, camera) in [("a", "0.jpg", "M1"), ("b", "1.jpg", "Maker M1")] {
      try folder.createFolder(folder.path(name))
      try folder.move(folder.path("photos/\(photo)"), to: folder.path("\(name)/\(photo)"))
      _ = try await photospots.run(
        "index", folder.path(name).string, "--tracks", tracks, "--camera-clock", "\(camera)=+02:00")
    }
    let both = try await photospots.run("index", "--full")
    #expect(both.output.contains("2 of 2 photos without a position inferred from 1 "), "\(both)")
    #expect(both.output.contains("  1 file read, with 540 positions\n"), "\(both)")
    let photo = samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg")
    try folder.write(folder.contents(of: photo), to: folder.path("located/a.jpg"))
    _ = try await photospots.run("forget", folder.path("a").string, folder.path("b").string)
    let none = try await photospots.run(
      "index", folder.path("located").string, "--tracks", tracks)
    #expect(none.code == 0, "\(none)")
    #expect(none.output.contains("no photo needs a position from the recorded tracks"), "\(none)")
  }

  @Test("missing tracks are reported, and their inferred positions stay")
  func missing() async throws {
    _ = try await index("--tracks", folder.path("gpx").string)
    folder.remove(folder.path("gpx"))
    let outcome = try await index()
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("gpx: No such file or directory"))
    #expect(outcome.output.contains("the index holds 6 located photos"))
  }

  @Test("--tracks of a path where nothing is fails before anything is indexed")
  func mistypedTracks() async throws {
    let path = folder.path("tracks")
    for argument in [path.string, "anna=\(path)"] {
      let outcome = try await index("--tracks", argument)
      #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.contains("\(path): No such file or directory. Nothing was indexed"))
    }
    #expect(!folder.exists(folder.path("xdg_cache_home/photospots/index.json")))
    // The trail of a watch need not exist yet.
    #expect(try await index("--tracks", "trail").code != 1)
  }

  @Test("the trail of a watch can be a track, named in the settings")
  func trail() async throws {
    let fixes = stride(from: 0, to: 5400, by: 10).map { second in
      let time = Instant(secondsSince1970: 1_749_974_400 + Int64(second))
      return #"{"time":"\#(time.iso8601)","latitude":\#(48 + Double(second) * 1e-5),"longitude":2}"#
    }
    try folder.write(
      fixes.joined(separator: "\n"), to: "xdg_state_home/photospots/trails/phone.ndjson")
    try folder.write(#"{"tracks": ["trail"]}"#, to: "xdg_config_home/photospots/config.json")
    let outcome = try await index()
    #expect(outcome.output.contains("6 of 6 photos without a position inferred"))
  }

  @Test("a folder of tracks names each file that cannot be read, and no other")
  func unreadableTracks() async throws {
    try folder.write("<gpx><trk><name>Fish & Chips</name></trk></gpx>", to: "gpx/ampersand.gpx")
    try folder.write("AXXX", to: "gpx/flight.igc")
    try folder.write("hello", to: "gpx/hello.gpx")
    try folder.write("# My tracks", to: "gpx/README.md")
    try folder.write("a note", to: "gpx/note.txt")
    let route = #"<gpx><trk><trkseg><trkpt lat="48" lon="2"/></trkseg></trk></gpx>"#
    try folder.write(route, to: "gpx/route.gpx")
    let plan = #"<gpx><rte><rtept lat="48" lon="2"/></rte></gpx>"#
    try folder.write(plan, to: "gpx/plan.gpx")
    let visits = #"{"semanticSegments":[{"startTime":"2025-06-15T08:00:00Z","visit":{}}]}"#
    try folder.write(visits, to: "gpx/Timeline.json")
    let health = #"[{"start_at":1749974400000,"latitude":48,"longitude":2,"accuracy":8}]"#
    try folder.write(health, to: "gpx/location_data.json")
    let integers = "time,lat,lon\n2025-06-15T08:00:00Z,488584000,22945000\n"
    try folder.write(integers, to: "gpx/integers.csv")
    let coarse = "time,lat,lon,accuracy\n2025-06-15T08:00:00Z,48,2,3000\n"
    try folder.write(coarse, to: "gpx/coarse.csv")
    let outcome = try await index("--tracks", folder.path("gpx").string)
    #expect(outcome.code == 2)
    for name in [
      "ampersand.gpx", "flight.igc", "hello.gpx", "route.gpx", "Timeline.json",
      "plan.gpx: it has no recorded track; waypoints are places and routes are plans",
      "location_data.json: no position in it has a time",
      "integers.csv: its positions are zero or out of range",
      "coarse.csv: its positions have accuracies above 100 m",
    ] {
      #expect(outcome.errors.contains(name), "\(name): \(outcome.errors)")
    }
    #expect(outcome.errors.contains("no position in it has a time, as in a planned route"))
    #expect(outcome.errors.contains("it has visits and activities but no timed positions"))
    #expect(!outcome.errors.contains("README") && !outcome.errors.contains("note.txt"))
    #expect(outcome.output.contains("  1 file read, with 540 positions; 10 files gave none\n"))
    let json = try await index("--tracks", folder.path("gpx").string, "--json")
    #expect(json.output.contains(#""unreadFiles": 10"#), "\(json)")
    #expect(outcome.output.contains("6 of 6 photos without a position inferred"))
  }

  /// A folder that was not that of the tracks was scanned without a word.
  @Test func `a folder without a recorded track is told`() async throws {
    try folder.write("x", to: "other/a.doc")
    try folder.createFolder(folder.path("empty"))
    let other = try await index("--tracks", folder.path("other").string)
    #expect(other.code == 2 && other.errors.contains("no file in it has the name"), "\(other)")
    // A trail that was not begun is such a folder.
    let empty = try await index("--tracks", folder.path("empty").string)
    #expect(empty.code == 0, "\(empty)")
  }

  @Test func `a dashcam's sentences and a table with tabs are tracks in a folder`() async throws {
    let rows = stride(from: 0, to: 5400, by: 10).map { second in
      let time = Instant(secondsSince1970: 1_749_974_400).advanced(bySeconds: Double(second))
      return "\(time.iso8601)\t\(48 + Double(second) * 1e-5)\t2"
    }
    try folder.write(
      (["time\tlat\tlon"] + rows).joined(separator: "\n"), to: "tabs/walk.tsv")
    let outcome = try await index("--tracks", folder.path("tabs").string)
    #expect(outcome.code == 0 && outcome.output.contains("6 of 6 photos"), "\(outcome)")
  }

  @Test(
    "an invalid --camera-clock exits with status 64",
    arguments: ["M1", "M1=2h", "=+02:00", "M1=+25:00", "M1=+01:60"])
  func wrongClock(text: String) async throws {
    let outcome = try await index("--camera-clock", text)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("--camera-clock"))
  }
}
