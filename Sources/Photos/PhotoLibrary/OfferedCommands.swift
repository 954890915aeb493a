package import SystemPackage

/// The commands that messages offer, with the options that lead them to the same index and state.
///
/// A message writes every command through this type, so that a copied command works where the user
/// named an index or a state folder of their own.
package struct OfferedCommands: Sendable {
  /// An option that names files other than the usual ones.
  package enum Option: String, CaseIterable, Sendable {
    case index, state
  }

  private let index: FilePath?
  private let state: FilePath?

  /// Creates the commands for an index and a state folder.
  ///
  /// - Parameters:
  ///   - index: The index file that the user named; `nil` for the usual one.
  ///   - state: The state folder that the user named; `nil` for the usual one.
  package init(index: FilePath? = nil, state: FilePath? = nil) {
    (self.index, self.state) = (index, state)
  }

  /// Returns the same commands for a state folder that the user named; `nil` for the usual one.
  package func with(state: FilePath?) -> OfferedCommands {
    OfferedCommands(index: index, state: state)
  }

  /// Returns a command to be typed into a shell.
  ///
  /// - Parameters:
  ///   - command: The command's name, such as `index` or `places list`.
  ///   - arguments: Its arguments, quoted for the shell.
  /// - Returns: The command with its arguments and options.
  package func text(_ command: String, _ arguments: String...) -> String {
    let options = Self.options(of: command).compactMap { option in
      (option == .index ? index : state).map { "--\(option.rawValue) \($0.quoted)" }
    }
    return (["photospots \(command)"] + arguments + options).joined(separator: " ")
  }

  /// Returns the options of a command that are among ``Option``.
  ///
  /// - Parameter command: The command's name. That of a group, such as `places`, stands for all of
  ///   its commands.
  /// - Returns: The options, in the order of ``Option``.
  package static func options(of command: String) -> [Option] {
    let group = String(command.prefix { $0 != " " })
    return Option.allCases.filter { option in
      (option == .index ? ofIndex : ofState).contains { $0 == command || $0 == group }
    }
  }

  private static let ofIndex: Set<String> = [
    "benchmark", "forget", "history", "import-positions", "index", "inspect", "mute", "near",
    "pairs", "places add", "places pin", "relocate", "replay", "serve", "share", "spots",
    "status", "watch", "why",
  ]

  private static let ofState: Set<String> = [
    "devices", "forget", "history", "index", "mute", "near", "phone", "places", "relocate",
    "replay", "serve", "spots", "status", "unmute", "watch", "why",
  ]
}
