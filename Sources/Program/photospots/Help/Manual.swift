import Encodings
import PhotoLibrary
import TerminalOutput

/// The manual page, generated from the argument parser's description of the commands and from the
/// help topics.
///
/// It uses the macros of man(7), which every man(1) supports.
enum Manual {
  /// The options common to all commands, which are explained once.
  private static let common: Set = ["quiet", "verbose", "color", "help", "version"]

  /// Generates the page.
  ///
  /// - Parameter dump: The commands as JSON, as the argument parser writes it with
  ///   `--experimental-dump-help`.
  /// - Returns: The page.
  /// - Throws: A `JSONError` if the description of the commands is invalid.
  static func text(of dump: String) throws -> String {
    let dump = try JSONObject(document: Array(dump.utf8))
    guard let command = try dump.object("command") else { throw dump.error("there is no command") }
    let root = try CommandHelp(command)
    var page = ".TH PHOTOSPOTS 1 \"\" \"photospots \(PhotoSpotsVersion.current)\"\n"
    page += ".SH NAME\nphotospots \\- \(escaped(root.abstract))\n"
    page += ".SH SYNOPSIS\n.B photospots\n.I command\n[\n.I options\n]\n"
    page += ".SH DESCRIPTION\n" + paragraphs(root.discussion)
    page += ".SH OPTIONS\nThese go with every command.\n"
    let all = root.subcommands.first?.arguments ?? []
    page += (all + root.arguments).uniqued().filter { common.contains($0.key) }.map(entry).joined()
    page += ".SH COMMANDS\n"
    var isKnown: Set<String> = []
    for command in root.subcommands where isKnown.insert(command.name).inserted {
      page += sections(command)
    }
    for topic in HelpTopic.all {
      page += ".SH \(topic.name.uppercased().replacing("-", with: " "))\n"
      page += topic.blocks.map(text).joined(separator: ".PP\n")
    }
    return page
  }

  /// Returns the sections of a command and of its subcommands.
  private static func sections(_ command: CommandHelp, of group: String? = nil) -> String {
    let name = (group.map { $0 + " " } ?? "") + command.name
    let subcommands = command.subcommands.filter { $0.name != "help" }
    return section(command, of: group) + subcommands.map { sections($0, of: name) }.joined()
  }

  private static func section(_ command: CommandHelp, of group: String? = nil) -> String {
    let name = (group.map { $0 + " " } ?? "") + command.name
    let arguments = command.arguments.filter { !common.contains($0.key) }
    let positional = arguments.filter { $0.kind == "positional" }.map { argument in
      let name = "\\fI\(escaped(argument.valueName))\\fR" + (argument.isRepeating ? " ..." : "")
      return " " + (argument.isOptional ? "[\(name)]" : name)
    }
    return ".SS \"photospots \(escaped(name))\(positional.joined())\"\n"
      + paragraphs(command.abstract) + (command.discussion.isEmpty ? "" : ".PP\n")
      + paragraphs(command.discussion) + arguments.map(entry).joined()
  }

  /// Returns the entry of an argument: its names and explanation.
  private static func entry(_ argument: CommandHelp.Argument) -> String {
    var title = argument.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    if argument.kind == "positional" { title = "\\fI\(escaped(argument.valueName))\\fR" }
    if argument.kind == "option" { title += " \\fI\(escaped(argument.valueName))\\fR" }
    let values = argument.values.isEmpty ? "" : " One of \(argument.values.joined(separator: ", "))"
    let standard = argument.standard.map { "default: \($0)" }
    let more = values + (standard.map { values.isEmpty ? " (\($0))" : " (\($0))." } ?? "")
    return ".TP\n\(title)\n\(line(argument.abstract + more))\n"
  }

  private static func text(_ block: HelpTopic.Block) -> String {
    switch block {
    case .text(let text): line(text) + "\n"
    case .code(let lines): ".nf\n.RS 4\n" + lines.map { line($0) + "\n" }.joined() + ".RE\n.fi\n"
    case .terms(let terms):
      terms.map { ".TP\n\\fB\(escaped($0.name))\\fR\n\(line($0.meaning))\n" }.joined()
    }
  }

  /// Returns paragraphs separated by blank lines. Indented lines are set literally.
  private static func paragraphs(_ text: String) -> String {
    var page = ""
    var isCode = false
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if part.hasPrefix("  ") != isCode, !part.isEmpty {
        isCode.toggle()
        page += isCode ? ".nf\n.RS 4\n" : ".RE\n.fi\n"
      }
      page += part.isEmpty ? (isCode ? "" : ".PP\n") : line(part.drop { $0 == " " }) + "\n"
    }
    return page + (isCode ? ".RE\n.fi\n" : "")
  }

  /// Returns a line of text in which a leading dot or apostrophe does not begin a request.
  private static func line(_ text: some StringProtocol) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Returns the text with the characters that are special to troff escaped by name: groff_char(7).
  private static func escaped(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      case "'": "\\(aq"
      case "~": "\\(ti"
      case "^": "\\(ha"
      case "`": "\\(ga"
      case _ where scalar.isASCII: String(scalar)
      default:
        "\\[u"
          + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4, with: "0") + "]"
      }
    }.joined()
  }
}

/// A command as described by the argument parser.
private struct CommandHelp {
  /// An argument of the command.
  struct Argument {
    let kind: String
    /// The names as typed, for example `-q` and `--quiet`.
    let names: [String]
    let valueName: String
    let abstract: String
    let standard: String?
    let values: [String]
    let isOptional: Bool
    let isRepeating: Bool
    let isShown: Bool

    /// The identity of the argument among those of a command.
    var key: String {
      let name = names.first { $0.hasPrefix("--") } ?? names.first
      return name.map { String($0.drop { $0 == "-" }) } ?? valueName
    }
  }

  let name: String
  let abstract: String
  let discussion: String
  let subcommands: [CommandHelp]
  let arguments: [Argument]

  init(_ command: JSONObject) throws(JSONError) {
    name = try command.string("commandName") ?? ""
    abstract = try command.string("abstract") ?? ""
    discussion = try command.string("discussion") ?? ""
    subcommands =
      try command.array("subcommands") { reader throws(JSONError) in
        try CommandHelp(try JSONObject(&reader))
      } ?? []
    let all = try command.array("arguments") { reader throws(JSONError) in
      try Argument(try JSONObject(&reader))
    }
    arguments = (all ?? []).filter(\.isShown)
  }
}

extension CommandHelp.Argument {
  init(_ argument: JSONObject) throws(JSONError) {
    kind = try argument.string("kind") ?? ""
    names =
      try argument.array("names") { reader throws(JSONError) in
        let name = try JSONObject(&reader)
        return try (name.string("kind") == "long" ? "--" : "-") + (name.string("name") ?? "")
      } ?? []
    valueName = try argument.string("valueName") ?? ""
    abstract = try argument.string("abstract") ?? ""
    standard = try argument.string("defaultValue")
    values = try argument.strings("allValues") ?? []
    isOptional = try argument.boolean("isOptional") ?? false
    isRepeating = try argument.boolean("isRepeating") ?? false
    isShown = try argument.boolean("shouldDisplay") ?? true
  }
}

extension [CommandHelp.Argument] {
  /// Returns the first element of each key.
  fileprivate func uniqued() -> [Element] {
    var known: Set<String> = []
    return filter { known.insert($0.key).inserted }
  }
}
