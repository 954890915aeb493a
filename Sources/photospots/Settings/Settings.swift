import FeedServer
import Interchange
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SystemPackage
import WebNotifiers

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The settings in force: flags over the environment over `config.json` over the defaults.
struct Settings {
  /// A value as it was written, and where.
  struct Source: Sendable {
    let text: String
    let origin: Origin
  }

  /// Where a value was written.
  enum Origin: Sendable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(FilePath)
    case defaults

    var description: String {
      switch self {
      case .flag(let name), .environment(let name): name
      case .file(let path): path.escaped
      case .defaults: "default"
      }
    }
  }

  private var sources: [Setting: Source] = [:]
  private var values: [Setting: SettingValue] = [:]

  /// Reads the environment and the settings file and checks every value.
  init(flags: [Setting: Source] = [:], file: FilePath = Places.settingsFile) throws {
    let written = try SettingsFile.read(file).settings
    for setting in Setting.allCases {
      let source =
        flags[setting] ?? Self.environment(setting) ?? written[setting]
        ?? Source(text: setting.defaultText, origin: .defaults)
      values[setting] = try SettingValue(setting, source)
      sources[setting] = source
    }
  }

  private static func environment(_ setting: Setting) -> Source? {
    getenv(setting.environmentName).map {
      Source(text: String(cString: $0), origin: .environment(setting.environmentName))
    }
  }

  /// A setting as it is in force: the value in its canonical spelling, and where it came from.
  func displayed(_ setting: Setting) -> (value: String, origin: String) {
    (values[setting]?.text ?? "", sources[setting]?.origin.description ?? "")
  }

  /// How near a spot is near, in metres.
  var proximityRadiusMeters: Double { number(.proximityRadius) }
  /// How far from its first photo a spot reaches, in metres.
  var clusterRadiusMeters: Double { number(.clusterRadius) }
  /// After how many seconds every photo is read again.
  var indexMaxAgeSeconds: Double { number(.indexMaxAge) }

  /// What the watcher decides by.
  var watcher: WatcherSettings {
    var watcher = WatcherSettings()
    watcher.proximityRadiusMeters = number(.proximityRadius)
    watcher.clusterRadiusMeters = number(.clusterRadius)
    watcher.cooldownSeconds = number(.cooldown)
    watcher.minimumPhotoAgeSeconds = number(.minimumPhotoAge)
    watcher.isFavoritesOnly = isSet(.favoritesOnly)
    watcher.distanceFilterMeters = number(.distanceFilter)
    watcher.maximumAccuracyMeters = number(.maximumAccuracy)
    watcher.maximumFixAgeSeconds = number(.maximumFixAge)
    watcher.dwellSeconds = number(.dwell)
    watcher.minimumIntervalSeconds = number(.minimumInterval)
    if case .number(let speed, _) = values[.maximumSpeed] {
      watcher.maximumSpeedKilometersPerHour = speed
    }
    if case .number(let budget, _) = values[.dailyBudget] {
      watcher.dailyBudget = Int(saturating: budget)
    }
    watcher.maximumAlertsPerMinute = nil
    if case .number(let limit, _) = values[.alertsPerMinute] {
      watcher.maximumAlertsPerMinute = Int(saturating: limit)
    }
    if case .hours(let hours) = values[.quietHours] { watcher.quietHours = hours }
    if case .zones(let zones) = values[.mutedZones] { watcher.mutedZones = zones }
    watcher.areNotificationsEnabled = isSet(.notificationsEnabled)
    return watcher
  }

  /// Where notifications are posted to.
  var webhookAddress: WebAddress? { address(.webhookURL) }
  /// What they are signed with.
  var webhookSecret: String? { secret(.webhookSecret) }
  /// The server and topic of ntfy that notifications are published to.
  var ntfyTopic: WebAddress? { address(.ntfyURL) }
  /// The access token for that.
  var ntfyToken: String? { secret(.ntfyToken) }
  /// How loud they are, from 1 to 5.
  var ntfyPriority: Int { Int(saturating: number(.ntfyPriority)) }
  /// Whether the cover photo goes with them.
  var sendsPictureToNtfy: Bool { isSet(.ntfyPicture) }

  /// The topic of an MQTT broker that notifications are published to.
  var mqttTopic: MQTTAddress? {
    if case .broker(let address) = values[.mqttURL] { address } else { nil }
  }
  /// The password of the users whom addresses of MQTT brokers name.
  var mqttPassword: String? { secret(.mqttPassword) }
  /// The devices that may send positions, and their tokens.
  var listenTokens: DeviceTokens {
    if case .tokens(let tokens) = values[.listenTokens] { tokens } else { DeviceTokens() }
  }

  private func address(_ setting: Setting) -> WebAddress? {
    if case .address(let address) = values[setting] { address } else { nil }
  }

  private func secret(_ setting: Setting) -> String? {
    if case .secret(let text) = values[setting] { text } else { nil }
  }

  private func number(_ setting: Setting) -> Double {
    guard case .number(let number, _) = values[setting] else {
      preconditionFailure("\(setting) is not a number")
    }
    return number
  }

  private func isSet(_ setting: Setting) -> Bool {
    guard case .flag(let flag) = values[setting] else {
      preconditionFailure("\(setting) is not a flag")
    }
    return flag
  }
}

/// A setting's value after it was checked.
enum SettingValue {
  /// A number, and the unit that it is shown with.
  case number(Double, unit: String)
  case flag(Bool)
  case hours(QuietHours)
  case zones([MutedZone])
  case address(WebAddress)
  case broker(MQTTAddress)
  case secret(String)
  case tokens(DeviceTokens)
  case off

  init(_ setting: Setting, _ source: Settings.Source) throws(SettingsError) {
    let text = source.text.filter { !$0.isWhitespace }.lowercased()
    switch setting.kind {
    case .distance(let range):
      self = .number(
        try Self.checked(Quantity.meters(text), range, "m", setting, source), unit: "m")
    case .duration(let range):
      self = .number(
        try Self.checked(Quantity.seconds(text), range, "s", setting, source), unit: "s")
    case .speed(let range):
      guard text != "off" else {
        self = .off
        return
      }
      self = .number(
        try Self.checked(Quantity.kilometersPerHour(text), range, "km/h", setting, source),
        unit: "km/h")
    case .budget(let range):
      guard text != "off" else {
        self = .off
        return
      }
      guard let budget = Double(text).flatMap(Int.init(exactly:)), range.contains(Double(budget))
      else {
        throw .invalidValue(
          setting, source,
          expected: "a whole number of \(Self.text(range.lowerBound, "")) to "
            + "\(Self.text(range.upperBound, "")), or off"
        )
      }
      self = .number(Double(budget), unit: "")
    case .flag:
      switch text {
      case "true", "yes", "on", "1": self = .flag(true)
      case "false", "no", "off", "0": self = .flag(false)
      default: throw .invalidValue(setting, source, expected: "true or false")
      }
    case .hours:
      if text == "off" {
        self = .off
      } else if let hours = QuietHours(text) {
        self = .hours(hours)
      } else {
        throw .invalidValue(setting, source, expected: "hours such as 22:00-07:00, or off")
      }
    case .zones:
      self = .zones(text == "none" || text.isEmpty ? [] : try Self.zones(text, setting, source))
    case .count(let range):
      self = .number(try Self.checked(Double(text), range, "", setting, source).rounded(), unit: "")
    case .address:
      self = text == "off" || text.isEmpty ? .off : try Self.address(setting, source)
    case .broker:
      self = text == "off" || text.isEmpty ? .off : try Self.broker(setting, source)
    case .secret:
      self = text == "off" || text.isEmpty ? .off : try Self.secret(setting, source)
    case .tokens:
      self = text == "off" || text.isEmpty ? .off : try Self.tokens(setting, source)
    }
  }

  private static func address(
    _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> SettingValue {
    let address = WebAddress(source.text)
    switch setting {
    case .ntfyURL:
      if let address, NtfyNotifier(topic: address) != nil { return .address(address) }
      throw .invalidValue(
        setting, source, expected: "a server and a topic such as https://ntfy.sh/my-topic, or off")
    default:
      if let address { return .address(address) }
      throw .invalidValue(
        setting, source, expected: "an address such as https://example.org/spots, or off")
    }
  }

  private static func broker(
    _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> SettingValue {
    if case .mqtt(let address) = try? FeedAddress(source.text), !address.hasWildcards {
      return .broker(address)
    }
    throw .invalidValue(
      setting, source,
      expected: "a broker and a topic such as mqtt://user@host:1883/photospots, or off")
  }

  private static func tokens(
    _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> SettingValue {
    var tokens = DeviceTokens()
    // A device of the file may have a comma in its name; there each is a line.
    for pair in source.text.split(separator: source.text.hasSuffix("\n") ? "\n" : ",") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .invalidValue(
          setting, source, expected: "device=token, several with commas between, or off")
      }
      guard tokens.add(device: String(parts[0]), token: String(parts[1])) else {
        let lengths = DeviceTokens.lengths
        throw .invalidValue(
          setting, source,
          expected: """
            device=token; that of '\(String(parts[0]).escaped)' must be \(lengths.lowerBound) to \
            \(lengths.upperBound) characters of ASCII, without spaces and commas; 'openssl rand -hex 16' makes one
            """)
      }
    }
    return .tokens(tokens)
  }

  /// A secret goes into a header or a key as it is: printable ASCII without spaces, as tokens are.
  private static func secret(
    _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> SettingValue {
    guard source.text.utf8.count <= 1024, source.text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw .invalidValue(
        setting, source, expected: "at most 1024 letters, digits and signs without a space, or off")
    }
    return .secret(source.text)
  }

  private static func checked(
    _ number: Double?, _ range: ClosedRange<Double>, _ unit: String, _ setting: Setting,
    _ source: Settings.Source
  ) throws(SettingsError) -> Double {
    guard let number, range.contains(number) else {
      throw .invalidValue(
        setting, source,
        expected: "\(text(range.lowerBound, unit)) to \(text(range.upperBound, unit))"
          + (unit == "km/h" ? ", or off" : ""))
    }
    return number
  }

  /// How far a zone may reach: round the globe.
  private static let zoneRadiusMeters = 0.0...20_037_508
  /// How many zones there may be: each fix is compared with all of them.
  private static let maximumZoneCount = 1000

  private static func zones(
    _ text: String, _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> [MutedZone] {
    var zones: [MutedZone] = []
    for zone in text.split(separator: ";") {
      let parts = zone.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
        let center = Coordinate(latitude: latitude, longitude: longitude),
        let radius = Quantity.meters(parts[2]), zoneRadiusMeters.contains(radius)
      else {
        throw .invalidValue(
          setting, source,
          expected: """
            latitude,longitude,metres, several with semicolons between, or none; the metres are \
            \(Self.text(zoneRadiusMeters.lowerBound, "m")) to \(Self.text(zoneRadiusMeters.upperBound, "m"))
            """)
      }
      zones.append(MutedZone(center: center, radiusMeters: radius))
    }
    guard zones.count <= maximumZoneCount else {
      throw .invalidValue(setting, source, expected: "at most \(maximumZoneCount) zones")
    }
    return zones
  }

  /// The value in its canonical spelling.
  var text: String {
    switch self {
    case .number(let number, let unit): Self.text(number, unit)
    case .flag(let flag): flag ? "true" : "false"
    case .hours(let hours): hours.description
    case .zones(let zones):
      zones.isEmpty
        ? "none"
        : zones.map {
          "\(Degrees.text($0.center.latitude)),\(Degrees.text($0.center.longitude)),\(Self.text($0.radiusMeters, "m"))"
        }.joined(separator: ";")
    // Shown to whoever asks for the settings, and then perhaps to everyone.
    case .address(let address): address.description
    case .broker(let address): "mqtt://\(address)"
    case .secret: "(set)"
    case .tokens(let tokens): tokens.description
    case .off: "off"
    }
  }

  /// A number with its unit; seconds in the largest unit that divides them.
  private static func text(_ number: Double, _ unit: String) -> String {
    var (number, unit) = (number, unit)
    if unit == "s", number > 0 {
      for (seconds, name) in [(31_557_600.0, "y"), (86_400, "d"), (3600, "h"), (60, "min")]
      where number.truncatingRemainder(dividingBy: seconds) == 0 {
        (number, unit) = (number / seconds, name)
        break
      }
    }
    let digits = number == number.rounded() ? String(Int(saturating: number)) : String(number)
    return unit.isEmpty ? digits : "\(digits) \(unit)"
  }
}

/// Why settings cannot be used.
enum SettingsError: Error, CustomStringConvertible {
  case invalidValue(Setting, Settings.Source, expected: String)
  case unknownKey(String, FilePath)
  case unreadableFile(FilePath, String)
  /// Others can read a file that holds a secret.
  case readableSecret(String, FilePath)

  /// Whether what was typed is wrong, rather than a file or the environment.
  var isUsage: Bool {
    if case .invalidValue(_, let source, _) = self, case .flag = source.origin {
      true
    } else {
      false
    }
  }

  /// What is wrong and where, with what would be right.
  var description: String {
    switch self {
    case .invalidValue(let setting, let source, let expected):
      "the setting \(setting.rawValue) is \(setting.isSecret ? "unusable" : "'\(source.text)'") "
        + "(\(source.origin)); it must be \(expected)"
    case .unknownKey(let key, let file):
      "unknown setting '\(key)' in \(file); known are "
        + Setting.allCases.map(\.rawValue).joined(separator: ", ")
    case .unreadableFile(let file, let reason):
      "the settings file \(file) cannot be read: \(reason)"
    case .readableSecret(let key, let file):
      "others may read the settings file \(file), and it holds the secret '\(key)'; run 'chmod 600' on it"
    }
  }
}
