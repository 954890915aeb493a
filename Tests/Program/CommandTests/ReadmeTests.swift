import ArgumentParser
import CLibrary
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

/// Runs the examples in README.md, Samples/README.md and the pages of docs exactly as written.
@Suite(.timeLimit(.minutes(30))) struct ReadmeTests {
  let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  /// The examples that are not run, with the reasons. Their `photospots` commands are still parsed.
  private static let excluded: [(prefix: String, reason: String)] =
    [
      ("make ", "builds or installs; the tests run inside 'make test'"),
      ("swift run ", "builds"),
      ("sudo ", "changes the system; Tests/Program/Packaging does so in bare ones"),
      ("systemctl ", "changes the system"),
      ("podman", "needs an image"),
      ("export PHOTOS=", "needs an image"),
      ("photospots index ~/Pictures /mnt/nas/photos --watch", "goes on until it is stopped"),
      ("photospots index --tracks trail", "needs a recorded trail"),
      ("photospots index --tracks anna", "needs recorded tracks"),
      ("PHOTOSPOTS_", "needs a server"),
      ("photospots forget immich://", "needs a library in the index"),
      ("photospots relocate", "needs a library that was moved"),
      ("photospots serve", "goes on until it is stopped"),
      ("photospots watch gpsd://", "waits for a gpsd"),
      ("photospots watch /dev/ttyUSB0", "needs a receiver"),
      ("photospots watch nmea+tcp://", "waits for a server on the network"),
      ("photospots watch udp://", "waits for datagrams"),
      ("photospots watch --listen", "waits for requests"),
      ("photospots watch --follow", "goes on until it is stopped"),
      ("photospots places add here of", "needs a device that sent a position"),
      ("photospots places note", "ids of places are random"),
      ("photospots places attach", "ids of places are random"),
      ("photospots places pin", "ids of places are random"),
      ("photospots places remove", "ids of places are random"),
    ] + (access("/usr/bin/jq", X_OK) == 0 ? [] : [("jq ", "jq is not installed")])

  /// The documents with examples: the READMEs, and all files of `docs`.
  private static let documents: [String] = {
    let package = samples.removingLastComponent()
    let docs = package.appending("docs")
    let names = Corpus.paths(under: docs)
      .filter { $0.extension == "md" && $0.removingLastComponent() == docs }
      .compactMap { $0.lastComponent.map { "docs/\($0.string)" } }
    return ["README.md", "Samples/README.md"] + names.sorted()
  }()

  /// A command, with its expected output if the document shows it.
  private struct Example {
    var command: String
    var output: String?
  }

  /// The blocks of code of a document, with their languages.
  private static func blocks(in name: String) throws -> [(language: String, lines: [String])] {
    let path = samples.removingLastComponent().appending(name)
    var blocks: [(language: String, lines: [String])] = []
    var isBlock = false
    for line in String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("```") {
        isBlock.toggle()
        if isBlock { blocks.append((String(line.dropFirst(3)), [])) }
      } else if isBlock {
        blocks[blocks.count - 1].lines.append(String(line))
      }
    }
    return blocks
  }

  /// Returns the commands of a document. In a `sh` block a line that begins with a space continues
  /// the previous one; in a `console` block a command follows a dollar sign, and its output follows
  /// the command.
  private static func examples(in name: String) throws -> [Example] {
    try blocks(in: name).flatMap { language, lines in
      lines.reduce(into: [Example]()) { examples, line in
        switch language {
        case "sh" where line.hasPrefix(" ") && !examples.isEmpty:
          examples[examples.count - 1].command += "\n" + line
        case "sh" where !line.isEmpty: examples.append(Example(command: line))
        case "console" where line.hasPrefix("$ "):
          examples.append(Example(command: String(line.dropFirst(2)), output: ""))
        case "console" where !examples.isEmpty:
          examples[examples.count - 1].output? += line + "\n"
        default: break
        }
      }
    }
  }

  private static func exclusion(_ command: String) -> String? {
    excluded.first { command.hasPrefix($0.prefix) }?.reason
  }

  /// Prepares a home folder with the photos, tracks and programs that the examples use.
  private func prepareHome() throws {
    for (name, target) in [
      ("home/Pictures", "photos"), ("Samples", ""), ("walk.nmea", "walk.nmea"),
      ("tracks/a.gpx", "../Tests/Program/CommandTests/Tracks/short.gpx"),
      ("IMG_0412.jpg", "photos/2016 Paris/IMG_0412.jpg"),
      ("1994.jpg", "photos/2016 Paris/IMG_0412.jpg"),
      ("2024.jpg", "photos/2024 Paris/IMG_4471.jpg"),
    ] {
      try folder.createFolder(folder.path(name).removingLastComponent())
      try folder.link(folder.path(name), to: samples.appending(target).lexicallyNormalized())
    }
    try folder.createFolder(folder.path("nas"))
    try folder.write(
      folder.contents(of: samples.appending("photos/2019 Paris/IMG_2107.jpg")), to: "nas/a.jpg")
    for (name, source) in [
      ("waypoints.gpx", "garmin.gpx"), ("Saved Places.json", "Saved Places.json"),
    ] {
      let golden = samples.removingLastComponent()
        .appending("Tests/Geography/GeoDocumentsTests/Golden/\(source)")
      try folder.write(Corpus.contents(of: golden), to: name)
    }
    try folder.write("Title,X,Y\nOak,2.2945,48.8584\n", to: "trees.csv")
    try TestDatabase.make(
      folder.path("digikam4.db"),
      PhotoManagerDatabases.digiKam([(name: "a.jpg", latitude: "1", size: "NULL", time: "NULL")]))
    try folder.write(
      #"[{"uuid": "1", "original_filename": "a.jpg", "latitude": 1, "longitude": 2}]"#,
      to: "photos.json")
    // The output of gpsd's client.
    try folder.write("#!/bin/sh\nexec cat walk.nmea\n", to: "bin/gpspipe")
    try folder.makeExecutable(folder.path("bin/gpspipe"))
    try folder.link(folder.path("bin/photospots"), to: PhotoSpotsProcess.program)
  }

  /// Runs a command in the prepared home.
  private func run(_ command: String) async throws -> (code: Int32, output: String, errors: String)
  {
    // Paths that a test cannot create are replaced.
    let line = ["/mnt/nas/photos", "/mnt/old-disk"].reduce(command) { line, place in
      line.replacing(place, with: folder.path("nas").string)
    }
    let outcome = try await Subprocess.run(
      .path("/bin/sh"), arguments: ["-c", line + "\n"],
      environment: .custom([
        "HOME": folder.path("home").string, "TZ": "UTC",
        "PATH": folder.path("bin").string + ":/usr/bin:/bin",
      ]), workingDirectory: folder.root, output: .string(limit: 1 << 22),
      error: .string(limit: 1 << 20))
    let code: Int32 = if case .exited(let code) = outcome.terminationStatus { code } else { -1 }
    return (code, outcome.standardOutput, outcome.standardError)
  }

  @Test(arguments: documents)
  func `every example in the documents runs and prints the output shown`(
    name: String
  ) async throws {
    try prepareHome()
    // Readers of the pages of docs have created the index as in the README.
    if name.hasPrefix("docs/") { _ = try await run("photospots index ~/Pictures") }
    for example in try Self.examples(in: name) where Self.exclusion(example.command) == nil {
      let outcome = try await run(example.command)
      #expect(outcome.code == 0, "\(name): \(example.command)\n\(outcome.errors)")
      #expect(!outcome.errors.contains("rror:"), "\(example.command)\n\(outcome.errors)")
      guard let output = example.output else { continue }
      let shown = outcome.output
        .replacing(folder.path("home").string, with: "/home/me")
        .replacing(folder.root.string, with: "/home/me/photospots")
        .replacing(/scanned in [0-9.]+ s/, with: "scanned in 0.1 s")
      #expect(shown == output, "\(name): \(example.command)")
    }
  }

  @Test func `the READMEs have a minimum number of examples`() throws {
    #expect(Self.documents.count > 10)
    for name in ["README.md", "Samples/README.md"] {
      let examples = try Self.examples(in: name)
      #expect(examples.count { Self.exclusion($0.command) == nil } > 5)
    }
    #expect(try Self.examples(in: "README.md").count { $0.output != nil } >= 5)
  }

  @Test(arguments: documents)
  func `the arguments of examples that are not run can be parsed`(name: String) throws {
    for example in try Self.examples(in: name) where Self.exclusion(example.command) != nil {
      let words = example.command.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      guard words.first == "photospots" else { continue }
      do {
        _ = try PhotoSpotsCommand.parse(commandLine: Array(words.dropFirst()))
      } catch {
        Issue.record("\(example.command)\n\(PhotoSpotsCommand.fullMessage(for: error))")
      }
    }
  }

  @Test func `every exclusion matches an example`() throws {
    let commands = try Self.documents.flatMap(Self.examples).map(\.command)
    for (prefix, _) in Self.excluded {
      #expect(commands.contains { $0.hasPrefix(prefix) }, "\(prefix)")
    }
  }

  @Test func `every settings file in the documents is valid`() async throws {
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    let blocks = try Self.documents.flatMap(Self.blocks).filter { $0.language == "json" }
      .map { $0.lines.joined(separator: "\n") }
    #expect(blocks.count >= 5)
    for block in blocks {
      try folder.write(block, to: "xdg_config_home/photospots/config.json")
      let config = try await photospots.run("config")
      #expect(config.code == 0, "\(block)\n\(config.errors)")
      #expect(config.output.contains("(config.json)"))
      let near = try await photospots.run("near", "48.86194", "2.2883")
      #expect(near.code == 0 && near.errors.isEmpty, "\(block)\n\(near.errors)")
    }
  }
}
