public import CivilTime
public import PhotoLibrary
public import SpotAlerts
public import SpotWatcher

/// The inputs of a watch, and how to reload them.
public struct WatchSources: Sendable {
  /// The times when spots were last recreated, from a list on the disk.
  public struct Recreations: Sendable {
    let generation: @Sendable () -> String
    let times: @Sendable (SpotIndex) -> [String: Instant]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - generation: Returns a text that differs after each change of the list.
    ///   - times: Returns when each of some spots was last recreated, by spot id.
    public init(
      generation: @escaping @Sendable () -> String,
      times: @escaping @Sendable (SpotIndex) -> [String: Instant]
    ) {
      (self.generation, self.times) = (generation, times)
    }
  }

  /// The user's places, from a file on the disk.
  public struct Places: Sendable {
    let generation: @Sendable () -> String
    let load: @Sendable () throws -> [OwnPlace]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - generation: Returns a text that differs after each change of the file.
    ///   - load: Loads the places.
    public init(
      generation: @escaping @Sendable () -> String,
      load: @escaping @Sendable () throws -> [OwnPlace]
    ) {
      (self.generation, self.load) = (generation, load)
    }
  }

  /// The index file; `nil` if the spots are in a store.
  public let cache: PhotoIndexCache?
  /// The list of muted spots.
  public let muteList: MuteList
  /// Whether a spot is too recent if its oldest photo was taken after the fix; see
  /// `WatcherSettings`.
  public let refusesLaterPhotos: Bool
  /// The rules in the settings.
  public private(set) var rules: WatcherSettings
  /// The language of alerts and the schedule of digests.
  public private(set) var alerts: AlertSettings
  /// The times of recreations.
  let recreations: Recreations?
  /// The source of the user's places.
  let places: Places?
  /// The places in use.
  package private(set) var ownPlaces: [OwnPlace] = []
  /// The generation that was last loaded, successfully or not.
  private var placesGeneration: String?
  /// Loads the rules from the settings.
  let readRules: @Sendable () throws -> WatcherSettings
  /// Loads the settings of alerts.
  let readAlerts: @Sendable () throws -> AlertSettings
  /// The muted spots in use.
  var mutedSpots: [MutedSpot]
  /// The stamp of the index in use, taken before it was loaded, so that it differs from that of an
  /// index written meanwhile.
  var stamp: PhotoIndexCache.Stamp?
  /// The index whose spots are in use.
  var index: PhotoIndex?
  /// The spots in use, and the times of their recreations with the generation of these.
  private(set) var spots = SpotIndex(spots: [])
  private var recreated: (generation: String?, times: [String: Instant]) = (nil, [:])

  /// Loads the settings and the list of muted spots.
  ///
  /// - Parameters:
  ///   - cache: The index file; `nil` if the spots are in a store.
  ///   - muteList: The list of muted spots.
  ///   - refusesLaterPhotos: Whether a spot is too recent if its oldest photo was taken after the
  ///     fix.
  ///   - recreations: The times of recreations; `nil` for none.
  ///   - places: The source of the user's places; `nil` for none.
  ///   - readAlerts: Loads the settings of alerts and digests.
  ///   - readRules: Loads the rules from the settings.
  /// - Throws: The errors of the closures; a `MuteListError`.
  public init(
    cache: PhotoIndexCache?, muteList: MuteList, refusesLaterPhotos: Bool,
    recreations: Recreations? = nil, places: Places? = nil,
    readAlerts: @escaping @Sendable () throws -> AlertSettings = { AlertSettings() },
    readRules: @escaping @Sendable () throws -> WatcherSettings
  ) throws {
    self.cache = cache
    self.muteList = muteList
    self.refusesLaterPhotos = refusesLaterPhotos
    self.recreations = recreations
    self.places = places
    self.readRules = readRules
    self.readAlerts = readAlerts
    stamp = cache?.stamp()
    mutedSpots = try muteList.load()
    rules = try readRules()
    alerts = try readAlerts()
    placesGeneration = places?.generation()
    ownPlaces = try places?.load() ?? []
  }

  /// Reloads the user's places if their file has changed.
  ///
  /// - Returns: Whether they were reloaded.
  /// - Throws: The error of the source, once for each state of the file; the places are kept then.
  mutating func takePlaces() throws -> Bool {
    guard let places else { return false }
    let generation = places.generation()
    guard generation != placesGeneration else { return false }
    placesGeneration = generation
    ownPlaces = try places.load()
    return true
  }

  /// Returns spots of photos joined with the places in use.
  func joined(_ spots: SpotIndex) -> SpotIndex {
    spots.joined(with: ownPlaces, clusterRadius: rules.clusterRadiusMeters)
  }

  /// Replaces the settings.
  mutating func replace(rules: WatcherSettings, alerts: AlertSettings) {
    self.rules = rules
    self.alerts = alerts
  }

  /// Replaces the spots in use.
  mutating func take(_ spots: SpotIndex) {
    self.spots = spots
    recreated.generation = nil
    _ = takeRecreations()
  }

  /// Reloads the times of recreations if their rule is enabled and the list or the spots have
  /// changed.
  ///
  /// - Returns: Whether the watcher's settings have changed thereby.
  mutating func takeRecreations() -> Bool {
    guard let recreations, rules.recreationIntervalSeconds > 0 else { return false }
    let generation = recreations.generation()
    guard generation != recreated.generation else { return false }
    let times = recreations.times(spots)
    defer { recreated = (generation, times) }
    return times != recreated.times
  }

  /// The current settings of the watcher.
  var watcherSettings: WatcherSettings {
    var watcher = rules
    watcher.mutedSpots = mutedSpots
    watcher.refusesLaterPhotos = refusesLaterPhotos
    watcher.recreatedSpots = recreated.times
    return watcher
  }
}
