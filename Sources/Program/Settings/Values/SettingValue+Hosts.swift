extension SettingValue {
  /// The maximum number of hosts; each request is compared with all of them.
  private static let maximumHostCount = 100

  /// Parses host names without ports, separated by commas, or `none`.
  package init(hosts written: WrittenValue) throws(SettingsError) {
    let names = written.folded == "none" ? [] : written.folded.split(separator: ",")
    guard names.count <= Self.maximumHostCount, names.allSatisfy(Self.isHost) else {
      throw written.invalidValue(
        expected:
          """
          at most \(Self.maximumHostCount) names of hosts without ports such as photos.example.org, with \
          commas between, or none
          """)
    }
    self = .hosts(names.map(String.init))
  }

  /// Returns whether a text is a valid host name or address (RFC 1123, section 2.1; RFC 4291,
  /// section 2.2).
  private static func isHost(_ name: Substring) -> Bool {
    let colonCount = name.count { $0 == ":" }
    let isNumber = colonCount > 1
    return colonCount != 1 && (1...253).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."):
          true
        case UInt8(ascii: ":"): isNumber
        case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "-"): !isNumber
        default: false
        }
      }
  }
}
