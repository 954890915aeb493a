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
      (["mute", "47xj", "--state", ""], "--state"), (["history", "--state="], "--state"),
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
}
