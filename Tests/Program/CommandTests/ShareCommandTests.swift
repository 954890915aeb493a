import PhotoMetadata
import ProcessSupport
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct ShareCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess
  private let earlier = samples.appending("photos/2016 Paris/IMG_0412.jpg").string
  private let later = samples.appending("photos/2025 Paris/PXL_20250914_074402.jpg").string

  init() {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
  }

  private func index() async throws {
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  /// Runs the command with an output file, and returns the file's content.
  private func shared(_ arguments: String...) async throws -> [UInt8] {
    let path = folder.path("shared")
    let outcome = try await photospots.run(
      ["share"] + arguments + ["--force", "-o", path.string])
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
    return try Corpus.contents(of: path)
  }

  private func size(_ jpeg: [UInt8]) throws -> [Int] {
    let size = try #require(JPEGMarkers(jpeg)?.size)
    return [size.width, size.height]
  }

  private func properties(_ picture: [UInt8]) -> PhotoProperties? {
    var reader = MetadataReader()
    guard case .photo(let properties) = reader.read(picture) else { return nil }
    return properties
  }

  /// Returns the first lines of the error, without the parser's usage text.
  private func refusal(_ arguments: String...) async throws -> String {
    let outcome = try await photospots.run(["share"] + arguments)
    #expect(outcome.code != 0 && outcome.output.isEmpty)
    return outcome.errors
  }

  @Test func `a picture, a page of pairs and an export follow the umask, and state does not`()
    async throws
  {
    let run = try await Shell.run(
      """
      cd '\(folder.root)'
      export XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state
      photospots() { '\(PhotoSpotsProcess.program)' "$@"; }
      umask 027
      photospots index '\(samples.appending("photos"))'
      photospots share '\(earlier)' '\(later)' -o a.jpg
      photospots share '\(earlier)' '\(later)' --force -o b.jpg
      photospots pairs --html pairs.html
      photospots places add 48 2
      photospots places export --output places.gpx
      stat -c '%a %n' a.jpg b.jpg pairs.html places.gpx state/photospots/places.json state/photospots
      """)
    let modes = run.output.split(separator: "\n").suffix(6)
    #expect(
      modes == [
        "640 a.jpg", "640 b.jpg", "640 pairs.html", "640 places.gpx",
        "600 state/photospots/places.json", "700 state/photospots",
      ], "\(run.output)\(run.errors)")
  }

  @Test func `a spot is shared as its earliest and its latest photo`() async throws {
    try await index()
    let spot = try await shared("47xj", "--no-text")
    #expect([[1200, 630], [1080, 1350]].contains(try size(spot)))
    #expect(try await shared(earlier, later, "--no-text") == spot)
    // The earlier photo comes first, regardless of the order of the arguments.
    #expect(try await shared("\(later),\(earlier)", "--no-text") == spot)
    let english = try await shared("47xj", "--shape", "portrait")
    #expect(try size(english) == [1080, 1350])
    #expect(try await shared("47xj", "--shape", "portrait", "--text", "Trocadéro") != english)
    #expect(
      try await shared("47xj", "--shape", "portrait", "--set", "language=es") != english)
  }

  @Test func `a shared picture has no metadata, and a position only with --with-position`()
    async throws
  {
    let plain = try await shared(earlier, later)
    #expect(properties(plain) == PhotoProperties())
    let codes = try #require(JPEGMarkers(plain)?.codes)
    #expect(!codes.contains { (0xE0...0xEF).contains($0) || $0 == 0xFE })
    let placed = try await shared(earlier, later, "--with-position")
    let position = try #require(properties(placed)?.coordinate)
    let original = try #require(properties(try Corpus.contents(of: FilePath(earlier)))?.coordinate)
    #expect(position.distance(to: original) < 0.01)
    #expect(properties(placed)?.captured == nil && properties(placed)?.model == nil)
    #expect(Array(placed.suffix(plain.count - 2)) == Array(plain.dropFirst(2)))
  }

  @Test func `share accepts paths, even with commas, and photo ids`()
    async throws
  {
    try folder.write(try Corpus.contents(of: FilePath(earlier)), to: "a,b.jpg")
    try folder.write(try Corpus.contents(of: FilePath(later)), to: "c.jpg")
    let named = "\(folder.path("a,b.jpg")),\(folder.path("c.jpg"))"
    #expect(try await shared(named) == shared(earlier, later))
    #expect(
      try await refusal("aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb", "-o", "-").contains("no index"))
    try await index()
    #expect(
      try await refusal("aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb", "-o", "-")
        .contains("the index has no photo with the id aaaaaaaaaaaaaaaa"))
  }

  @Test func `share finds an indexed photo by its name, and refuses a name of several`()
    async throws
  {
    let (first, second) = ("IMG_0412.jpg", "pxl_20250914_074402.JPG")
    #expect(try await refusal(first, second, "-o", "-").contains("\(first): No such file"))
    try await index()
    let expected = try await shared(earlier, later)
    #expect(try await shared(first, second) == expected)
    #expect(try await shared("\(first),\(second)") == expected)
    let copy = folder.path("copies/a/IMG_0412.jpg")
    try folder.write(try Corpus.contents(of: FilePath(earlier)), to: copy)
    _ = try await photospots.run("index", folder.path("copies").string)
    let several = try await refusal(first, second, "-o", "-")
    #expect(several.contains("there are 2 indexed photos named IMG_0412.jpg"), "\(several)")
    #expect(several.contains("copies/a/IMG_0412.jpg"), "\(several)")
  }

  @Test func `share refuses a name whose ending is that of another format`() async throws {
    for (name, isAnimated, words) in [
      ("a.png", false, ".jpg or .jpeg"), ("a.gif", false, ".jpg or .jpeg"),
      ("a.jpg", true, "ends in .gif"), ("a.tar.JPG", true, "ends in .gif"),
    ] {
      let path = folder.path(name)
      let arguments = [earlier, later, "-o", path.string] + (isAnimated ? ["--animated"] : [])
      let outcome = try await photospots.run(["share"] + arguments)
      #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
      #expect(!folder.exists(path))
    }
    for name in ["a.JPG", "b.jpeg", "c", "paris.2024"] {
      let path = folder.path(name).string
      let outcome = try await photospots.run("share", earlier, later, "-o", path)
      #expect(outcome.code == 0, "\(outcome)")
    }
  }

  @Test func `share --animated writes a GIF file`() async throws {
    let file = try await shared(earlier, later, "--animated")
    #expect(file.starts(with: Array("GIF89a".utf8)) && file.last == 0x3B)
    #expect(file.count <= 1_500_000)
  }

  @Test func `share writes to standard output, and overwrites a file only with --force`()
    async throws
  {
    let picture = try await shared(earlier, later)
    let (line, _) = try await Shell.run(
      "\(PhotoSpotsProcess.program) share '\(earlier)' '\(later)' -o - | wc -c")
    #expect(line.filter(\.isNumber) == "\(picture.count)")
    let path = folder.path("mine.jpg")
    try folder.write([1, 2, 3], to: "mine.jpg")
    #expect(
      try await refusal(earlier, later, "-o", path.string).contains("exists; --force replaces it"))
    #expect(try Corpus.contents(of: path) == [1, 2, 3])
    #expect(
      try await refusal(earlier, later, "-o", folder.path("none/x.jpg").string)
        .contains("No such file or directory"))
  }

  @Test func `share replaces no photo, with --force and through a link either`() async throws {
    let (photo, scan) = (folder.path("IMG_0412.jpg"), folder.path("scan.jpg"))
    let kept = try Corpus.contents(of: FilePath(earlier))
    try folder.write(kept, to: "IMG_0412.jpg")
    // An undated photo is recognised as one of the two.
    let undated = try await shared(earlier, later)
    try folder.write(undated, to: "scan.jpg")
    _ = try await Shell.run(
      "cd '\(folder.root)' && ln -s IMG_0412.jpg link.jpg && ln scan.jpg hard.jpg")
    for (name, photos) in [
      ("IMG_0412.jpg", [photo.string, later]), ("link.jpg", [photo.string, later]),
      ("IMG_0412.jpg", [earlier, later]), ("scan.jpg", [scan.string, later]),
      ("hard.jpg", [later, scan.string]),
    ] {
      for force in [[], ["--force"]] {
        let outcome = try await photospots.run(
          ["share"] + photos + force + ["-o", folder.path(name).string])
        #expect(
          outcome.code == 1
            && outcome.errors.contains("\(name) is a photo, and photos are never replaced"),
          "\(name): \(outcome)")
      }
    }
    #expect(try Corpus.contents(of: photo) == kept)
    #expect(try Corpus.contents(of: scan) == undated)
    // A picture that this command made is no photo.
    let outcome = try await photospots.run(
      "share", earlier, later, "--force", "-o", scan.string)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `share refuses missing, unsupported and single photos with the reason`() async throws {
    let gone = folder.path("gone.jpg").string
    #expect(try await refusal(earlier, gone, "-o", "-").contains("gone.jpg: No such file"))
    try folder.write(Array("GIF89a".utf8), to: "drawn.gif")
    #expect(
      try await refusal(earlier, folder.path("drawn.gif").string, "-o", "-")
        .contains("drawn.gif: no picture can be made of it; JPEG and RAW photos can be shared"))
    try await index()
    #expect(try await refusal("zzzz", "-o", "-").contains("there is no such spot: 'zzzz'"))
    // A spot with a single photo.
    #expect(try await refusal("c8x1", "-o", "-").contains("does not have two dated photos"))
    #expect(
      try await refusal(
        samples.appending("photos/Scans/house.jpg").string, "--with-position", "-o", "-"
      ).contains("no such spot"))
    for arguments in [
      ["a", "b", "c", "-o", "-"], ["a", "b"], ["a", "b", "--text", "x", "--no-text", "-o", "-"],
      ["a", "b", "--animated", "--with-position", "-o", "-"],
      ["a", "-o", "-", "--shape", "square"],
    ] {
      #expect(try await photospots.run(["share"] + arguments).code == 64, "\(arguments)")
    }
  }

  @Test func `a warning reports that a text with unsupported letters is not drawn`() async throws {
    let outcome = try await photospots.run(
      "share", earlier, later, "--text", "東京", "-o", folder.path("x.jpg").string)
    #expect(outcome.code == 0 && outcome.errors.contains("the text is not drawn"))
  }
}
