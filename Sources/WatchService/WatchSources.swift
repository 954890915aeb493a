public import PhotoLibrary
public import SpotAlerts
public import SpotWatcher

/// What a watch is made from, and how that is read again.
public struct WatchSources: Sendable {
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

  /// Reads the settings and the list of muted spots.
  ///
  /// - Parameters:
  ///   - cache: The index file.
  ///   - muteList: The list of muted spots.
  ///   - refusesLaterPhotos: Whether photos that were taken later than a fix do not count.
  ///   - readAlerts: Reads how alerts are written, and when a digest is sent.
  ///   - readRules: Reads the rules from the settings.
  /// - Throws: What the closures throw; a `MuteListError`.
  public init(
    cache: PhotoIndexCache, muteList: MuteList, refusesLaterPhotos: Bool,
    readAlerts: @escaping @Sendable () throws -> AlertSettings = { AlertSettings() },
    readRules: @escaping @Sendable () throws -> WatcherSettings
  ) throws {
    self.cache = cache
    self.muteList = muteList
    self.refusesLaterPhotos = refusesLaterPhotos
    self.readRules = readRules
    self.readAlerts = readAlerts
    stamp = cache.stamp()
    mutedSpots = try muteList.load()
    rules = try readRules()
    alerts = try readAlerts()
  }

  /// Takes the settings anew.
  mutating func replace(rules: WatcherSettings, alerts: AlertSettings) {
    self.rules = rules
    self.alerts = alerts
  }

  /// What the watcher decides by.
  var watcherSettings: WatcherSettings {
    var watcher = rules
    watcher.mutedSpots = mutedSpots
    watcher.refusesLaterPhotos = refusesLaterPhotos
    return watcher
  }
}
