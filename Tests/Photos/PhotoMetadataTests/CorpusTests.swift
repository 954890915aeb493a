import CivilTime
import Encodings
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

/// The corpus's metadata of one of its files.
private struct Truth {
  var path = ""
  var format: String?
  var latitude: Double?
  var longitude: Double?
  var altitude: Double?
  var horizontalError: Double?
  var dateTaken: String?
  var offset: String?
  var make: String?
  var model: String?
  var orientation: Double?
  var rating: Double?
  var edges: [String] = []

  static func load(_ folder: FilePath) throws -> [Truth] {
    var reader = JSONReader(try Corpus.contents(of: folder.appending("photos/truth.json")))
    var truths: [Truth] = []
    try reader.beginArray()
    while try reader.nextElement() { truths.append(try Truth(&reader)) }
    return truths
  }

  private init(_ reader: inout JSONReader) throws {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if try reader.skipNull() { continue }
      switch key {
      case "path": path = try reader.string()
      case "format": format = try reader.string()
      case "latitude": latitude = try reader.double()
      case "longitude": longitude = try reader.double()
      case "altitude": altitude = try reader.double()
      case "horizontalError": horizontalError = try reader.double()
      case "dateTaken": dateTaken = try reader.string()
      case "offset": offset = try reader.string()
      case "make": make = try reader.string()
      case "model": model = try reader.string()
      case "orientation": orientation = try reader.double()
      case "rating": rating = try reader.double()
      case "edge":
        try reader.beginArray()
        while try reader.nextElement() { edges.append(try reader.string()) }
      default: try reader.skipValue()
      }
    }
  }
}

@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)))
struct CorpusTests {
  /// The supported formats, by the corpus's names.
  private static let formats: Set = [
    "JPEG", "TIFF", "BTF", "DNG", "NEF", "CR2", "CRW", "RAF", "RAW", "PNG", "Extended WEBP", "GIF",
    "HEIC", "HEIF", "AVIF", "CR3", "MOV", "MP4", "M4V", "3GP", "JXL", "JXL Codestream", "JP2",
  ]

  private func readings() throws -> [(truth: Truth, reading: MetadataReader.Reading)] {
    let folder = try #require(Corpus.folder)
    var reader = MetadataReader()
    return try Truth.load(folder).filter { Self.formats.contains($0.format ?? "") }.map { truth in
      let content = try Corpus.contents(of: folder.appending("photos").appending(truth.path))
      return (truth, reader.read(content))
    }
  }

  /// Intended differences between the corpus, which contains ExifTool's results, and PhotoSpots.
  private static let explainedPositions = [
    // ExifTool stops at the end of the JPEG; the EXIF block before it is complete.
    "nom-exif/testdata/exif-no-tz.jpg": (22.5311333, 114.0214806) as (Double, Double)?,
    // EXIF in a chunk and the same again as text, which ExifTool takes for a circle of directories.
    "nom-exif/testdata/exif-both.png": (22.5311333, 114.0214806),
    // Exactly 0, 0, which is no position.
    "metadata-extractor-images/jpg/Samsung GT-I9000 (Galaxy S).jpg": nil,
  ]

  @Test func `every expected position is found, and no other`() throws {
    for (truth, reading) in try readings() {
      var expected: (Double, Double)?
      if let latitude = truth.latitude, let longitude = truth.longitude {
        expected = (latitude, longitude)
      }
      if let explained = Self.explainedPositions[truth.path] { expected = explained }
      var coordinate: (Double, Double)?
      if case .photo(let photo) = reading, let position = photo.coordinate {
        coordinate = (position.latitude, position.longitude)
      }
      switch (coordinate, expected) {
      case (let got?, let wanted?):
        let isEqual = abs(got.0 - wanted.0) < 1e-7 && abs(got.1 - wanted.1) < 1e-7
        #expect(isEqual, "\(truth.path)")
      case (nil, nil): break
      default: Issue.record("\(truth.path): \(reading), expected \(String(describing: expected))")
      }
    }
  }

  @Test func `cameras, ratings and accuracies match the corpus`() throws {
    for (truth, reading) in try readings() {
      guard case .photo(let photo) = reading else { continue }
      if let make = truth.make { #expect(photo.make == make.trimmed, "\(truth.path)") }
      if let model = truth.model { #expect(photo.model == model.trimmed, "\(truth.path)") }
      #expect(photo.rating == truth.rating.map { Int($0) }, "\(truth.path)")
      if let altitude = truth.altitude {
        #expect(abs((photo.altitudeMeters ?? .nan) - altitude) < 1e-3, "\(truth.path)")
      }
      if let error = truth.horizontalError {
        #expect(abs((photo.horizontalAccuracyMeters ?? .nan) - error) < 1e-3, "\(truth.path)")
      }
    }
  }

  @Test func `capture times match the corpus`() throws {
    for (truth, reading) in try readings() {
      guard case .photo(let photo) = reading, let taken = truth.dateTaken,
        photo.captureTimeSource == .dateTimeOriginal, let captured = photo.captured
      else { continue }
      let date = taken.prefix(10).replacing(":", with: "-")
      let time = taken.dropFirst(11).prefix(8)
      // One file's only offset is that of its modification date.
      if let offset = truth.offset, !truth.path.hasSuffix("before_epoch.jpg") {
        #expect(
          captured.iso8601.prefix(19) + captured.iso8601.suffix(6) == "\(date)T\(time)\(offset)",
          "\(truth.path)")
      } else {
        // The local time, or the GPS time; camera clocks have been a day off.
        let local = try #require(Instant(iso8601: "\(date)T\(time)Z"), "\(truth.path)")
        #expect(abs(captured.instant.seconds(since: local)) < 26 * 3600, "\(truth.path)")
      }
    }
  }

  @Test func `creation dates of movies match the corpus`() throws {
    for (truth, reading) in try readings() {
      guard case .photo(let photo) = reading,
        photo.captureTimeSource == .quickTime || photo.captureTimeSource == .quickTimeHeader
      else { continue }
      let taken = try #require(truth.dateTaken, "\(truth.path)")
      let date = taken.prefix(10).replacing(":", with: "-")
      // A date without an offset is that of the movie header, which is UTC.
      let offset = taken.count > 19 ? taken.dropFirst(19) : "Z"
      let expected = Instant(iso8601: "\(date)T\(taken.dropFirst(11).prefix(8))\(offset)")
      #expect(photo.captured?.instant == expected, "\(truth.path)")
    }
  }

  @Test func `movies without a capture time have no date in the corpus`() throws {
    for (truth, reading) in try readings() {
      guard case .photo(let photo) = reading, photo.captured == nil else { continue }
      #expect(truth.dateTaken?.contains("2") != true, "\(truth.path)")
    }
  }

  @Test func `only damaged files are malformed`() throws {
    let malformed = try readings().filter { $0.reading.isMalformed }.map(\.truth.path)
    #expect(
      malformed == [
        "exiv2/test/data/exiv2-bug1247.jpg",
        // Its focal length lies beyond the end.
        "exiv2/test/data/exiv2-bug855.jpg",
        // Twenty bytes.
        "exiv2/test/data/issue_2160_poc.jpg",
        // Made to crash readers: directories beyond the end, and a RAF with another magic number.
        "exiv2/test/data/issue_839_poc.rw2", "exiv2/test/data/issue_857_coverage.raf",
        "exiv2/test/data/pocIssue283.jpg",
        "nom-exif/testdata/broken.jpg",
        // Only a type box.
        "nom-exif/testdata/compatible-brands-fail.heic",
        "nom-exif/testdata/compatible-brands-fail.mov",
        "nom-exif/testdata/compatible-brands.heic", "nom-exif/testdata/compatible-brands.mov",
        "nom-exif/testdata/crash_add_large", "nom-exif/testdata/crash_skip_large",
        // Its Exif directory is damaged.
        "nom-exif/testdata/invalid-gps",
      ])
  }
}

extension MetadataReader.Reading {
  fileprivate var isMalformed: Bool {
    if case .malformed = self { true } else { false }
  }
}

extension String {
  fileprivate var trimmed: String? {
    let text = drop { $0.isWhitespace }
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(text[...last])
  }
}
