import SpotWatcher
import WebNotifiers

extension Setting {
  /// What the program knows about a setting besides its name.
  struct Declaration {
    /// The type and range of the value.
    let kind: Kind
    /// The default value, as it would be written.
    let defaultText: String
    /// The section of the documentation.
    let section: Section
    /// A one-line summary.
    let summary: String

    init(_ kind: Kind, default text: String, in section: Section, _ summary: String) {
      (self.kind, defaultText, self.section, self.summary) = (kind, text, section, summary)
    }
  }

  private var day: Double { 86_400 }

  /// The declaration of the setting: the table of all settings.
  var declaration: Declaration {
    switch self {
    case .proximityRadius:
      Declaration(
        .distance(10...5000), default: "100 m", in: .rules,
        "the distance from a spot within which it fires")
    case .clusterRadius:
      Declaration(
        .distance(5...50), default: "15 m", in: .index,
        "the distance from a spot's first photo within which photos belong to it")
    case .cooldown:
      Declaration(
        .duration(0...365 * day), default: "24 h", in: .rules,
        "how long a spot stays silent after it fired")
    case .minimumPhotoAge:
      Declaration(
        .duration(0...100 * 365.25 * day), default: "24 h", in: .rules,
        "only spots with a photo older than this fire")
    case .favoritesOnly:
      Declaration(
        .flag, default: "false", in: .rules,
        "only spots with a favourite photo fire")
    case .distanceFilter:
      Declaration(
        .distance(0...1000), default: "10 m", in: .rules,
        "how far a device must move before spots are looked up again, at the latest after 5 s")
    case .maximumAccuracy:
      Declaration(
        .distance(1...5000), default: "100 m", in: .rules,
        "fixes with a larger position error are ignored")
    case .maximumFixAge:
      Declaration(
        .duration(1...day), default: "15 min", in: .rules,
        "older fixes of a live feed do not fire")
    case .dwell:
      Declaration(
        .duration(0...3600), default: "0 s", in: .rules,
        "how long to stay near a spot before it fires")
    case .minimumInterval:
      Declaration(
        .duration(0...day), default: "5 min", in: .rules,
        "the minimum time between alerts to one device")
    case .maximumSpeed:
      Declaration(
        .speed(1...1000), default: "25 km/h", in: .rules,
        "above this speed a device is in a vehicle, and spots wait; raise it for fast bicycles")
    case .quietHours:
      Declaration(
        .hours, default: "off", in: .rules,
        "nothing fires in these hours, local time")
    case .quietHoursZone:
      Declaration(
        .zone, default: "machine", in: .rules,
        "the time zone of quietHours: machine, or a name such as Europe/Paris")
    case .mutedZones:
      Declaration(
        .zones, default: "none", in: .rules,
        "nothing fires in these circles")
    case .notificationsEnabled:
      Declaration(
        .flag, default: "true", in: .rules,
        "whether anything fires")
    case .dailyBudget:
      Declaration(
        .budget(1...1000), default: "40", in: .rules,
        "the maximum number of alerts in a day; a quarter of them at most for spots that are walked past"
      )
    case .alertsPerMinute:
      Declaration(
        .budget(1...1000), default: "30", in: .rules,
        "the maximum number of alerts in a minute over all devices; one device gets at most half")
    case .indexMaxAge:
      Declaration(
        .duration(3600...365 * day), default: "7 d", in: .index,
        "the time after which every photo is read again")
    case .datesFromNames:
      Declaration(
        .flag, default: "true", in: .index,
        "whether the day in a file's name counts as its date where nothing else has one")
    case .routineDays:
      Declaration(
        .count(0...60), default: "14", in: .rules,
        "a place is silent for a cooldown times the square of the days there among so many; lower it for alerts on daily routes"
      )
    case .townInterval:
      Declaration(
        .duration(0...day), default: "15 min", in: .rules,
        "the minimum time between two alerts within 500 m for spots that are walked past; lower it for a photo tour of a town"
      )
    case .siblingDistance:
      Declaration(
        .distance(0...1000), default: "100 m", in: .rules,
        "a spot that fires silences the spots within this distance; lower it where each corner counts"
      )
    case .sharedInterval:
      Declaration(
        .duration(0...day), default: "30 min", in: .rules,
        "how long an alert is silent on other devices nearby; 0 s where each person of a group carries one"
      )
    case .coldStart:
      Declaration(
        .duration(0...3600), default: "30 s", in: .rules,
        "how long the first positions must agree; raise it for receivers that start inaccurately"
      )
    case .jumpQuarantine:
      Declaration(
        .duration(0...3600), default: "10 min", in: .rules,
        "how long positions that no vehicle can reach must agree until they are believed")
    case .rulesOff:
      Declaration(
        .rules, default: "none", in: .rules,
        "the rules that are turned off: "
          + WatcherRule.allCases.map(\.rawValue).joined(separator: ", "))
    case .recreationInterval:
      Declaration(
        .duration(0...100 * 365.25 * day), default: "1 y", in: .rules,
        "how long a spot stays silent after its photo was taken again, such as 1y; with 0 s it still fires"
      )
    case .webhookURL:
      Declaration(
        .address("an address such as https://example.org/spots", { _ in true }), default: "off",
        in: .receivers,
        "the address to which alerts are posted as JSON")
    case .webhookSecret:
      Declaration(
        .secret, default: "off", in: .receivers,
        "the secret that signs them")
    case .ntfyURL:
      Declaration(
        .address(
          "a server and a topic such as https://ntfy.sh/my-topic",
          { NtfyNotifier(topic: $0) != nil }), default: "off", in: .receivers,
        "the ntfy server and topic to which alerts are published")
    case .ntfyToken:
      Declaration(
        .token, default: "off", in: .receivers,
        "the access token of that server")
    case .ntfyPriority:
      Declaration(
        .count(1...5), default: "3", in: .receivers,
        "the priority of the alerts, from 1 (silent) to 5")
    case .ntfyPicture:
      Declaration(
        .flag, default: "true", in: .receivers,
        "whether the alerts carry the cover photo, reduced in size")
    case .gotifyURL:
      Declaration(
        .address(
          "the address of a Gotify server such as https://gotify.example.org",
          { GotifyNotifier(server: $0, token: "") != nil }), default: "off", in: .receivers,
        "the Gotify server to which alerts are sent")
    case .gotifyToken:
      Declaration(
        .token, default: "off", in: .receivers,
        "the token of an application on that server")
    case .gotifyPriority:
      Declaration(
        .count(0...10), default: "5", in: .receivers,
        "the priority of the alerts, from 0 (silent) to 10")
    case .appriseURL:
      Declaration(
        .address(
          "an address that ends in /notify/KEY or /notify, such as http://apprise.local:8000/notify/me",
          { AppriseNotifier(address: $0) != nil }), default: "off", in: .receivers,
        "the Apprise API server to which alerts are sent, with the key of its services")
    case .appriseServices:
      Declaration(
        .secret, default: "off", in: .receivers,
        "the services to notify, as Apprise addresses, where appriseURL has no key")
    case .apprisePicture:
      Declaration(
        .flag, default: "true", in: .receivers,
        "whether the alerts carry the cover photo, reduced in size")
    case .mqttURL:
      Declaration(
        .broker, default: "off", in: .receivers,
        "the MQTT broker and topic to which alerts are published")
    case .mqttPassword:
      Declaration(
        .mqttPassword, default: "off", in: .receivers,
        "the password for MQTT brokers, also for those read as feeds")
    case .homeAssistant:
      Declaration(
        .prefix, default: "off", in: .receivers,
        "whether Home Assistant discovers devices and alerts on that broker: on, or its discovery prefix"
      )
    case .homeAssistantPicture:
      Declaration(
        .flag, default: "true", in: .receivers,
        "whether the cover photo of an alert is sent to Home Assistant, reduced in size")
    case .listenTokens:
      Declaration(
        .tokens, default: "off", in: .positions,
        "the devices that may send positions, and their tokens of 16 characters or more; in the environment phone=token"
      )
    case .ownTracksRegions:
      Declaration(
        .flag, default: "false", in: .positions,
        "whether OwnTracks is sent the nearest spots as regions that the phone watches itself")
    case .metricsToken:
      Declaration(
        .metricsToken, default: "off", in: .positions,
        "the token for reading /metrics, at least 16 characters")
    case .language:
      Declaration(
        .language, default: "auto", in: .messages,
        "the language of alerts: en, es, or auto for that of the environment")
    case .units:
      Declaration(
        .units, default: "metric", in: .messages,
        "the units of alerts and of the command's text: metric, or imperial for feet and miles")
    case .digest:
      Declaration(
        .schedule, default: "off", in: .messages,
        "when a summary of the day or week is sent to all receivers: daily 21:00, or sunday 18:00")
    case .mapTiles:
      Declaration(
        .tiles, default: "off", in: .page,
        "the source of map pictures: an address or folder with {z}/{x}/{y}, or an .mbtiles file")
    case .lan:
      Declaration(
        .flag, default: "false", in: .page,
        "whether phones of this network may open the page, as with the option --lan of serve")
    case .serveHosts:
      Declaration(
        .hosts, default: "none", in: .page,
        "the host names under which browsers may open the page, besides the machine's own")
    case .recreationsFolder:
      Declaration(
        .folder, default: "~/Pictures/PhotoSpots", in: .index,
        "the folder for pictures that are taken again")
    case .pageAddress:
      Declaration(
        .page, default: "off", in: .page,
        "the address of the page on phones, such as https://home.example:8090; alerts then link to it"
      )
    case .tracks:
      Declaration(
        .tracks, default: "off", in: .index,
        "folders of recorded tracks that locate photos without a position; 'trail' for those of 'watch --keep-trail'"
      )
    case .cameraClocks:
      Declaration(
        .clocks, default: "none", in: .index,
        "how far clocks of cameras are ahead of UTC: Canon EOS 70D=+02:00:30; others are estimated")
    case .placesFile:
      Declaration(
        .placesFile, default: "state", in: .index,
        "the file of your places, which several machines may share; state is places.json in the state folder"
      )
    case .immichKey:
      Declaration(
        .libraryKey, default: "off", in: .index,
        "the API key for immich:// libraries; with several servers host=key,host=key")
    case .photoprismKey:
      Declaration(
        .libraryKey, default: "off", in: .index,
        "the app password for photoprism:// libraries; with several servers host=password")
    }
  }
}
