/// The documentation of all settings, `docs/settings.md`, generated from their declarations.
package enum SettingsPage {
  /// Generates the page.
  ///
  /// - Returns: Markdown: a table for each section.
  package static func text() -> String {
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

    <!-- Written by 'make settings-page' from Sources/Program/Settings/Setting+Declarations.swift. -->

    A value is taken from the first of these that has one:

    1. a flag of the command: `--set dwell=30s` (and `--radius` for `proximityRadius`);
    2. the environment: `PHOTOSPOTS_` and the name in capitals, with `_` between its words: `PHOTOSPOTS_MAXIMUM_SPEED=30`,
       `PHOTOSPOTS_NTFY_URL=…`; an empty variable counts as unset;
    3. the settings file, `~/.config/photospots/config.json`: `{ "dwell": "30 s" }`;
    4. the default.

    `photospots config` lists the settings in force and where each comes from. Secret settings are read only from the
    environment, or from a settings file that nobody else can read (`chmod 600`); no command prints them.

    """

  private static func row(_ setting: Setting) -> String {
    let cells = [
      "`\(setting.rawValue)`",
      setting.declaration.kind.values + (setting.isSecret ? "; secret" : ""),
      "`\(setting.defaultText)`", setting.summary,
    ]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }
}
