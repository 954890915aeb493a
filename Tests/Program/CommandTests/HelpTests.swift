import ArgumentParser
import PhotoLibrary
import ProcessSupport
import ProgramSettings
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

@Suite struct HelpTests {
  let folder = TemporaryFolder()

  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  private static let commands = PhotoSpotsCommand.configuration.subcommands

  /// Returns a command's leaf commands: a command with subcommands has no action.
  private static func actions(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    let subcommands = command.configuration.subcommands
    return subcommands.isEmpty ? [command] : subcommands.flatMap(actions)
  }

  @Test func `every command has the flags for verbosity and colour`() {
    #expect(Self.commands.count > 10)
    for command in Self.commands.flatMap(Self.actions) {
      #expect(command is any PhotoSpotsSubcommand.Type, "\(command)")
      let help = PhotoSpotsCommand.helpMessage(for: command)
      for flag in ["--quiet", "--verbose", "--color"] {
        #expect(help.contains(flag), "\(command) \(flag)")
      }
    }
  }

  @Test func `offered commands have the options of the index and the state that they take`() {
    func check(_ command: any ParsableCommand.Type, _ path: [String]) {
      let subcommands = command.configuration.subcommands
      for subcommand in subcommands {
        check(subcommand, path + [subcommand.configuration.commandName ?? ""])
      }
      guard subcommands.isEmpty else { return }
      let name = path.joined(separator: " ")
      let help = PhotoSpotsCommand.helpMessage(for: command)
      let taken = OfferedCommands.Option.allCases.filter { help.contains("--\($0.rawValue) <") }
      #expect(OfferedCommands.options(of: name) == taken, "\(name)")
    }
    for command in Self.commands { check(command, [command.configuration.commandName ?? ""]) }
    let mine = OfferedCommands(index: "/my files/i.json", state: "/state")
    #expect(mine.text("inspect", "a.jpg") == "photospots inspect a.jpg --index '/my files/i.json'")
    #expect(mine.text("places list") == "photospots places list --state /state")
    let usual = mine.with(state: nil)
    #expect(usual.text("forget", "/a") == "photospots forget /a --index '/my files/i.json'")
    #expect(OfferedCommands().text("serve") == "photospots serve")
  }

  @Test(arguments: [
    ["near", "1", "2"], ["status"], ["spots"], ["forget", "/nowhere"], ["mute", "abcd"],
  ])
  func `a command that a message offers has the index that was named`(arguments: [String])
    async throws
  {
    let index = folder.path("mine.json").string
    let outcome = try await photospots.run(arguments + ["--index", index])
    let offered = "'photospots index FOLDER --index \(index)'"
    #expect((outcome.output + outcome.errors).contains(offered), "\(outcome)")
  }

  @Test func `--quiet and --verbose exclude each other`() async throws {
    #expect(try await photospots.run("config", "-q", "-v").code == 64)
  }

  @Test func `--quiet keeps results and errors, --verbose adds details`() async throws {
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
  func `colour follows --color, CLICOLOR_FORCE and NO_COLOR, and never affects JSON`(
    flags: [String], environment: [String: String], isColored: Bool
  ) async throws {
    var photospots = photospots
    _ = try await photospots.run("index", samples.appending("photos").string)
    photospots.environment = environment
    let outcome = try await photospots.run(["near", "48.86194", "2.2883"] + flags)
    #expect(outcome.output.contains("\u{1B}[0;1m") == isColored)
    // Styles change only the appearance, and are not used for programs.
    let text = outcome.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(text.hasSuffix("47xjsbmtz9sp\n"))
    let json = try await photospots.run(
      ["near", "48.86194", "2.2883", "--format", "json"] + flags)
    #expect(!json.output.contains("\u{1B}"))
  }

  @Test func `help shows the actual paths of files, with the home folder as ~`() async throws {
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

  @Test func `help, version and completion script that cannot be written fail`() async throws {
    let status = folder.path("status")
    let outcome = try await Shell.run(
      """
      for option in --help --version '--generate-completion-script bash' 'near --help'; do
        '\(PhotoSpotsProcess.program)' $option > /dev/full; echo "status $?"
      done
      ('\(PhotoSpotsProcess.program)' --help; echo "status $?" > '\(status)') | :
      cat '\(status)'
      """)
    let failures = Array(repeating: "status 1", count: 4)
    #expect(outcome.output.split(separator: "\n").map(String.init) == failures + ["status 0"])
    #expect(outcome.errors.contains("the output cannot be written"), "\(outcome.errors)")
  }

  @Test func `help explains topics and commands, and suggests a name for an unknown one`()
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
    let topic = try await photospots.run("help", "positions", "near")
    #expect(topic.code == 64 && topic.errors.contains("'positions' is a topic"))
    let nested = try await photospots.run("help", "places", "add")
    #expect(nested.code == 0)
    #expect(nested.output == (try await photospots.run("places", "add", "--help")).output)
  }

  /// Returns the path of each command, of groups too.
  private static func paths(_ command: any ParsableCommand.Type) -> [[String]] {
    let name = command._commandName
    return [[name]] + command.configuration.subcommands.flatMap(paths).map { [name] + $0 }
  }

  @Test func `help finds every command by its path, at any depth`() throws {
    let paths = Self.commands.flatMap(Self.paths)
    #expect(paths.contains(["store", "account", "remove"]) && paths.contains(["store", "owner"]))
    for path in paths {
      #expect(try CommandPath.command(path)._commandName == path.last)
      try CommandPath.check(path + ["--quiet"])
      #expect(CommandPath.helpArguments(["help"] + path) == path)
      #expect(CommandPath.helpArguments(path) == nil)
    }
    #expect(CommandPath.helpArguments(["places", "help", "add"]) == ["places", "add"])
    // The name of a place may be 'help'.
    #expect(CommandPath.helpArguments(["places", "add", "help"]) == nil)
  }

  @Test(
    arguments: [
      (["places", "ad"], "there is no command 'places ad'; did you mean 'places add'?"),
      (
        ["places", "add", "x"],
        "'places add' has no commands; 'photospots help places add' explains it"
      ),
      (
        ["places", "qqqqqq"],
        "there is no command 'places qqqqqq'; 'photospots help places' lists them"
      ),
      (["nera"], "there is no command or topic 'nera'; did you mean 'near'?"),
      (["qqqqqq"], "there is no command or topic 'qqqqqq'; 'photospots help' lists them"),
    ] as [([String], String)])
  func `help of an unknown command names the most similar one`(path: [String], message: String) {
    let error = #expect(throws: ValidationError.self) {
      try CommandPath.command(path, otherNames: HelpTopic.all.map(\.name))
    }
    #expect(error?.message == message)
  }

  @Test(
    arguments: [
      (["nera", "48", "2"], "there is no command 'nera'; did you mean 'near'?"),
      (["places", "lst"], "there is no command 'places lst'; did you mean 'places list'?"),
      (
        ["store", "account", "kye"],
        "there is no command 'store account kye'; did you mean 'store account key'?"
      ),
      (["hlep"], "there is no command 'hlep'; did you mean 'help'?"),
      (["\u{1B}[31mqqq"], "there is no command '\\x1b[31mqqq'; 'photospots help' lists them"),
    ] as [([String], String)])
  func `a mistyped command is answered with the most similar one`(
    arguments: [String], message: String
  ) throws {
    let error = #expect(throws: ValidationError.self) {
      _ = try PhotoSpotsCommand.parse(commandLine: arguments)
    }
    #expect(error?.message == message)
    #expect(PhotoSpotsCommand.exitCode(for: try #require(error)).rawValue == 64)
  }

  @Test(
    arguments: [
      (["near", "48.8", "2.3", "--raduis", "5"], "'--raduis'. Did you mean '--radius'?"),
      (["near", "--json"], "'--json'. Write '--format json'."),
      (["spots", "--geojson"], "'--geojson'. Write '--format geojson'."),
      (["places", "list", "--json"], "'--json'. Write '--format json'."),
      (["status", "--hok=x"], "'--hok'. Did you mean '--hook'?"),
      (["near", "x", "--qqqqqq"], "'--qqqqqq'. 'photospots help near' lists the options."),
    ] as [([String], String)])
  func `a mistyped option is answered with the one that was meant`(
    arguments: [String], message: String
  ) throws {
    let unknown = try #require(UnknownOption(in: arguments))
    #expect(
      unknown.message(insteadOf: "Error: 'x' is wrong\nUsage: y")
        == "Error: Unknown option \(message)\nUsage: y")
  }

  @Test(arguments: [
    ["near", "48.8", "--radius=5"], ["near", "-33.8", "151.2"], ["near", "x", "--", "--json"],
    ["index", "--json"], ["watch", "--no-webhook", "--help"], ["places", "--x"],
  ])
  func `a known option is no mistyped one`(arguments: [String]) {
    #expect(UnknownOption(in: arguments) == nil)
  }

  @Test func `the message of a mistyped option has the status of wrong usage`() async throws {
    let folder = TemporaryFolder()
    let outcome = try await PhotoSpotsProcess(home: folder.root)
      .run("near", "48.8", "2.3", "--raduis", "5")
    #expect(outcome.code == 64 && outcome.errors.contains("Did you mean '--radius'?"), "\(outcome)")
    #expect(outcome.errors.contains("Usage: photospots near"))
  }

  /// Returns the manual page as 'make install' generates it.
  private func manualPage() async throws -> (output: String, errors: String) {
    try await Shell.run(
      "env -i HOME=/home/jan PATH=/bin '\(PhotoSpotsProcess.program)' help --manual")
  }

  @Test func `the manual page has every command, option and topic`() async throws {
    let page = try await manualPage()
    #expect(page.errors.isEmpty)
    #expect(page.output.utf8.allSatisfy { $0 < 0x80 })
    for command in Self.commands {
      let name = command._commandName.replacing("-", with: "\\-")
      #expect(page.output.contains(".SS \"photospots \(name)"))
    }
    for name in ["store work", "store account", "store account remove"] {
      #expect(page.output.contains(".SS \"photospots \(name)"))
    }
    for setting in Setting.allCases { #expect(page.output.contains("\\fB\(setting.rawValue)\\fR")) }
    for option in ["radius", "sweep\\-interval", "feed\\-format", "quiet"] {
      #expect(page.output.contains("\\fB\\-\\-\(option)\\fR"))
    }
    // It contains no path of the machine that generated it.
    #expect(!page.output.contains("jan"))
    #expect(page.output.contains("\\(ti/.cache/photospots/index.json"))
  }

  @Test(.enabled(if: ChildProcess.path(of: "groff") != nil, "groff is not installed"))
  func `the manual page is valid troff`() async throws {
    let page = try await manualPage()
    try folder.write(page.output, to: "photospots.1")
    let set = try await Shell.run(
      "groff -man -Tutf8 -ww '\(folder.path("photospots.1"))'")
    #expect(set.errors.isEmpty && set.output.contains("48°51'30"))
  }

  @Test func `shell completion offers settings, albums and spot ids`() async throws {
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
    // Without an index there are no suggestions, and no errors.
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
