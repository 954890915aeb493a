import LocationFeeds
import Testing

@testable import FeedServer

@Suite struct DeviceTokensTests {
  private let secret = "0123456789abcdef0123456789abcdef"

  @Test func `a token identifies the device it belongs to`() {
    var tokens = DeviceTokens()
    #expect(tokens.isEmpty)
    #expect(tokens.add(device: "phone", token: secret) == true)
    #expect(tokens.add(device: "tablet", token: String(secret.reversed())) == true)
    #expect(tokens.holder(showing: Array(secret.utf8))?.device == "phone")
    #expect(tokens.holder(showing: Array(secret.utf8.reversed()))?.device == "tablet")
  }

  @Test func `only the complete and exact token is accepted`() {
    var tokens = DeviceTokens()
    #expect(tokens.add(device: "phone", token: secret) == true)
    for index in secret.utf8.indices {
      var wrong = Array(secret.utf8)
      wrong[secret.utf8.distance(from: secret.startIndex, to: index)] ^= 1
      #expect(tokens.holder(showing: wrong) == nil)
    }
    for wrong in ["", String(secret.dropLast()), secret + "0", secret + secret, "phone"] {
      #expect(tokens.holder(showing: Array(wrong.utf8)) == nil)
    }
  }

  @Test(arguments: [
    ("", "0123456789abcdef"), ("a|", "0123456789abcdef"), ("a\nb", "0123456789abcdef"),
    ("a", "0123456789abcde"),
    ("a", String(repeating: "a", count: 257)), ("a", "0123456789 abcdef"),
    ("a", "0123456789,abcdef"), ("a", "0123456789äbcdef"),
  ])
  func `rejects tokens that are short, long or not sendable, and invalid device names`(
    device: String, token: String
  ) {
    var tokens = DeviceTokens()
    #expect(tokens.add(device: device, token: token) == false)
    #expect(tokens.isEmpty)
  }

  @Test func `a description contains device names and no token`() {
    var tokens = DeviceTokens()
    _ = tokens.add(device: "phone", token: secret)
    #expect("\(tokens)" == "phone")
  }

  // MARK: - Names

  private func fixes(_ names: [String]) -> [LocationFix] {
    names.map { LocationFix(time: nil, latitude: 1, longitude: 2, device: $0) }
  }

  /// Returns fixes with the names that their sender may use.
  private func admitted(
    _ names: SenderNames, _ fixes: [LocationFix], of holder: DeviceTokens.Holder?,
    _ tokens: DeviceTokens, at now: ContinuousClock.Instant = .now
  ) -> [LocationFix] {
    let message = FeedServer.Message(fixes: fixes, format: .ndjson, statistics: FeedStatistics())
    return names.admitted(message, of: holder, tokens, at: now).fixes
  }

  @Test
  func `a token with several devices may use only those names, which other tokens may not use`() {
    var tokens = DeviceTokens()
    #expect(tokens.add(device: "phone|watch", token: secret) == true)
    #expect(tokens.add(device: "tablet", token: String(secret.reversed())) == true)
    let names = SenderNames()
    let listed = admitted(
      names, fixes(["watch", "phone", "tablet", "x"]),
      of: tokens.holder(showing: Array(secret.utf8)), tokens)
    #expect(listed.map(\.device) == ["watch", "phone", "phone", "phone"])
    let open = admitted(
      names,
      fixes(["watch", "tablet", "x"]),
      of: tokens.holder(showing: Array(secret.utf8.reversed())), tokens)
    #expect(open.map(\.device) == ["tablet", "tablet", "x"])
  }

  @Test func `a token may name sixteen devices, and silent ones make room for new names`() {
    var tokens = DeviceTokens()
    #expect(tokens.add(device: "phone", token: secret) == true)
    let holder = tokens.holder(showing: Array(secret.utf8))
    let names = SenderNames()
    let start = ContinuousClock.now
    let invented = fixes((0..<20).map { "x\($0)" })
    let first = admitted(names, invented, of: holder, tokens, at: start)
    #expect(first.map(\.device) == (0..<16).map { "x\($0)" } + Array(repeating: "phone", count: 4))
    // Devices in use keep their names.
    let again = admitted(
      names, Array(invented.reversed()), of: holder, tokens, at: start + .seconds(3599))
    #expect(again.map(\.device) == first.reversed().map(\.device))
    let later = admitted(names, fixes(["x19"]), of: holder, tokens, at: start + .seconds(7200))
    #expect(later.map(\.device) == ["x19"])
  }

  @Test func `the number of device names without a token is limited`() {
    let names = SenderNames()
    let invented = fixes((0..<50_000).map { "x\($0)" })
    let admitted = admitted(names, invented, of: nil, DeviceTokens())
    #expect(Set(admitted.map(\.device)).count == DeviceNameBound.unknownSenders + 1)
    #expect(admitted.last?.device == nil)
  }
}
