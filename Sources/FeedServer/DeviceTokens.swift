import LocationFeeds

/// The secrets by which devices show who they are.
///
/// A description of it tells the devices' names, and never a token.
public struct DeviceTokens: Sendable, CustomStringConvertible {
  /// How long a token may be, in bytes.
  public static let lengths = 16...256

  /// Who shows a token.
  struct Holder: Hashable {
    /// The devices that the token is of: the first is that of positions that name none.
    let devices: [String]

    /// The device of positions that name none.
    var device: String { devices.first ?? "" }
    /// Whether all devices are listed that the holder may name.
    var isListed: Bool { devices.count > 1 }
  }

  private var tokens: [(holder: Holder, bytes: [UInt8])] = []

  /// Creates an empty collection: nobody needs to show anything.
  public init() {}

  /// Adds a device, or several with `|` between, and their token.
  ///
  /// - Returns: Whether it could be: no name is empty or has control characters, the token is of
  ///   visible ASCII characters, no comma among them, and as long as ``lengths`` says.
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

  /// Whether there are none.
  public var isEmpty: Bool { tokens.isEmpty }

  /// The devices' names.
  public var description: String {
    tokens.map { $0.holder.devices.joined(separator: "|") }.joined(separator: ", ")
  }

  /// All devices that tokens are of.
  var devices: Set<String> { Set(tokens.flatMap(\.holder.devices)) }

  /// Who shows a token; `nil` where it is nobody's.
  ///
  /// How long that takes depends on how long the shown token is, and on nothing else.
  func holder(showing shown: [UInt8]) -> Holder? {
    var found: Holder?
    for (holder, bytes) in tokens where Self.isSame(shown, bytes) { found = holder }
    return found
  }

  private static func isSame(_ shown: [UInt8], _ token: [UInt8]) -> Bool {
    var difference = shown.count ^ token.count
    for index in shown.indices {
      difference |= Int(shown[index] ^ token[index % token.count])
    }
    return difference == 0
  }
}
