import Geotagging

extension SettingValue {
  /// The word for the tracks recorded by `watch --keep-trail`.
  package static let ownTrails = "trail"

  /// The maximum number of paths.
  private static let maximumPathCount = 100

  /// Parses paths of folders or files of tracks, separated by colons, or `off`.
  package init(tracks written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    let paths = written.trimmed.split(separator: ":").map(String.init)
    let areRight = paths.allSatisfy { $0 == Self.ownTrails || Paths.expanded($0) != nil }
    guard areRight, (1...Self.maximumPathCount).contains(paths.count) else {
      throw written.invalidValue(
        expected:
          """
          at most \(Self.maximumPathCount) paths that are absolute or begin with ~/, with colons \
          between, \(Self.ownTrails), or off
          """)
    }
    self = .tracks(paths)
  }

  /// Parses clock offsets of cameras as `CAMERA=+HH:MM:SS`, separated by commas, or `none`.
  package init(clocks written: WrittenValue) throws(SettingsError) {
    let isNone = written.folded == "none" || written.trimmed.isEmpty
    let texts = written.text.split { $0 == "," || $0 == "\n" }.map(String.init)
    guard let clocks = GivenClocks(isNone ? [] : texts) else {
      throw written.invalidValue(
        expected:
          """
          CAMERA=+HH:MM or CAMERA=-HH:MM:SS, a day at most, with ' from DAY to DAY' where needed, \
          several with commas between, or none
          """)
    }
    self = .clocks(clocks)
  }
}
