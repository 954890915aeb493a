import SystemPackage
import TestSupport
import Testing

@Suite struct ImportPositionsCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  /// Creates three photos without a position and one with one, and a digiKam database that contains
  /// them at another mount point, and an additional photo.
  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    for number in 1...3 {
      let exif = [ExifBlock.Entry(0x9003, .ascii("2024:06:01 10:30:0\(number)"))]
      try folder.write(
        JPEGFile(ExifBlock(image: [.init(0x10F, .ascii("Maker"))], exif: exif)).bytes,
        to: "photos/Trip/\(number).jpg")
    }
    let gps = ExifBlock.position(latitude: 10, longitude: 20)
    try folder.write(JPEGFile(ExifBlock(image: [], gps: gps)).bytes, to: "photos/Trip/own.jpg")
    try TestDatabase.make(
      folder.path("digikam4.db"),
      PhotoManagerDatabases.digiKam([
        ("1.jpg", "48.001", "NULL", "'2024-06-01T10:30:01.000'"),
        ("2.jpg", "48.002", "NULL", "NULL"),
        ("own.jpg", "48.003", "NULL", "NULL"), ("gone.jpg", "48.004", "NULL", "NULL"),
        ("3.jpg", "0", "NULL", "NULL"),
      ]) + "UPDATE ImagePositions SET longitudeNumber = 0 WHERE imageid = 5;")
    _ = try await index()
  }

  private func index(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
    try await photospots.run(["index", folder.path("photos").string] + arguments)
  }

  private func importPositions(_ arguments: String...) async throws -> PhotoSpotsProcess.Outcome {
    try await photospots.run(["import-positions"] + arguments)
  }

  private var database: String { folder.path("digikam4.db").string }

  @Test func `import-positions adds positions of a database, which scans keep until dropped`()
    async throws
  {
    let dry = try await importPositions(database, "--dry-run")
    #expect(dry.code == 0 && dry.errors.contains("nothing was changed (--dry-run)"))
    let given = try await importPositions(database)
    #expect(given.code == 0 && given.output == dry.output)
    for line in [
      "digiKam's database, 4 photos with a position", "2 photos of the index: 2 new",
      "found 2 by the end of the path", "photos/Trip/1.jpg: 48.00100, 2.00000",
      "1 photo with a position of its own, kept", "1 not in the index (", "gone.jpg')",
      "1 with an invalid position, such as 0, 0",
    ] {
      #expect(given.output.contains(line), "\(line)")
    }
    let near = try await photospots.run("near", "48.001", "2", "--radius", "10", "--photos")
    #expect(near.output.contains("Trip/1.jpg") && near.output.contains("from another program"))
    let json = try await photospots.run(
      "near", "48.001", "2", "--radius", "10", "--photos", "--format", "json")
    #expect(json.output.contains(#""source": "imported""#))
    let inspected = try await photospots.run("inspect", folder.path("photos/Trip/1.jpg").string)
    #expect(inspected.output.contains("48.001, 2  (imported, in the index only)"))
    // A full scan with tracks keeps the imported positions.
    let again = try await index("--full", "--tracks", folder.path("photos").string)
    #expect(again.output.contains("3 located, 1 without position"))
    let second = try await importPositions(database)
    #expect(second.output.contains("2 photos of the index: 0 new, 2 unchanged"))
    let dropped = try await importPositions("--drop-imported")
    #expect(
      dropped.output
        == "2 imported positions removed; the index holds 1 located photo\n")
    let after = try await importPositions("--drop-imported", "--json")
    #expect(after.output.contains(#""dropped": 0"#))
  }

  @Test func `import-positions with --dry-run or run again leaves the index unchanged`()
    async throws
  {
    let file = folder.path("xdg_cache_home/photospots/index.json")
    let before = try folder.contents(of: file)
    _ = try await importPositions(database, "--dry-run")
    #expect(try folder.contents(of: file) == before)
    _ = try await importPositions(database)
    let after = try folder.contents(of: file)
    #expect(after != before)
    _ = try await importPositions(database)
    #expect(try folder.contents(of: file) == after)
  }

  @Test func `import-positions --json prints the result as JSON`() async throws {
    let outcome = try await importPositions(database, "--json")
    for member in [
      #""program": "digikam""#, #""new": 2"#, #""unchanged": 0"#, #""ownPosition": 1"#,
      #""pathEnd": 2"#, #""unusable": 1"#, #""source": "imported""#, #""foundBy": "pathEnd""#,
    ] {
      #expect(outcome.output.contains(member), "\(member)")
    }
  }

  @Test func `an imported position is dropped when another photo replaces the file`() async throws {
    _ = try await importPositions(database)
    let exif = [ExifBlock.Entry(0x9003, .ascii("2025:01:01 00:00:00"))]
    try folder.write(
      JPEGFile(ExifBlock(image: [.init(0x10F, .ascii("Other maker"))], exif: exif)).bytes,
      to: "photos/Trip/1.jpg")
    let outcome = try await index()
    #expect(outcome.output.contains("2 located, 2 without position"))
  }

  @Test func `import-positions refuses an unknown file, missing arguments and a missing index`()
    async throws
  {
    try folder.write("{}", to: "a.json")
    let other = try await importPositions(folder.path("a.json").string)
    #expect(other.code == 1 && other.errors.contains("nothing was imported"))
    #expect(other.errors.contains("osxphotos query --json"))
    let whole = try await importPositions(folder.root.string)
    #expect(whole.code == 1 && whole.errors.contains("is a folder; name the database"))
    #expect(try await importPositions().code == 64)
    #expect(try await importPositions(database, "--drop-imported").code == 64)
    let missing = try await importPositions(database, "--index", folder.path("no.json").string)
    #expect(missing.code == 1 && missing.errors.contains("there is no index"))
  }
}
