import ArgumentParser
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import photospots

/// What README.md and Samples/README.md show can be typed as it stands there.
@Suite(.timeLimit(.minutes(30))) struct ReadmeTests {
  let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  /// What is not run, and why. What begins with `photospots` is parsed all the same.
  private static let excluded: [(prefix: String, reason: String)] = [
    ("make ", "builds or installs; the tests run inside 'make test'"),
    ("swift run ", "builds"),
    ("photospots index ~/Pictures /mnt/nas/photos --watch", "goes on until it is stopped"),
    ("PHOTOSPOTS_", "needs a server"),
    ("photospots forget immich://", "needs a library in the index"),
    ("photospots serve", "goes on until it is stopped"),
    ("photospots watch gpsd://", "waits for a gpsd"),
    ("photospots watch /dev/ttyUSB0", "needs a receiver"),
    ("photospots watch nmea+tcp://", "waits for a server on the network"),
    ("photospots watch udp://", "waits for datagrams"),
    ("photospots watch --listen", "waits for requests"),
    ("photospots watch --follow", "goes on until it is stopped"),
    ("photospots places add here of", "needs a device that was heard of"),
    ("photospots places note", "ids of places are random"),
    ("photospots places attach", "ids of places are random"),
    ("photospots places pin", "ids of places are random"),
    ("photospots places remove", "ids of places are random"),
  ]

  /// The text of a README.
  private static func text(_ name: String) throws -> String {
    String(
      decoding: try Corpus.contents(of: samples.removingLastComponent().appending(name)),
      as: UTF8.self)
  }

  /// The blocks of code of a language in a README, whole.
  private static func blocks(_ language: String, in name: String) throws -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in try text(name).split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = block {
        if line == "```" { blocks.append(lines.joined(separator: "\n")) }
        block = line == "```" ? nil : lines + [line]
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }

  /// The commands of a block: a line that begins with a space goes on with the one before.
  private static func commands(in name: String) throws -> [String] {
    try blocks("sh", in: name).flatMap { block in
      block.split(separator: "\n").reduce(into: [String]()) { commands, line in
        if line.hasPrefix(" "), let last = commands.indices.last {
          commands[last] += "\n" + line
        } else {
          commands.append(String(line))
        }
      }
    }
  }

  private static func exclusion(_ command: String) -> String? {
    excluded.first { command.hasPrefix($0.prefix) }?.reason
  }

  /// A home with the photos, tracks and programs that the examples speak of.
  private func prepareHome() throws {
    for (name, target) in [
      ("home/Pictures", "photos"), ("Samples", ""), ("walk.nmea", "walk.nmea"),
      ("tracks/a.gpx", "../Tests/CommandTests/Tracks/short.gpx"),
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
        .appending("Tests/PlaceExchangeTests/Golden/\(source)")
      try folder.write(Corpus.contents(of: golden), to: name)
    }
    try folder.write("Title,X,Y\nOak,2.2945,48.8584\n", to: "trees.csv")
    // What gpsd's client would print.
    try folder.write("#!/bin/sh\nexec cat walk.nmea\n", to: "bin/gpspipe")
    try folder.makeExecutable(folder.path("bin/gpspipe"))
    try folder.link(folder.path("bin/photospots"), to: PhotoSpotsProcess.program)
  }

  @Test(arguments: ["README.md", "Samples/README.md"])
  func `every example is run as it stands there, and does what it is for`(
    name: String
  ) async throws {
    try prepareHome()
    let commands = try Self.commands(in: name)
    #expect(commands.count > 5)
    var count = 0
    for command in commands where Self.exclusion(command) == nil {
      // The folders that no test may create.
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
      #expect(outcome.terminationStatus == .exited(0), "\(command)\n\(outcome.standardError)")
      #expect(!outcome.standardError.contains("rror:"), "\(command)\n\(outcome.standardError)")
      count += 1
    }
    #expect(count > 5)
  }

  @Test(arguments: ["README.md", "Samples/README.md"])
  func `the arguments of the examples that are not run are right too`(name: String) throws {
    for command in try Self.commands(in: name) where Self.exclusion(command) != nil {
      let words = command.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      guard words.first == "photospots" else { continue }
      do {
        _ = try PhotoSpotsCommand.parse(commandLine: Array(words.dropFirst()))
      } catch {
        Issue.record("\(command)\n\(PhotoSpotsCommand.fullMessage(for: error))")
      }
    }
  }

  @Test func `every exclusion is still needed`() throws {
    let commands = try ["README.md", "Samples/README.md"].flatMap(Self.commands)
    for (prefix, _) in Self.excluded {
      #expect(commands.contains { $0.hasPrefix(prefix) }, "\(prefix)")
    }
  }

  @Test func `every settings file is taken word for word, by all commands`() async throws {
    let photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
    let blocks = try Self.blocks("json", in: "README.md")
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
