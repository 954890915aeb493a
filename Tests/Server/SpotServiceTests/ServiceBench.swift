import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import ServiceSupport
import Spatial
import SpotService
import SpotWatcher
import TestSupport

@testable import SpotAlerts

/// A service with its responses, without a socket.
struct ServiceBench {
  static let keyText = "0123456789abcdef0123456789abcdef"
  static let actionKeyText = "fedcba9876543210"
  static let now = Instant(iso8601: "2026-11-20T12:00:00Z")!

  var sources = TestSources()

  var service: Service {
    Service(
      .init(
        version: "1.2.3", hosts: HostRule(["192.168.1.5", "nas.local"]),
        key: SessionKey(Self.keyText)!.hashes,
        actionKey: AlertActionKey(Array(Self.actionKeyText.utf8)), description: Array("{}".utf8),
        features: ["HEIF"]),
      sources: sources)
  }

  /// The reply to a request with the key.
  func reply(
    _ method: String, _ target: String, body: String = "",
    fields: [(name: String, value: String)] = [], isSecure: Bool = false
  ) -> ServiceReply {
    let own = [("Host", "localhost:8090"), ("Authorization", "Bearer \(Self.keyText)")]
    return service.reply(
      to: ServiceRequest(
        method: method, target: "/api/v1/" + target, fields: own + fields,
        body: Array(body.utf8), isSecure: isSecure), now: Self.now)
  }

  /// Returns the response to a request with the key; fails if the request needs outside work.
  func response(
    _ method: String, _ target: String, body: String = "",
    fields: [(name: String, value: String)] = []
  ) -> ServiceResponse {
    guard case .response(let response) = reply(method, target, body: body, fields: fields) else {
      return ServiceResponse(status: 0)
    }
    return response
  }

  /// The answer to a GET as JSON.
  func json(_ target: String) throws -> JSONValue {
    try JSONValue(response("GET", target).body)
  }

  /// Returns the outside work that a request needs.
  func work(
    _ method: String, _ target: String, body: String = "",
    fields: [(name: String, value: String)] = []
  ) -> ServiceWork? {
    guard case .work(let work) = reply(method, target, body: body, fields: fields) else {
      return nil
    }
    return work
  }
}
