import ArgumentParser

/// The command `photospots help`, which also explains topics.
struct HelpCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    _superCommandName: "photospots",
    abstract: "Explain a command or a topic; 'photospots help topics' lists the topics.")

  @Argument(help: ArgumentHelp("The command or the topic.", valueName: "name"))
  var name: String?

  @Flag(help: ArgumentHelp("Print the manual page, for man(1).", visibility: .hidden))
  var manual = false

  @Flag(help: ArgumentHelp("Print docs/settings.md.", visibility: .hidden))
  var settingsPage = false

  @OptionGroup var output: OutputArguments

  private static var commands: [String: any ParsableCommand.Type] {
    PhotoSpotsCommand.configuration.subcommands.reduce(into: ["help": HelpCommand.self]) {
      $0[$1._commandName] = $1
    }
  }

  func run() throws {
    if manual { return try StandardOutput.write(Manual.text(of: PhotoSpotsCommand._dumpHelp())) }
    if settingsPage { return try StandardOutput.write(SettingsPage.text()) }
    try StandardOutput.write(try text(columns: StandardOutput.columns))
  }

  private func text(columns: Int) throws -> String {
    guard let name else { return PhotoSpotsCommand.helpMessage(columns: columns) + "\n" }
    if let topic = HelpTopic.all.first(where: { $0.name == name }) {
      return topic.text(columns: columns)
    }
    if name == "topics" {
      return HelpTopic.all.map { "  \($0.name.padded(to: 12))  \($0.abstract)\n" }.joined()
        + "\nSee 'photospots help <topic>', and 'photospots help <command>' for a command.\n"
    }
    if let command = Self.commands[name] {
      return PhotoSpotsCommand.helpMessage(for: command, columns: columns) + "\n"
    }
    let names = HelpTopic.all.map(\.name) + Self.commands.keys.sorted()
    let hint = Spelling.nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    throw ValidationError("there is no command or topic '\(name.escaped)'\(hint)")
  }
}
