import Testing

@testable import FeedServer

@Suite struct DeviceTokensTests {
  private let secret = "0123456789abcdef0123456789abcdef"

  @Test func `who shows a token is the device that it is of`() {
    var tokens = DeviceTokens()
    #expect(tokens.isEmpty)
    #expect(tokens.add(device: "phone", token: secret) == true)
    #expect(tokens.add(device: "tablet", token: String(secret.reversed())) == true)
    #expect(tokens.device(showing: Array(secret.utf8)) == "phone")
    #expect(tokens.device(showing: Array(secret.utf8.reversed())) == "tablet")
  }

  @Test func `nothing else than the whole token is one`() {
    var tokens = DeviceTokens()
    #expect(tokens.add(device: "phone", token: secret) == true)
    for index in secret.utf8.indices {
      var wrong = Array(secret.utf8)
      wrong[secret.utf8.distance(from: secret.startIndex, to: index)] ^= 1
      #expect(tokens.device(showing: wrong) == nil)
    }
    for wrong in ["", String(secret.dropLast()), secret + "0", secret + secret, "phone"] {
      #expect(tokens.device(showing: Array(wrong.utf8)) == nil)
    }
  }

  @Test(arguments: [
    ("", "0123456789abcdef"), ("a\nb", "0123456789abcdef"), ("a", "0123456789abcde"),
    ("a", String(repeating: "a", count: 257)), ("a", "0123456789 abcdef"),
    ("a", "0123456789,abcdef"), ("a", "0123456789äbcdef"),
  ])
  func `a token that is short or cannot be sent is refused`(device: String, token: String) {
    var tokens = DeviceTokens()
    #expect(tokens.add(device: device, token: token) == false)
    #expect(tokens.isEmpty)
  }

  @Test func `a description names devices, and no token`() {
    var tokens = DeviceTokens()
    _ = tokens.add(device: "phone", token: secret)
    #expect("\(tokens)" == "phone")
  }

  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm8", "fo"), ("Zm9v", "foo"), ("+/+/", "\u{FB}"),
  ])
  func `Base64 is read`(text: String, decoded: String) {
    let bytes = text == "+/+/" ? [0xFB, 0xFF, 0xBF] : Array(decoded.utf8)
    #expect(Credentials.decoded(base64: text) == bytes)
  }

  @Test(arguments: ["Z", "Zm9vY", "Zm9v!", "Zm 9v", "Z=g="])
  func `what is no Base64 is not read`(text: String) {
    #expect(Credentials.decoded(base64: text) == nil)
  }
}
