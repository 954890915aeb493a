import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import ProgramSettings
import Spatial
import SpotAlerts
import SpotWatcher
import Synchronization
import SystemPackage
import TestSupport

extension FuzzTarget {
  /// The targets for each file of the state folder, and for the settings file.
  static let state = [journal, devices, mutes, config]

  private static let now = Instant(secondsSince1970: 1_795_176_000)

  // MARK: - The journal

  static let journal = FuzzTarget("journal", seeds: Seeds.journal) { content in
    let journal: StateDocuments.Journal
    do throws(AlertStateError) {
      journal = try StateDocuments.journal(content, now: now)
    } catch {
      switch error {
      case .notAJournal, .newerVersion: return nil
      default: throw error
      }
    }
    for entry in journal.history {
      if let fault = faultOfJSON({ entry.write(to: &$0) }) { return fault }
      if let notification = entry.notification, let fault = notification.fault { return fault }
      guard entry.deliveries.allSatisfy({ $0.tries >= 0 }) else { return "fewer tries than none" }
    }
    // The compacted journal is a valid journal, and compacting it again does not change it.
    let again = try StateDocuments.journal(journal.compacted, now: now)
    guard again.compacted == journal.compacted else {
      return "another journal when compacted again"
    }
    guard again.history.count <= journal.history.count else { return "more history than there was" }
    // A watcher can continue with it.
    var scene = WatchScene(state: journal.state)
    return scene.fault(of: WatchScene.visit)
  }

  // MARK: - Lists

  static let devices = FuzzTarget("devices", seeds: Seeds.devices) { content in
    let (reports, written, _) = StateDocuments.devices(content)
    for report in reports {
      if let fault = faultOfJSON({ report.write(to: &$0) }) { return fault }
      guard report.fix == nil || report.fix?.coordinate != nil, report.walkedMeters >= 0,
        report.fixCount >= 0, report.counts.received >= 0
      else {
        return "a device that is nowhere, or went less than nothing"
      }
    }
    let again = StateDocuments.devices(written)
    guard again.reports.count == reports.count, again.written == written, !again.isDamaged else {
      return "other devices after writing them"
    }
    return nil
  }

  static let mutes = FuzzTarget("mutes", seeds: Seeds.mutes) { content in
    let spots: [MutedSpot]
    let written: [UInt8]
    do throws(JSONError) {
      (spots, written) = try StateDocuments.mutes(content)
    } catch {
      return nil
    }
    guard try StateDocuments.mutes(written).written == written else {
      return "other spots after writing them"
    }
    var scene = WatchScene(mutes: Array(spots.prefix(100)))
    return scene.fault(of: WatchScene.visit)
  }

  // MARK: - Settings

  private static let settingsFile = Mutex(TemporaryFolder())

  static let config = FuzzTarget("config", seeds: Seeds.config) { content in
    try settingsFile.withLock { folder in
      let path = folder.path("config.json")
      try folder.write(content, to: "config.json")
      let settings = Settings(file: path)
      if let problem = settings.fileProblem {
        // Every setting that is read from the file reports its problem.
        return problem.description.isEmpty ? "no reason" : nil
      }
      for setting in Setting.allCases {
        let value: SettingValue
        do throws(SettingsError) {
          value = try settings.value(setting)
        } catch {
          if error.description.isEmpty { return "no reason" }
          continue
        }
        if let fault = fault(of: value, setting) { return fault }
      }
      guard let rules = try? settings.watcher else { return nil }
      var scene = WatchScene(settings: rules)
      return scene.fault(of: WatchScene.visit)
    }
  }

  /// Checks that a value is in its range, and that its text is parsed as the same value.
  private static func fault(of value: SettingValue, _ setting: Setting) -> String? {
    if case .number(let number, _) = value, !number.isFinite || number < 0 || number > 1e11 {
      return "\(setting) is out of range"
    }
    guard !setting.isSecret else { return nil }
    let again = try? SettingValue(
      setting, Settings.Source(text: value.text, origin: .environment("again")))
    return again?.text == value.text ? nil : "\(setting) is not what its text says"
  }

  // MARK: - Written JSON

  /// Returns the fault of the text that a closure writes if it is not valid JSON; `nil` if it is
  /// valid.
  static func faultOfJSON(_ write: (inout JSONWriter) -> Void) -> String? {
    var writer = JSONWriter()
    write(&writer)
    let bytes = writer.takeBytes()
    guard String(validating: bytes, as: UTF8.self) != nil else { return "JSON that is no UTF-8" }
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      try reader.skipValue()
      try reader.end()
      return nil
    } catch {
      return "no JSON: \(error)"
    }
  }
}
