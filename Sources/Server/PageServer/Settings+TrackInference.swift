package import Geotagging
package import IndexUpdates
package import ProgramSettings
import SpotAlerts
package import SystemPackage

extension Settings {
  /// Returns the inference of positions from recorded tracks; `nil` without tracks.
  ///
  /// - Parameters:
  ///   - folders: Folders of tracks that replace those of the settings, unless empty.
  ///   - clocks: Clocks of cameras that replace those of the settings.
  /// - Returns: The inference.
  /// - Throws: A `SettingsError` if a setting that is used is invalid.
  package func trackInference(
    folders: [FilePath], clocks: GivenClocks?
  ) throws -> TrackInference? {
    let folders = try folders.isEmpty ? tracks : folders
    guard !folders.isEmpty else { return nil }
    return TrackInference(
      folders: folders, clocks: try clocks ?? cameraClocks, machineClock: .machine)
  }
}
