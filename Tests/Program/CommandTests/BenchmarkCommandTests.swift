import CLibrary
import Encodings
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct BenchmarkCommandTests {
  let folder = TemporaryFolder()
  let photos = samples.appending("photos").string
  /// The program with a separate folder for temporary files.
  let photospots: PhotoSpotsProcess

  init() throws {
    try folder.createFolder(folder.path("scratch"))
    photospots = PhotoSpotsProcess(
      home: folder.root, environment: ["TMPDIR": folder.path("scratch").string])
  }

  /// Whether no temporary files are left.
  private var isScratchEmpty: Bool { folder.path("scratch").withPlatformString { rmdir($0) } == 0 }

  /// Returns the numbers of a JSON object. The keys of nested objects are joined by a dot.
  private func numbers(_ text: String) throws -> [String: Double] {
    var reader = JSONReader(Array(text.utf8))
    var numbers: [String: Double] = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch try reader.peek() {
      case .number: numbers[key] = try reader.double()
      case .object:
        try reader.beginObject()
        while let inner = try reader.nextKey() { numbers["\(key).\(inner)"] = try reader.double() }
      default: try reader.skipValue()
      }
    }
    return numbers
  }

  @Test func `benchmark measures a folder and leaves neither an index nor temporary files`()
    async throws
  {
    let text = try await photospots.run("benchmark", photos)
    #expect(text.code == 0, "\(text.errors)")
    #expect(text.output.contains("34 files, 30 with a position, 23 spots"))
    #expect(text.output.contains("× the disk alone"))
    #expect(text.output.contains("spots within 100 m"))
    #expect(!folder.exists(folder.path("xdg_cache_home")))
    #expect(isScratchEmpty)
  }

  @Test func `benchmark prints its figures as JSON`() async throws {
    let json = try await photospots.run(
      "benchmark", photos, "--format", "json", "--jobs", "3", "--set", "proximityRadius=1km")
    let numbers = try numbers(json.output)
    #expect(numbers["files"] == 34)
    #expect(numbers["photos"] == 30)
    #expect(numbers["jobs"] == 3)
    for name in ["firstRead", "read", "index"] {
      #expect(try #require(numbers["\(name).seconds"]) > 0)
      #expect(try #require(numbers["\(name).filesPerSecond"]) > 0)
    }
    #expect(try #require(numbers["loadSeconds"]) > 0)
    #expect(json.output.contains(#""radiusMeters": 1000"#))
    #expect(json.output.contains(#""nearest": 10"#))
  }

  @Test func `without arguments benchmark measures the indexed folders, keeping the index`()
    async throws
  {
    let without = try await photospots.run("benchmark")
    #expect(without.code == 1)
    #expect(without.errors.contains("photospots index FOLDER"))
    _ = try await photospots.run("index", samples.appending("photos/2016 Paris").string)
    let index = folder.root.appending("xdg_cache_home/photospots/index.json")
    let before = try folder.contents(of: index)
    let outcome = try await photospots.run("benchmark")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("3 files, 2 with a position, "))
    #expect(try folder.contents(of: index) == before)
  }

  @Test func `benchmark of a missing or empty folder fails with the reason`() async throws {
    let missing = try await photospots.run("benchmark", folder.path("nowhere").string)
    #expect(missing.code == 1)
    #expect(missing.errors.contains("there is no folder"))
    try folder.createFolder(folder.path("empty"))
    let empty = try await photospots.run("benchmark", folder.path("empty").string)
    #expect(empty.code == 1)
    #expect(empty.errors.contains("there are no photos under"))
    #expect(try await photospots.run("benchmark", photos, "--jobs", "0").code == 64)
    #expect(isScratchEmpty)
  }

  @Test func `benchmark of photos without positions indexes them and skips queries`() async throws {
    let scan = samples.appending("photos/Scans/house.jpg")
    try folder.write(folder.contents(of: scan), to: "photos/house.jpg")
    let outcome = try await photospots.run("benchmark", folder.path("photos").string)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("No photo has a position"))
  }

  @Test func `benchmark reports an unreadable folder with exit status 2`() async throws {
    let photo = try folder.contents(of: samples.appending("photos/2016 Paris/IMG_0412.jpg"))
    try folder.write(photo, to: "photos/IMG_0412.jpg")
    // The path is too long to open; missing permissions would not stop tests run as root.
    let long = (0..<12).map { _ in String(repeating: "x", count: 200) }.joined(separator: "/")
    let (deep, inner) = (folder.path("photos").appending(long), folder.path("inner"))
    try folder.createFolder(deep)
    try folder.write(photo, to: inner.appending(long).appending("IMG_0412.jpg"))
    try folder.move(inner, to: deep.appending("inner"))
    let outcome = try await photospots.run("benchmark", folder.path("photos").string)
    try folder.move(deep.appending("inner"), to: inner)
    #expect(outcome.code == 2)
    #expect(outcome.output.hasPrefix("1 file, 1 with a position, 1 spot;"))
    #expect(outcome.errors.contains("1 file or folder could not be read"))
  }

  @Test func `Ctrl-C ends benchmark and removes its temporary folder`() async throws {
    // Enough files for several seconds of work.
    try folder.createFolder(folder.path("photos"))
    let photo = samples.appending("photos/2016 Paris/IMG_0412.jpg")
    try folder.write(folder.contents(of: photo), to: "IMG_0412.jpg")
    for number in 0..<5000 {
      let link = folder.path("photos/\(number).jpg")
      let result = folder.path("IMG_0412.jpg").withPlatformString { photo in
        link.withPlatformString { Glibc.link(photo, $0) }
      }
      #expect(result == 0)
    }
    let outcome = try await Shell.run(
      """
      cd \(folder.root); export TMPDIR=$PWD/scratch
      \(PhotoSpotsProcess.program) benchmark photos > out 2> err & pid=$!
      while kill -0 $pid && ! ls scratch/photospots-* > /dev/null 2>&1; do sleep 0.05; done
      kill -INT $pid; wait $pid; echo "status $?"; cat out err
      """)
    #expect(outcome.output.hasPrefix("status 1\n"), "\(outcome)")
    #expect(outcome.output.contains("the benchmark was interrupted"))
    #expect(isScratchEmpty)
  }
}
