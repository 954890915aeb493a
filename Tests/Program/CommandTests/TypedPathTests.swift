import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Paths as scripts, units and shells pass them.
@Suite struct TypedPathTests {
  private let folder = TemporaryFolder()
  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  @Test(
    arguments: [
      (["index", ""], "the name of a folder"), (["forget", ""], "the name of a folder"),
      (["relocate", "", "/new"], "the name of a folder"), (["spots", "--index", ""], "--index"),
      (["mute", "47xj", "--state", ""], "--state"),
      (["index", "/photos", "--tracks", ""], "--tracks"),
      (["inspect", ""], "the name of a photo"), (["fixes", ""], "the name of a feed"),
      (["watch", ""], "the name of a feed"), (["replay", ""], "the name of a file"),
      (["watch", "-", "--hook", ""], "--hook"), (["pairs", "--html", ""], "--html"),
      (["share", "47xj", "--output", ""], "--output"), (["spots", "--album", ""], "--album"),
      (["pairs", "--album", ""], "--album"),
    ])
  func `an empty path or name is wrong usage, not the working folder or everything`(
    arguments: [String], name: String
  ) async throws {
    _ = try await photospots.run("index", samples.appending("photos").string)
    let outcome = try await photospots.run(arguments)
    #expect(outcome.code == 64, "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("\(name) is empty"), "\(outcome.errors)")
    let listed = try await photospots.run("spots", "--limit", "1")
    #expect(listed.output.contains("6 photos"), "the index is as before")
  }

  @Test func `a path that begins with ~ is below the home folder unless there is such an entry`()
    async throws
  {
    try folder.createFolder(folder.path("work"))
    let outcome = try await Shell.run(
      """
      cd \(folder.path("work")); export HOME=\(folder.root) XDG_CACHE_HOME=\(folder.root)/cache
      photospots=\(PhotoSpotsProcess.program)
      $photospots index \(samples)/photos > /dev/null 2>&1
      $photospots mute 47xj '--state=~/kept/state' > /dev/null; ls; ls ../kept/state | grep -c json$
      $photospots mute 47xj --state './~' > /dev/null; ls
      $photospots mute xcc5 --state '~' > /dev/null; $photospots mute --state "$PWD/~" | wc -l
      """)
    #expect(outcome.output == "1\n~\n2\n", "\(outcome)")
  }

  @Test func `a folder as the index, or standard input in a replay, is wrong usage with advice`()
    async throws
  {
    for arguments in [["index", samples.string], ["near", "1", "2"], ["status"]] {
      let outcome = try await photospots.run(arguments + ["--index", folder.root.string])
      #expect(outcome.code == 64, "\(outcome)")
      #expect(outcome.errors.contains("is a folder; name a file in it"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("move this one away"))
    }
    let replay = try await photospots.run("replay", "-")
    #expect(replay.code == 64)
    #expect(replay.errors.contains("'photospots watch - --replay'"), "\(replay.errors)")
  }
}
