import SpotService
import Storage
import Synchronization

/// The settings in force while the page is served, read again as soon as their file is another.
final class SettingsInForce: Sendable {
  private let read: @Sendable () throws -> Settings
  private let known: Mutex<(generation: String, settings: Settings)>

  /// Reads the settings.
  ///
  /// - Parameter read: Reads them, with the flags that the program was started with.
  /// - Throws: What `read` throws.
  init(_ read: @escaping @Sendable () throws -> Settings) throws {
    self.read = read
    known = Mutex((Self.fileGeneration, try read()))
  }

  /// A text that differs after each change of the settings file.
  var generation: String { Self.fileGeneration }

  private static var fileGeneration: String { Disk.generation(of: Places.settingsFile) }

  /// The settings.
  var settings: Settings {
    known.withLock { known in
      let generation = Self.fileGeneration
      // Flags were checked at the start, and a file that cannot be read is a problem of settings.
      if known.generation != generation, let settings = try? read() {
        known = (generation, settings)
      }
      return known.settings
    }
  }

  /// How far from its first photo a spot reaches, in metres; the default where the setting cannot
  /// be used, which `settings` tells.
  var clusterRadiusMeters: Double {
    (try? settings.clusterRadiusMeters)
      ?? Quantity.meters(Setting.clusterRadius.defaultText) ?? 0
  }

  /// The settings as a person may see them.
  var all: [ServedSetting] { ServedSettings.list(settings) }

  /// Writes changes into the settings file.
  func change(_ patch: SettingsPatch) throws(Problem) {
    try ServedSettings.apply(patch, over: settings)
  }
}
