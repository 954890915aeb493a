import ArgumentParser
import Geotagging
import PhotoLibrary
import ProgramSettings
import SpotAlerts
import SystemPackage

/// The options of commands that infer the positions of photos from recorded tracks.
struct TrackArguments: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Infer the positions of photos without one from recorded tracks: a folder of GPX, NMEA or \
      other recordings, a file, or 'trail' for the trails of 'watch --keep-trail'; may be \
      repeated. Photos are not changed.
      """,
      valueName: "folder"),
    completion: .directory)
  var tracks: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      With tracks: the offset of a camera's clock from UTC, 'Canon EOS 70D=+02:00:30', or '*=…' \
      for all cameras (default: estimated and shown). ' from 2025-04-01 to 2025-04-03' after it \
      limits it to those days on the clock. May be repeated.
      """,
      valueName: "camera=clock"))
  var cameraClock: [String] = []

  func validate() throws {
    guard GivenClocks(cameraClock) != nil else {
      throw ValidationError(
        """
        --camera-clock: write CAMERA=+HH:MM or CAMERA=-HH:MM:SS, at most a day, \
        and where needed ' from DAY to DAY'
        """)
    }
  }

  /// The given folders and files; empty for those of the settings.
  var folders: [FilePath] {
    tracks.map { $0 == SettingValue.ownTrails ? Settings.trailFolder : Paths.absolute($0) }
  }

  /// The given clocks; `nil` for those of the settings.
  var clocks: GivenClocks? { cameraClock.isEmpty ? nil : GivenClocks(cameraClock) }
}
