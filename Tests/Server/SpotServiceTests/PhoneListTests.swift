import CivilTime
import Encodings
import SpotService
import Testing

@Suite struct PhoneListTests {
  private let now = ServiceBench.now

  private func list(_ names: String...) throws -> PhoneList {
    var list = PhoneList()
    for name in names { _ = try list.add(name, token: "token of \(name)", now: now) }
    return list
  }

  private func phone(_ token: String, in list: PhoneList) -> Phone? {
    list.phone(showing: Array(token.utf8))
  }

  @Test func `a stored list knows its phones by the hashes of their tokens only`() throws {
    var list = try list("Anna")
    _ = try list.add("Ben", token: "token of Ben", now: now)
    let ben = try #require(phone("token of Ben", in: list))
    #expect(list.noteUse(of: ben.id, app: "owntracks", now: now) == true)
    let text = String(decoding: list.json, as: UTF8.self)
    #expect(!text.contains("token of"))
    let read = try PhoneList(json: list.json)
    #expect(read == list && read.all.map(\.name) == ["Anna", "Ben"])
    #expect(phone("token of Anna", in: read)?.name == "Anna")
    #expect(phone("token of Ben", in: read)?.app == "owntracks")
    #expect(phone("token of Bea", in: read) == nil && phone("", in: read) == nil)
  }

  @Test func `a removed phone has no token, and a renamed one keeps it`() throws {
    var list = try list("Anna", "Ben")
    let anna = try #require(phone("token of Anna", in: list))
    let outcomes = [
      try list.rename(anna.id, to: "Anna's phone"), try list.rename("none", to: "x"),
      try list.rename(anna.id, to: "ANNA'S PHONE"), list.remove(anna.id), list.remove(anna.id),
    ]
    #expect(outcomes == [true, false, true, true, false])
    #expect(phone("token of Anna", in: list) == nil)
    #expect(list.all.map(\.name) == ["Ben"])
  }

  @Test func `names are visible, different whatever their case, and limited in number`() throws {
    var list = try list("Anna", "Ben")
    let long = String(repeating: "a", count: 65)
    for name in ["", " Anna", "a\nb", "a\u{200B}b", long] {
      #expect(throws: PhoneListError.badName) { try list.add(name, token: "t", now: now) }
    }
    let ben = try #require(phone("token of Ben", in: list))
    for name in ["Anna", "anna"] {
      #expect(throws: PhoneListError.nameTaken) { try list.add(name, token: "t", now: now) }
      #expect(throws: PhoneListError.nameTaken) { try list.rename(ben.id, to: name) }
    }
    #expect(throws: PhoneListError.badName) { try list.rename(ben.id, to: "") }
    for number in 2..<PhoneList.capacity {
      _ = try list.add("\(number) 電話", token: "\(number)", now: now)
    }
    #expect(throws: PhoneListError.full) { try list.add("one more", token: "t", now: now) }
    #expect(try PhoneList(json: list.json) == list)
  }

  @Test func `a use is noted at first, once an hour, and with another app`() throws {
    var list = try list("Anna")
    let id = try #require(list.all.first?.id)
    let uses = [
      (0.0, "owntracks"), (10, "owntracks"), (20, "overland"), (3600, "overland"),
      (3620, "overland"), (-3600, "overland"),
    ].map { seconds, app in
      list.noteUse(of: id, app: app, now: now.advanced(bySeconds: seconds))
    }
    #expect(uses == [true, false, true, false, true, true], "the last clock was set back")
    #expect(list.noteUse(of: "none", app: "overland", now: now) == false)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"format":"photospots-phones","version":2}"#,
    #"{"format":"photospots-phones","version":1,"phones":[{"hash":"a","name":"a"}]}"#,
    #"{"format":"photospots-phones","version":1,"phones":[{"hash":"\#(hash)","name":""}]}"#,
    #"""
    {"format":"photospots-phones","version":1,"phones":[{"hash":"\#(hash)","name":"a"},
    {"hash":"\#(hash)","name":"b"}]}
    """#,
    #"{"format":"photospots-phones","version":1,"phones":["#,
  ])
  func `a damaged list is an error`(json: String) {
    #expect(throws: JSONError.self) { try PhoneList(json: Array(json.utf8)) }
  }

  private static let hash = String(repeating: "0a", count: 32)
}
