extension SettingValue {
  /// Reads the path of a folder: `/srv/photos`, `~/Pictures`.
  init(folder written: WrittenValue) throws(SettingsError) {
    guard Places.expanded(written.trimmed) != nil else {
      throw written.isNot("an absolute path, or one that begins with ~/")
    }
    self = .folder(written.trimmed)
  }
}
