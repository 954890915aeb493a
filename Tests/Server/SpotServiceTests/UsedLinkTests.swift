import CivilTime
import SpotService
import TestSupport
import Testing

@Suite struct UsedLinkTests {
  private let now = ServiceBench.now
  private var expiry: Instant { now.advanced(bySeconds: 3600) }

  @Test func `a link is used once, also after its note was stored and read`() throws {
    var list = UsedLinkList()
    #expect(!list.contains("mute.a.1.0"))
    let uses = (0..<2).map { _ in list.use("mute.a.1.0", until: expiry, now: now) }
    #expect(uses == [true, false])
    var read = try UsedLinkList(json: list.json)
    #expect(read.contains("mute.a.1.0") && !read.contains("mute.a.1.1"))
    let isFirst = read.use("mute.a.1.0", until: expiry, now: now)
    #expect(!isFirst)
    #expect(!String(decoding: list.json, as: UTF8.self).contains("mute.a"))
  }

  @Test func `links are forgotten once they have expired`() {
    var list = UsedLinkList()
    _ = list.use("a", until: expiry, now: now)
    _ = list.use("b", until: expiry.advanced(bySeconds: 1), now: expiry)
    #expect(!list.contains("a") && list.contains("b"))
  }

  @Test func `a list has a maximum length, and the links that expire first are left out`() {
    var list = UsedLinkList()
    for number in 0...UsedLinkList.capacity {
      _ = list.use("\(number)", until: expiry.advanced(bySeconds: Double(number)), now: now)
    }
    #expect(!list.contains("0") && list.contains("1"))
    #expect(list.contains("\(UsedLinkList.capacity)"))
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"format":"photospots-used-links","version":2}"#,
    #"{"format":"photospots-used-links","version":1,"links":[{"hash":"a","expires":1}]}"#,
    #"{"format":"photospots-used-links","version":1,"links":[]"#,
  ])
  func `a damaged list is refused`(json: String) {
    #expect(throws: (any Error).self) { try UsedLinkList(json: Array(json.utf8)) }
  }
}
