/// A setting that can be given in `config.json`, in the environment and as a command-line option.
///
/// The cases are the names, in the order in which settings are listed. ``declaration`` has all
/// else.
package enum Setting: String, CaseIterable {
  case proximityRadius, clusterRadius, cooldown, minimumPhotoAge, favoritesOnly, distanceFilter
  case maximumAccuracy, maximumFixAge, dwell, minimumInterval, maximumSpeed
  case quietHours, quietHoursZone, mutedZones
  case notificationsEnabled, dailyBudget, alertsPerMinute, indexMaxAge
  case datesFromNames
  case routineDays, townInterval, siblingDistance, sharedInterval, coldStart, jumpQuarantine
  case rulesOff, recreationInterval
  case webhookURL, webhookSecret, ntfyURL, ntfyToken, ntfyPriority, ntfyPicture
  case gotifyURL, gotifyToken, gotifyPriority, appriseURL, appriseServices, apprisePicture
  case mqttURL, mqttPassword, homeAssistant, homeAssistantPicture, listenTokens
  case ownTracksRegions, metricsToken
  case language, units, digest
  case mapTiles, lan, serveHosts, recreationsFolder, pageAddress
  case tracks, cameraClocks, placesFile
  case immichKey, photoprismKey

  /// A group of settings in the documentation.
  package enum Section: String, CaseIterable {
    case index = "Index"
    case rules = "Rules of the watcher"
    case messages = "Messages"
    case receivers = "Receivers of alerts"
    case positions = "Positions and monitoring"
    case page = "The page"
  }

  /// The section of the setting.
  package var section: Section { declaration.section }

  /// The default value.
  package var defaultText: String { declaration.defaultText }

  /// A one-line summary of the setting.
  package var summary: String { declaration.summary }

  /// Whether the value must be hidden from others. URLs are secrets too: anyone who knows a topic
  /// of an ntfy server can read it. The topic of an MQTT broker is not, since the broker controls
  /// who may read it.
  package var isSecret: Bool { declaration.kind.isSecret }

  /// Whether the page shows the setting and can change it. Excluded are secrets, addresses, and
  /// settings that determine where pictures are written or who may access them.
  package var isChangeable: Bool { declaration.kind.isChangeable }

  /// Whether the setting affects the watcher's decisions. The cluster radius makes the spots.
  var isRule: Bool { section == .rules || self == .clusterRadius }

  /// Returns the setting with a name typed by the user. The name `radius` of the option `--radius`
  /// is accepted too.
  package static func named(_ name: some StringProtocol) -> Setting? {
    name == "radius" ? .proximityRadius : Setting(rawValue: String(name))
  }

  /// The name of the environment variable, for example `PHOTOSPOTS_PROXIMITY_RADIUS` or
  /// `PHOTOSPOTS_NTFY_URL`.
  package var environmentName: String {
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
