extension SettingValue {
  /// Parses the path of a folder, for example `/srv/photos` or `~/Pictures`.
  package init(folder written: WrittenValue) throws(SettingsError) {
    guard Paths.expanded(written.trimmed) != nil else {
      throw written.invalidValue(expected: "an absolute path, or one that begins with ~/")
    }
    self = .folder(written.trimmed)
  }

  /// Parses the path of a places file, for example `~/Sync/places.json`, or `state`.
  package init(placesFile written: WrittenValue) throws(SettingsError) {
    guard written.folded != "state" else {
      self = .placesFile(nil)
      return
    }
    guard Paths.expanded(written.trimmed) != nil, !written.trimmed.hasSuffix("/") else {
      throw written.invalidValue(
        expected:
          "the absolute path of a file, or one that begins with ~/, or state")
    }
    self = .placesFile(written.trimmed)
  }
}
