package import Encodings
package import SpotAlerts
package import SystemPackage
import WebNotifiers

/// A kind of receiver that is called over HTTP.
package enum WebReceiver: String, CaseIterable, Sendable {
  case webhook, ntfy, gotify, apprise

  /// The settings without which it cannot be used; the address is the first one.
  package var neededSettings: [Setting] {
    switch self {
    case .webhook: [.webhookURL]
    case .ntfy: [.ntfyURL]
    case .gotify: [.gotifyURL, .gotifyToken]
    case .apprise: [.appriseURL]
    }
  }

  /// The setting of the address.
  package var address: Setting { neededSettings[0] }

  /// The settings of the request, without those of pictures.
  package var settings: [Setting] {
    switch self {
    case .webhook: [.webhookURL, .webhookSecret]
    case .ntfy: [.ntfyURL, .ntfyToken, .ntfyPriority]
    case .gotify: [.gotifyURL, .gotifyToken, .gotifyPriority]
    case .apprise: [.appriseURL, .appriseServices]
    }
  }
}

extension Settings {
  /// Returns whether the cover photo is sent to a receiver.
  package func sendsPicture(to receiver: WebReceiver) throws -> Bool {
    switch receiver {
    case .webhook, .gotify: false
    case .ntfy: try sendsPictureToNtfy
    case .apprise: try sendsPictureToApprise
    }
  }

  /// Creates the notifier of a receiver.
  ///
  /// - Parameters:
  ///   - receiver: The kind of receiver.
  ///   - limitSeconds: The time limit of a request.
  ///   - picture: Creates a small JPEG file of a photo; returns `nil` where none is sent.
  /// - Returns: The notifier; `nil` if a needed setting is off.
  /// - Throws: A `SettingsError` if a setting is invalid.
  package func notifier(
    for receiver: WebReceiver, limitSeconds: Double = 30,
    picture: @escaping @Sendable (FilePath) async -> [UInt8]?
  ) throws -> (any Notifier)? {
    switch receiver {
    case .webhook:
      guard let address = try webhookAddress else { return nil }
      return WebhookNotifier(
        address: address, secret: try webhookSecret, limitSeconds: limitSeconds)
    case .ntfy:
      guard let topic = try ntfyTopic else { return nil }
      return NtfyNotifier(
        topic: topic, token: try ntfyToken, priority: try ntfyPriority,
        limitSeconds: limitSeconds, picture: picture)
    case .gotify:
      guard let server = try gotifyServer, let token = try gotifyToken else { return nil }
      return GotifyNotifier(
        server: server, token: token, priority: try gotifyPriority, limitSeconds: limitSeconds)
    case .apprise:
      guard let address = try appriseAddress else { return nil }
      return AppriseNotifier(
        address: address, services: try appriseServices, limitSeconds: limitSeconds,
        picture: picture)
    }
  }

  /// Returns the scheme and host of a receiver's address, such as `https://ntfy.sh/…`.
  ///
  /// The rest of the address may be secret.
  ///
  /// - Throws: A `SettingsError` if the address is invalid.
  package func shownAddress(of receiver: WebReceiver) throws(SettingsError) -> String {
    if case .address(let address) = try value(receiver.address) { "\(address)" } else { "off" }
  }

  /// Returns the settings of a receiver that differ from the defaults, as a JSON object of texts.
  ///
  /// - Throws: A `SettingsError` if the settings file is needed and cannot be used.
  package func json(of receiver: WebReceiver) throws(SettingsError) -> [UInt8] {
    var texts: [(name: String, text: String)] = []
    for setting in receiver.settings where try isGiven(setting) {
      let text = try source(setting).text
      if text != setting.defaultText { texts.append((setting.rawValue, text)) }
    }
    var writer = JSONWriter()
    writer.object { writer in
      for (name, text) in texts { writer.member(name, text) }
    }
    return writer.takeBytes()
  }

  /// Creates settings from a JSON object of texts; all others have their defaults. Unknown names
  /// are ignored.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - origin: The origin of the values.
  /// - Throws: `JSONError` if the object is malformed.
  package init(json: [UInt8], from origin: Origin) throws(JSONError) {
    let object = try JSONObject(document: json)
    var sources: [Setting: Source] = [:]
    for name in object.keys {
      let text = try object.string(name) ?? ""
      if let setting = Setting(rawValue: name) {
        sources[setting] = Source(text: text, origin: origin)
      }
    }
    self.init(only: sources)
  }
}
