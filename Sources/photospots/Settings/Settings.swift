import CLibrary
import CivilTime
import FeedServer
import FeedSources
import Interchange
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotWatcher
import SystemPackage
import WebNotifiers

/// The settings in force: flags over the environment over `config.json` over the defaults.
///
/// A value is checked when it is asked for, so that a wrong one stops only the commands that use
/// it.
struct Settings: Sendable {
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

  private let flags: [Setting: Source]
  private let environment: [Setting: Source]
  private let file: Result<SettingsFile, SettingsError>

  /// Reads the environment and the settings file.
  init(flags: [Setting: Source] = [:], file: FilePath = Places.settingsFile) {
    self.flags = flags
    environment = Setting.allCases.reduce(into: [:]) { $0[$1] = Self.environment($1) }
    do throws(SettingsError) {
      self.file = .success(try SettingsFile.read(file))
    } catch {
      self.file = .failure(error)
    }
  }

  private static func environment(_ setting: Setting) -> Source? {
    getenv(setting.environmentName).map {
      Source(text: String(cString: $0), origin: .environment(setting.environmentName))
    }
  }

  /// Where a setting has its value from, and that value as it was written.
  ///
  /// - Throws: A `SettingsError` where the settings file is asked and cannot be used.
  func source(_ setting: Setting) throws(SettingsError) -> Source {
    if let source = flags[setting] ?? environment[setting] { return source }
    return try file.get().source(setting) ?? Source(text: setting.defaultText, origin: .defaults)
  }

  /// The value of a setting.
  ///
  /// - Throws: A `SettingsError` where it is out of range, or the settings file is asked and cannot
  ///   be used.
  func value(_ setting: Setting) throws(SettingsError) -> SettingValue {
    try SettingValue(setting, try source(setting))
  }

  /// Names in the settings file that no setting has; none where it cannot be read.
  var unknownNames: [SettingsError] { (try? file.get().unknownNames) ?? [] }

  /// Why the settings file cannot be read; `nil` where it can.
  var fileProblem: SettingsError? {
    if case .failure(let error) = file { error } else { nil }
  }

  /// How near a spot is near, in metres.
  var proximityRadiusMeters: Double { get throws { try number(.proximityRadius) } }
  /// How far from its first photo a spot reaches, in metres.
  var clusterRadiusMeters: Double { get throws { try number(.clusterRadius) } }
  /// After how many seconds every photo is read again.
  var indexMaxAgeSeconds: Double { get throws { try number(.indexMaxAge) } }

  /// What the watcher decides by.
  ///
  /// - Throws: A `SettingsError` also for a name in the settings file that no setting has: it may
  ///   be meant for a rule that would then not hold.
  var watcher: WatcherSettings { get throws { try rules() } }

  private func rules() throws(SettingsError) -> WatcherSettings {
    if let unknown = try file.get().unknownNames.first { throw unknown }
    var values: [Setting: SettingValue] = [:]
    for setting in Setting.allCases where setting.isRule { values[setting] = try value(setting) }
    var watcher = WatcherSettings()
    watcher.proximityRadiusMeters = try number(.proximityRadius)
    watcher.clusterRadiusMeters = try number(.clusterRadius)
    watcher.cooldownSeconds = try number(.cooldown)
    watcher.minimumPhotoAgeSeconds = try number(.minimumPhotoAge)
    watcher.isFavoritesOnly = try isSet(.favoritesOnly)
    watcher.distanceFilterMeters = try number(.distanceFilter)
    watcher.maximumAccuracyMeters = try number(.maximumAccuracy)
    watcher.maximumFixAgeSeconds = try number(.maximumFixAge)
    watcher.dwellSeconds = try number(.dwell)
    watcher.minimumIntervalSeconds = try number(.minimumInterval)
    watcher.maximumSpeedKilometersPerHour = nil
    if case .number(let speed, _) = values[.maximumSpeed] {
      watcher.maximumSpeedKilometersPerHour = speed
    }
    watcher.dailyBudget = nil
    if case .number(let budget, _) = values[.dailyBudget] {
      watcher.dailyBudget = Int(saturating: budget)
    }
    watcher.maximumAlertsPerMinute = nil
    if case .number(let limit, _) = values[.alertsPerMinute] {
      watcher.maximumAlertsPerMinute = Int(saturating: limit)
    }
    watcher.routineDays = Int(saturating: try number(.routineDays))
    watcher.townIntervalSeconds = try number(.townInterval)
    watcher.siblingDistanceMeters = try number(.siblingDistance)
    watcher.sharedIntervalSeconds = try number(.sharedInterval)
    watcher.coldStartSeconds = try number(.coldStart)
    watcher.jumpQuarantineSeconds = try number(.jumpQuarantine)
    if case .rules(let rules) = values[.rulesOff] { watcher.rulesOff = rules }
    if case .hours(let hours) = values[.quietHours] { watcher.quietHours = hours }
    if case .zone(_, let zone) = values[.quietHoursZone] { watcher.quietHoursZone = zone }
    if case .zones(let zones) = values[.mutedZones] { watcher.mutedZones = zones }
    watcher.areNotificationsEnabled = try isSet(.notificationsEnabled)
    return watcher
  }

  /// Whether anything but `off` is written for a setting that can be that, be it right or wrong.
  func isGiven(_ setting: Setting) throws(SettingsError) -> Bool {
    !SettingValue.isOff(try source(setting).text)
  }

  /// Where notifications are posted to.
  var webhookAddress: WebAddress? { get throws { try address(.webhookURL) } }
  /// What they are signed with.
  var webhookSecret: String? { get throws { try secret(.webhookSecret) } }
  /// The server and topic of ntfy that notifications are published to.
  var ntfyTopic: WebAddress? { get throws { try address(.ntfyURL) } }
  /// The access token for that.
  var ntfyToken: String? { get throws { try secret(.ntfyToken) } }
  /// How loud they are, from 1 to 5.
  var ntfyPriority: Int { get throws { Int(saturating: try number(.ntfyPriority)) } }
  /// Whether the cover photo goes with them.
  var sendsPictureToNtfy: Bool { get throws { try isSet(.ntfyPicture) } }

  /// The topic of an MQTT broker that notifications are published to.
  var mqttTopic: MQTTAddress? {
    get throws { if case .broker(let address) = try value(.mqttURL) { address } else { nil } }
  }
  /// The password of the users whom addresses of MQTT brokers name.
  var mqttPassword: String? { get throws { try secret(.mqttPassword) } }
  /// The devices that may send positions, and their tokens.
  var listenTokens: DeviceTokens {
    get throws {
      if case .tokens(let tokens) = try value(.listenTokens) { tokens } else { DeviceTokens() }
    }
  }

  private func address(_ setting: Setting) throws(SettingsError) -> WebAddress? {
    if case .address(let address) = try value(setting) { address } else { nil }
  }

  private func secret(_ setting: Setting) throws(SettingsError) -> String? {
    if case .secret(let text) = try value(setting) { text } else { nil }
  }

  private func number(_ setting: Setting) throws(SettingsError) -> Double {
    guard case .number(let number, _) = try value(setting) else {
      preconditionFailure("\(setting) is not a number")
    }
    return number
  }

  private func isSet(_ setting: Setting) throws(SettingsError) -> Bool {
    guard case .flag(let flag) = try value(setting) else {
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
  /// A time zone and its name; no rules for that of the machine.
  case zone(String, TimeZoneRules?)
  case zones([MutedZone])
  case rules(Set<WatcherRule>)
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
    case .zone:
      let name = source.text.filter { !$0.isWhitespace }
      if text == "machine" {
        self = .zone(text, nil)
      } else if let zone = TimeZoneDatabase.rules(of: name) {
        self = .zone(name, zone)
      } else {
        throw .invalidValue(
          setting, source,
          expected: "machine, a time zone of this system such as Europe/Paris, or a rule as for TZ")
      }
    case .zones:
      self = .zones(text == "none" || text.isEmpty ? [] : try Self.zones(text, setting, source))
    case .rules:
      self = .rules(text == "none" || text.isEmpty ? [] : try Self.rules(text, setting, source))
    case .count(let range):
      self = .number(try Self.checked(Double(text), range, "", setting, source).rounded(), unit: "")
    case .address:
      self = Self.isOff(source.text) ? .off : try Self.address(setting, source)
    case .broker:
      self = Self.isOff(source.text) ? .off : try Self.broker(setting, source)
    case .secret:
      self = Self.isOff(source.text) ? .off : try Self.secret(setting, source)
    case .tokens:
      self = Self.isOff(source.text) ? .off : try Self.tokens(setting, source)
    }
  }

  /// Whether a text says that there is no address, secret or token: `off`, or nothing.
  static func isOff(_ text: String) -> Bool {
    let trimmed = text.drop(while: \.isWhitespace)
    return trimmed.isEmpty || trimmed.lowercased() == "off"
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

  private static func rules(
    _ text: String, _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> Set<WatcherRule> {
    var rules: Set<WatcherRule> = []
    for name in text.split(separator: ",") {
      guard let rule = WatcherRule.allCases.first(where: { $0.rawValue.lowercased() == name })
      else {
        let names = WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidValue(setting, source, expected: "\(names), with commas between, or none")
      }
      rules.insert(rule)
    }
    return rules
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

  /// A secret, as it is: only what cannot be carried to where it is used is refused.
  private static func secret(
    _ setting: Setting, _ source: Settings.Source
  ) throws(SettingsError) -> SettingValue {
    let bytes = source.text.utf8
    let (isCarried, expected): (Bool, String) =
      switch setting {
      // A token of a header has no spaces and nothing but ASCII (RFC 6750, section 2.1).
      case .ntfyToken:
        (
          bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F },
          "at most 1024 letters, digits and signs without a space, or off"
        )
      // A text of C, which ends at a zero.
      case .mqttPassword: (!bytes.contains(0), "at most 1024 bytes without a zero, or off")
      // The key of an HMAC is any bytes (RFC 2104, section 2).
      default: (true, "at most 1024 bytes, or off")
      }
    guard isCarried, bytes.count <= 1024 else {
      throw .invalidValue(setting, source, expected: expected)
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
    case .zone(let name, _): name
    case .rules(let rules):
      rules.isEmpty ? "none" : rules.sorted().map(\.rawValue).joined(separator: ",")
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
  /// What stands in the file for a setting is no value.
  case unusableValue(Setting, FilePath, String)
  case unreadableFile(FilePath, String)
  /// Others can read a file that holds a secret.
  case readableSecret(String, FilePath)

  /// What is wrong and where, with what would be right.
  var description: String {
    switch self {
    case .invalidValue(let setting, let source, let expected):
      "the setting \(setting.rawValue) is \(setting.isSecret ? "unusable" : "'\(source.text)'") "
        + "(\(source.origin)); it must be \(expected)"
    case .unknownKey(let key, let file):
      "unknown setting '\(key.escaped)' in \(file.escaped); "
        + (Spelling.nearest(to: key, among: Setting.allCases.map(\.rawValue)).map {
          "did you mean '\($0)'?"
        } ?? "'photospots config' lists them")
    case .unusableValue(let setting, let file, let reason):
      "the setting \(setting.rawValue) in \(file.escaped) cannot be used: \(reason)"
    case .unreadableFile(let file, let reason):
      "the settings file \(file) cannot be read: \(reason)"
    case .readableSecret(let key, let file):
      "others may read the settings file \(file), and it holds the secret '\(key)'; run 'chmod 600' on it"
    }
  }
}
