import ArgumentParser
import Encodings
import PhotoLibrary
import Pictures
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput

/// The command `photospots`.
struct PhotoSpotsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photospots",
    abstract: "Find the spots of your photos, and get an alert when you are near one again.",
    discussion: """
      Indexes the geotagged photos in your folders, lists the spots near a position, and follows a \
      GPS feed to alert you near a spot. Everything stays on this machine, and photos are never \
      changed.

        photospots index ~/Pictures
        photospots near 48.8584 2.2945
        gpspipe -r | photospots watch -

      'photospots help topics' lists more help: settings, feeds, time zones, exit status.
      """,
    version: "photospots \(PhotoSpotsVersion.current)",
    subcommands: [
      IndexCommand.self, ImportPositionsCommand.self, NearCommand.self, SpotsCommand.self,
      PlacesCommand.self, PairsCommand.self, ServeCommand.self, WatchCommand.self,
      FixesCommand.self,
      ReplayCommand.self, HistoryCommand.self, WhyCommand.self, DevicesCommand.self,
      PhoneCommand.self, StatusCommand.self, HomeAssistantCommand.self, MuteCommand.self,
      UnmuteCommand.self,
      RelocateCommand.self, ForgetCommand.self, ShareCommand.self, InspectCommand.self,
      ConfigCommand.self, StoreCommand.self, BenchmarkCommand.self,
    ])

  /// Runs the command named by the arguments, and exits with its exit status.
  static func run(_ arguments: [String]) {
    PictureMaker.runIfWorker(arguments)
    StandardOutput.fillClosedDescriptors()
    StandardOutput.survivesClosedPipe()
    do {
      var command = try parse(commandLine: arguments)
      (command as? any PhotoSpotsSubcommand)?.output.apply()
      KnownMount(of: Paths.state, memory: Paths.caches.appending("state-mount.json")).expect()
      try command.run()
    } catch {
      end(with: error, of: arguments)
    }
  }

  /// Exits as the argument parser would, but prints the message through our own output functions,
  /// which escape control characters: an error may contain an untrusted name or value.
  private static func end(with error: any Error, of arguments: [String]) -> Never {
    var (message, status) = (fullMessage(for: error), exitCode(for: error))
    if status == .validationFailure, let unknown = UnknownOption(in: arguments) {
      message = unknown.message(insteadOf: message)
    }
    if status == .success, arguments.contains(where: { $0.hasPrefix(CompletionScript.option) }) {
      message = CompletionScript.namesAsData(in: message)
    }
    if !message.isEmpty {
      if status == .success {
        do { try StandardOutput.write(message + "\n") } catch {
          // A closed pipe is a success without a message.
          let failure = fullMessage(for: error)
          if !failure.isEmpty { StandardError.writeLine(failure) }
          StandardOutput.endProcess(exitCode(for: error).rawValue)
        }
      } else {
        StandardError.writeLine(message)
      }
    }
    StandardOutput.endProcess(status.rawValue)
  }

  /// Returns the command named by the arguments, with its arguments validated.
  static func parse(commandLine arguments: [String]) throws -> any ParsableCommand {
    // The parser has its own command of this name, which does not support topics, and two commands
    // cannot have the same name.
    if let arguments = CommandPath.helpArguments(arguments) {
      return try HelpCommand.parseAsRoot(arguments)
    }
    try CommandPath.check(arguments)
    return try parseAsRoot(
      [["near"], ["why"], ["places", "add"], ["places", "move"]].contains {
        arguments.starts(with: $0)
      } ? withCoordinates(arguments) : arguments)
  }

  /// Allows negative numbers as coordinates: an argument that begins with a minus sign and a digit
  /// is never an option. A leading space keeps the parser from treating it as one.
  private static func withCoordinates(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      let characters = argument.utf8.prefix(2)
      let isNegative =
        characters.first == UInt8(ascii: "-")
        && characters.last.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } == true
      return isNegative && characters.count == 2 ? " " + argument : argument
    }
  }
}

/// The exit statuses other than success, failure and wrong usage, which the argument parser
/// defines.
extension ExitCode {
  /// The command succeeded, but some files could not be read.
  static let someUnreadable = ExitCode(2)
  /// There are no errors, but there are warnings.
  static let warnings = ExitCode(2)
  /// The command succeeded, but some notifications were not delivered.
  static let undelivered = ExitCode(3)
}

extension MessageError {
  /// The mapped file was truncated during a query, so the answer may be wrong.
  static let cutOff = MessageError(
    "the mapped file of the index was truncated while it was read. Run the command again.")
}
