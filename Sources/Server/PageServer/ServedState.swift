import CivilTime
import KeptPlaces
import LocationFeeds
import ProcessControl
import ProgramSettings
import Recreations
import SpotAlerts
import SpotService
import SpotWatcher
import Storage
import Synchronization
import SystemPackage

/// The data of a server with one library: the index, the settings, and the files of the state
/// folder.
///
/// Each file is read on demand, and again after it changed.
final class ServedState: ServiceSources {
  let stateFolder: FilePath
  let log: MessageLog
  let liveDevices: LiveDevices
  let muteList: MuteList
  let servedRecreations: ServedRecreations
  private let servedIndex: ServedIndex
  private let settingsInForce: SettingsInForce
  private let recreationTimes: RecreationTimes
  private let knownRecreated = Mutex<(generations: [String], times: [String: Instant])?>(nil)
  let ownPlaces: OwnPlaces
  private let knownPlaces = Mutex<(generations: [String], places: ServedPlaces)?>(nil)
  private let knownMutes = Mutex<[MutedSpot]?>(nil)
  private let knownRecreations = Mutex<[KeptRecreation]?>(nil)
  private let outages: StateOutages
  private let letsNobodyIn: Bool
  private let knownHistory = Mutex<(generation: String, entries: [HistoryEntry])?>(nil)

  init(
    index: ServedIndex, settings: SettingsInForce, stateFolder: FilePath, letsNobodyIn: Bool,
    log: MessageLog
  ) throws {
    (self.letsNobodyIn, self.log) = (letsNobodyIn, log)
    outages = StateOutages(log: log)
    servedIndex = index
    settingsInForce = settings
    self.stateFolder = stateFolder
    muteList = MuteList(in: stateFolder)
    servedRecreations = ServedRecreations(stateFolder: stateFolder, log: log)
    recreationTimes = RecreationTimes(stateFolder: stateFolder, log: log)
    liveDevices = LiveDevices(stateFolder: stateFolder)
    ownPlaces = try OwnPlaces(stateFolder: stateFolder, settings.settings, log: log)
  }

  func library() throws(Problem) -> ServedLibrary {
    try servedIndex.library(clusterRadius: settingsInForce.clusterRadiusMeters)
  }

  func devices() throws(Problem) -> [LocationFix] { liveDevices.positions }

  func deviceReports() throws(Problem) -> [DeviceReport] {
    do throws(DeviceLogError) { return try DeviceLog.reports(in: stateFolder) } catch {
      throw unreadable("list of devices", error, error.storageError)
    }
  }

  func trail(of device: String?) throws(Problem) -> [LocationFix]? {
    do throws(DeviceLogError) { return try liveDevices.trail(of: device) } catch {
      throw unreadable("trail", error, error.storageError)
    }
  }

  func history() throws(Problem) -> [HistoryEntry] {
    try knownHistory.withLock { known throws(Problem) in
      let generation = WatchSession.historyGeneration(in: stateFolder)
      if let known, known.generation == generation {
        outages.end(.history)
        return known.entries
      }
      do throws(AlertStateError) {
        // A journal that was there does not end: its disk is away.
        if generation.isEmpty, known != nil {
          throw .cannotOpen(stateFolder, .noSuchFileOrDirectory)
        }
        let entries = try WatchSession.history(in: stateFolder)
        known = (generation, entries)
        outages.end(.history)
        return entries
      } catch {
        return try outages.goOn(.history, after: error, error.storageError, with: known?.entries)
      }
    }
  }

  func mutes() throws(Problem) -> [MutedSpot] {
    try knownMutes.withLock { known throws(Problem) in
      do throws(MuteListError) {
        let mutes = try muteList.load()
        known = mutes
        outages.end(.mutes)
        return mutes
      } catch { return try outages.goOn(.mutes, after: error, error.storageError, with: known) }
    }
  }

  func settings() throws(Problem) -> [ServedSetting] { settingsInForce.all }

  func recreations() throws(Problem) -> [Recreation] {
    let kept = try knownRecreations.withLock { known throws(Problem) in
      do throws(RecreationError) {
        let kept = try servedRecreations.kept()
        known = kept
        outages.end(.recreations)
        return kept
      } catch {
        return try outages.goOn(.recreations, after: error, error.storageError, with: known)
      }
    }
    return ServedRecreations.answers(kept) { () throws(Problem) in try library() }
  }

  func recreatedSpots() throws(Problem) -> [String: Instant] {
    let library = try library()
    return knownRecreated.withLock { known in
      let generations = [library.generation, servedRecreations.generation]
      if let known, known.generations == generations { return known.times }
      let times = recreationTimes.times(in: library.spots)
      known = (generations, times)
      return times
    }
  }

  func places() throws(Problem) -> ServedPlaces {
    let library = try library()
    return try knownPlaces.withLock { known throws(Problem) in
      let generations = [library.generation, ownPlaces.store.generation]
      if let known, known.generations == generations {
        outages.end(.places)
        return known.places
      }
      let document: PlaceDocument
      do throws(PlaceStoreError) { document = try ownPlaces.store.load() } catch {
        return try outages.goOn(.places, after: error, error.storageError, with: known?.places)
      }
      outages.end(.places)
      let places = ServedPlaces(
        document, spots: library.spots,
        clusterRadius: settingsInForce.clusterRadiusMeters)
      known = (generations, places)
      return places
    }
  }

  /// Reads what could not be read the last time, which ends its outage if it can be.
  func readAgain() {
    for part in outages.parts {
      switch part {
      case .history: _ = try? history()
      case .mutes: _ = try? mutes()
      case .places: _ = try? places()
      case .recreations: _ = try? recreations()
      }
    }
  }

  func generations() -> ServiceGenerations {
    let settings = settingsInForce.isCurrent ? [] : [StateOutages.settings]
    return ServiceGenerations(
      mutes: Disk.generation(of: muteList.path).text, settings: settingsInForce.generation,
      history: WatchSession.historyGeneration(in: stateFolder),
      recreations: servedRecreations.generation, places: ownPlaces.store.generation,
      phones: Disk.generation(of: PrivateList.phones(in: stateFolder).path).text,
      outages: outages.parts.map(\.rawValue) + settings + (letsNobodyIn ? [StateOutages.lan] : []))
  }

  /// Creates a problem without the reason, which contains a path and is only logged.
  private func unreadable(
    _ what: String, _ reason: any Error, _ error: Errno? = nil
  ) -> Problem {
    log.problem("\(reason)")
    return Problem(
      storing: error, "The \(what) cannot be read; the log of photospots has the reason.")
  }
}
