import ArgumentParser
import PhotoLibrary
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
      for all cameras (default: estimated and shown). May be repeated.
      """,
      valueName: "camera=clock"))
  var cameraClock: [String] = []

  func validate() throws {
    guard GivenClocks(cameraClock) != nil else {
      throw ValidationError(
        "--camera-clock: write CAMERA=+HH:MM or CAMERA=-HH:MM:SS, at most a day")
    }
  }

  /// Returns the inference that the options or settings request; `nil` if they request none.
  func inference(_ settings: Settings) throws -> TrackInference? {
    let folders = try tracks.isEmpty ? settings.tracks : tracks.map(Self.path)
    guard !folders.isEmpty else { return nil }
    let clocks = cameraClock.isEmpty ? try settings.cameraClocks : GivenClocks(cameraClock)
    return TrackInference(folders: folders, clocks: clocks ?? GivenClocks())
  }

  private static func path(_ text: String) -> FilePath {
    text == SettingValue.ownTrails ? Settings.trailFolder : Paths.absolute(text)
  }
}

extension Settings {
  /// The default folder of the tracks recorded by `watch --keep-trail`.
  static var trailFolder: FilePath { DeviceLog.trailFolder(in: Paths.state) }

  /// The folders of recorded tracks; empty for none.
  var tracks: [FilePath] {
    get throws {
      guard case .tracks(let paths) = try value(.tracks) else { return [] }
      return paths.compactMap {
        $0 == SettingValue.ownTrails ? Self.trailFolder : Paths.expanded($0)
      }
    }
  }

  /// The clocks of cameras.
  var cameraClocks: GivenClocks {
    get throws {
      guard case .clocks(let clocks) = try value(.cameraClocks) else { return GivenClocks() }
      return clocks
    }
  }
}
