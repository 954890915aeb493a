import ArgumentParser
import ProgramSettings
import TerminalOutput

/// The command `photospots help`, which also explains topics.
struct HelpCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    _superCommandName: "photospots",
    abstract: "Explain a command or a topic; 'photospots help topics' lists the topics.")

  @Argument(
    help: ArgumentHelp(
      "The command, with the names of its groups ('help places add'), or the topic.",
      valueName: "name"))
  var names: [String] = []

  @Flag(help: ArgumentHelp("Print the manual page, for man(1).", visibility: .hidden))
  var manual = false

  @Flag(help: ArgumentHelp("Print docs/settings.md.", visibility: .hidden))
  var settingsPage = false

  @OptionGroup var output: OutputArguments

  func run() throws {
    if manual { return try StandardOutput.write(Manual.text(of: PhotoSpotsCommand._dumpHelp())) }
    if settingsPage { return try StandardOutput.write(SettingsPage.text()) }
    try StandardOutput.write(try text(columns: StandardOutput.columns))
  }

  private func text(columns: Int) throws -> String {
    guard !names.isEmpty else { return PhotoSpotsCommand.helpMessage(columns: columns) + "\n" }
    if let topic = HelpTopic.all.first(where: { $0.name == names[0] }) {
      guard names.count == 1 else {
        throw ValidationError("'\(topic.name)' is a topic: write 'photospots help \(topic.name)'")
      }
      return topic.text(columns: columns)
    }
    if names == ["topics"] {
      return HelpTopic.all.map { "  \($0.name.padded(to: 12))  \($0.abstract)\n" }.joined()
        + "\nSee 'photospots help <topic>', and 'photospots help <command>' for a command.\n"
    }
    let command = try CommandPath.command(names, otherNames: HelpTopic.all.map(\.name))
    return PhotoSpotsCommand.helpMessage(for: command, columns: columns) + "\n"
  }
}
