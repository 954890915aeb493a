import LocationFeeds

/// The secret tokens of devices.
///
/// The description contains the devices' names, never a token.
public struct DeviceTokens: Sendable, CustomStringConvertible {
  /// The range of valid token lengths, in bytes.
  public static let lengths = 16...256

  /// The owner of a token.
  struct Holder: Hashable {
    /// The devices of the token; the first is used for positions without a device name.
    let devices: [String]
    /// The phone of the token, which has one device; `nil` for a token of the settings.
    let phone: PhoneHolder?

    init(devices: [String]) { (self.devices, phone) = (devices, nil) }

    init(_ phone: PhoneHolder) { (devices, self.phone) = ([phone.name], phone) }

    /// The device of positions without a device name.
    var device: String { devices.first ?? "" }
    /// Whether the holder may use the listed names only.
    var isListed: Bool { devices.count > 1 }
  }

  private var tokens: [(holder: Holder, bytes: [UInt8])] = []

  /// Creates an empty collection, with which requests need no token.
  public init() {}

  /// Adds a token for a device, or for several devices separated by `|`.
  ///
  /// A name must not be empty or contain control characters. A token consists of visible ASCII
  /// characters other than the comma, and its length is in ``lengths``.
  ///
  /// - Returns: Whether the token and the names are valid; otherwise nothing is added.
  public mutating func add(device: String, token: String) -> Bool {
    let bytes = Array(token.utf8)
    let names = device.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let devices = names.compactMap(DeviceName.cleaned)
    guard devices.count == names.count,
      device.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }),
      Self.lengths.contains(bytes.count),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") })
    else { return false }
    tokens.append((Holder(devices: devices), bytes))
    return true
  }

  /// Whether no device has a token.
  public var isEmpty: Bool { tokens.isEmpty }

  /// The devices' names, without tokens.
  public var description: String {
    tokens.map { $0.holder.devices.joined(separator: "|") }.joined(separator: ", ")
  }

  /// The devices of all tokens.
  var devices: Set<String> { Set(tokens.flatMap(\.holder.devices)) }

  /// Returns the holder of a token; `nil` if there is none.
  ///
  /// The time taken depends on the length of the given token, not on its content.
  func holder(showing shown: [UInt8]) -> Holder? {
    var found: Holder?
    for (holder, bytes) in tokens where Self.isSame(shown, bytes) { found = holder }
    return found
  }

  /// Compares two texts in a time that depends on the length of the first only. The second must not
  /// be empty.
  static func isSame(_ shown: [UInt8], _ token: [UInt8]) -> Bool {
    var difference = shown.count ^ token.count
    for index in shown.indices {
      difference |= Int(shown[index] ^ token[index % token.count])
    }
    return difference == 0
  }
}
