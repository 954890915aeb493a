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
      repeated. Photos are not changed. Kept with the folder of photos for later scans, and \
      replaced when given again.
      """,
      valueName: "folder"),
    completion: .directory)
  var tracks: [String] = []

  @Flag(help: "Use no tracks that --tracks named before; the setting tracks still counts.")
  var noTracks = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      With tracks: the offset of a camera's clock from UTC, 'Canon EOS 70D=+02:00:30', or '*=…' \
      for all cameras (default: estimated and shown). ' from 2025-04-01 to 2025-04-03' after it \
      limits it to those days on the clock. May be repeated; kept with the folder of photos.
      """,
      valueName: "camera=clock"))
  var cameraClock: [String] = []

  @Flag(help: "Use no clocks that --camera-clock gave before.")
  var noCameraClock = false

  func validate() throws {
    try ScanArguments.check("tracks", isGiven: !tracks.isEmpty, isEnded: noTracks)
    try ScanArguments.check("camera-clock", isGiven: !cameraClock.isEmpty, isEnded: noCameraClock)
    guard GivenClocks(cameraClock) != nil else {
      throw ValidationError(
        """
        --camera-clock: write CAMERA=+HH:MM or CAMERA=-HH:MM:SS, at most a day, \
        and where needed ' from DAY to DAY'
        """)
    }
  }

  /// The given folders and files.
  var folders: [FilePath] {
    tracks.map { $0 == SettingValue.ownTrails ? Settings.trailFolder : Paths.absolute($0) }
  }
}
