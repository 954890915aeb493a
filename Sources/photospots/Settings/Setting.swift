import SpotWatcher

/// A setting that can be given in `config.json`, in the environment and as a command-line option.
enum Setting: String, CaseIterable {
  case proximityRadius, clusterRadius, cooldown, minimumPhotoAge, favoritesOnly, distanceFilter
  case maximumAccuracy, maximumFixAge, dwell, minimumInterval, maximumSpeed
  case quietHours, quietHoursZone, mutedZones
  case notificationsEnabled, dailyBudget, alertsPerMinute, indexMaxAge
  case routineDays, townInterval, siblingDistance, sharedInterval, coldStart, jumpQuarantine
  case rulesOff, recreationInterval
  case webhookURL, webhookSecret, ntfyURL, ntfyToken, ntfyPriority, ntfyPicture
  case gotifyURL, gotifyToken, gotifyPriority, appriseURL, appriseServices, apprisePicture
  case mqttURL, mqttPassword, homeAssistant, homeAssistantPicture, listenTokens
  case ownTracksRegions, metricsToken
  case language, digest
  case mapTiles, serveHosts, recreationsFolder, pageAddress
  case tracks, cameraClocks, placesFile
  case immichKey, photoprismKey

  /// The type and range of a setting's value.
  enum Kind {
    /// Metres.
    case distance(ClosedRange<Double>)
    /// Seconds.
    case duration(ClosedRange<Double>)
    /// Kilometres per hour, or `off`.
    case speed(ClosedRange<Double>)
    /// A count, or `off`.
    case budget(ClosedRange<Double>)
    case flag
    /// Hours of the day such as `22:00-07:00`, or `off`.
    case hours
    /// A time zone such as `Europe/Paris`, or `machine`.
    case zone
    /// Circles as `latitude,longitude,metres`, separated by semicolons, or `none`.
    case zones
    /// Names of rules, separated by commas, or `none`.
    case rules
    /// A whole number.
    case count(ClosedRange<Double>)
    /// A URL, or `off`.
    case address
    /// A topic of an MQTT broker, or `off`.
    case broker
    /// The prefix of topics, `on`, or `off`.
    case prefix
    /// Any text, including an empty one.
    case secret
    /// Devices and their tokens as `phone=token`, separated by commas, or `off`.
    case tokens
    /// `en`, `es`, or `auto`.
    case language
    /// `daily 21:00`, `sunday 18:00`, or `off`.
    case schedule
    /// The source of map tiles, or `off`.
    case tiles
    /// Host names, separated by commas, or `none`.
    case hosts
    /// The path of a folder.
    case folder
    /// The address of the page, or `off`.
    case page
    /// Paths of recorded tracks, separated by colons; `trail` for the tracks of
    /// `watch --keep-trail`; or `off`.
    case tracks
    /// Clock offsets of cameras such as `Canon EOS 70D=+02:00:30`, separated by commas, or `none`.
    case clocks
    /// The path of a places file, or `state`.
    case placesFile
  }

  var kind: Kind {
    switch self {
    case .proximityRadius: .distance(10...5000)
    case .clusterRadius: .distance(5...50)
    case .cooldown: .duration(0...365 * day)
    case .minimumPhotoAge: .duration(0...100 * 365.25 * day)
    case .distanceFilter: .distance(0...1000)
    case .maximumAccuracy: .distance(1...5000)
    case .maximumFixAge: .duration(1...day)
    case .dwell: .duration(0...3600)
    case .minimumInterval: .duration(0...day)
    case .maximumSpeed: .speed(1...1000)
    case .quietHours: .hours
    case .quietHoursZone: .zone
    case .mutedZones: .zones
    case .favoritesOnly, .notificationsEnabled: .flag
    case .dailyBudget, .alertsPerMinute: .budget(1...1000)
    case .indexMaxAge: .duration(3600...365 * day)
    case .routineDays: .count(0...60)
    case .townInterval: .duration(0...day)
    case .siblingDistance: .distance(0...1000)
    case .sharedInterval: .duration(0...day)
    case .coldStart: .duration(0...3600)
    case .jumpQuarantine: .duration(0...3600)
    case .rulesOff: .rules
    case .recreationInterval: .duration(0...100 * 365.25 * day)
    case .webhookURL, .ntfyURL, .gotifyURL, .appriseURL: .address
    case .mqttURL: .broker
    case .webhookSecret, .ntfyToken, .gotifyToken, .appriseServices, .mqttPassword, .metricsToken:
      .secret
    case .immichKey, .photoprismKey: .secret
    case .listenTokens: .tokens
    case .ntfyPriority: .count(1...5)
    case .gotifyPriority: .count(0...10)
    case .ntfyPicture, .apprisePicture, .homeAssistantPicture, .ownTracksRegions: .flag
    case .homeAssistant: .prefix
    case .language: .language
    case .digest: .schedule
    case .mapTiles: .tiles
    case .serveHosts: .hosts
    case .recreationsFolder: .folder
    case .pageAddress: .page
    case .tracks: .tracks
    case .cameraClocks: .clocks
    case .placesFile: .placesFile
    }
  }

  /// Whether the value must be hidden from others. URLs are secrets too: anyone who knows a topic
  /// of an ntfy server can read it. The topic of an MQTT broker is not, since the broker controls
  /// who may read it.
  var isSecret: Bool {
    switch kind {
    case .address, .secret, .tokens: true
    default: false
    }
  }

  /// Whether the setting affects the watcher's decisions.
  var isRule: Bool {
    switch self {
    case .indexMaxAge, .ntfyPriority, .ntfyPicture, .mqttURL, .ownTracksRegions: false
    case .gotifyPriority, .apprisePicture, .homeAssistant, .homeAssistantPicture: false
    case .language, .digest, .mapTiles, .serveHosts, .recreationsFolder, .pageAddress: false
    case .tracks, .cameraClocks, .placesFile: false
    default: !isSecret
    }
  }

  private var day: Double { 86_400 }

  /// The default value.
  var defaultText: String {
    switch self {
    case .proximityRadius: "100 m"
    case .clusterRadius: "15 m"
    case .cooldown: "24 h"
    case .minimumPhotoAge: "24 h"
    case .favoritesOnly: "false"
    case .distanceFilter: "10 m"
    case .maximumAccuracy: "100 m"
    case .maximumFixAge: "15 min"
    case .dwell: "0 s"
    case .minimumInterval: "5 min"
    case .maximumSpeed: "25 km/h"
    case .quietHours: "off"
    case .quietHoursZone: "machine"
    case .mutedZones: "none"
    case .notificationsEnabled: "true"
    case .dailyBudget: "20"
    case .alertsPerMinute: "30"
    case .indexMaxAge: "7 d"
    case .routineDays: "14"
    case .townInterval: "15 min"
    case .siblingDistance: "100 m"
    case .sharedInterval: "30 min"
    case .coldStart: "60 s"
    case .jumpQuarantine: "10 min"
    case .rulesOff: "none"
    case .recreationInterval: "0 s"
    case .webhookURL, .ntfyURL, .webhookSecret, .ntfyToken: "off"
    case .gotifyURL, .gotifyToken, .appriseURL, .appriseServices: "off"
    case .gotifyPriority: "5"
    case .mqttURL, .mqttPassword, .homeAssistant, .listenTokens, .metricsToken: "off"
    case .ownTracksRegions: "false"
    case .ntfyPriority: "3"
    case .ntfyPicture, .apprisePicture, .homeAssistantPicture: "true"
    case .language: "auto"
    case .digest, .mapTiles, .pageAddress: "off"
    case .tracks: "off"
    case .serveHosts, .cameraClocks: "none"
    case .immichKey, .photoprismKey: "off"
    case .recreationsFolder: "~/Pictures/PhotoSpots"
    case .placesFile: "state"
    }
  }

  /// A one-line summary of the setting.
  var summary: String {
    switch self {
    case .proximityRadius: "the distance from a spot within which it fires"
    case .clusterRadius: "the distance from a spot's first photo within which photos belong to it"
    case .cooldown: "how long a spot stays silent after it fired"
    case .minimumPhotoAge: "only spots with a photo older than this fire"
    case .favoritesOnly: "only spots with a favourite photo fire"
    case .distanceFilter: "how far a device must move before its next fix is evaluated"
    case .maximumAccuracy: "fixes with a larger position error are ignored"
    case .maximumFixAge: "older fixes of a live feed do not fire"
    case .dwell: "how long to stay near a spot before it fires"
    case .minimumInterval: "the minimum time between alerts to one device"
    case .maximumSpeed:
      "above this speed a device is in a vehicle, and spots wait; raise it for fast bicycles"
    case .quietHours: "nothing fires in these hours, local time"
    case .quietHoursZone: "the time zone of quietHours: machine, or a name such as Europe/Paris"
    case .mutedZones: "nothing fires in these circles"
    case .notificationsEnabled: "whether anything fires"
    case .dailyBudget:
      "the maximum number of alerts in a day; half of them are reserved for the better spots"
    case .alertsPerMinute:
      "the maximum number of alerts in a minute over all devices; one device gets at most half"
    case .indexMaxAge: "the time after which every photo is read again"
    case .routineDays:
      "each day at a place among so many past days adds a cooldown; lower it for alerts on daily routes"
    case .townInterval:
      "the minimum time between two alerts within 500 m; lower it for a photo tour of a town"
    case .siblingDistance:
      "a spot that fires silences the spots within this distance; lower it where each corner counts"
    case .sharedInterval:
      "how long an alert is silent on other devices nearby; 0 s where each person of a group carries one"
    case .coldStart:
      "how long to stay near a spot after the first fix or a gap; raise it for receivers that start inaccurately"
    case .jumpQuarantine: "how long an implausible position is ignored"
    case .rulesOff:
      "the rules that are turned off: "
        + WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")
    case .recreationInterval:
      "how long a spot stays silent after its photo was taken again, such as 1y; with 0 s it still fires"
    case .webhookURL: "the address to which alerts are posted as JSON"
    case .webhookSecret: "the secret that signs them"
    case .ntfyURL: "the ntfy server and topic to which alerts are published"
    case .ntfyToken: "the access token of that server"
    case .ntfyPriority: "the priority of the alerts, from 1 (silent) to 5"
    case .ntfyPicture: "whether the alerts carry the cover photo, reduced in size"
    case .gotifyURL: "the Gotify server to which alerts are sent"
    case .gotifyToken: "the token of an application on that server"
    case .gotifyPriority: "the priority of the alerts, from 0 (silent) to 10"
    case .appriseURL:
      "the Apprise API server to which alerts are sent, with the key of its services"
    case .appriseServices:
      "the services to notify, as Apprise addresses, where appriseURL has no key"
    case .apprisePicture: "whether the alerts carry the cover photo, reduced in size"
    case .mqttURL: "the MQTT broker and topic to which alerts are published"
    case .mqttPassword: "the password for MQTT brokers, also for those read as feeds"
    case .homeAssistant:
      "whether Home Assistant discovers devices and alerts on that broker: on, or its discovery prefix"
    case .homeAssistantPicture:
      "whether the cover photo of an alert is sent to Home Assistant, reduced in size"
    case .listenTokens: "the devices that may send positions, and the token of each"
    case .ownTracksRegions:
      "whether OwnTracks is sent the nearest spots as regions that the phone watches itself"
    case .metricsToken: "the token for reading /metrics, at least 16 characters"
    case .language: "the language of alerts: en, es, or auto for that of the environment"
    case .digest:
      "when a summary of the day or week is sent to all receivers: daily 21:00, or sunday 18:00"
    case .mapTiles:
      "the source of map pictures: an address or folder with {z}/{x}/{y}, or an .mbtiles file"
    case .serveHosts:
      "the host names under which browsers may open the page, besides the machine's own"
    case .recreationsFolder: "the folder for pictures that are taken again"
    case .immichKey:
      "the API key for immich:// libraries; with several servers host=key,host=key"
    case .photoprismKey:
      "the app password for photoprism:// libraries; with several servers host=password"
    case .pageAddress:
      "the address of the page on phones, such as https://home.example:8090; alerts then link to it"
    case .tracks:
      "folders of recorded tracks that locate photos without a position; 'trail' for those of 'watch --keep-trail'"
    case .cameraClocks:
      "how far clocks of cameras are ahead of UTC: Canon EOS 70D=+02:00:30; others are estimated"
    case .placesFile:
      "the file of your places, which several machines may share; state is places.json in the state folder"
    }
  }

  /// A group of settings in the documentation.
  enum Section: String, CaseIterable {
    case index = "Index"
    case rules = "Rules of the watcher"
    case messages = "Messages"
    case receivers = "Receivers of alerts"
    case positions = "Positions and monitoring"
    case page = "The page"
  }

  /// The section of the setting.
  var section: Section {
    switch self {
    case .clusterRadius, .indexMaxAge, .tracks, .cameraClocks, .placesFile, .recreationsFolder,
      .immichKey, .photoprismKey:
      .index
    case .proximityRadius, .cooldown, .minimumPhotoAge, .favoritesOnly, .distanceFilter,
      .maximumAccuracy, .maximumFixAge, .dwell, .minimumInterval, .maximumSpeed, .quietHours,
      .quietHoursZone, .mutedZones, .notificationsEnabled, .dailyBudget, .alertsPerMinute,
      .routineDays, .townInterval, .siblingDistance, .sharedInterval, .coldStart, .jumpQuarantine,
      .rulesOff, .recreationInterval:
      .rules
    case .language, .digest: .messages
    case .webhookURL, .webhookSecret, .ntfyURL, .ntfyToken, .ntfyPriority, .ntfyPicture,
      .gotifyURL, .gotifyToken, .gotifyPriority, .appriseURL, .appriseServices, .apprisePicture,
      .mqttURL, .mqttPassword, .homeAssistant, .homeAssistantPicture:
      .receivers
    case .listenTokens, .ownTracksRegions, .metricsToken: .positions
    case .mapTiles, .serveHosts, .pageAddress: .page
    }
  }

  /// Returns the setting with a name typed by the user. The name `radius` of the option `--radius`
  /// is accepted too.
  static func named(_ name: some StringProtocol) -> Setting? {
    name == "radius" ? .proximityRadius : Setting(rawValue: String(name))
  }

  /// The name of the environment variable, for example `PHOTOSPOTS_PROXIMITY_RADIUS` or
  /// `PHOTOSPOTS_NTFY_URL`.
  var environmentName: String {
    var name = "PHOTOSPOTS_"
    var previous: Character?
    for character in rawValue {
      if character.isUppercase, previous?.isUppercase != true { name += "_" }
      name += character.uppercased()
      previous = character
    }
    return name
  }
}
