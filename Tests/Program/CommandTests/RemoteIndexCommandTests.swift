import Encodings
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// The program with a simulated Immich server on the loopback interface.
@Suite struct RemoteIndexCommandTests {
  private let folder = TemporaryFolder()
  private let immich: FakeImmich
  private let server: LoopbackServer
  private let photospots: PhotoSpotsProcess

  init() throws {
    let immich = FakeImmich(
      (1...8).map {
        FakeImmich.Asset(
          $0, taken: 1_600_000_000_000 + Int64($0) * 86_400_000, updated: 1_700_000_000_000)
      }, longestPage: 3)
    self.immich = immich
    server = try LoopbackServer { _, request in
      immich.text(
        request.method, request.path, key: request.headers["x-api-key"], body: request.body)
    }
    photospots = PhotoSpotsProcess(
      home: folder.root, environment: ["PHOTOSPOTS_IMMICH_KEY": immich.key])
  }

  private var address: String { "immich+http://127.0.0.1:\(server.port)" }

  @Test func `an Immich library is indexed, queried, updated incrementally and forgotten`()
    async throws
  {
    let first = try await photospots.run("index", address)
    #expect(first.code == 0, "\(first)")
    #expect(first.output.contains("8 photos scanned"))
    #expect(first.output.contains("8 new"))
    let near = try await photospots.run("near", "48.003", "11.5", "--photos")
    #expect(near.output.contains("\(address)/00000000-0000-4000-8000-000000000003/IMG_3.jpg"))
    let json = try await photospots.run("near", "48.003", "11.5", "--photos", "--format", "json")
    let id = "00000000-0000-4000-8000-000000000003"
    #expect(json.output.contains("\"http://127.0.0.1:\(server.port)/photos/\(id)\""), "\(json)")

    immich.change { assets, now in
      assets[id]?.isTrashed = true
      assets[id]?.updated = now
      let new = FakeImmich.Asset(9, taken: 1_700_000_000_000, updated: now)
      assets[new.id] = new
    }
    let count = immich.requests.count
    let second = try await photospots.run("index")
    #expect(second.output.contains("1 new, 0 changed, 0 moved, 1 removed"), "\(second)")
    #expect(immich.requests.count - count <= 4)
    // Permanently deleted, which only the total count shows.
    immich.change { assets, _ in assets["00000000-0000-4000-8000-000000000004"] = nil }
    let third = try await photospots.run("index")
    #expect(third.output.contains("1 removed"), "\(third)")

    let forgotten = try await photospots.run("forget", address)
    #expect(forgotten.output.hasPrefix("forgot \(address): 7 files"), "\(forgotten)")
    #expect(forgotten.output.contains("the index holds 0 located photos"), "\(forgotten)")
    for request in immich.requests {
      #expect(request.hasPrefix("GET ") || request.hasPrefix("POST /api/search/"), "\(request)")
    }
  }

  @Test func `folders and a library are indexed together`() async throws {
    let both = try await photospots.run(
      "index", samples.appending("photos").string, address, "--json")
    #expect(both.code == 0)
    var reader = JSONReader(Array(both.output.utf8))
    var scanned: Int64 = 0
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if key == "scanned" { scanned = try reader.integer() } else { try reader.skipValue() }
    }
    #expect(scanned == 34 + 8)
  }

  @Test func `a wrong key is reported without showing it, and known photos stay`() async throws {
    let wrong = "WRONGKEY987654321"
    var other = photospots
    other.environment["PHOTOSPOTS_IMMICH_KEY"] = wrong
    let unknown = try await other.run("index", address)
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("refuses the key"))
    _ = try await photospots.run("index", address)
    let known = try await other.run("index")
    #expect(known.code != 0)
    #expect(known.errors.contains("its photos stay") || known.errors.contains("Its photos stay"))
    for outcome in [unknown, known] {
      #expect(!(outcome.output + outcome.errors).contains(wrong))
    }
    let near = try await photospots.run("near", "48.003", "11.5")
    #expect(near.output.contains("1 photo"))
    let index = String(
      decoding: try folder.contents(of: folder.path("xdg_cache_home/photospots/index.json")),
      as: UTF8.self)
    #expect(!index.contains(wrong) && !index.contains(immich.key))
  }

  @Test func `an address that contains a key is refused without showing it`() async throws {
    for address in ["immich://user:TOPSECRET@host", "immich://host/?key=TOPSECRET"] {
      let outcome = try await photospots.run("index", address)
      #expect(outcome.code != 0)
      #expect(!(outcome.output + outcome.errors).contains("TOPSECRET"), "\(outcome)")
    }
    var none = photospots
    none.environment = [:]
    let outcome = try await none.run("index", address)
    #expect(outcome.errors.contains("PHOTOSPOTS_IMMICH_KEY"), "\(outcome)")
  }

  @Test func `a killed scan of a library resumes at the interrupted request`() async throws {
    let immich = self.immich
    // The fourth request is never answered.
    let asked = folder.path("asked")
    let slow = try LoopbackServer { number, request in
      if number == 3 {
        let file = try? FileDescriptor.open(
          asked, .writeOnly, options: .create, permissions: .ownerReadWrite)
        _ = try? file?.closeAfter { try file?.writeAll("fourth\n".utf8) }
        return .silence
      }
      return immich.text(
        request.method, request.path, key: request.headers["x-api-key"], body: request.body)
    }
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      export PHOTOSPOTS_IMMICH_KEY=\(immich.key)
      address=immich+http://127.0.0.1:\(slow.port)
      \(PhotoSpotsProcess.program) index $address 2> err & pid=$!
      \(Shell.await)
      await fourth asked
      kill -9 $pid; wait $pid 2> /dev/null
      \(PhotoSpotsProcess.program) index $address
      ls cache/photospots | grep -c 'remote-[0-9a-f]*$'
      """)
    #expect(outcome.output.contains("8 photos scanned"), "\(outcome)")
    #expect(outcome.output.hasSuffix("\n0\n"), "\(outcome)")
    // Three pages of eight photos were stored, so the fourth request is the first one after the
    // kill.
    let bodies = slow.requests.map { String(decoding: $0.body, as: UTF8.self) }
    try #require(bodies.count > 4)
    #expect(bodies[3] == bodies[4])
  }

  @Test func `forget deletes the progress of an interrupted walk with the library`() async throws {
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      export PHOTOSPOTS_IMMICH_KEY=\(immich.key)
      \(PhotoSpotsProcess.program) index \(address) > /dev/null
      for lock in cache/photospots/index.json.remote-*.lock; do
        echo positions > "${lock%.lock}"
      done
      ls cache/photospots | grep -c 'remote-[0-9a-f]*$'
      \(PhotoSpotsProcess.program) forget \(address) > /dev/null
      ls cache/photospots | grep -c 'remote-[0-9a-f]*$'
      """)
    #expect(outcome.output == "1\n0\n", "\(outcome)")
  }

  @Test func `an HTML response and a redirect are errors with the reason`() async throws {
    let html = try LoopbackServer { _, _ in
      .bytes("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n<html>hi</html>")
    }
    let page = try await photospots.run("index", "immich+http://127.0.0.1:\(html.port)")
    #expect(page.code == 1 && page.errors.contains("web page"), "\(page)")
    let moved = try LoopbackServer { _, _ in
      .status(302, headers: ["Location: https://elsewhere.example/x"])
    }
    let redirect = try await photospots.run("index", "immich+http://127.0.0.1:\(moved.port)")
    #expect(redirect.code == 1 && redirect.errors.contains("elsewhere.example"), "\(redirect)")
    #expect(moved.requests.count == 1)
  }
}
