import ArgumentParser
import Encodings
import ProgramSettings

/// A misspelt option of a command, with the one that was probably meant.
///
/// The argument parser checks the values of the other arguments first, to which those of an option
/// that it does not know seem to belong, and suggests any name of a few letters.
struct UnknownOption {
  private let written: String
  private let advice: String

  /// Finds the first long option in arguments that their command does not have; `nil` if there is
  /// none.
  init?(in arguments: [String]) {
    let (path, command) = CommandPath.longest(of: arguments)
    guard command.configuration.subcommands.isEmpty else { return nil }
    let help = PhotoSpotsCommand.helpMessage(for: command, includeHidden: true, columns: 200)
    let known = Self.options(in: help)
    let written = arguments.dropFirst(path.count).prefix { $0 != "--" }
      .filter { $0.hasPrefix("--") && !$0.hasPrefix("---") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let unknown = written.first(where: { !known.contains($0) }) else { return nil }
    self.written = unknown
    let name = String(unknown.dropFirst(2))
    if Self.formats(in: help).contains(name) {
      advice = "Write '--format \(name)'."
    } else if let nearest = Spelling.nearest(to: name, among: known.map { String($0.dropFirst(2)) })
    {
      advice = "Did you mean '--\(nearest)'?"
    } else {
      advice = "'photospots help \(path.joined(separator: " "))' lists the options."
    }
  }

  /// Returns the parser's message with this problem instead of the one that it names.
  func message(insteadOf message: String) -> String {
    let usage = message.firstRange(of: "\nUsage:").map { message[$0.lowerBound...] } ?? ""
    return "Error: Unknown option '\(written.escaped)'. \(advice)\(usage)"
  }

  /// Returns the long options that a help text lists, at the beginnings of its lines.
  private static func options(in help: String) -> [String] {
    help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") }
    }.filter { $0.hasPrefix("--") }.map(String.init)
  }

  /// Returns the values of `--format` in a help text; none without that option.
  private static func formats(in help: String) -> [String] {
    guard let option = help.firstRange(of: "\n  --format ") else { return [] }
    let text = help[option.upperBound...]
    let end = text.firstRange(of: "\n  -")?.lowerBound ?? text.endIndex
    guard let values = text[..<end].firstRange(of: "(values: ") else { return [] }
    return text[values.upperBound..<end].prefix { !";)".contains($0) }
      .split { ", \n".contains($0) }.map(String.init)
  }
}
