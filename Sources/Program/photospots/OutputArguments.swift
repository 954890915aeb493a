import ArgumentParser
import TerminalOutput

/// A subcommand of the program. Each has the options that control its messages.
protocol PhotoSpotsSubcommand: ParsableCommand {
  /// The options that control messages.
  var output: OutputArguments { get }
}

/// The options of every command that control messages and colors.
struct OutputArguments: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only results, warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more messages on standard error.")
  var verbose = false

  @Option(
    help: ArgumentHelp("The colouring of text; auto colours it on a terminal.", valueName: "when"))
  var color = Style.Choice.auto

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be used together") }
  }

  /// Applies the options to the process.
  func apply() {
    StandardError.isQuiet = quiet
    StandardError.isVerbose = verbose
    Style.choose(color)
  }
}
