import ArgumentParser

/// A command of the program: each takes the flags that say how much is told.
protocol PhotoSpotsSubcommand: ParsableCommand {
  /// Those flags.
  var output: OutputArguments { get }
}

/// The flags of every command about what is told, and how.
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

  /// Puts them in force for the process.
  func apply() {
    StandardError.isQuiet = quiet
    StandardError.isVerbose = verbose
    Style.choose(color)
  }
}
