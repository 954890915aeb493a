import Encodings
import ServiceSupport
import SystemPackage
import TestSupport
import Testing

@testable import SpotService

/// Tests of the routes for folders of photos and for scans.
@Suite struct FolderRouteTests {
  private let bench = ServiceBench()

  private func reply(
    _ method: String, _ target: String, body: String = "", host: String = "localhost:8090",
    address: String?, fields: [(name: String, value: String)] = []
  ) -> ServiceReply {
    var request = ServiceRequest(
      method: method, target: "/api/v1/" + target,
      fields: [("Host", host), ("Authorization", "Bearer \(ServiceBench.keyText)")] + fields,
      body: Array(body.utf8))
    request.address = address
    return bench.service.reply(to: request, now: ServiceBench.now)
  }

  private func work(_ reply: ServiceReply) -> FolderWork? {
    guard case .work(.folders(let work)) = reply else { return nil }
    return work
  }

  private func problem(_ reply: ServiceReply) throws -> JSONValue? {
    guard case .response(let response) = reply else { return nil }
    return try JSONValue(response.body)
  }

  @Test(arguments: ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
  func `a browser at a loopback address may name a folder by its path`(address: String) {
    #expect(work(reply("GET", "folders", address: address)) == .list(isLocal: true))
    let start = reply("POST", "indexing", body: #"{"path": "/p"}"#, address: address)
    #expect(work(start) == .start(folders: [], path: "/p"))
  }

  @Test(
    arguments: [
      ("192.168.1.7", "localhost", nil), (nil, "localhost", nil), ("127.0.0.1", "nas.local", nil),
      ("127.0.0.1.example", "localhost", nil), ("::ffff:10.0.0.2", "localhost", nil),
      ("127.0.0.1", "localhost", "X-Forwarded-For"), ("127.0.0.1", "localhost", "Forwarded"),
      ("::1", "[::1]:8090", "Via"),
    ] as [(String?, String, String?)])
  func `no other browser may`(address: String?, host: String, field: String?) throws {
    let fields = field.map { [(name: $0, value: "127.0.0.1")] } ?? []
    #expect(
      work(reply("GET", "folders", host: host, address: address, fields: fields))
        == .list(isLocal: false))
    let refused = reply(
      "POST", "indexing", body: #"{"path": "/etc"}"#, host: host, address: address,
      fields: fields)
    let problem = try problem(refused)
    #expect(problem?["parameter"] == .string("path") && problem?["status"] == .number(400))
    // Folders of the list have no path.
    let chosen = reply(
      "POST", "indexing", body: #"{"folders": ["ab"], "path": null}"#, host: host,
      address: address, fields: fields)
    #expect(work(chosen) == .start(folders: ["ab"], path: nil))
  }

  @Test(arguments: [
    "[]", "{", #"{"folders": "ab"}"#, #"{"folders": [1]}"#, #"{"path": 1}"#, #"{"root": "/"}"#,
    #"{"path": "/a", "path": "/b"}"#,
  ])
  func `a body that is not understood is refused`(body: String) throws {
    let refused = reply("POST", "indexing", body: body, address: "127.0.0.1")
    #expect(try problem(refused)?["status"] == .number(400))
  }

  @Test func `at most 64 folders are taken at a time`() throws {
    let ids = (0..<65).map { "\"\($0)\"" }.joined(separator: ",")
    let refused = reply("POST", "indexing", body: "{\"folders\": [\(ids)]}", address: nil)
    #expect(try problem(refused)?["status"] == .number(400))
  }

  @Test func `without a body a scan goes on, and scans are reported and stopped`() {
    #expect(work(reply("POST", "indexing", address: nil)) == .start(folders: [], path: nil))
    #expect(work(reply("GET", "indexing", address: nil)) == .state)
    #expect(work(reply("DELETE", "indexing", address: nil)) == .stop)
  }

  @Test func `a path is written for a browser on the machine only`() throws {
    let folder = ServedFolder(
      id: "ab", name: [Array("CARD".utf8), Array("DCIM".utf8)], path: Array("/media/x/DCIM".utf8),
      photoCount: 7, isWhole: false, isReadable: true)
    let far = bench.service.folders([folder], isLocal: false)
    #expect(!String(decoding: far.body, as: UTF8.self).contains("media"))
    #expect(try JSONValue(far.body)["items"]?[0]?["photos"] == .number(7))
    let near = try JSONValue(bench.service.folders([folder], isLocal: true).body)
    #expect(near["items"]?[0]?["path"] == .string("/media/x/DCIM"))
  }

  @Test func `the state has the members of its description`() throws {
    var state = IndexingState(
      isStopped: false,
      result: .init(files: 9, located: 5, withoutPosition: 3, unread: 1))
    state.secondsLeft = 3
    let written = try JSONValue(bench.service.indexing(state).body)
    let description = try JSONValue(
      Corpus.contents(of: Repository.folder.appending("Sources/Server/SpotService/openapi.json")))
    let schema = description["components"]?["schemas"]?["Indexing"]
    #expect(Set(written.keys) == Set(schema?["properties"]?.keys ?? []))
    #expect(
      Set(written["result"]?.keys ?? [])
        == Set(schema?["properties"]?["result"]?["properties"]?.keys ?? []))
  }
}
