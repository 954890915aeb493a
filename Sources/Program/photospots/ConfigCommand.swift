import ArgumentParser
import Encodings
import ProgramSettings
import TerminalOutput

/// The command `photospots config`.
struct ConfigCommand: PhotoSpotsSubcommand {
  /// The output format of the settings.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "List the settings in force and the source of each.",
    discussion: """
      A setting is taken from a flag, else from the environment (PHOTOSPOTS_PROXIMITY_RADIUS=50m), \
      else from config.json ({"proximityRadius": "50m"}), else its default applies. The text \
      output names the source of each value that is not the default.
      """)

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let settings = try SettingsArguments.settings(settings.assignments)
    let rows = Setting.allCases.map { Row($0, settings) }
    switch format {
    case .text:
      let columns = StandardOutput.columns
      try StandardOutput.write(rows.map { $0.text(columns: columns) }.joined())
      StandardError.note("the settings file is \(Paths.displayed(Paths.settingsFile))")
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for row in rows { row.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
    // The same problem may concern several settings: an unreadable file concerns all of them.
    var told: Set<String> = []
    for problem in settings.unknownNames.map(\.description) + rows.compactMap(\.problem)
    where told.insert(problem).inserted {
      StandardError.writeLine("photospots: \(problem)")
    }
    if !told.isEmpty { throw ExitCode.failure }
  }

  /// A setting with its effective value, or the reason why it has none.
  private struct Row {
    let setting: Setting
    var value: String?
    var origin: String?
    var isDefault = false
    var problem: String?

    init(_ setting: Setting, _ settings: Settings) {
      self.setting = setting
      do throws(SettingsError) {
        let source = try settings.source(setting)
        origin = source.origin.description
        if case .defaults = source.origin { isDefault = true }
        value = try settings.value(setting).text
      } catch {
        problem = error.description
      }
    }

    /// The widths of the columns before the summary, which is wrapped in its own column.
    private static let (nameWidth, valueWidth) = (19, 9)

    func text(columns: Int) -> String {
      let isNarrow = columns < 2 * (Self.nameWidth + Self.valueWidth + 4)
      let indent = isNarrow ? 4 : Self.nameWidth + Self.valueWidth + 4
      // Changed values and problems are highlighted.
      let shown = value ?? "unusable"
      let style = problem == nil ? (isDefault ? nil : Style.bold) : .warning
      let padding = String(repeating: " ", count: max(0, Self.valueWidth - shown.columns))
      let origin = isDefault ? "" : origin.map { $0.components.last ?? $0 } ?? ""
      let summary = (setting.summary + (origin.isEmpty ? "" : " (\(origin))"))
        .wrapped(to: columns, indent: indent)
      let gap =
        isNarrow || shown.columns > Self.valueWidth
        ? "\n" + String(repeating: " ", count: indent) : padding + "  "
      return setting.rawValue.padded(to: Self.nameWidth) + "  " + (style?.of(shown) ?? shown) + gap
        + summary + "\n"
    }

    func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("name", setting.rawValue)
        writer.member("value", value)
        writer.member("origin", origin)
        writer.member("problem", problem)
      }
    }
  }
}

extension String {
  /// The components of the setting's name, separated by slashes.
  fileprivate var components: [String] { split(separator: "/").map(String.init) }
}
