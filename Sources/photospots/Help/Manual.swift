import Interchange
import PhotoLibrary

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
    var reader = JSONReader(Array(dump.utf8))
    var root = CommandHelp()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if key == "command" { root = try CommandHelp(&reader) } else { try reader.skipValue() }
    }
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
    var kind = ""
    /// The names as typed, for example `-q` and `--quiet`.
    var names: [String] = []
    var valueName = ""
    var abstract = ""
    var standard: String?
    var values: [String] = []
    var isOptional = false
    var isRepeating = false
    var isShown = true

    /// The identity of the argument among those of a command.
    var key: String {
      let name = names.first { $0.hasPrefix("--") } ?? names.first
      return name.map { String($0.drop { $0 == "-" }) } ?? valueName
    }
  }

  var name = ""
  var abstract = ""
  var discussion = ""
  var subcommands: [CommandHelp] = []
  var arguments: [Argument] = []

  init() {}

  init(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "commandName": name = try reader.string()
      case "abstract": abstract = try reader.string()
      case "discussion": discussion = try reader.string()
      case "subcommands":
        try reader.beginArray()
        while try reader.nextElement() { subcommands.append(try CommandHelp(&reader)) }
      case "arguments":
        try reader.beginArray()
        while try reader.nextElement() {
          let argument = try Argument(&reader)
          if argument.isShown { arguments.append(argument) }
        }
      default: try reader.skipValue()
      }
    }
  }
}

extension CommandHelp.Argument {
  init(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "kind": kind = try reader.string()
      case "valueName": valueName = try reader.string()
      case "abstract": abstract = try reader.string()
      case "defaultValue": standard = try reader.string()
      case "isOptional": isOptional = try reader.boolean()
      case "isRepeating": isRepeating = try reader.boolean()
      case "shouldDisplay": isShown = try reader.boolean()
      case "names":
        try reader.beginArray()
        while try reader.nextElement() { names.append(try Self.name(&reader)) }
      case "allValues":
        try reader.beginArray()
        while try reader.nextElement() { values.append(try reader.string()) }
      default: try reader.skipValue()
      }
    }
  }

  private static func name(_ reader: inout JSONReader) throws(JSONError) -> String {
    var (kind, name) = ("", "")
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "kind": kind = try reader.string()
      case "name": name = try reader.string()
      default: try reader.skipValue()
      }
    }
    return (kind == "long" ? "--" : "-") + name
  }
}

extension [CommandHelp.Argument] {
  /// Returns the first element of each key.
  fileprivate func uniqued() -> [Element] {
    var known: Set<String> = []
    return filter { known.insert($0.key).inserted }
  }
}
