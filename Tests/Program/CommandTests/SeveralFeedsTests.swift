import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Commands that read several feeds, and feeds other than files.
@Suite(.timeLimit(.minutes(30))) struct SeveralFeedsTests {
  private let folder = TemporaryFolder()
  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  private func line(_ second: Int, device: String? = nil) -> String {
    let name = device.map { #","device":"\#($0)""# } ?? ""
    return #"{"time":"2025-11-20T12:00:0\#(second).000Z","latitude":1,"longitude":2\#(name)}"#
      + "\n"
  }

  @Test func `recorded files are read in the given order, with their names as device names`()
    async throws
  {
    try folder.write(line(2) + line(3, device: "phone"), to: "second")
    try folder.write(line(0) + line(1), to: "first")
    let (first, second) = (folder.path("first").string, folder.path("second").string)
    let outcome = try await photospots.run("fixes", second, first)
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(
      outcome.output
        == line(2, device: second) + line(3, device: "phone") + line(0, device: first)
        + line(1, device: first))
    let alone = try await photospots.run("fixes", first)
    #expect(alone.output == line(0) + line(1))
  }

  @Test func `a file in an unknown format does not stop the others from being read`() async throws {
    try folder.write("garbage\n", to: "bad")
    try folder.write(line(0), to: "good")
    let outcome = try await photospots.run(
      "fixes", folder.path("bad").string, folder.path("good").string)
    #expect(outcome.code == 1)
    #expect(outcome.output == line(0, device: folder.path("good").string))
    #expect(outcome.errors.contains("bad: no line of the feed is in a known format"))
  }

  @Test func `live feeds are read concurrently`() async throws {
    // Neither feed ends before both have been read.
    let outcome = try await Shell.run(
      """
      cd \(folder.root); mkfifo a b
      \(PhotoSpotsProcess.program) fixes a b > out & reader=$!
      exec 3> a 4> b
      echo '\(line(0).dropLast())' >&4
      while ! grep -q '"device":"b"' out; do kill -0 $reader || exit 1; sleep 0.05; done
      echo '\(line(1).dropLast())' >&3
      while ! grep -q '"device":"a"' out; do kill -0 $reader || exit 1; sleep 0.05; done
      exec 3>&- 4>&-
      wait $reader; echo "status $?"; wc -l < out
      """)
    #expect(
      outcome.output.split(separator: "\n").map { $0.filter { $0 != " " } } == ["status0", "2"])
  }

  @Test func `recorded files and live feeds cannot be combined`() async throws {
    try folder.write(line(0), to: "file")
    let outcome = try await photospots.run(
      "fixes", folder.path("file").string, "udp://127.0.0.1:\(LoopbackListener.unusedPort())")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("is a recorded file"))
  }

  @Test(arguments: [
    (["ftp://host/walk.gpx"], "ftp:// is not a source of feeds"),
    (["udp://host"], "udp://:port"),
    (["gpsd://localhost", "--follow"], "--follow applies to files"),
    (["gpsd://localhost", "--feed-format", "nmea"], "remove --feed-format"),
    (["/dev/ttyS0?baud=123"], "the baud rate must be one of 4800"),
    (["http://127.0.0.1:1", "--feed-format", "csv"], "recognised from its content"),
    (["mqtt://jan:secret@h"], "an address must not contain a password"),
    (["a", "b", "a"], "given twice"),
    ([], "<source>"),
  ])
  func `invalid feed arguments exit with status 64`(arguments: [String], words: String) async throws
  {
    let outcome = try await photospots.run(["fixes"] + arguments)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(words) && !outcome.errors.contains("secret"))
  }

  @Test func `a lost connection is reported, and SIGTERM ends the wait for it`() async throws {
    let port = try LoopbackListener.unusedPort()
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      \(PhotoSpotsProcess.program) fixes gpsd://127.0.0.1:\(port) 2> err & reader=$!
      while ! grep -q 'trying again' err; do kill -0 $reader || exit 1; sleep 0.05; done
      kill -TERM $reader; wait $reader; echo "status $?"; cat err
      """)
    #expect(
      outcome.output.contains("status 0\nphotospots: gpsd://127.0.0.1:\(port): no connection"))
  }
}
