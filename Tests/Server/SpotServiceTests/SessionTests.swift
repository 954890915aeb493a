import CivilTime
import Encodings
import SpotService
import Testing

@Suite struct SessionTests {
  private let key = SessionKey("0123456789abcdef0123456789abcdef")!.hashes
  private let now = ServiceBench.now
  private let day = 86_400.0

  private func list(_ cookies: String...) -> SessionList {
    var list = SessionList(of: key)
    for cookie in cookies { list.begin(cookie: cookie, browser: "b", address: "::1", now: now) }
    return list
  }

  /// Whether a list, which forgets ended sessions as it is asked, has a session.
  private func isOpen(_ cookie: String, _ list: SessionList, at time: Instant) -> Bool {
    var list = list
    return list.session(withCookie: cookie, now: time) != nil
  }

  @Test func `a stored list knows its sessions by hashes only, and only for its key`() throws {
    let list = list("secret-a", "secret-b")
    let text = String(decoding: list.json, as: UTF8.self)
    #expect(!text.contains("secret") && !text.contains("0123456789abcdef0123"))
    let read = try SessionList(json: list.json, of: key)
    #expect(read.all == list.all && read.all.count == 2)
    #expect(isOpen("secret-a", read, at: now))
    #expect(!isOpen("secret-c", read, at: now))
    let other = SessionKey("fedcba9876543210fedcba9876543210")!.hashes
    #expect(try SessionList(json: list.json, of: other).all.isEmpty)
  }

  @Test func `a session ends 90 days after its last use, and on request`() throws {
    var list = list("a", "b")
    let later = now.advanced(bySeconds: 80 * day)
    let uses = (0..<2).map { _ in list.session(withCookie: "a", now: later)?.isChanged }
    #expect(uses == [true, false], "the use is noted once an hour")
    let end = now.advanced(bySeconds: 91 * day)
    #expect(!isOpen("b", list, at: end))
    let found = list.session(withCookie: "a", now: end)
    let id = try #require(found?.session.id)
    #expect(isOpen("a", list, at: now), "a clock that was set back")
    let ended = [list.end(id), list.end(id)]
    #expect(ended == [true, false])
    #expect(!isOpen("a", list, at: end))
  }

  @Test func `the number and the texts of sessions are limited`() throws {
    var list = SessionList(of: key)
    for number in 0..<150 {
      list.begin(
        cookie: "\(number)", browser: String(repeating: "x", count: 1000) + "\u{1B}", address: nil,
        now: now.advanced(bySeconds: Double(number)))
    }
    #expect(list.all.count == SessionList.capacity)
    #expect(!isOpen("49", list, at: now), "the oldest are replaced")
    #expect(isOpen("50", list, at: now))
    #expect(list.all.allSatisfy { $0.browser.count == 200 })
    #expect(try SessionList(json: list.json, of: key).all == list.all)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"format":"photospots-serve-sessions","version":2}"#,
    #"{"format":"photospots-serve-sessions","version":1,"sessions":[{"hash":"a"}]}"#,
  ])
  func `a damaged list is an error`(json: String) {
    #expect(throws: JSONError.self) { try SessionList(json: Array(json.utf8), of: key) }
  }

  @Test func `a code has 12 characters, which may be typed in any way`() {
    let code = PairingCode(random: 0xFFF_FFFF_FFFF_FFFF, now: now)
    #expect(code.text == "ZZZZZZZZZZZZ" && "\(code)" == "a code")
    #expect(PairingCode(random: 32, now: now).text == "000000000010")
    #expect(code.expires == now.advanced(bySeconds: 600))
    #expect(PairingCode.normalized(" k7q2-mx9r ToHl ") == "K7Q2MX9RT0H1")
    for text in ["", "K7Q2MX9RT4H", "K7Q2MX9RT4HDD", "K7Q2MX9RT4HU", "K7Q2MX9RT4H\u{130}"] {
      #expect(PairingCode.normalized(text) == nil, "\(text)")
    }
  }

  @Test func `ten wrong codes a minute from an address, and sixty in all, are the limit`() {
    var wrong = WrongCodes()
    func isAllowed(_ address: String, afterSeconds seconds: Double = 0) -> Bool {
      var wrong = wrong
      return wrong.allows(address, now: now.advanced(bySeconds: seconds))
    }
    for _ in 0..<10 {
      #expect(isAllowed("a"))
      wrong.note("a", now: now)
    }
    #expect(!isAllowed("a") && isAllowed("b"))
    for number in 0..<50 { wrong.note("\(number)", now: now) }
    #expect(!isAllowed("b"))
    #expect(isAllowed("a", afterSeconds: 61))
    #expect(isAllowed("a", afterSeconds: -3600), "a clock that was set back")
  }
}
