import FeedServer
import Interchange
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The settings that nobody else may see: read from the environment or from a settings file that only its owner
/// can read, never from arguments, and never shown.
enum SecretSetting: String, CaseIterable {
  /// Devices and their tokens.
  case listenTokens
  /// The password at an MQTT broker.
  case mqttPassword

  var environmentName: String {
    switch self {
    case .listenTokens: "PHOTOSPOTS_LISTEN_TOKENS"
    case .mqttPassword: "PHOTOSPOTS_MQTT_PASSWORD"
    }
  }
}

/// The secrets in force: those of the environment over those of the settings file.
struct Secrets {
  /// The devices that may send positions, and their tokens.
  let listenTokens: DeviceTokens
  /// The password of the user whom the address of a broker names.
  let mqttPassword: String?

  /// Reads the secrets, and takes them out of the environment, which hooks inherit.
  init(file: FilePath = Places.settingsFile) throws {
    let written = try SettingsFile.read(file).secrets
    var tokens = written[.listenTokens] ?? []
    var origin = file.escaped
    let name = SecretSetting.listenTokens.environmentName
    if let value = Self.take(name) {
      tokens = try Self.pairs(value, from: name)
      origin = name
    }
    mqttPassword =
      Self.take(SecretSetting.mqttPassword.environmentName) ?? written[.mqttPassword]?.first?.1
    var listenTokens = DeviceTokens()
    for (device, token) in tokens where !listenTokens.add(device: device, token: token) {
      let lengths = DeviceTokens.lengths
      throw SecretsError(
        """
        \(origin): the token of '\(device.escaped)' must be \(lengths.lowerBound) to \
        \(lengths.upperBound) characters of ASCII, without spaces and commas; 'openssl rand -hex 16' makes one
        """)
    }
    self.listenTokens = listenTokens
  }

  /// Takes a variable out of the environment.
  private static func take(_ name: String) -> String? {
    defer { unsetenv(name) }
    return getenv(name).map { String(cString: $0) }
  }

  /// Whether nobody but the owner of an open file may read or write it.
  static func isPrivate(_ file: FileDescriptor) -> Bool {
    var status = stat()
    let others = S_IRWXG | S_IRWXO
    return fstat(file.rawValue, &status) == 0 && status.st_mode & others == 0
  }

  private static func pairs(_ text: String, from name: String) throws -> [(String, String)] {
    try text.split(separator: ",").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw SecretsError("\(name) must be device=token, several with commas between")
      }
      return (String(parts[0]), String(parts[1]))
    }
  }
}

/// Why secrets cannot be used, without them.
struct SecretsError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
