import ArgumentParser
import Encodings
import ProgramSettings

/// The names of commands and their subcommands as typed, such as `places add`.
enum CommandPath {
  /// Returns the command with a name among the subcommands of another; `nil` if there is none.
  private static func subcommand(
    _ name: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    if command == PhotoSpotsCommand.self, name == HelpCommand._commandName {
      return HelpCommand.self
    }
    return command.configuration.subcommands.first { $0._commandName == name }
  }

  /// Returns the names of the subcommands of a command, sorted.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    let own = command.configuration.subcommands.map { $0._commandName }
    return (command == PhotoSpotsCommand.self ? own + [HelpCommand._commandName] : own).sorted()
  }

  /// Returns the command with a path such as `places add`.
  ///
  /// - Parameters:
  ///   - path: The names from the program's own commands downwards.
  ///   - otherNames: Further names that are suggested for an unknown first name.
  /// - Returns: The command.
  /// - Throws: A `ValidationError` that names the unknown command and the most similar one.
  static func command(
    _ path: [String], otherNames: [String] = []
  ) throws -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = PhotoSpotsCommand.self
    for (depth, name) in path.enumerated() {
      guard let next = subcommand(name, of: command) else {
        let others = depth == 0 ? otherNames : []
        let what = otherNames.isEmpty || depth > 0 ? "command" : "command or topic"
        throw unknown(name, what, after: path[..<depth], among: others + names(of: command))
      }
      command = next
    }
    return command
  }

  /// Returns the arguments of `help` if arguments ask for the help of a command: `help places add`,
  /// or `places help add`; `nil` for other arguments.
  static func helpArguments(_ arguments: [String]) -> [String]? {
    var command: any ParsableCommand.Type = PhotoSpotsCommand.self
    for (depth, name) in arguments.enumerated() {
      guard !command.configuration.subcommands.isEmpty else { return nil }
      if name == HelpCommand._commandName {
        return Array(arguments[..<depth] + arguments[(depth + 1)...])
      }
      guard let next = subcommand(name, of: command) else { return nil }
      command = next
    }
    return nil
  }

  /// Returns the command that arguments name, and the names of which it consists.
  static func longest(
    of arguments: [String]
  ) -> (path: ArraySlice<String>, command: any ParsableCommand.Type) {
    var command: any ParsableCommand.Type = PhotoSpotsCommand.self
    for (depth, name) in arguments.enumerated() {
      guard let next = subcommand(name, of: command) else { return (arguments[..<depth], command) }
      command = next
    }
    return (arguments[...], command)
  }

  /// Throws a `ValidationError` with the most similar name if arguments begin with an unknown
  /// command. The argument parser would only call its name unexpected.
  static func check(_ arguments: [String]) throws {
    var command: any ParsableCommand.Type = PhotoSpotsCommand.self
    for (depth, name) in arguments.enumerated() {
      guard !command.configuration.subcommands.isEmpty, !name.hasPrefix("-") else { return }
      guard let next = subcommand(name, of: command) else {
        throw unknown(name, "command", after: arguments[..<depth], among: names(of: command))
      }
      command = next
    }
  }

  private static func unknown(
    _ name: String, _ what: String, after path: ArraySlice<String>, among names: [String]
  ) -> ValidationError {
    let path = path.joined(separator: " ")
    guard !names.isEmpty else {
      return ValidationError("'\(path)' has no commands; 'photospots help \(path)' explains it")
    }
    let prefix = path.isEmpty ? "" : path + " "
    let hint =
      Spelling.nearest(to: name, among: names).map { "; did you mean '\(prefix)\($0)'?" }
      ?? "; 'photospots help\(path.isEmpty ? "" : " " + path)' lists them"
    return ValidationError("there is no \(what) '\(prefix)\(name.escaped)'\(hint)")
  }
}
