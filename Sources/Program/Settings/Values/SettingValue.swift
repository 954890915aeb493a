package import CivilTime
import Encodings
package import FeedServer
package import FeedSources
package import Geotagging
package import HTTPClient
package import Spatial
package import SpotAlerts
package import SpotWatcher

/// The validated value of a setting.
///
/// Each kind of value has its own file with its parser and, if it takes more than a line, its
/// formatter.
package enum SettingValue {
  /// A number, with the unit for display.
  case number(Double, unit: String)
  case flag(Bool)
  case hours(QuietHours)
  /// A time zone and its name. The rules are `nil` for the machine's time zone.
  case zone(String, TimeZoneRules?)
  case zones([MutedZone])
  case rules(Set<WatcherRule>)
  case address(WebAddress)
  case broker(MQTTAddress)
  case secret(String)
  /// A prefix of topics.
  case prefix(String)
  case tokens(DeviceTokens)
  /// A language; `nil` for the language of the environment.
  case language(AlertLanguage?)
  case units(LengthUnits)
  case schedule(DigestSchedule)
  /// The URL or path of map tiles as entered.
  case tiles(String)
  case hosts([String])
  /// The path of a folder as entered.
  case folder(String)
  /// The URL of the page, without a trailing slash.
  case page(String)
  /// Paths of tracks as entered.
  case tracks([String])
  case clocks(GivenClocks)
  /// The path of the places file as entered; `nil` for the one in the state folder.
  case placesFile(String?)
  case off

  /// Reads the text of a setting.
  package init(_ setting: Setting, _ source: Settings.Source) throws(SettingsError) {
    self = try setting.declaration.kind.parse(WrittenValue(setting, source))
  }

  /// Returns whether a text disables an address, secret or token: `off`, or an empty text.
  static func isOff(_ text: String) -> Bool {
    let trimmed = text.drop(while: \.isWhitespace)
    return trimmed.isEmpty || trimmed.lowercased() == "off"
  }

  /// The value in its canonical spelling.
  package var text: String {
    switch self {
    case .number(let number, let unit): Self.text(number, unit)
    case .flag(let flag): flag ? "true" : "false"
    case .hours(let hours): hours.description
    case .zone(let name, _): name
    case .rules(let rules):
      rules.isEmpty ? "none" : rules.sorted().map(\.rawValue).joined(separator: ",")
    case .zones(let zones): Self.text(zones)
    // Shown to anyone who asks for the settings, and possibly published.
    case .address(let address): address.description
    case .broker(let address): "mqtt://\(address)"
    case .secret: "(set)"
    case .prefix(let prefix): prefix
    case .tokens(let tokens): tokens.description
    case .language(let language): language?.rawValue ?? "auto"
    case .units(let units): units.rawValue
    case .schedule(let schedule): schedule.description
    case .tiles(let place): place
    case .hosts(let hosts): hosts.isEmpty ? "none" : hosts.joined(separator: ",")
    case .folder(let path): path
    case .page(let address): address
    case .tracks(let paths): paths.joined(separator: ":")
    case .clocks(let clocks): clocks.isEmpty ? "none" : clocks.texts.joined(separator: ",")
    case .placesFile(let path): path ?? "state"
    case .off: "off"
    }
  }
}
