import CivilTime
import PhotoLibrary
import PhotoMetadata
import ProcessSupport
import Spatial
import SpotExport
import SystemPackage
import TestSupport
import Testing

@testable import TerminalOutput

/// Text output fits the width of the terminal.
@Suite struct TextRowTests {
  /// Returns spots with the widest possible rows: great distances, many photos, long coordinates.
  private func listings(isNear: Bool) throws -> [SpotListing] {
    try [(-77.85, -166.667, 12_345), (1, 2, 1)].map { latitude, longitude, count in
      let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
      func time(_ year: Int) throws -> CaptureTime {
        CaptureTime(instant: .init(secondsSince1970: Int64(year - 1970) * 31_556_952 + 86_400))
      }
      let spot = PhotoSpot(
        id: "47xjsbmtz9sp", coordinate: coordinate, anchor: coordinate, radiusMeters: 1,
        photoCount: count, firstCaptured: try time(2016), lastCaptured: try time(2025),
        cover: "/a.jpg")
      return SpotListing(spot: spot, approach: isNear ? .init(from: coordinate, to: spot) : nil)
    }
  }

  private func rows(_ listings: [SpotListing], columns: Int) -> [String] {
    String(decoding: SpotText.lines(listings, columns: columns), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test(arguments: [200, 100, 80, 72], [true, false])
  func `rows of spots fit the terminal and have equal columns`(
    columns: Int, isNear: Bool
  ) throws {
    let rows = try rows(listings(isNear: isNear), columns: columns)
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { $0.count <= columns }, "\(rows)")
    #expect(rows[0].count == rows[1].count)
    #expect(rows.allSatisfy { $0.hasSuffix("47xjsbmtz9sp") })
  }

  @Test func `on narrow terminals dates are shortened, and positions never omitted`() throws {
    let listings = try listings(isNear: true)
    #expect(rows(listings, columns: 100)[0].contains("2016-01-02 – 2025-01-"))
    #expect(rows(listings, columns: 76)[0].contains("2016-01 – 2025-01"))
    #expect(rows(listings, columns: 72)[0].contains("2016 – 2025"))
    #expect(rows(listings, columns: 72)[0].contains("-77.85000, -166.66700"))
    #expect(rows(listings, columns: 60)[0].contains("-77.85000, -166.66700"))
    #expect(rows([], columns: 80).isEmpty)
  }

  @Test(arguments: [66, 60, 49, 40, 36], [true, false])
  func `on a phone's terminal a row becomes lines that fit and lack nothing`(
    columns: Int, isNear: Bool
  ) throws {
    let listings = try listings(isNear: isNear).map { listing in
      SpotListing(
        spot: listing.spot, approach: listing.approach,
        muting: .until(Instant(secondsSince1970: 1_800_000_000)))
    }
    let text = String(
      decoding: SpotText.lines(listings, columns: columns, stacksRows: true), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    #expect(lines.count { !$0.hasPrefix("  ") } == 2)
    for part in [
      "12345 photos", "2016 – 2025", "-77.85000, -166.66700", "47xjsbmtz9sp",
      "muted until 2027-01-15",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(lines[0].hasSuffix("  here") == isNear)
    // Elsewhere a row stays a line.
    let rows = SpotText.lines(listings, columns: columns, stacksRows: false)
    #expect(rows.count { $0 == UInt8(ascii: "\n") } == 2)
  }

  @Test func `names are cut, but not what tells spots of one name apart`() throws {
    var listings = try listings(isNear: false).map { listing in
      let spot = listing.spot
      return SpotListing(
        spot: PhotoSpot(
          id: spot.id, coordinate: spot.coordinate, anchor: spot.anchor, radiusMeters: 1,
          photoCount: spot.photoCount, firstCaptured: spot.firstCaptured,
          lastCaptured: spot.lastCaptured, cover: spot.cover,
          album: "/photos/A summer house with a long name"))
    }
    listings[0].distinction = .away(meters: 1200, bearing: 45, town: "Pienza")
    listings[1].distinction = .number(2)
    let short = rows(listings, columns: 72)
    #expect(short[0].hasPrefix("A summe…, 1.2 km NE of Pienza  12345 photos"), "\(short)")
    #expect(short[1].hasPrefix("A summer ho… (2)"), "\(short)")
    let stacked = String(
      decoding: SpotText.lines(listings, columns: 40, stacksRows: true), as: UTF8.self)
    #expect(
      stacked.hasPrefix(
        "A summer house with a long name\n  1.2 km NE of Pienza  12345 photos\n"), "\(stacked)")
  }

  @Test func `a distance shown as 0 m is here and has no direction`() {
    #expect(Distance.text(0.4, bearing: 315) == "here")
    #expect(Distance.text(0.5, bearing: 315) == "1 m NW")
    #expect(Distance.text(12, bearing: 0) == "12 m N ")
  }

  @Test func `a long beginning of a row leaves most of a narrow line to its text`() {
    let time = "2026-05-16 08:35 UTC  "
    let text = "100 m south-east: 6 photos, 2016–2025 [47xjsbmtz9sp]"
    #expect(TerminalWidth.row(time, text, columns: 80) == time + text)
    #expect(
      TerminalWidth.row(time, text, columns: 40) == """
        2026-05-16 08:35 UTC  100 m
            south-east: 6 photos, 2016–2025
            [47xjsbmtz9sp]
        """)
    #expect(TerminalWidth.row("  ", "one two three", columns: 10) == "  one two\n  three")
  }

  @Test func `a row begins with the spot's town if it has one`() throws {
    let place = try #require(Coordinate(latitude: 43.4665, longitude: 11.8823))
    func row(_ coordinate: Coordinate) -> String? {
      let spot = PhotoSpot(
        id: "47xjsbmtz9sp", coordinate: coordinate, anchor: coordinate, radiusMeters: 1,
        photoCount: 2, firstCaptured: nil, lastCaptured: nil, cover: "/a.jpg")
      let listing = SpotListing(spot: spot, approach: .init(from: place, to: spot))
      return rows([listing], columns: 100).first
    }
    #expect(row(place)?.hasPrefix("Arezzo  here  2 photos") == true)
    let sea = try #require(Coordinate(latitude: -30, longitude: -130))
    #expect(row(sea)?.first?.isNumber == true)
  }

  @Test func `text is wrapped at spaces and indented`() {
    #expect("one two three".wrapped(to: 8) == "one two\nthree")
    #expect("one two three".wrapped(to: 10, indent: 2) == "one two\n  three")
    #expect("one incomprehensible two".wrapped(to: 5) == "one\nincomprehensible\ntwo")
    #expect("".wrapped(to: 5) == "")
    // Columns are kept on a row that fits.
    #expect("  a  b   c".wrapped(to: 20) == "  a  b   c")
    #expect("aaa  bbb   ccc".wrapped(to: 10, indent: 1) == "aaa  bbb\n ccc")
  }

  /// Without a terminal, a row of a spot is one line with its position, however wide its name.
  @Test func `lists of the samples and settings are as narrow as they can be`() async throws {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    for command in [
      ["near", "0", "0", "--nearest", "100"], ["spots"], ["config"], ["help", "topics"],
      ["help", "settings"], ["help", "exit-status"], ["help", "feeds"],
    ] {
      let outcome = try await photospots.run(command)
      #expect(outcome.code == 0)
      let widest = outcome.output.split(separator: "\n").map(\.count).max() ?? 0
      let limit = ["near", "spots"].contains(command[0]) ? 110 : 80
      #expect((1...limit).contains(widest), "\(command)")
    }
  }

  @Test func `a progress line is cut to the width of the terminal`() async throws {
    // Tested separately, since a scan shows its progress only after a tenth of a second.
    #expect(StandardError.cut("12345678901234567890", to: 10) == "123456789")
    #expect(StandardError.cut("1234", to: 10) == "1234")
    #expect(StandardError.cut("1234", to: 0) == "")
    let terminal = try Pseudoterminal()
    try terminal.setColumns(40)
    let device = try FileDescriptor.open(terminal.path, .readWrite)
    #expect(TerminalWidth.columns(of: device) == 40)
    try device.close()
    #expect(TerminalWidth.columns(of: try .open("/dev/null", .readWrite)) == 80)
  }

  @Test func `rows of history, replay and devices are wrapped on a terminal`()
    async throws
  {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    let text = """
      {"time":"2026-05-16T08:35:30Z","latitude":48.86194,"longitude":2.2883,"horizontalAccuracy":5,\
      "battery":0.5,"device":"the phone of somebody"}

      """
    try folder.write(text, to: "walk")
    let live = text.replacing(#""time":"2026-05-16T08:35:30Z","#, with: "")
    let home = folder.root.string
    let places =
      "env XDG_CACHE_HOME='\(home)/xdg_cache_home' XDG_STATE_HOME='\(home)/xdg_state_home' "
      + "PHOTOSPOTS_RULES_OFF=coldStart,vehicles"
    _ = try await Shell.run(
      "printf '%s' '\(live)' | \(places) '\(PhotoSpotsProcess.program)' watch -")
    let walk = "'\(folder.path("walk"))'"
    let commands = [
      ("history", 80), ("replay \(walk)", 80), ("devices", 80), ("history", 40), ("devices", 40),
      ("replay \(walk) --without all", 40), ("replay \(walk) --days", 40), ("spots", 40),
      ("near 48.86194 2.2883 --nearest 9", 40), ("config", 40), ("status", 40),
      ("help exit-status", 40), ("index", 40),
    ]
    for (command, columns) in commands {
      let terminal = try Pseudoterminal()
      try terminal.setColumns(UInt16(columns))
      let run = try await Shell.run(
        "\(places) TERM=dumb '\(PhotoSpotsProcess.program)' \(command) > \(terminal.path)")
      let lines = String(decoding: terminal.receiveAll(), as: UTF8.self).split(separator: "\r\n")
      #expect(lines.count >= 2, "\(command): \(run.errors)")
      // A path may be longer than a line, and is never cut.
      let isWide = lines.filter { $0.count > columns && !$0.contains("/") }
      #expect(isWide.isEmpty, "\(command): \(isWide)")
    }
    // When the output is not a terminal, a row is a line.
    #expect(try await photospots.run("history").output.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ["near", "1", "2", "--nearest", "-1"], ["near", "1", "2", "--nearest", "0"],
    ["near", "1", "2", "--limit", "0"], ["near", "-1", "-2", "--limit", "-3"],
    ["spots", "--limit", "0"], ["spots", "--limit", "-1"], ["history", "--limit", "0"],
    ["history", "--limit", "-2"],
  ])
  func `a count below 1 exits with status 64 and the accepted range`(arguments: [String])
    async throws
  {
    let folder = TemporaryFolder()
    let outcome = try await PhotoSpotsProcess(home: folder.root).run(arguments)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("is out of range; write 1 or more"), "\(outcome.errors)")
  }
}
