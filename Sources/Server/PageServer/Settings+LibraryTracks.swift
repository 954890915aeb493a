package import IndexUpdates
import PhotoLibrary
package import ProgramSettings
import SpotAlerts

extension Settings {
  /// The recorded tracks: those kept with folders of the library, and those of the settings.
  ///
  /// - Throws: A `SettingsError` if a setting is invalid.
  package var libraryTracks: LibraryTracks {
    get throws {
      LibraryTracks(
        settings: TrackInference(
          try tracks.map { TrackRoot($0) }, clocks: try cameraClocks, machineClock: .machine))
    }
  }
}
