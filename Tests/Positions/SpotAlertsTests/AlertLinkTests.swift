import CivilTime
import Encodings
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct AlertLinkTests {
  private let key = AlertActionKey(Array("0123456789abcdef".utf8))!
  private let expiry = noon.advanced(bySeconds: 3600)

  private func token(
    _ action: AlertAction = .mute, spotID: String = "47xjsbmtz9sp", key: AlertActionKey? = nil
  ) throws -> String {
    try #require((key ?? self.key).token(for: action, spotID: spotID, until: expiry))
  }

  private func refusal(_ token: String, at now: Instant = noon) -> AlertActionKey.Refusal? {
    do throws(AlertActionKey.Refusal) {
      _ = try key.grant(of: token, now: now)
      return nil
    } catch { return error }
  }

  // MARK: - Tokens

  @Test(arguments: AlertAction.allCases)
  func `a token grants its action repeatedly until it expires`(action: AlertAction) throws {
    let token = try token(action)
    for seconds in [0, 1800, 3599.999] {
      let grant = try key.grant(of: token, now: noon.advanced(bySeconds: seconds))
      #expect(grant == .init(action: action, spotID: "47xjsbmtz9sp", expiry: expiry))
    }
  }

  @Test func `a token is expired from its expiry time on`() throws {
    #expect(refusal(try token(), at: expiry) == .expired)
    #expect(refusal(try token(), at: expiry.advanced(bySeconds: 1e9)) == .expired)
  }

  @Test func `a token with any byte changed or missing is refused`() throws {
    let token = Array(try token().utf8)
    for place in token.indices {
      for byte in [token[place] ^ 1, token[place] ^ 0x20, UInt8(ascii: ".")]
      where byte != token[place] {
        var changed = token
        changed[place] = byte
        #expect(refusal(String(decoding: changed, as: UTF8.self)) == .unknown, "\(place) \(byte)")
      }
      var shorter = token
      shorter.remove(at: place)
      #expect(refusal(String(decoding: shorter, as: UTF8.self)) == .unknown)
    }
  }

  @Test func `a token is refused for another action, spot, expiry or secret`() throws {
    let parts = try token().split(separator: ".").map(String.init)
    let later = "\(expiry.millisecondsSince1970 / 1000 + 86_400)"
    for (place, text) in [(0, "not-now"), (1, "47xjsbmtz9sq"), (2, later), (2, "+\(parts[2])")] {
      var other = parts
      other[place] = text
      #expect(refusal(other.joined(separator: ".")) == .unknown, "\(text)")
    }
    let stranger = try #require(AlertActionKey(Array("0123456789abcdeF".utf8)))
    #expect(refusal(try token(key: stranger)) == .unknown)
    // An expired token of another key is unknown, not expired.
    #expect(refusal(try token(key: stranger), at: expiry) == .unknown)
    for text in ["", ".", "...", "mute", "mute.a.1.", String(repeating: ".", count: 10_000)] {
      #expect(refusal(text) == .unknown)
    }
  }

  @Test func `rejects invalid spot ids and secrets shorter than 16 bytes`() {
    for id in ["", "a.b", "A", "é", String(repeating: "a", count: 33)] {
      #expect(key.token(for: .mute, spotID: id, until: expiry) == nil)
    }
    #expect(AlertActionKey(Array(repeating: 1, count: 15)) == nil)
    #expect("\(key)" == "a key")
  }

  @Test func `a not-now action ends a day after the alert, and a mute 30 days after it`() {
    #expect(AlertAction.notNow.end(ofLinkUntil: expiry) == expiry)
    #expect(AlertAction.mute.end(ofLinkUntil: expiry).seconds(since: expiry) == 29 * 86_400)
  }

  // MARK: - Links

  private var links: AlertLinks { AlertLinks(page: "https://home.example:8090", key: key) }

  @Test func `alert links open the camera, mute, or postpone, and are valid for a day`() throws {
    let alert = Alert(
      .spot(notification(spotID: "47xjsbmtz9sp")),
      links: links.links(of: notification(spotID: "47xjsbmtz9sp"), queued: noon))
    let takeAgain = try #require(alert.address(.takeAgain))
    #expect(takeAgain.hasPrefix("https://home.example:8090/#17/48.8"))
    #expect(takeAgain.hasSuffix("/spot/47xjsbmtz9sp/again"))
    let start = "https://home.example:8090/api/v1/actions/"
    for (purpose, action) in [(AlertLink.Purpose.mute, AlertAction.mute), (.notNow, .notNow)] {
      let address = try #require(alert.address(purpose))
      #expect(address.hasPrefix(start))
      let grant = try key.grant(of: String(address.dropFirst(start.count)), now: noon)
      #expect(grant.action == action && grant.spotID == "47xjsbmtz9sp")
      #expect(grant.expiry == noon.advanced(bySeconds: 86_400))
    }
    for link in alert.links { #expect(!link.address.contains("0123456789abcdef")) }
  }

  @Test func `an alert's JSON and hook environment have its links, which parsers can skip`()
    throws
  {
    let notification = notification()
    let alert = Alert(.spot(notification), links: links.links(of: notification, queued: noon))
    var reader = JSONReader(alert.ndjson)
    // The parser of notifications skips the links.
    #expect(try SpotNotification(from: &reader) == notification)
    let json = String(decoding: alert.ndjson, as: UTF8.self)
    let variables = HookEnvironment.variables(of: alert, inherited: [])
      .map { String(decoding: $0.dropLast(), as: UTF8.self) }
    for (link, name) in zip(alert.links, ["TAKE_AGAIN", "MUTE", "NOT_NOW"]) {
      #expect(json.contains("\"\(link.purpose.rawValue)\":\"\(link.address)\""))
      #expect(variables.contains("PHOTOSPOTS_\(name)_LINK=\(link.address)"))
    }
    let plain = Alert(.spot(notification))
    #expect(plain.ndjson == notification.ndjson)
    #expect(!String(decoding: plain.ndjson, as: UTF8.self).contains("links"))
    let without = HookEnvironment.variables(of: plain, inherited: [])
    #expect(!without.contains { String(decoding: $0, as: UTF8.self).contains("_LINK=") })
  }

  @Test(arguments: AlertLanguage.allCases)
  func `each link has a distinct label in each language`(language: AlertLanguage) {
    let labels = AlertLink.Purpose.allCases.map(language.label(of:))
    #expect(Set(labels).count == labels.count && !labels.contains(""))
  }

  // MARK: - Mutes

  @Test func `a mute link extends an existing mute and never shortens it`() {
    let short = MutedSpot(spotID: "a", center: .tower, until: noon)
    let long = MutedSpot(spotID: "a", center: .tower, until: expiry)
    let forever = MutedSpot(spotID: "a", center: .tower)
    let other = MutedSpot(spotID: "b", center: .tower)
    for (known, mute, expected) in [
      (nil, short, short), (short, long, long), (long, short, long), (long, forever, forever),
      (forever, long, forever), (forever, forever, forever),
    ] {
      var list = [other] + (known.map { [$0] } ?? [])
      list.extend(by: mute)
      #expect(list == [other, expected])
    }
  }
}
