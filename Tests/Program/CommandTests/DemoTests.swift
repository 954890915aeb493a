import CLibrary
import ProcessSupport
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The first experience of new users.
@Suite(.timeLimit(.minutes(30))) struct DemoTests {
  private let folder = TemporaryFolder()

  @Test func `the demo fits on one screen and ends with commands that work`() async throws {
    let outcome = try await Shell.run(
      "cd '\(samples.removingLastComponent())' && sh Samples/demo.sh",
      environment: [
        "photospots": PhotoSpotsProcess.program.string, "folder": folder.root.string,
        "HOME": folder.path("home").string,
      ])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 24)
    // The program's path is longer in a coverage build.
    let shown = lines.map { $0.replacing(#/\S+/photospots\s/#, with: ".build/debug/photospots ") }
    #expect(shown.allSatisfy { $0.count <= 80 })
    #expect(
      lines.first
        == "34 photos found in Samples/photos: 30 have a position, at 23 places.")
    // The walk, by its clock, with the photo of each alert.
    let events = lines.filter { $0.wholeMatch(of: #/ {2}\d\d:\d\d {2}.*/#) != nil }
    #expect(events.map { $0.prefix(7) } == ["  08:30", "  08:35", "  08:46", "  08:54"])
    let photos = lines.filter { $0.hasSuffix(".jpg") }.map {
      samples.removingLastComponent().appending(String($0.drop { $0 == " " }))
    }
    #expect(photos.count == 2)
    #expect(photos.allSatisfy { access($0.string, R_OK) == 0 })
    // Three commands, each with the path of a program that is there.
    let commands = lines.compactMap {
      $0.firstMatch(of: #/^ {2}(\S*photospots) (index|spots|watch) /#)?.output
    }
    #expect(commands.map { String($0.2) } == ["index", "spots", "watch"])
    for command in commands {
      let program = samples.removingLastComponent().pushing(FilePath(String(command.1)))
      #expect(access(program.string, X_OK) == 0, "\(program)")
    }
  }
}
