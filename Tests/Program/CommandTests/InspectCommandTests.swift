import Storage
import SystemPackage
import TestSupport
import Testing

@Suite struct InspectCommandTests {
  @Test func `inspect shows a photo's metadata and its source, and fails for unreadable files`()
    async throws
  {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    let photo = samples.appending("photos/2020 Dead Sea/P2140017.jpg").string
    let text = try await photospots.run("inspect", photo)
    #expect(text.code == 0)
    #expect(text.output.contains("-430.5 m") && text.output.contains("(EXIF)"))
    let json = try await photospots.run("inspect", photo, "--format", "json")
    #expect(json.output.contains(#""source": "EXIF""#))
    #expect(json.output.contains(#""reads": 1"#))
    let missing = try await photospots.run("inspect", folder.path("none.jpg").string)
    #expect(missing.code == 2)
    try folder.createFIFO(folder.path("fifo.jpg"))
    let fifo = try await photospots.run("inspect", folder.path("fifo.jpg").string)
    #expect(fifo.code == 2)
    #expect(fifo.errors.contains("not a regular file"))
    let whole = try await photospots.run("inspect", folder.root.string)
    #expect(whole.code == 2 && whole.errors.contains("it is a folder; name the photos in it"))
    for name in ["a.jpg.xmp", "a.jpg.JSON"] {
      try folder.write("{}", to: name)
      let sidecar = try await photospots.run("inspect", folder.path(name).string)
      #expect(sidecar.code == 0 && sidecar.output.contains("not a photo; a sidecar is shown"))
    }
  }

  @Test func `a time without a zone has none in JSON either`() async throws {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    for (photo, captured) in [
      ("2016 Paris/IMG_0412.jpg", "2016-04-17T11:05:42.000"),
      ("2020 Dead Sea/P2140017.jpg", "2020-02-14T13:22:40.000+02:00"),
    ] {
      let path = samples.appending("photos").pushing(FilePath(photo)).string
      let json = try await photospots.run("inspect", path, "--format", "json").output
      #expect(json.contains(#""captured": "\#(captured)""#), "\(json)")
    }
  }

  @Test func `a name that is no file here is looked up among the indexed photos`() async throws {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    let photo = samples.appending("photos/2016 Paris/IMG_0412.jpg")
    // Without an index nothing is invented.
    #expect(try await photospots.run("inspect", "IMG_0412.jpg").code == 2)
    _ = try await photospots.run("index", samples.appending("photos").string)
    for name in ["IMG_0412.jpg", "img_0412.JPG"] {
      let found = try await photospots.run("inspect", name)
      #expect(found.code == 0 && found.output.hasPrefix("\(photo)\n"), "\(found.errors)")
    }
    for name in ["IMG_0413.jpg", "2016 Paris/IMG_0412.jpg"] {
      #expect(try await photospots.run("inspect", name).code == 2)
    }
    for album in ["b", "a"] {
      try folder.createFolder(folder.path("photos/\(album)"))
      try folder.write(folder.contents(of: photo), to: "photos/\(album)/IMG_0412.jpg")
    }
    _ = try await photospots.run("index", folder.path("photos").string)
    let several = try await photospots.run("inspect", "IMG_0412.jpg", "IMG_0420.jpg")
    #expect(several.code == 2 && several.output.contains("IMG_0420.jpg"))
    #expect(!several.output.contains("IMG_0412.jpg"))
    #expect(
      several.errors.contains(
        "there are 3 indexed photos named IMG_0412.jpg; name one by its path:"))
    for path in [photo, folder.path("photos/a/IMG_0412.jpg"), folder.path("photos/b/IMG_0412.jpg")]
    {
      #expect(several.errors.contains("  \(path)\n"))
    }
  }

  @Test func `inspect uses the sidecar of an unreadable photo`() async throws {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    try folder.write([], to: "a.jpg")
    let alone = try await photospots.run("inspect", folder.path("a.jpg").string)
    #expect(alone.output.contains("malformed: the file is empty"))
    try folder.write(#"{"geoData": {"latitude": 48, "longitude": 2.5}}"#, to: "a.jpg.json")
    let text = try await photospots.run("inspect", folder.path("a.jpg").string)
    #expect(text.output.contains("48, 2.5  (Takeout)"))
    #expect(text.output.contains("problem       the file is empty"))
  }

  @Test func `arguments may contain names that are not UTF-8`() async throws {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    let photo = samples.appending("photos/2020 Dead Sea/P2140017.jpg")
    // Valid and invalid UTF-8, and a character that represents a byte in the arguments.
    let name: [UInt8] = [0x64, 0xFE, 0xC3, 0xA9, 0xF4, 0x8F, 0xBF, 0xBE]
    let album = folder.path(bytes: name)
    try folder.write(
      folder.contents(of: photo),
      to: folder.path(bytes: name + Array("/b".utf8) + [0xFF] + Array(".jpg".utf8)))
    let indexed = try await photospots.run(bytes: [Array("index".utf8), album.bytes])
    #expect(indexed.code == 0)
    #expect(indexed.output.contains("1 located"))
    let listed = try await photospots.run(
      bytes: [Array("spots".utf8), Array("--album".utf8), name])
    #expect(listed.output.split(separator: "\n").count == 1)
    let inspected = try await photospots.run(
      bytes: [
        Array("inspect".utf8), album.bytes + Array("/b".utf8) + [0xFF] + Array(".jpg".utf8),
      ])
    #expect(inspected.code == 0)
    #expect(inspected.output.contains("b\\xff.jpg") && inspected.output.contains("located"))
  }

  @Test func `--help, --version and completion scripts work, and an unknown command fails`()
    async throws
  {
    let folder = TemporaryFolder()
    let photospots = PhotoSpotsProcess(home: folder.root)
    #expect(try await photospots.run("--version").output == "photospots 0.1.0\n")
    #expect(try await photospots.run("--help").output.contains("near"))
    for shell in ["bash", "zsh", "fish"] {
      let script = try await photospots.run("--generate-completion-script", shell)
      #expect(script.code == 0 && script.output.contains("photospots"))
    }
    #expect(try await photospots.run("nonsense").code == 64)
  }
}
