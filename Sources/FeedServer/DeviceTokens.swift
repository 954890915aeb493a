/// The secrets by which devices show who they are.
///
/// A description of it tells the devices' names, and never a token.
public struct DeviceTokens: Sendable, CustomStringConvertible {
  /// How long a token may be, in bytes.
  public static let lengths = 16...256

  private var tokens: [(device: String, bytes: [UInt8])] = []

  /// Creates an empty collection: nobody needs to show anything.
  public init() {}

  /// Adds a device and its token.
  ///
  /// - Returns: Whether it could be: the name is not empty and has no control characters, the token is of
  ///   visible ASCII characters, no comma among them, and as long as ``lengths`` says.
  public mutating func add(device: String, token: String) -> Bool {
    let bytes = Array(token.utf8)
    guard !device.isEmpty,
      device.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }),
      Self.lengths.contains(bytes.count),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") })
    else { return false }
    tokens.append((device, bytes))
    return true
  }

  /// Whether there are none.
  public var isEmpty: Bool { tokens.isEmpty }

  /// The devices' names.
  public var description: String { tokens.map(\.device).joined(separator: ", ") }

  /// The device whose token is shown; `nil` where it is nobody's.
  ///
  /// How long that takes depends on how long the shown token is, and on nothing else.
  func device(showing shown: [UInt8]) -> String? {
    var found: String?
    for (device, bytes) in tokens where Self.isSame(shown, bytes) { found = device }
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
