package import CivilTime
import Encodings
import KeptPlaces
import LocationFeeds
import PageServer
package import PhotoLibrary
package import ProcessControl
package import ProgramSettings
import SpotAlerts
import SpotWatcher
import Storage
package import SystemPackage

/// Checks the index, the settings and the state, and reports problems.
///
/// The check writes nothing, except the mapped file of the index if it is missing, the identity of
/// a folder that a setting names, and a file in the folders of the state and of the index that it
/// removes. It does not
/// access folders of photos, since an unavailable disk may block, and does not take the lock of the
/// watch.
package struct StatusCheck {
  /// A library in a store, with what the report says about it.
  package typealias StoredLibrary = (facts: StoredLibraryFacts, spots: any SpotSource)

  private let cache: PhotoIndexCache
  private let stateFolder: FilePath
  private let settings: Settings
  private let silenceSeconds: Double
  private let now: Instant
  /// Opens the library in a store; `nil` if the library is the index.
  package var openStore: (() throws -> StoredLibrary)?
  /// Creates the receivers of alerts, and throws an error if they cannot be used.
  package var checkReceivers: () throws -> Void = {}
  /// Receives notices about damage that does not stop anything.
  package var log = MessageLog.none

  /// The time in seconds after which delivery of an alert is abandoned.
  private static let deliverySeconds = 900.0
  /// The time in seconds for which undelivered alerts are reported.
  private static let failureSeconds = 86_400.0
  /// The time in seconds for which reports without a device's name and position are a problem.
  private static let unknownSeconds = 3600.0
  /// The maximum number of spots listed for a device.
  private static let spotCount = 5

  /// Creates a check of the index.
  ///
  /// - Parameters:
  ///   - cache: The index.
  ///   - stateFolder: The state folder.
  ///   - settings: The settings in force.
  ///   - silenceSeconds: The time in seconds after which a device counts as silent.
  ///   - now: The current time.
  package init(
    _ cache: PhotoIndexCache, stateFolder: FilePath, settings: Settings, silenceSeconds: Double,
    now: Instant
  ) {
    (self.cache, self.stateFolder, self.settings) = (cache, stateFolder, settings)
    (self.silenceSeconds, self.now) = (silenceSeconds, now)
  }

  /// Runs all checks.
  package func report() -> StatusReport {
    var report = StatusReport(now: now)
    report.commands = commands
    checkSettings(&report)
    let spots = joined(
      with: openStore.map { checkStore($0, &report) } ?? checkIndex(&report), &report)
    if openStore == nil { checkIndexFolder(&report) }
    report.isWatching = WatchSession.isOpen(in: stateFolder)
    checkDevices(&report, spots)
    checkHistory(&report, spots)
    checkState(&report)
    checkServer(&report)
    if let problem = LocalClock.machineProblem { report.add(.error, "clock", "\(problem)") }
    return report
  }

  /// The commands to offer.
  private var commands: OfferedCommands {
    cache.commands.with(state: stateFolder == Paths.state ? nil : stateFolder)
  }

  // MARK: - The state

  /// Opens what a watch and a server open. What was reported with its contents is not repeated.
  private func checkState(_ report: inout StatusReport) {
    let state = StateFiles(in: stateFolder, settings, log: .none)
    let known = Set(report.problems.map(\.text))
    state.check { part, text in
      if !known.contains(text) { report.add(.error, part, text) }
    }
    report.files = state.files
  }

  /// Reports a server whose page phones cannot open though the setting asks for it.
  private func checkServer(_ report: inout StatusReport) {
    guard report.isWatching == true else { return }
    let letsNobodyIn: Bool
    do throws(Errno) { letsNobodyIn = try ServeAddress(in: stateFolder).letsNobodyIn() } catch {
      // The check of the state's files reports it.
      return
    }
    if letsNobodyIn {
      report.add(
        .warning, "server",
        "phones of this network cannot open the page, though the setting lan asks for it; "
          + "the log of 'photospots serve' says why")
    }
  }

  // MARK: - Settings

  private func checkSettings(_ report: inout StatusReport) {
    var told: Set<String> = []
    func addLine(_ text: String, _ report: inout StatusReport) {
      if told.insert(text).inserted { report.add(.error, "settings", text) }
    }
    for problem in settings.unknownNames { addLine("\(problem)", &report) }
    for setting in Setting.allCases {
      do throws(SettingsError) { _ = try settings.value(setting) } catch {
        addLine("\(error)", &report)
      }
    }
    guard told.isEmpty else { return }
    do {
      try checkReceivers()
    } catch { report.add(.error, "receivers", "\(error)") }
  }

  // MARK: - The index

  /// The cluster radius in force if the library does not have its own.
  private var clusterRadius: Double {
    (try? settings.clusterRadiusMeters) ?? WatcherSettings().clusterRadiusMeters
  }

  private func checkIndex(_ report: inout StatusReport) -> any SpotSource {
    let none = SpotIndex(spots: [])
    let radius = clusterRadius
    let opened: PhotoIndexCache.Opened
    do throws(PhotoIndexCacheError) {
      guard let found = try cache.open(clusterRadius: radius) else {
        report.add(
          .error, "index",
          """
          there is no index at \(cache.path.escaped). Run '\(commands.text("index", "FOLDER"))' first.
          """)
        return none
      }
      opened = found
    } catch {
      report.add(.error, "index", "\(error)")
      return none
    }
    if let obstacle = opened.obstacle { report.add(.warning, "index", "\(obstacle)") }
    let spots = SpotIndex(opened.index, clusterRadius: radius)
    let facts = IndexFacts(opened.index, spotCount: spots.spots.count)
    report.index = facts
    if facts.photoCount == 0 {
      report.add(.warning, "index", "the index holds no photo with a position, so nothing can fire")
    }
    checkFolders(facts.roots, &report)
    return spots
  }

  /// Reports that no scan can store the index.
  private func checkIndexFolder(_ report: inout StatusReport) {
    let folder = cache.path.removingLastComponent()
    do throws(Errno) {
      guard try Disk.hasEntry(folder) else { return }
      try Disk.probe(folder)
    } catch {
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      report.add(
        .warning, "index",
        """
        nothing can be stored in \(folder.escaped), so the index stays as it is: \
        \(error).\(advice)
        """)
    }
  }

  private func checkStore(
    _ open: () throws -> StoredLibrary, _ report: inout StatusReport
  ) -> any SpotSource {
    do {
      let (facts, spots) = try open()
      report.store = facts
      if facts.photoCount == 0 {
        report.add(
          .warning, "store", "the store holds no photo with a position, so nothing can fire")
      }
      return spots
    } catch {
      report.add(.error, "store", "\(error)")
      return SpotIndex(spots: [])
    }
  }

  /// Joins spots with the user's own places.
  private func joined(
    with spots: any SpotSource, _ report: inout StatusReport
  ) -> any SpotSource {
    // An unusable setting is reported with the settings.
    guard let store = try? settings.placeStore(stateFolder: stateFolder, log: log) else {
      return spots
    }
    do throws(PlaceStoreError) {
      let places = try store.load().ownPlaces
      report.placeCount = places.count
      if let index = spots as? SpotIndex {
        return index.joined(with: places, clusterRadius: clusterRadius)
      }
      let radius = report.store?.clusterRadiusMeters ?? clusterRadius
      return places.isEmpty ? spots : JoinedSpots(spots, with: places, clusterRadius: radius)
    } catch {
      report.add(.error, "places", "\(error)")
      return spots
    }
  }

  private func checkFolders(_ roots: [PhotoIndex.Root], _ report: inout StatusReport) {
    let age = (try? settings.indexMaxAgeSeconds) ?? 7 * 86_400
    for root in roots {
      if root.isStale {
        report.add(
          .warning, "index",
          """
          the last scan could not read \(root.path.escaped), or missed most of its photos, so they may be \
          out of date. Make it available, then run '\(commands.text("index"))'; it says what else to do.
          """)
      } else if let read = root.fullyRead, now.seconds(since: read) > age + 86_400 {
        // After this time, a scan reads all files again.
        report.add(
          .warning, "index",
          """
          \(root.path.escaped) was last scanned more than \
          \(DurationText.text(now.seconds(since: read) - age)) ago. Run '\(commands.text("index"))', or \
          keep it current with '\(commands.text("serve"))' or \
          '\(commands.text("index", "--watch"))'.
          """)
      }
      if !root.isStale, let first = root.unread.first {
        let others = root.unread.count == 1 ? "" : " and others, at least \(root.unread.count - 1)"
        report.add(
          .warning, "index",
          """
          the last scan could not read \(first.escaped)\(others), so photos there may be missing or out of \
          date. Make it readable, or exclude it, then run '\(commands.text("index"))'.
          """)
      }
      for folder in root.isStale ? [] : root.foldersOfAwayDisks {
        report.add(
          .warning, "index",
          """
          the disk of \(folder.escaped) is not mounted, so its photos may be out of date. Mount it, then \
          run '\(commands.text("index"))'. If they are gone for good: \
          \(commands.text("forget", folder.quoted))
          """)
      }
    }
  }

  // MARK: - Devices

  private func checkDevices(_ report: inout StatusReport, _ spots: any SpotSource) {
    var damage: DeviceLogDamage?
    let known: [DeviceReport]
    do throws(DeviceLogError) {
      known = try DeviceLog.reports(in: stateFolder) { damage = $0 }
    } catch {
      report.add(.error, "devices", "\(error)")
      return
    }
    if let damage { report.add(.error, "devices", "\(damage)") }
    let radius = (try? settings.proximityRadiusMeters) ?? WatcherSettings().proximityRadiusMeters
    do {
      report.devices = try known.map { try device(of: $0, among: spots, radius) }
    } catch {
      report.add(.error, "store", "\(error)")
    }
    guard !known.isEmpty else { return }
    for device in known {
      guard let problem = device.problem else { continue }
      // What was received without a device's name, such as a mistaken request, is soon forgotten.
      let isUnknown = device.device == nil && device.fix == nil
      guard !isUnknown || now.seconds(since: device.heard) < Self.unknownSeconds else { continue }
      report.add(
        .warning, "devices",
        "\(device.device?.escaped ?? "a device without a name"): \(problem)")
    }
    if report.isWatching == false {
      report.add(
        .warning, "watch",
        """
        no watch is running. Start '\(commands.text("watch", "SOURCE"))' or \
        '\(commands.text("serve"))', or its service.
        """)
      return
    }
    for device in known
    where device.fix != nil && now.seconds(since: device.heard) > silenceSeconds {
      report.add(
        .warning, "devices",
        """
        \(device.device?.escaped ?? "a device without a name") has been silent for \
        \(DurationText.text(now.seconds(since: device.heard))). Check that its app or receiver \
        runs and can reach this machine. If it is not used any more, stop the watch, and remove it: \
        \(commands.text("devices", "--forget=" + (device.device?.escaped.asShellArgument ?? "-")))
        """)
    }
  }

  private func device(
    of known: DeviceReport, among spots: any SpotSource, _ radius: Double
  ) throws -> StatusReport.Device {
    func spot(_ found: SpotIndex.Neighbor) -> StatusReport.Spot {
      StatusReport.Spot(
        id: found.spot.id, name: found.spot.shownPlaceName,
        distanceMeters: found.distanceMeters)
    }
    guard let here = known.fix?.coordinate else {
      return StatusReport.Device(report: known, near: [], nearest: nil)
    }
    let nearest = try spots.nearest(Self.spotCount, to: here)
    let near =
      nearest
      .filter { $0.distanceMeters <= $0.spot.place?.alertRadiusMeters ?? radius }.map(spot)
    return StatusReport.Device(
      report: known, near: near, nearest: near.isEmpty ? nearest.first.map(spot) : nil)
  }

  // MARK: - Alerts

  private func checkHistory(_ report: inout StatusReport, _ spots: any SpotSource) {
    let history: [HistoryEntry]
    do throws(AlertStateError) {
      let journal = try WatchSession.journal(in: stateFolder)
      history = journal.history
      if let line = journal.damagedLines.first {
        report.add(
          .error, "history",
          """
          the history in \(stateFolder.escaped) is damaged in line \(line)\
          \(journal.damagedLines.count > 1 ? " and others" : ""); the next watch skips the damage \
          and keeps a copy.
          """)
      }
    } catch {
      report.add(.error, "history", "\(error)")
      return
    }
    if let last = history.last(where: { $0.kind == .notified }) {
      report.lastAlert = (last, last.placeName(among: spots))
    }
    checkDeliveries(history, &report)
  }

  private func checkDeliveries(_ history: [HistoryEntry], _ report: inout StatusReport) {
    var waiting: [String: Int] = [:]
    var late: [String: (count: Int, reason: String?)] = [:]
    for entry in history {
      for delivery in entry.deliveries {
        switch delivery.outcome {
        case .delivered: break
        case .pending:
          if now.seconds(since: entry.recorded) > Self.deliverySeconds {
            late[delivery.notifier, default: (0, nil)].count += 1
            late[delivery.notifier]?.reason = delivery.failure
          } else if delivery.tries > 0 {
            waiting[delivery.notifier, default: 0] += 1
          }
        case .expired(let time), .setAside(let time):
          guard now.seconds(since: time) <= Self.failureSeconds else { break }
          late[delivery.notifier, default: (0, nil)].count += 1
          late[delivery.notifier]?.reason = delivery.failure
        }
      }
    }
    for (notifier, failed) in late.sorted(by: { $0.key < $1.key }) {
      let reason = failed.reason.map { " (\($0.escaped))" } ?? ""
      report.add(
        .error, "delivery",
        """
        \(notifier.escaped) did not receive \(failed.count) \(failed.count == 1 ? "alert" : "alerts")\(reason). \
        '\(commands.text("history"))' lists them.
        """)
    }
    for (notifier, count) in waiting.sorted(by: { $0.key < $1.key }) {
      report.add(
        .warning, "delivery",
        "\(count) \(count == 1 ? "alert waits" : "alerts wait") for another delivery to \(notifier.escaped)"
      )
    }
  }
}
