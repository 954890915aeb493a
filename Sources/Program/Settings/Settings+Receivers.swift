package import FeedServer
package import FeedSources
import HTTPClient
package import PhotoLibrary
import RemoteLibraries

extension Settings {
  /// The URL of the webhook.
  var webhookAddress: WebAddress? { get throws { try address(.webhookURL) } }
  /// The secret that signs the webhook's requests.
  package var webhookSecret: String? { get throws { try secret(.webhookSecret) } }
  /// The ntfy server and topic to which notifications are published.
  var ntfyTopic: WebAddress? { get throws { try address(.ntfyURL) } }
  /// The access token for ntfy.
  package var ntfyToken: String? { get throws { try secret(.ntfyToken) } }
  /// The priority at ntfy, 1 to 5.
  package var ntfyPriority: Int { get throws { Int(saturating: try number(.ntfyPriority)) } }
  /// Whether the cover photo is sent to ntfy.
  var sendsPictureToNtfy: Bool { get throws { try isSet(.ntfyPicture) } }

  /// The Gotify server to which notifications are sent.
  var gotifyServer: WebAddress? { get throws { try address(.gotifyURL) } }
  /// The token of an application on the Gotify server.
  package var gotifyToken: String? { get throws { try secret(.gotifyToken) } }
  /// The priority at Gotify, 0 to 10.
  package var gotifyPriority: Int { get throws { Int(saturating: try number(.gotifyPriority)) } }
  /// The Apprise API server to which notifications are sent.
  var appriseAddress: WebAddress? { get throws { try address(.appriseURL) } }
  /// The addresses of the services that Apprise notifies.
  package var appriseServices: String? { get throws { try secret(.appriseServices) } }
  /// Whether the cover photo is sent to Apprise.
  var sendsPictureToApprise: Bool { get throws { try isSet(.apprisePicture) } }

  /// The topic of an MQTT broker to which notifications are published.
  package var mqttTopic: MQTTAddress? {
    get throws { if case .broker(let address) = try value(.mqttURL) { address } else { nil } }
  }
  /// The password for the users named in addresses of MQTT brokers.
  package var mqttPassword: String? { get throws { try secret(.mqttPassword) } }
  /// The prefix of Home Assistant's discovery topics; `nil` if Home Assistant is not used.
  package var homeAssistantPrefix: String? {
    get throws { if case .prefix(let prefix) = try value(.homeAssistant) { prefix } else { nil } }
  }
  /// Whether the cover photos of alerts are sent to Home Assistant.
  package var sendsPictureToHomeAssistant: Bool { get throws { try isSet(.homeAssistantPicture) } }
  /// The token that the metrics page requires.
  package var metricsToken: String? { get throws { try secret(.metricsToken) } }
  /// The devices that may send positions, with their tokens.
  package var listenTokens: DeviceTokens {
    get throws {
      if case .tokens(let tokens) = try value(.listenTokens) { tokens } else { DeviceTokens() }
    }
  }

  /// Returns the API key of a remote library.
  package func key(of library: RemoteLibrary) throws -> String? {
    let setting: Setting = library.program == .immich ? .immichKey : .photoprismKey
    return try secret(setting).flatMap { RemoteKeys($0) }?.key(for: library.host)
  }

  private func address(_ setting: Setting) throws(SettingsError) -> WebAddress? {
    if case .address(let address) = try value(setting) { address } else { nil }
  }

  private func secret(_ setting: Setting) throws(SettingsError) -> String? {
    if case .secret(let text) = try value(setting) { text } else { nil }
  }
}
