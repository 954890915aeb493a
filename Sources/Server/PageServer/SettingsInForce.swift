package import ProgramSettings
package import SpotService
import Storage
import Synchronization
import SystemPackage

/// The effective settings while the page is served. They are reloaded after the settings file
/// changed.
package final class SettingsInForce: Sendable {
  private let read: @Sendable () throws -> Settings
  private let known: Mutex<(generation: String, settings: Settings, isCurrent: Bool)>
  /// The folder of the settings file, so that an unmounted one does not stand for the defaults.
  private let folder = KnownFolder(Paths.settingsFile.removingLastComponent())

  /// Reads the settings.
  ///
  /// - Parameter read: Returns the settings, including the options that the program was started
  ///   with.
  /// - Throws: The error of `read`.
  package init(_ read: @escaping @Sendable () throws -> Settings) throws {
    self.read = read
    known = Mutex((Self.fileGeneration, try read(), true))
    if !Self.fileGeneration.isEmpty { try folder.noteSeen() }
  }

  /// Whether the file was there, and its folder is missing or another one now.
  private var isAway: Bool {
    do throws(Errno) { return try folder.isAway() } catch { return true }
  }

  /// A text that changes with every change of the settings file.
  package var generation: String { Self.fileGeneration }

  private static var fileGeneration: String { Disk.generation(of: Paths.settingsFile).text }

  /// The current settings.
  package var settings: Settings { reread.settings }

  /// Whether the settings file can be read, so that the settings in force are those in it.
  var isCurrent: Bool { reread.isCurrent }

  /// The settings in force, after reading the file again if it changed.
  private var reread: (settings: Settings, isCurrent: Bool) {
    known.withLock { known in
      let generation = Self.fileGeneration
      // Options were validated at the start, and an unreadable file is reported by the settings
      // API.
      let isGone = generation.isEmpty && isAway
      if isGone {
        known.isCurrent = false
      } else if known.generation == generation {
        known.isCurrent = true
      } else if let settings = try? read() {
        known = (generation, settings, true)
      } else {
        known.isCurrent = false
      }
      return (known.settings, known.isCurrent)
    }
  }

  /// The maximum distance in metres between a spot's first photo and its other photos; the default
  /// if the setting is invalid, which `settings` reports.
  package var clusterRadiusMeters: Double {
    (try? settings.clusterRadiusMeters)
      ?? Quantity.meters(Setting.clusterRadius.defaultText) ?? 0
  }

  /// The settings as shown to the user.
  package var all: [ServedSetting] { ServedSettings.list(settings) }

  /// Writes changes to the settings file.
  package func change(_ patch: SettingsPatch) throws(Problem) {
    try ServedSettings.apply(patch, over: settings)
  }
}
