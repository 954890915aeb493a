import Encodings
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Shots with several files.
@Suite struct ShotCommandTests {
  let folder = TemporaryFolder()
  let photospots: PhotoSpotsProcess

  init() {
    photospots = PhotoSpotsProcess(home: folder.root)
  }

  private func exif(_ time: String, rating: UInt16? = nil, model: String = "One") -> ExifBlock {
    var image: [ExifBlock.Entry] = [.init(0x110, .ascii(model))]
    if let rating { image.append(.init(0x4746, .shorts([rating]))) }
    return ExifBlock(
      image: image,
      exif: [.init(0x9003, .ascii("2024:04:13 \(time)")), .init(0x9011, .ascii("+02:00"))],
      gps: ExifBlock.position(latitude: 48.8584, longitude: 2.2945))
  }

  private func movie(_ time: String) -> [UInt8] {
    MovieFile([
      .metadata([
        ("com.apple.quicktime.location.ISO6709", "+48.8584+002.2945/"),
        ("com.apple.quicktime.creationdate", "2024-04-13T\(time)+0200"),
      ])
    ]).bytes
  }

  private func add(_ name: String, _ content: [UInt8]) throws {
    try folder.write(content, to: "photos/" + name)
  }

  /// Adds a realistic folder: pairs, Live Photos, an edited copy, a burst, and file numbers that
  /// restart.
  private func addYears() throws {
    try add("2024/DSC_1.JPG", JPEGFile(exif("10:00:00")).bytes)
    try add("2024/DSC_1.NEF", exif("10:00:00").tiff)
    try add("2024/DSC_2.JPG", JPEGFile(exif("10:01:00")).bytes)
    try add("2024/DSC_2.NEF", ExifBlock(image: [.init(0x110, .ascii("One"))]).tiff)
    try add("2024/IMG_0003.HEIC", JPEGFile(exif("10:02:00")).bytes)
    try add("2024/IMG_0003.MOV", movie("10:01:58"))
    try add("2024/IMG_0004.JPG", JPEGFile(exif("10:03:00")).bytes)
    try add("2024/IMG_0004-edited.jpg", JPEGFile(exif("10:03:00", rating: 5)).bytes)
    // The times of this burst have whole seconds only, and its RAW files are not compressed.
    try add("2024/B1.DNG", exif("10:04:00").tiff)
    try add("2024/B2.DNG", exif("10:04:00").tiff)
    try add("2024/R1.JPG", JPEGFile(exif("10:05:00")).bytes)
    try add("2024/R1.MOV", movie("10:30:00"))
  }

  private static let shotCount = 8

  private func photoCounts() async throws -> [Int64] {
    let spots = try await photospots.run("spots", "--format", "json")
    #expect(spots.code == 0)
    var reader = JSONReader(Array(spots.output.utf8))
    var counts: [Int64] = []
    try reader.beginArray()
    while try reader.nextElement() {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        if key == "photoCount" {
          counts.append(try reader.integer())
        } else {
          try reader.skipValue()
        }
      }
    }
    return counts
  }

  private func id() async throws -> Substring {
    let line = try await photospots.run("spots").output.prefix { $0 != "\n" }
    return line.suffix(12)
  }

  @Test func `files of one shot count as one photo`() async throws {
    try addYears()
    let index = try await photospots.run("index", folder.path("photos").string)
    #expect(index.code == 0)
    #expect(index.output.contains("11 located, 1 without position"))
    #expect(
      index.output.contains("the index holds 8 located photos; 4 more files belong to them"))
    #expect(try await photoCounts() == [Int64(Self.shotCount)])
    let summary = try await photospots.run("index", "--json")
    #expect(summary.output.contains(#""shots": 8"#))
    #expect(summary.output.contains(#""furtherFiles": 4"#))
    #expect(try await photospots.run("spots", "--favorites").output.contains("8 photos"))
  }

  @Test func `the files of a shot are listed together in every format`() async throws {
    try addYears()
    _ = try await photospots.run("index", folder.path("photos").string)
    let place = ["near", "48.8584", "2.2945", "--photos"]
    let root = folder.path("photos/2024").string
    let text = try await photospots.run(place).output
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1 + 12)
    let raw = lines.firstIndex { $0.hasSuffix("              + \(root)/DSC_2.NEF") }
    #expect(try lines[#require(raw) - 1].hasSuffix("    2024-04-13  \(root)/DSC_2.JPG"))

    let json = try await photospots.run(place + ["--format", "json"]).output
    #expect(
      try files(inJSON: json).filter { $0.count > 1 }
        == [
          ["DSC_1.JPG", "DSC_1.NEF"], ["DSC_2.JPG", "DSC_2.NEF"],
          ["IMG_0003.HEIC", "IMG_0003.MOV"], ["IMG_0004.JPG", "IMG_0004-edited.jpg"],
        ].map { $0.map { "\(root)/\($0)" } })
    #expect(try files(inJSON: json).count == Self.shotCount)

    let csv = try await photospots.run(place + ["--format", "csv"]).output
    #expect(csv.split(separator: "\n").count == 1 + Self.shotCount)
    #expect(csv.contains(",\(root)/DSC_1.JPG|\(root)/DSC_1.NEF,Paris,Paris\n"))
    #expect(csv.split(separator: "\n").filter { $0.hasSuffix(",,Paris,Paris") }.count == 4)

    let gpx = try await photospots.run(place + ["--format", "gpx"]).output
    #expect(gpx.ranges(of: "<link href=").count == 12 && gpx.contains("8 photos, 2024"))
    let kml = try await photospots.run(place + ["--format", "kml"]).output
    #expect(kml.contains("\(root)/DSC_1.JPG&lt;br/&gt;+ \(root)/DSC_1.NEF&lt;br/&gt;"))
    let geojson = try await photospots.run(place + ["--format", "geojson"]).output
    #expect(geojson.ranges(of: #""files": ["#).count == 4)
  }

  /// Returns the `files` of each photo of the first spot, or its `path` if it has none.
  private func files(inJSON text: String) throws -> [[String]] {
    var reader = JSONReader(Array(text.utf8))
    var files: [[String]] = []
    try reader.beginArray()
    guard try reader.nextElement() else { return [] }
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard key == "photos" else {
        try reader.skipValue()
        continue
      }
      try reader.beginArray()
      while try reader.nextElement() { files.append(try filesOfPhoto(&reader)) }
    }
    return files
  }

  private func filesOfPhoto(_ reader: inout JSONReader) throws -> [String] {
    var path = ""
    var files: [String]?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "path": path = try reader.string()
      case "files":
        var listed: [String] = []
        try reader.beginArray()
        while try reader.nextElement() { listed.append(try reader.string()) }
        files = listed
      default: try reader.skipValue()
      }
    }
    if let files { #expect(files.first == path) }
    return files ?? [path]
  }

  @Test func `a copy of the folder changes no count or spot id, wherever it is`()
    async throws
  {
    try addYears()
    _ = try await photospots.run("index", folder.path("photos").string)
    let id = try await id()
    for backup in ["photos/1 backup", "photos/old/2024", "photos/z"] {
      let copy = folder.path(backup)
      try folder.createFolder(copy.removingLastComponent())
      _ = try await Shell.run("cp -r '\(folder.path("photos/2024"))' '\(copy)'")
      let index = try await photospots.run("index")
      #expect(index.output.contains("12 new"))
      #expect(index.output.contains("the index holds 8 located photos"))
      #expect(try await photoCounts() == [Int64(Self.shotCount)])
      #expect(try await self.id() == id)
    }
    let album = try await photospots.run("spots", "--album", "1 backup")
    #expect(album.output.contains("8 photos"))
    // The original can be removed.
    folder.remove(folder.path("photos/2024"))
    #expect(try await photospots.run("index").output.contains("12 removed"))
    #expect(try await photoCounts() == [Int64(Self.shotCount)])
    #expect(try await self.id() == id)
  }

  @Test func `an alert counts shots and shows a picture instead of a RAW file`() async throws {
    try addYears()
    _ = try await photospots.run("index", folder.path("photos").string)
    let fix = #"{"time":"2026-05-16T12:00:00Z","latitude":48.8584,"longitude":2.2945}"# + "\n"
    try folder.write(fix, to: "walk.ndjson")
    let alert = try await photospots.run(
      "watch", folder.path("walk.ndjson").string, "--format", "ndjson", "--set",
      "rulesOff=coldStart,vehicles")
    #expect(alert.code == 0)
    #expect(alert.output.contains(#""photoCount":8"#))
    #expect(alert.output.contains(#"2024/IMG_0004.JPG""#))
  }
}
