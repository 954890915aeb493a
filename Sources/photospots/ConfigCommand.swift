import ArgumentParser
import Interchange

/// `photospots config`
struct ConfigCommand: ParsableCommand {
  /// How settings are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "List the settings in force, and where each came from.",
    discussion: """
      A setting is taken from a flag, else from the environment (PHOTOSPOTS_PROXIMITY_RADIUS=50m), else \
      from config.json ({"proximityRadius": "50m"}), else it has its default.
      """)

  @Option(help: "How to write the settings.")
  var format = Format.text

  @OptionGroup var settings: SettingsArguments

  func run() throws {
    let settings = try settings.resolve()
    switch format {
    case .text:
      for setting in Setting.allCases {
        let (value, origin) = settings.displayed(setting)
        try StandardOutput.write(
          [
            setting.rawValue.padded(to: 20), value.padded(to: 12), "(\(origin))".padded(to: 12),
            setting.summary,
          ].joined(separator: "  ") + "\n")
      }
      StandardError.writeLine("photospots: the settings file is \(Places.settingsFile.escaped)")
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for setting in Setting.allCases {
          writer.object { writer in
            let (value, origin) = settings.displayed(setting)
            writer.member("name", setting.rawValue)
            writer.member("value", value)
            writer.member("origin", origin)
          }
        }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
  }
}
