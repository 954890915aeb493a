import FeedServer
import HTTPClient
import RemoteLibraries

extension Setting {
  /// The type and range of a setting's value.
  struct Kind: Sendable {
    /// A parser of the written value.
    typealias Parser = @Sendable (WrittenValue) throws(SettingsError) -> SettingValue

    /// A JSON value, other than a plain one, that the settings file may have.
    enum Structure: Equatable, Sendable {
      /// An object of strings, such as tokens by device.
      case pairs
      /// An array of objects with `latitude`, `longitude` and `radius`.
      case zones
      /// An array of strings, which are written with a separator; the text of an empty array.
      case names(separator: String, none: String)
    }

    /// The accepted values, for the documentation.
    let values: String
    /// Whether the value must be hidden from others.
    let isSecret: Bool
    /// Whether the page may change the value.
    let isChangeable: Bool
    /// The JSON value besides a plain one that the settings file may have.
    let structure: Structure?
    /// Reads a value.
    let parse: Parser

    private init(
      _ values: String, isSecret: Bool = false, isChangeable: Bool = true,
      structure: Structure? = nil, _ parse: @escaping Parser
    ) {
      (self.values, self.isSecret, self.isChangeable) = (values, isSecret, isChangeable)
      (self.structure, self.parse) = (structure, parse)
    }
  }
}

// MARK: - Numbers

extension Setting.Kind {
  /// Metres.
  static func distance(_ range: ClosedRange<Double>) -> Self {
    Self(numbers(range, "m")) { written throws(SettingsError) in
      try SettingValue(meters: written, in: range)
    }
  }

  /// Seconds.
  static func duration(_ range: ClosedRange<Double>) -> Self {
    Self(numbers(range, "s")) { written throws(SettingsError) in
      try SettingValue(seconds: written, in: range)
    }
  }

  /// Kilometres per hour, or `off`.
  static func speed(_ range: ClosedRange<Double>) -> Self {
    Self(numbers(range, "km/h") + ", or `off`") { written throws(SettingsError) in
      try SettingValue(kilometersPerHour: written, in: range)
    }
  }

  /// A count, or `off`.
  static func budget(_ range: ClosedRange<Double>) -> Self {
    Self(numbers(range, "") + ", or `off`") { written throws(SettingsError) in
      try SettingValue(budget: written, in: range)
    }
  }

  /// A whole number.
  static func count(_ range: ClosedRange<Double>) -> Self {
    Self(numbers(range, "")) { written throws(SettingsError) in
      try SettingValue(count: written, in: range)
    }
  }

  private static func numbers(_ range: ClosedRange<Double>, _ unit: String) -> String {
    SettingValue.text(range.lowerBound, unit) + " to " + SettingValue.text(range.upperBound, unit)
  }
}

// MARK: - Words

extension Setting.Kind {
  /// `true`, `false` or a synonym.
  static let flag = Self("`true`, `false`", SettingValue.init(flag:))

  /// Hours of the day such as `22:00-07:00`, or `off`.
  static let hours = Self("hours such as `22:00-07:00`, or `off`", SettingValue.init(hours:))

  /// A time zone such as `Europe/Paris`, or `machine`.
  static let zone = Self("a time zone, or `machine`", SettingValue.init(zone:))

  /// Circles as `latitude,longitude,metres`, separated by semicolons, or `none`.
  static let zones = Self(
    "circles such as `47.3771,8.5267,300`, several with `;` between, or `none`",
    structure: .zones, SettingValue.init(zones:))

  /// Names of rules, separated by commas, or `none`.
  static let rules = Self(
    "names of rules, or `none`", structure: .names(separator: ",", none: "none"),
    SettingValue.init(rules:))

  /// `en`, `es`, or `auto`.
  static let language = Self("`en`, `es`, `auto`", SettingValue.init(language:))

  /// `metric` or `imperial`.
  static let units = Self("`metric`, `imperial`", SettingValue.init(units:))

  /// `daily 21:00`, `sunday 18:00`, or `off`.
  static let schedule = Self("a day and time, or `off`", SettingValue.init(schedule:))

  /// Clock offsets of cameras such as `Canon EOS 70D=+02:00:30`, separated by commas, or `none`.
  static let clocks = Self(
    "cameras and offsets, or `none`", structure: .pairs, SettingValue.init(clocks:))
}

// MARK: - Addresses and secrets

extension Setting.Kind {
  /// A URL, or `off`.
  ///
  /// - Parameters:
  ///   - expected: The addresses that can be used, for an error.
  ///   - isUsable: Returns whether an address can be used.
  /// - Returns: The kind.
  static func address(
    _ expected: String, _ isUsable: @escaping @Sendable (WebAddress) -> Bool
  ) -> Self {
    Self(
      "an address, or `off`", isSecret: true, isChangeable: false
    ) { written throws(SettingsError) in
      try SettingValue(address: written, expected: expected, isUsable)
    }
  }

  /// A topic of an MQTT broker, or `off`.
  static let broker = Self(
    "`mqtt://user@host:port/topic`, or `off`", isChangeable: false, SettingValue.init(broker:))

  /// The prefix of topics, `on`, or `off`.
  static let prefix = Self(
    "`on`, `off`, or a prefix of topics", isChangeable: false, SettingValue.init(prefix:))

  /// Devices and their tokens as `phone=token`, separated by commas, or `off`.
  static let tokens = Self(
    "`{ \"phone\": \"token\" }`, or `off`", isSecret: true, isChangeable: false,
    structure: .pairs, SettingValue.init(tokens:))

  /// Any text. An HMAC key can be any bytes (RFC 2104, section 2).
  static let secret = carried("at most 1024 bytes, or off") { _ in true }

  /// A token in a header, which consists of ASCII characters without spaces (RFC 6750,
  /// section 2.1).
  static let token = carried(
    "at most 1024 letters, digits and signs without a space, or off", isPrintable)

  /// A token in a header of those who read the metrics.
  static let metricsToken = carried(
    "\(DeviceTokens.lengths.lowerBound) to \(DeviceTokens.lengths.upperBound) letters, digits "
      + "and signs without a space, or off"
  ) { isPrintable($0) && DeviceTokens.lengths.contains($0.utf8.count) }

  /// A key in a header, or one for each host.
  static let libraryKey = carried(
    "a key without spaces, or host=key with commas between, or off"
  ) { RemoteKeys($0) != nil }

  /// The MQTT library takes it as a C string, which ends at a zero byte.
  static let mqttPassword = carried("at most 1024 bytes without a zero, or off") {
    !$0.utf8.contains(0)
  }

  private static func carried(
    _ expected: String, _ isCarried: @escaping @Sendable (String) -> Bool
  ) -> Self {
    Self("text, or `off`", isSecret: true, isChangeable: false) { written throws(SettingsError) in
      try SettingValue(secret: written, expected: expected, isCarried)
    }
  }

  @Sendable private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

// MARK: - Places of files and pages

extension Setting.Kind {
  /// The source of map tiles, or `off`.
  static let tiles = Self("an address or path, or `off`", SettingValue.init(tiles:))

  /// Host names, separated by commas, or `none`.
  static let hosts = Self(
    "names of hosts, or `none`", isChangeable: false,
    structure: .names(separator: ",", none: "none"), SettingValue.init(hosts:))

  /// The path of a folder.
  static let folder = Self("a folder", isChangeable: false, SettingValue.init(folder:))

  /// The address of the page, or `off`.
  static let page = Self("an address, or `off`", isChangeable: false, SettingValue.init(page:))

  /// Paths of recorded tracks, separated by colons; `trail` for the tracks of
  /// `watch --keep-trail`; or `off`.
  static let tracks = Self(
    "paths with `:` between, `trail`, or `off`", isChangeable: false,
    structure: .names(separator: ":", none: "off"), SettingValue.init(tracks:))

  /// The path of a places file, or `state`.
  static let placesFile = Self(
    "a path, or `state`", isChangeable: false, SettingValue.init(placesFile:))
}
