import CivilTime
import KeptPlaces
import LocationFeeds
import ProcessControl
import ProgramSettings
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
  private let knownHistory = Mutex<(generation: String, entries: [HistoryEntry])?>(nil)

  init(
    index: ServedIndex, settings: SettingsInForce, stateFolder: FilePath, log: MessageLog
  ) throws {
    self.log = log
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

  func trail(of device: String?) throws(Problem) -> [LocationFix]? {
    do throws(DeviceLogError) { return try liveDevices.trail(of: device) } catch {
      throw unreadable("trail", error)
    }
  }

  func history() throws(Problem) -> [HistoryEntry] {
    try knownHistory.withLock { known throws(Problem) in
      let generation = WatchSession.historyGeneration(in: stateFolder)
      if let known, known.generation == generation { return known.entries }
      do throws(AlertStateError) {
        let entries = try WatchSession.history(in: stateFolder)
        known = (generation, entries)
        return entries
      } catch { throw unreadable("history", error) }
    }
  }

  func mutes() throws(Problem) -> [MutedSpot] {
    do throws(MuteListError) { return try muteList.load() } catch {
      throw unreadable("list of muted spots", error)
    }
  }

  func settings() throws(Problem) -> [ServedSetting] { settingsInForce.all }

  func recreations() throws(Problem) -> [Recreation] {
    try servedRecreations.all { () throws(Problem) in try library() }
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
      if let known, known.generations == generations { return known.places }
      let document: PlaceDocument
      do throws(PlaceStoreError) { document = try ownPlaces.store.load() } catch {
        throw unreadable("file of places", error)
      }
      let places = ServedPlaces(
        document, spots: library.spots,
        clusterRadius: settingsInForce.clusterRadiusMeters)
      known = (generations, places)
      return places
    }
  }

  func generations() -> ServiceGenerations {
    ServiceGenerations(
      mutes: Disk.generation(of: muteList.path), settings: settingsInForce.generation,
      history: WatchSession.historyGeneration(in: stateFolder),
      recreations: servedRecreations.generation, places: ownPlaces.store.generation)
  }

  /// Creates a problem without the reason, which contains a path and is only logged.
  private func unreadable(_ what: String, _ reason: any Error) -> Problem {
    log.problem("\(reason)")
    return Problem(
      .stateDamaged, "The \(what) cannot be read; the log of photospots has the reason.")
  }
}
