import CivilTime
import Dispatch
import IndexUpdates
import KeptPlaces
import PlaceTransfer
import ProcessControl
import ProgramSettings
import Spatial
import SpotAlerts
import SpotService
import SpotWatcher
import Storage
import SystemPackage
import WebService

/// The work of requests that needs files or other machines: serving pictures, muting spots,
/// changing settings and replaying tracks.
final class ServeWork: ServiceEffects {
  private let service: Service
  private let state: ServedState
  private let settings: SettingsInForce
  private let events: ServeEvents
  /// Receives the folders of new photos.
  private let requests: ScanRequests
  private let pictures: ServedPictures
  private let tiles: ServedTiles
  private let folders: FolderRequests
  private let queue = DispatchQueue(label: "photospots.work", qos: .userInitiated)

  init(
    _ service: Service, _ state: ServedState, _ settings: SettingsInForce, _ events: ServeEvents,
    _ requests: ScanRequests, _ pictures: ServedPictures, _ tiles: ServedTiles,
    _ folders: FolderRequests
  ) {
    (self.service, self.state, self.settings, self.events) = (service, state, settings, events)
    self.requests = requests
    (self.pictures, self.tiles, self.folders) = (pictures, tiles, folders)
  }

  func perform(_ work: ServiceWork) async -> ServedAnswer {
    switch work {
    case .picture(let picture): return await pictures.picture(picture)
    case .original(let files): return await pictures.original(of: files)
    case .share(let work):
      let language = (try? settings.settings.alerts.language) ?? .english
      return await pictures.share(work, language) { id throws(Problem) in
        try state.servedRecreations.file(of: id)
      }
    case .replay(let track, let variants):
      return .response(await replay(ServeReplay(track: track, variants: variants)))
    case .importPlaces(let work): return .response(await importPlaces(work))
    case .folders(let work):
      return .response(await onThread { [folders] in folders.perform(work) })
    case .recreationPicture(let id):
      do throws(Problem) {
        let file = LibraryFile(try state.servedRecreations.file(of: id))
        return await pictures.original(of: [file])
      } catch { return .response(error.response) }
    default: return .response(await changed(work))
    }
  }

  func tile(zoom: Int, column: Int, row: Int) async -> ServiceResponse {
    await tiles.tile(zoom: zoom, column: column, row: row)
  }

  /// Files are written one after the other on a separate thread, since writes may block on the
  /// disk.
  private func changed(_ work: ServiceWork) async -> ServiceResponse {
    await changed { [self] () throws(Problem) in try change(work) }
  }

  private func changed(
    _ change: @escaping @Sendable () throws(Problem) -> ServiceResponse
  ) async -> ServiceResponse {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let response = answering(change)
        events.checkForChanges()
        continuation.resume(returning: response)
      }
    }
  }

  private func change(_ work: ServiceWork) throws(Problem) -> ServiceResponse {
    switch work {
    case .mute(let spotID, let latitude, let longitude, let until):
      guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
        throw Problem(.noSuchSpot, "The spot has no position.")
      }
      let mute = MutedSpot(spotID: spotID, center: center, until: until)
      try update { list in
        list.removeAll { $0.spotID == spotID }
        list.append(mute)
      }
      return try service.muted(mute)
    case .act(let work): return act(work)
    case .unmute(let spotID):
      try update { list in list.removeAll { $0.spotID == spotID } }
      return .noContent
    case .places(let work): return try changePlaces(work)
    case .changeSettings(let patch, let expected):
      // Changes are made one after the other, so none comes between the check and the change.
      try service.checkSettings(expected)
      try settings.change(patch)
      return try service.changedSettings()
    case .keepRecreation(let jpeg, let name, _, let score, let taken):
      let folder = try recreationsFolder()
      let kept = try state.servedRecreations.keep(
        jpeg, ofPhoto: name, score: score, taken: taken, state,
        clusterRadiusMeters: settings.clusterRadiusMeters, in: folder)
      requests.add(folder)
      return service.kept(kept)
    case .forgetRecreation(let id):
      try state.servedRecreations.forget(id)
      return .noContent
    case .replay, .picture, .original, .share, .events, .recreationPicture, .importPlaces,
      .folders:
      throw Problem(.notFound, "This server does not support this.")
    }
  }

  /// Mutes a spot by a link, which works once.
  private func act(_ work: ActionWork) -> ServiceResponse {
    do throws(Problem) {
      guard let center = Coordinate(latitude: work.latitude, longitude: work.longitude) else {
        throw Problem(.noSuchSpot, "The spot has no position.")
      }
      if let used = service.configuration.usedLinks {
        guard try used.use(work.token, until: work.expiry) else { throw Service.usedLink }
      }
      try update {
        $0.extend(by: MutedSpot(spotID: work.spotID, center: center, until: work.until))
      }
      return service.acted(work)
    } catch { return service.refused(error, work) }
  }

  private func recreationsFolder() throws(Problem) -> FilePath {
    do { return try settings.settings.recreationsFolder } catch {
      state.log.problem("\(error)")
      throw Problem(.badSetting, "The setting recreationsFolder cannot be used.")
    }
  }

  private func changePlaces(_ work: PlaceWork) throws(Problem) -> ServiceResponse {
    let now = Instant.now
    let id = try updatePlaces(now) { document throws(PlaceError) in
      try work.apply(to: &document, now: now)
    }
    return try service.changed(work, of: id)
  }

  private func updatePlaces<Value: Sendable>(
    _ now: Instant, _ change: (inout PlaceDocument) throws(PlaceError) -> Value
  ) throws(Problem) -> Value {
    do throws(PlaceStoreError) {
      return try state.ownPlaces.store.update(now: now, change)
    } catch {
      if case .refused(let reason) = error { throw Problem(reason) }
      state.log.problem("\(error)")
      throw Problem(
        storing: error.storageError,
        "The places cannot be written; the log of photospots has the reason.")
    }
  }

  /// Imports places. The file is read on a thread of its own, so that other changes are made
  /// meanwhile.
  private func importPlaces(_ work: PlaceImportWork) async -> ServiceResponse {
    let read = await onThread { () -> Result<PlaceImport, Problem> in
      do throws(Problem) { return .success(try work.read()) } catch { return .failure(error) }
    }
    return await changed { [self] () throws(Problem) in
      let (item, now) = (try read.get(), Instant.now)
      let radius = try clusterRadiusMeters()
      let apply = { (document: inout PlaceDocument) throws(PlaceError) in
        try work.apply(item, to: &document, radiusMeters: radius, now: now)
      }
      guard work.isDryRun else { return service.imported(try updatePlaces(now, apply)) }
      var document = try state.places().document
      do throws(PlaceError) { return service.imported(try apply(&document)) } catch {
        throw Problem(error)
      }
    }
  }

  private func clusterRadiusMeters() throws(Problem) -> Double {
    do { return try settings.settings.clusterRadiusMeters } catch {
      throw Problem(.badSetting, "\(error)")
    }
  }

  private func update(_ change: (inout [MutedSpot]) -> Void) throws(Problem) {
    do throws(MuteListError) {
      try state.muteList.update(now: .now, change)
    } catch {
      state.log.problem("\(error)")
      // The change has been made; only a crash of the machine could undo it.
      if case .uncertain = error { return }
      throw Problem(
        storing: error.storageError,
        "The list of muted spots cannot be written; the log of photospots has the reason.")
    }
  }

  private func replay(_ replay: ServeReplay) async -> ServiceResponse {
    await ServeReplay.cancellable { [self] isCancelled in
      answering { () throws(Problem) in
        let answer = try replay.run(
          over: try state.library(), try state.places(), settings.settings,
          mutedSpots: try state.mutes(),
          recreations: RecreationTimes(stateFolder: state.stateFolder, log: state.log),
          isCancelled: isCancelled)
        return try service.replayed(answer, now: .now)
      }
    }
  }

  private func answering(_ body: () throws(Problem) -> ServiceResponse) -> ServiceResponse {
    do throws(Problem) { return try body() } catch { return error.response }
  }
}
