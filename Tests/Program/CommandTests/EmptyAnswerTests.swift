import ProgramSettings
import SystemPackage
import TestSupport
import Testing

@testable import TerminalOutput

/// An empty result is explained on standard error.
@Suite struct EmptyAnswerTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
  }

  private func index(_ path: FilePath = samples.appending("photos")) async throws {
    _ = try await photospots.run("index", path.string)
  }

  @Test(arguments: ["text", "json", "geojson", "gpx", "kml", "csv"])
  func `commands explain an empty index on standard error in every format`(format: String)
    async throws
  {
    try folder.createFolder(folder.path("empty"))
    try await index(folder.path("empty"))
    for arguments in [["near", "1", "2"], ["spots"]] {
      let outcome = try await photospots.run(arguments + ["--format", format])
      #expect(outcome.code == 0)
      #expect(outcome.errors == "photospots: the index holds no photo with a position\n")
    }
  }

  @Test(arguments: ["text", "json", "csv"])
  func `near without a result names the nearest spot in every format`(format: String) async throws {
    try await index()
    let outcome = try await photospots.run("near", "48.87", "2.29", "--format", format)
    #expect(outcome.errors.contains("no spot within 100 m; the nearest is "))
  }

  @Test func `--album matches the beginning of a name, ignoring case`() async throws {
    try await index()
    for (name, count) in [
      ("2016 Paris", 2), ("2016 PARIS", 2), ("2016 p", 2), ("2016", 2), ("scans", 1), ("2023 s", 3),
    ] {
      let outcome = try await photospots.run("spots", "--album", name)
      #expect(outcome.output.split(separator: "\n").count == count, "\(name)")
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test func `a complete album name does not match longer names`() {
    let albums = ["Paris", "Paris 2019", "PARIS", "Rome"].map { Array($0.utf8) }
    func names(_ text: String) -> Set<String> {
      Set(AlbumName.matches(text, among: albums).map { String(decoding: $0, as: UTF8.self) })
    }
    #expect(names("paris") == ["Paris", "PARIS"])
    #expect(names("par") == ["Paris", "PARIS", "Paris 2019"])
    #expect(names("aris").isEmpty)
    // The same name, composed and decomposed.
    #expect(AlbumName.matches("e\u{301}t", among: [Array("Été".utf8)]).count == 1)
  }

  @Test func `an unknown album is reported with the most similar name`() async throws {
    try await index()
    for command in [["spots"], ["near", "48.86194", "2.2883"]] {
      let outcome = try await photospots.run(command + ["--album", "2016 Pariss"])
      #expect(outcome.code == 0 && outcome.output.isEmpty)
      #expect(
        outcome.errors
          == "photospots: no album has a name that begins with '2016 Pariss'; did you mean '2016 Paris'?\n"
      )
    }
    let other = try await photospots.run("spots", "--album", "qqqqqqqq")
    #expect(other.errors == "photospots: no album has a name that begins with 'qqqqqqqq'\n")
  }

  @Test func `results without a spot, fix or alert are explained`() async throws {
    try await index()
    let old = try await photospots.run("spots", "--min-age", "100y")
    #expect(old.errors == "photospots: no spot matches\n")
    try folder.write(#"{"_type":"lwt","tst":1}"# + "\n", to: "feed")
    try folder.write("", to: "empty")
    for command in ["fixes", "watch", "replay"] {
      for name in ["feed", "empty"] {
        let outcome = try await photospots.run(command, folder.path(name).string)
        #expect(outcome.code == 0)
        #expect(outcome.errors == "photospots: the feed contains no position\n")
      }
    }
    let piped = try await photospots.run("watch", "-")
    #expect(piped.code == 0 && piped.errors == "photospots: the feed contains no position\n")
    try folder.write(#"{"latitude":1,"longitude":2,"altitude":3}"# + "\n", to: "undated")
    let undated = try await photospots.run("replay", folder.path("undated").string)
    #expect(undated.errors.contains("1 position has no date; it is skipped"))
    #expect(!undated.errors.contains("no position"))
    #expect(try await photospots.run("history").errors.contains("no alert is recorded"))
  }

  @Test(
    arguments: [
      ("6m", false), ("6M", false), ("1y6m", false), ("30", false), ("1 month", false),
      ("0", true), ("30min", true), ("1y 6w", true), ("2 years", true), ("180d", true),
    ])
  func `an age whose unit may be minutes or months, or is missing, is refused`(
    text: String, isAge: Bool
  ) async throws {
    try await index()
    for option in ["--min-age", "--not-recreated-since"] {
      let outcome = try await photospots.run("spots", option, text)
      #expect(outcome.code == (isAge ? 0 : 64), "\(outcome)")
      #expect(isAge || outcome.errors.contains(option), "\(outcome.errors)")
      #expect(isAge || outcome.errors.contains("write an age as 30d"), "\(outcome.errors)")
    }
  }

  @Test(
    arguments: [
      ("colldown", "cooldown"), ("radius", "proximityRadius"), ("QUIETHOUR", "quietHours"),
      ("xyzzy", nil), ("", nil), ("dwel", "dwell"), ("cooldwon", "cooldown"),
    ] as [(String, String?)])
  func `the most similar setting name is found, or none if none is similar`(
    text: String, name: String?
  ) {
    #expect(Spelling.nearest(to: text, among: Setting.allCases.map(\.rawValue)) == name)
  }
}
