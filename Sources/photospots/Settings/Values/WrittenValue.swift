/// The text that is written for a setting, while it is read as a value.
struct WrittenValue {
  let setting: Setting
  let source: Settings.Source

  /// The text as it was written.
  var text: String { source.text }

  /// The text without spaces and in lower case.
  let folded: String

  /// The text without spaces before and behind it.
  let trimmed: String

  init(_ setting: Setting, _ source: Settings.Source) {
    self.setting = setting
    self.source = source
    let end = source.text.lastIndex { !$0.isWhitespace }
    trimmed = end.map { String(source.text[...$0].drop(while: \.isWhitespace)) } ?? ""
    folded = source.text.filter { !$0.isWhitespace }.lowercased()
  }

  /// Says that the text is no value of the setting, and what would be one.
  func isNot(_ expected: String) -> SettingsError {
    .invalidValue(setting, source, expected: expected)
  }
}
