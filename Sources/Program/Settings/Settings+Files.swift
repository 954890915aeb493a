package import Geotagging
import SpotAlerts
package import SystemPackage

extension Settings {
  /// The default folder of the tracks recorded by `watch --keep-trail`.
  package static var trailFolder: FilePath { DeviceLog.trailFolder(in: Paths.state) }

  /// The folders of recorded tracks; empty for none.
  package var tracks: [FilePath] {
    get throws {
      guard case .tracks(let paths) = try value(.tracks) else { return [] }
      return paths.compactMap {
        $0 == SettingValue.ownTrails ? Self.trailFolder : Paths.expanded($0)
      }
    }
  }

  /// The clocks of cameras.
  package var cameraClocks: GivenClocks {
    get throws {
      guard case .clocks(let clocks) = try value(.cameraClocks) else { return GivenClocks() }
      return clocks
    }
  }

  /// The places file; `nil` if it is the one in the state folder.
  package var placesFile: FilePath? {
    get throws {
      guard case .placesFile(let path) = try value(.placesFile) else { return nil }
      return path.flatMap(Paths.expanded)
    }
  }
}
