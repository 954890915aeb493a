import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PositionImport

@Suite struct PositionRecordsTests {
  private let folder = TemporaryFolder()
  private var path: FilePath { folder.path("any.name") }

  private func records(_ statements: String) throws -> PositionRecords {
    folder.remove(path)
    try TestDatabase.make(path, statements)
    return try PositionRecords(path)
  }

  private func text(_ path: RecordedPath) -> String {
    (path.isAbsolute ? "/" : "")
      + path.reversed.reversed().map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  // MARK: - digiKam

  @Test func `digiKam images have paths, sizes, times and positions`() throws {
    let records = try records(
      PhotoManagerDatabases.digiKam([
        ("a.jpg", "48.5", "1234", "'2024-06-01T10:30:00.000'"), ("b.jpg", "-1", "NULL", "NULL"),
      ]))
    #expect(records.manager == .digiKam && records.photos.count == 2)
    let photo = records.photos[0]
    #expect(photo.paths.map(text) == ["home/user/Pictures/Trip/a.jpg"])
    #expect(photo.coordinate == Coordinate(latitude: 48.5, longitude: 2))
    #expect(photo.altitudeMeters == 35 && photo.size == 1234)
    #expect(photo.captured?.iso8601 == "2024-06-01T10:30:00.000Z")
    #expect(photo.captured?.utcOffsetMinutes == nil)
    #expect(records.photos[1].size == nil && records.photos[1].captured == nil)
  }

  @Test(arguments: [
    ("volumeid:?path=%2Fhome%2Fa%20b", "/", "/", "/home/a b/x.jpg"),
    ("volumeid:?path=/home/c&fileuuid=1-2", "/sub", "/2024/May", "/home/c/sub/2024/May/x.jpg"),
    ("networkshareid:?mountpath=%2Fmnt%2Fnas", "/", "/A", "/mnt/nas/A/x.jpg"),
    ("volumeid:?uuid=123", "/photos", "/A", "photos/A/x.jpg"),
    ("volumeid:?path=P:", "/", "/A", "P:/A/x.jpg"),
    ("", "", "/A", "A/x.jpg"),
  ])
  func `an album root is located by its identifier`(
    identifier: String, specific: String, album: String, expected: String
  ) throws {
    let records = try records(
      PhotoManagerDatabases.digiKam(
        identifier: identifier, specificPath: specific, album: album,
        [("x.jpg", "48", "NULL", "NULL")]))
    #expect(records.photos.first?.paths.map(text) == [expected])
  }

  @Test func `images in the trash, or without position or path, give no record`() throws {
    let records = try records(
      PhotoManagerDatabases.digiKam([
        ("a.jpg", "0", "1", "NULL"), ("b.jpg", "91", "1", "NULL"), ("c.jpg", "1", "1", "NULL"),
        ("d.jpg", "9e999", "1", "NULL"), ("e.jpg", "2", "1", "NULL"), ("f.jpg", "3", "1", "NULL"),
        ("..", "4", "1", "NULL"),
      ]) + """
        UPDATE ImagePositions SET longitudeNumber = 0 WHERE imageid = 1;
        UPDATE Images SET status = 3 WHERE id = 3;
        UPDATE Images SET album = 99 WHERE id = 5;
        INSERT INTO ImagePositions (imageid, description) VALUES (77, 'only a text');
        """)
    #expect(records.photos.map { text($0.paths[0]) } == ["home/user/Pictures/Trip/f.jpg"])
    #expect(records.unusableCount == 3 && records.pathlessCount == 2)
  }

  // MARK: - Lightroom

  @Test func `Lightroom files have paths of any system, times and positions`() throws {
    let records = try records(
      PhotoManagerDatabases.lightroom([
        ("IMG_1", "CR2", "48.25", "'2024-06-01T10:30:00.12'"), ("IMG_2", "", "-33", "NULL"),
      ]) + "UPDATE AgLibraryFile SET sidecarExtensions = 'xmp,JPG' WHERE id_local = 1;")
    #expect(records.manager == .lightroom && records.photos.count == 2)
    #expect(
      records.photos[0].paths.map(text) == [
        "D:/Photos/2024/Trip/IMG_1.CR2", "D:/Photos/2024/Trip/IMG_1.JPG",
      ])
    #expect(records.photos[0].captured?.iso8601 == "2024-06-01T10:30:00.120Z")
    #expect(records.photos[1].paths.map(text) == ["D:/Photos/2024/Trip/IMG_2"])
  }

  @Test func `a position is used only if Lightroom's hasGPS flag is set`() throws {
    let records = try records(
      PhotoManagerDatabases.lightroom([
        ("a", "jpg", "1", "NULL"), ("b", "jpg", "2", "NULL"), ("c", "jpg", "'3'", "NULL"),
      ]) + "UPDATE AgHarvestedExifMetadata SET hasGPS = 0 WHERE image = 1;")
    #expect(records.photos.map { text($0.paths[0]) } == ["D:/Photos/2024/Trip/b.jpg"])
  }

  @Test func `virtual copies are marked as copies`() throws {
    let records = try records(
      PhotoManagerDatabases.lightroom([("a", "jpg", "1", "NULL")]) + """
        INSERT INTO Adobe_images (id_local, id_global, masterImage, rootFile) VALUES (9, 'c', 1, 1);
        INSERT INTO AgHarvestedExifMetadata (image, gpsLatitude, gpsLongitude, hasGPS)
          VALUES (9, 5, 6, 1);
        """)
    #expect(records.photos.map(\.isCopy) == [false, true])
    #expect(records.photos.map(\.coordinate.latitude) == [1, 5])
  }

  // MARK: - osxphotos

  @Test func `Apple Photos records have paths and names`() throws {
    try folder.write(
      """
      [{"albums": [], "date": "2020-04-11T12:34:56.789000+02:00", "exif": {"iso": null},
        "intrash": false, "latitude": 48.5, "longitude": 2.25, "original_filename": "IMG_1.HEIC",
        "original_filesize": 1234, "path": "/Users/a/P.photoslibrary/originals/A/A-1.heic",
        "path_raw": null, "path_edited": "/Users/a/P.photoslibrary/resources/A-1_1_201_a.jpeg",
        "place": {"name": "x", "names": [[1, [2]]]}, "uuid": "A-1"},
       {"uuid": "B", "original_filename": "cloud.jpg", "path": null, "latitude": 1, "longitude": 2,
        "date": null},
       {"uuid": "C", "original_filename": "none.jpg", "path": null, "latitude": null,
        "longitude": null},
       {"uuid": "D", "original_filename": "bin.jpg", "path": null, "latitude": 1, "longitude": 2,
        "intrash": true}]
      """, to: path)
    let records = try PositionRecords(path)
    #expect(records.manager == .applePhotos && records.photos.count == 2)
    let photo = records.photos[0]
    #expect(photo.paths.count == 2 && photo.names == [Array("IMG_1.HEIC".utf8)])
    #expect(photo.size == 1234 && photo.captured?.utcOffsetMinutes == 120)
    #expect(records.photos[1].paths.map(text) == ["cloud.jpg"])
  }

  @Test func `an empty list is valid, and a truncated list is damaged`() throws {
    try folder.write(" []\n", to: path)
    #expect(try PositionRecords(path).photos.isEmpty)
    try folder.write(#"[{"uuid": "B", "original_filename": "a.jpg"}, {"uuid""#, to: path)
    let error = #expect(throws: PositionImportError.self) { try PositionRecords(path) }
    #expect("\(try #require(error))".contains("byte"))
  }

  @Test(arguments: [
    "", "x", "{}", "[1]", "[{}]", #"[{"uuid": "A"}]"#, #"{"type": "FeatureCollection"}"#,
    #"[{"lat": 1, "lon": 2}]"#, "SQLite format 3", "\u{FEFF}[]",
    String(repeating: "[", count: 10_000),
  ])
  func `the error for any other file lists the supported formats`(content: String) throws {
    try folder.write(content, to: path)
    let error = #expect(throws: PositionImportError.unknown) { try PositionRecords(path) }
    let text = "\(try #require(error))"
    #expect(text.contains("digikam4.db") && text.contains(".lrcat") && text.contains("osxphotos"))
  }

  // MARK: - Hostile

  @Test func `databases with other tables, views or missing columns are rejected`() throws {
    let sound = PhotoManagerDatabases.digiKam([("a.jpg", "1", "1", "NULL")])
    for statements in [
      "CREATE TABLE other (a)",
      sound + "DROP TABLE ImagePositions",
      sound + "ALTER TABLE ImagePositions RENAME COLUMN latitudeNumber TO l",
      sound + """
        DROP TABLE ImagePositions; CREATE VIEW ImagePositions AS
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          SELECT i AS imageid, 1.0 AS latitudeNumber, 2.0 AS longitudeNumber FROM n
        """,
      sound + """
        ALTER TABLE ImagePositions DROP COLUMN latitudeNumber;
        ALTER TABLE ImagePositions ADD COLUMN latitudeNumber AS (length(hex(zeroblob(9000000))))
        """,
    ] {
      #expect(throws: PositionImportError.unknown, "\(statements.suffix(80))") {
        try records(statements)
      }
    }
  }

  @Test func `values of the wrong type and overlong names are ignored`() throws {
    let records = try records(
      PhotoManagerDatabases.digiKam([
        ("a.jpg", "1", "'x'", "12"), ("b.jpg", "2", "-5", "'yesterday'"),
        (String(repeating: "n", count: 5000), "3", "1", "NULL"),
      ]) + "PRAGMA writable_schema=ON; UPDATE Images SET fileSize = x'00' WHERE id = 1;")
    #expect(records.photos.map(\.size) == [nil, nil])
    #expect(records.photos.allSatisfy { $0.captured == nil })
    #expect(records.pathlessCount == 1)
  }

  @Test func `a damaged database gives records or an error`() throws {
    let names = (0..<200).map { ("IMG_\($0).jpg", "\(Double($0) / 10)", "\($0)", "NULL") }
    try TestDatabase.make(path, PhotoManagerDatabases.digiKam(names))
    let sound = try folder.contents(of: path)
    for seed in 1...150 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var content = sound
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        content[Int.random(in: 16..<content.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        content.removeLast(Int.random(in: 0..<content.count - 16, using: &generator))
      }
      try folder.write(content, to: path)
      let records = try? PositionRecords(path)
      for photo in records?.photos ?? [] {
        #expect(!photo.paths.isEmpty && photo.paths.allSatisfy { !$0.reversed.isEmpty })
        #expect((-90...90).contains(photo.coordinate.latitude), "seed \(seed)")
      }
    }
  }
}
