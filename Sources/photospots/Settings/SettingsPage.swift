/// The documentation of all settings, `docs/settings.md`, generated from their declarations.
enum SettingsPage {
  /// Generates the page.
  ///
  /// - Returns: Markdown: a table for each section.
  static func text() -> String {
    introduction
      + Setting.Section.allCases.map { section in
        let rows = Setting.allCases.filter { $0.section == section }.map(row).joined()
        return """

          ## \(section.rawValue)

          | Setting | Values | Default | Meaning |
          | --- | --- | --- | --- |
          \(rows)
          """
      }.joined()
  }

  private static let introduction = """
    # Settings

    <!-- Written by 'make settings-page' from Sources/photospots/Settings/Setting.swift. -->

    A value is taken from the first of these that has one:

    1. a flag of the command: `--set dwell=30s` (and `--radius` for `proximityRadius`);
    2. the environment: `PHOTOSPOTS_` and the name in capitals, with `_` between its words: `PHOTOSPOTS_MAXIMUM_SPEED=30`,
       `PHOTOSPOTS_NTFY_URL=…`;
    3. the settings file, `~/.config/photospots/config.json`: `{ "dwell": "30 s" }`;
    4. the default.

    `photospots config` lists the settings in force and where each comes from. Secret settings are read only from the
    environment, or from a settings file that nobody else can read (`chmod 600`); no command prints them.

    """

  private static func row(_ setting: Setting) -> String {
    let cells = [
      "`\(setting.rawValue)`", setting.kind.values + (setting.isSecret ? "; secret" : ""),
      "`\(setting.defaultText)`", setting.summary,
    ]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }
}

extension Setting.Kind {
  /// A description of the values that a setting of this kind accepts.
  fileprivate var values: String {
    func numbers(_ range: ClosedRange<Double>, _ unit: String) -> String {
      SettingValue.text(range.lowerBound, unit) + " to " + SettingValue.text(range.upperBound, unit)
    }
    return switch self {
    case .distance(let range): numbers(range, "m")
    case .duration(let range): numbers(range, "s")
    case .speed(let range): numbers(range, "km/h") + ", or `off`"
    case .budget(let range): numbers(range, "") + ", or `off`"
    case .count(let range): numbers(range, "")
    case .flag: "`true`, `false`"
    case .hours: "hours such as `22:00-07:00`, or `off`"
    case .zone: "a time zone, or `machine`"
    case .zones: "circles, or `none`"
    case .rules: "names of rules, or `none`"
    case .address: "an address, or `off`"
    case .broker: "`mqtt://user@host:port/topic`, or `off`"
    case .prefix: "`on`, `off`, or a prefix of topics"
    case .secret: "text, or `off`"
    case .tokens: "`{ \"phone\": \"token\" }`, or `off`"
    case .language: "`en`, `es`, `auto`"
    case .schedule: "a day and time, or `off`"
    case .tiles: "an address or path, or `off`"
    case .hosts: "names of hosts, or `none`"
    case .folder: "a folder"
    case .page: "an address, or `off`"
    case .tracks: "paths with `:` between, `trail`, or `off`"
    case .clocks: "cameras and offsets, or `none`"
    case .placesFile: "a path, or `state`"
    }
  }
}
