import ArgumentParser

/// A subcommand of the program. Each has the options that control its messages.
protocol PhotoSpotsSubcommand: ParsableCommand {
  /// The options that control messages.
  var output: OutputArguments { get }
}

/// The options of every command that control messages and colors.
struct OutputArguments: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Tell nothing but results, warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Tell more of what is done, on standard error.")
  var verbose = false

  @Option(help: ArgumentHelp("Whether text is coloured; auto is on a terminal.", valueName: "when"))
  var color = Style.Choice.auto

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose do not go together") }
  }

  /// Applies the options to the process.
  func apply() {
    StandardError.isQuiet = quiet
    StandardError.isVerbose = verbose
    Style.choose(color)
  }
}
