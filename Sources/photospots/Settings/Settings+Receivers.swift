import FeedServer
import FeedSources
import PhotoLibrary
import RemoteLibraries
import WebRequests

extension Settings {
  /// The address of the webhook.
  var webhookAddress: WebAddress? { get throws { try address(.webhookURL) } }
  /// The secret of the webhook's signatures.
  var webhookSecret: String? { get throws { try secret(.webhookSecret) } }
  /// The server and topic of ntfy that notifications are published to.
  var ntfyTopic: WebAddress? { get throws { try address(.ntfyURL) } }
  /// The access token for that.
  var ntfyToken: String? { get throws { try secret(.ntfyToken) } }
  /// The priority at ntfy, 1 to 5.
  var ntfyPriority: Int { get throws { Int(saturating: try number(.ntfyPriority)) } }
  /// Whether the cover photo goes with them.
  var sendsPictureToNtfy: Bool { get throws { try isSet(.ntfyPicture) } }

  /// The Gotify server that notifications are sent to.
  var gotifyServer: WebAddress? { get throws { try address(.gotifyURL) } }
  /// The token of an application of it.
  var gotifyToken: String? { get throws { try secret(.gotifyToken) } }
  /// The priority at Gotify, 0 to 10.
  var gotifyPriority: Int { get throws { Int(saturating: try number(.gotifyPriority)) } }
  /// The address of the Apprise API server that notifications are sent to.
  var appriseAddress: WebAddress? { get throws { try address(.appriseURL) } }
  /// The addresses of the services that it is to tell.
  var appriseServices: String? { get throws { try secret(.appriseServices) } }
  /// Whether the cover photo goes with them.
  var sendsPictureToApprise: Bool { get throws { try isSet(.apprisePicture) } }

  /// The topic of an MQTT broker that notifications are published to.
  var mqttTopic: MQTTAddress? {
    get throws { if case .broker(let address) = try value(.mqttURL) { address } else { nil } }
  }
  /// The password of the users whom addresses of MQTT brokers name.
  var mqttPassword: String? { get throws { try secret(.mqttPassword) } }
  /// The prefix of Home Assistant's discovery topics; `nil` where it is told nothing.
  var homeAssistantPrefix: String? {
    get throws { if case .prefix(let prefix) = try value(.homeAssistant) { prefix } else { nil } }
  }
  /// Whether the cover photos of alerts go there.
  var sendsPictureToHomeAssistant: Bool { get throws { try isSet(.homeAssistantPicture) } }
  /// The token of the page of metrics.
  var metricsToken: String? { get throws { try secret(.metricsToken) } }
  /// The devices that may send positions, and their tokens.
  var listenTokens: DeviceTokens {
    get throws {
      if case .tokens(let tokens) = try value(.listenTokens) { tokens } else { DeviceTokens() }
    }
  }

  /// The key of a remote library.
  func key(of library: RemoteLibrary) throws -> String? {
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
