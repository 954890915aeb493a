public import CivilTime
public import PhotoLibrary
public import SpotAlerts
public import SpotWatcher

/// What a watch is made from, and how that is read again.
public struct WatchSources: Sendable {
  /// When spots were taken again, as a list on the disk has it.
  public struct Recreations: Sendable {
    let generation: @Sendable () -> String
    let times: @Sendable (SpotIndex) -> [String: Instant]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - generation: A text that differs after each change of the list.
    ///   - times: Reads when each of some spots was taken again last, by the spots' ids.
    public init(
      generation: @escaping @Sendable () -> String,
      times: @escaping @Sendable (SpotIndex) -> [String: Instant]
    ) {
      (self.generation, self.times) = (generation, times)
    }
  }

  /// The places of one's own, as a file on the disk has them.
  public struct Places: Sendable {
    let generation: @Sendable () -> String
    let load: @Sendable () throws -> [OwnPlace]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - generation: A text that differs after each change of the file.
    ///   - load: Reads the places.
    public init(
      generation: @escaping @Sendable () -> String,
      load: @escaping @Sendable () throws -> [OwnPlace]
    ) {
      (self.generation, self.load) = (generation, load)
    }
  }

  /// The index file.
  public let cache: PhotoIndexCache
  /// The list of muted spots.
  public let muteList: MuteList
  /// Whether photos that were taken later than a fix do not count.
  public let refusesLaterPhotos: Bool
  /// The rules, as the settings have them.
  public private(set) var rules: WatcherSettings
  /// The language of alerts and the schedule of digests.
  public private(set) var alerts: AlertSettings
  /// When spots were taken again.
  let recreations: Recreations?
  /// The places of one's own.
  let places: Places?
  /// The places in force.
  package private(set) var ownPlaces: [OwnPlace] = []
  /// The generation that was read last, whether it could be used or not.
  private var placesGeneration: String?
  /// Reads the rules from the settings.
  let readRules: @Sendable () throws -> WatcherSettings
  /// Reads how alerts are written.
  let readAlerts: @Sendable () throws -> AlertSettings
  /// What of the files was in force last.
  var mutedSpots: [MutedSpot]
  /// That of the index in force, taken before it was loaded: one that is written meanwhile has
  /// another.
  var stamp: PhotoIndexCache.Stamp?
  /// The index whose spots are in force.
  var index: PhotoIndex?
  /// The spots in force, and when they were taken again; with the generation of that.
  private(set) var spots = SpotIndex(spots: [])
  private var recreated: (generation: String?, times: [String: Instant]) = (nil, [:])

  /// Reads the settings and the list of muted spots.
  ///
  /// - Parameters:
  ///   - cache: The index file.
  ///   - muteList: The list of muted spots.
  ///   - refusesLaterPhotos: Whether photos that were taken later than a fix do not count.
  ///   - recreations: When spots were taken again; `nil` for never.
  ///   - places: The places of one's own; `nil` for none.
  ///   - readAlerts: Reads how alerts are written, and when a digest is sent.
  ///   - readRules: Reads the rules from the settings.
  /// - Throws: What the closures throw; a `MuteListError`.
  public init(
    cache: PhotoIndexCache, muteList: MuteList, refusesLaterPhotos: Bool,
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
    stamp = cache.stamp()
    mutedSpots = try muteList.load()
    rules = try readRules()
    alerts = try readAlerts()
    placesGeneration = places?.generation()
    ownPlaces = try places?.load() ?? []
  }

  /// Reads the places of one's own, where they are others.
  ///
  /// - Returns: Whether they were read.
  /// - Throws: What the source throws, once for each state of the file; the places stay.
  mutating func takePlaces() throws -> Bool {
    guard let places else { return false }
    let generation = places.generation()
    guard generation != placesGeneration else { return false }
    placesGeneration = generation
    ownPlaces = try places.load()
    return true
  }

  /// Spots of photos together with the places in force.
  func joined(_ spots: SpotIndex) -> SpotIndex {
    spots.joined(with: ownPlaces, clusterRadius: rules.clusterRadiusMeters)
  }

  /// Takes the settings anew.
  mutating func replace(rules: WatcherSettings, alerts: AlertSettings) {
    self.rules = rules
    self.alerts = alerts
  }

  /// Takes the spots in force.
  mutating func take(_ spots: SpotIndex) {
    self.spots = spots
    recreated.generation = nil
    _ = takeRecreations()
  }

  /// Reads when spots were taken again, where the rule about that holds and the list or the spots
  /// are others.
  ///
  /// - Returns: Whether the watcher is to decide otherwise.
  mutating func takeRecreations() -> Bool {
    guard let recreations, rules.recreationIntervalSeconds > 0 else { return false }
    let generation = recreations.generation()
    guard generation != recreated.generation else { return false }
    let times = recreations.times(spots)
    defer { recreated = (generation, times) }
    return times != recreated.times
  }

  /// What the watcher decides by.
  var watcherSettings: WatcherSettings {
    var watcher = rules
    watcher.mutedSpots = mutedSpots
    watcher.refusesLaterPhotos = refusesLaterPhotos
    watcher.recreatedSpots = recreated.times
    return watcher
  }
}
