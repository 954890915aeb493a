import ArgumentParser
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

@Suite struct HelpTests {
  let folder = TemporaryFolder()

  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  private static let commands = PhotoSpotsCommand.configuration.subcommands

  @Test func `every command has the flags about what is told`() {
    #expect(Self.commands.count > 10)
    // A command with subcommands does nothing itself.
    let all = Self.commands.flatMap { command in
      command.configuration.subcommands.isEmpty ? [command] : command.configuration.subcommands
    }
    for command in all {
      #expect(command is any PhotoSpotsSubcommand.Type, "\(command)")
      let help = PhotoSpotsCommand.helpMessage(for: command)
      for flag in ["--quiet", "--verbose", "--color"] {
        #expect(help.contains(flag), "\(command) \(flag)")
      }
    }
  }

  @Test func `quiet and verbose exclude each other`() async throws {
    #expect(try await photospots.run("config", "-q", "-v").code == 64)
  }

  @Test func `quiet leaves results and errors, verbose says what is done`() async throws {
    let photos = samples.appending("photos").string
    let index = try await photospots.run("index", photos, "--quiet")
    #expect(index.code == 0 && index.output.isEmpty && index.errors.isEmpty)
    let near = try await photospots.run("near", "1", "2", "--quiet")
    #expect(near.code == 0 && near.errors.isEmpty)
    let found = try await photospots.run("near", "48.86194", "2.2883", "-q")
    #expect(found.output.contains("6 photos"))
    let failed = try await photospots.run("index", folder.path("none").string, "-q")
    #expect(failed.code == 1 && failed.errors.contains("there is no folder"))
    let verbose = try await photospots.run("near", "48.86194", "2.2883", "-v")
    #expect(verbose.errors.contains("holds 34 files and 30 located photos"))
  }

  @Test(
    arguments: [
      ([], [:], false), (["--color", "always"], [:], true),
      ([], ["CLICOLOR_FORCE": "1"], true), ([], ["CLICOLOR_FORCE": "0"], false),
      ([], ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
      (["--color", "always"], ["NO_COLOR": "1"], true),
      (["--color", "never"], ["CLICOLOR_FORCE": "1"], false),
    ] as [([String], [String: String], Bool)])
  func `colour is used where it is asked for`(
    flags: [String], environment: [String: String], isColored: Bool
  ) async throws {
    var photospots = photospots
    _ = try await photospots.run("index", samples.appending("photos").string)
    photospots.environment = environment
    let outcome = try await photospots.run(["near", "48.86194", "2.2883"] + flags)
    #expect(outcome.output.contains("\u{1B}[0;1m") == isColored)
    // Codes change nothing but the looks, and programs get none.
    let text = outcome.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(text.hasSuffix("47xjsbmtz9sp\n"))
    let json = try await photospots.run(
      ["near", "48.86194", "2.2883", "--format", "json"] + flags)
    #expect(!json.output.contains("\u{1B}"))
  }

  @Test func `help shows where files really lie`() async throws {
    let standard = try await Shell.run(
      "env -i HOME=/home/jan PATH=/bin '\(PhotoSpotsProcess.program)' near --help")
    #expect(standard.output.contains("~/.cache/photospots/index.json"))
    let other = try await Shell.run(
      """
      env -i HOME=/home/jan PATH=/bin XDG_CACHE_HOME=/var/cache/jan XDG_STATE_HOME=/home/jan/s \
      '\(PhotoSpotsProcess.program)' watch --help
      """)
    #expect(other.output.contains("/var/cache/jan/photospots/index.json"))
    #expect(other.output.contains("~/s/photospots"))
  }

  @Test func `help explains topics and commands, and names the nearest of what it does not know`()
    async throws
  {
    let topics = try await photospots.run("help", "topics")
    for topic in HelpTopic.all {
      #expect(topics.output.contains("  \(topic.name) "))
      #expect(try await photospots.run("help", topic.name).output.count > 100)
    }
    let settings = try await photospots.run("help", "settings").output
    for setting in Setting.allCases { #expect(settings.contains("  \(setting.rawValue)")) }
    let near = try await photospots.run("help", "near")
    #expect(near.output == (try await photospots.run("near", "--help")).output)
    #expect(try await photospots.run("help").output == photospots.run("--help").output)
    let unknown = try await photospots.run("help", "setings")
    #expect(unknown.code == 64 && unknown.errors.contains("did you mean 'settings'?"))
  }

  @Test func `the manual page has every command, option and topic, and troff takes it`()
    async throws
  {
    // As 'make install' makes it.
    let page = try await Shell.run(
      "env -i HOME=/home/jan PATH=/bin '\(PhotoSpotsProcess.program)' help --manual")
    #expect(page.errors.isEmpty)
    #expect(page.output.utf8.allSatisfy { $0 < 0x80 })
    for command in Self.commands {
      let name = command._commandName.replacing("-", with: "\\-")
      #expect(page.output.contains(".SS \"photospots \(name)"))
    }
    for setting in Setting.allCases { #expect(page.output.contains("\\fB\(setting.rawValue)\\fR")) }
    for option in ["radius", "sweep\\-interval", "feed\\-format", "quiet"] {
      #expect(page.output.contains("\\fB\\-\\-\(option)\\fR"))
    }
    // No path of the machine that made it.
    #expect(!page.output.contains("jan"))
    #expect(page.output.contains("\\(ti/.cache/photospots/index.json"))
    guard ChildProcess.path(of: "groff") != nil else { return }
    try folder.write(page.output, to: "photospots.1")
    let set = try await Shell.run(
      "groff -man -Tutf8 -ww '\(folder.path("photospots.1"))'")
    #expect(set.errors.isEmpty && set.output.contains("48°51'30"))
  }

  @Test func `the shell is offered settings, albums and the ids of spots`() async throws {
    _ = try await photospots.run("index", samples.appending("photos").string)
    func offers(_ words: String...) async throws -> [Substring] {
      try await photospots.run(["---completion"] + words).output.split(separator: "\n")
    }
    let settings = try await offers("near", "--", "--set", "0", "0", "")
    #expect(settings.contains("dwell=") && !settings.contains("webhookSecret="))
    let albums = try await offers("spots", "--", "--album", "0", "0", "")
    #expect(albums.contains("2016 Paris") && albums.contains("Scans"))
    let spots = try await offers("mute", "--", "positional@0", "0", "0", "")
    #expect(spots.contains("47xjsbmtz9sp") && spots.count == 23)
    #expect(try await offers("unmute", "--", "positional@0", "0", "0", "").isEmpty)
    _ = try await photospots.run("mute", "47xjsbmtz9sp")
    #expect(
      try await offers("unmute", "--", "positional@0", "0", "0", "") == ["47xjsbmtz9sp"])
    // Without an index there is nothing to offer, and nothing to complain of.
    let none = try await photospots.run(
      "---completion", "spots", "--", "--album", "0", "0", "--index", "/nowhere")
    #expect(none.output.isEmpty && none.errors.isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a completion script has each command once`(shell: String) async throws {
    let script = try await photospots.run("--generate-completion-script", shell)
    #expect(script.code == 0)
    #expect(!script.output.contains("help help"))
    let lines = script.output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("_photospots_help()") } <= 1)
  }
}
