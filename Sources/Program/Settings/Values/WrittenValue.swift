/// The text of a setting's value, while it is being parsed.
package struct WrittenValue {
  let setting: Setting
  let source: Settings.Source

  /// The text as entered.
  var text: String { source.text }

  /// The text in lower case without spaces.
  let folded: String

  /// The text without leading and trailing spaces.
  let trimmed: String

  init(_ setting: Setting, _ source: Settings.Source) {
    self.setting = setting
    self.source = source
    let end = source.text.lastIndex { !$0.isWhitespace }
    trimmed = end.map { String(source.text[...$0].drop(while: \.isWhitespace)) } ?? ""
    folded = source.text.filter { !$0.isWhitespace }.lowercased()
  }

  /// Returns the error that the text is not a valid value of the setting.
  func invalidValue(expected: String) -> SettingsError {
    .invalidValue(setting, source, expected: expected)
  }
}
