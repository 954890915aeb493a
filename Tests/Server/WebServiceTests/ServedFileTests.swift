import CivilTime
import ServiceSupport
import SpotService
import SystemPackage
import TestSupport
import Testing

@testable import WebService

@Suite(.timeLimit(.minutes(30))) struct ServedFileTests {
  @Test(arguments: [
    (nil, ByteRange.whole), ("bytes=0-0", .part(0..<1)), ("bytes=10-19", .part(10..<20)),
    ("bytes=90-", .part(90..<100)), ("bytes=90-200", .part(90..<100)),
    ("bytes=-10", .part(90..<100)), ("bytes=-200", .part(0..<100)), ("BYTES=0-1", .part(0..<2)),
    ("bytes=100-", .unsatisfiable), ("bytes=100-200", .unsatisfiable),
    ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
    ("bytes=0-99999999999999999999", .part(0..<100)),
    ("bytes=5-4", .whole), ("bytes=-", .whole), ("bytes=", .whole), ("bytes=a-b", .whole),
    ("bytes=0-1,5-6", .whole), ("lines=0-1", .whole), ("bytes", .whole), ("bytes=--1", .whole),
    ("bytes=+1-2", .whole), ("bytes=1-2-3", .whole), ("bytes= 1-2", .whole),
  ])
  func `a Range field selects a part, is unsatisfiable, or is ignored if malformed`(
    field: String?, expected: ByteRange
  ) {
    #expect(ByteRange(field, condition: nil, entityTag: "\"t\"", size: 100) == expected)
  }

  @Test func `If-Range with another entity tag makes the whole file be sent`() {
    for (condition, isPart) in [
      ("\"t\"", true), ("\"u\"", false), ("W/\"t\"", false), ("x", false),
    ] {
      let range = ByteRange("bytes=0-1", condition: condition, entityTag: "\"t\"", size: 100)
      #expect(range == (isPart ? .part(0..<2) : .whole))
    }
  }

  @Test func `every range of an empty file is unsatisfiable`() {
    for field in ["bytes=0-", "bytes=-1", "bytes=0-0"] {
      #expect(ByteRange(field, condition: nil, entityTag: "t", size: 0) == .unsatisfiable)
    }
  }

  /// Starts a server that returns the file at `path` for every original.
  private func bench(_ path: FilePath, name: String = "a.jpg") async throws -> WebBench {
    let bench = try await WebBench()
    bench.outside.answer { _ in
      guard
        let file = try? ServedFile(
          takingOver: FileDescriptor.open(path, .readOnly, options: .closeOnExec),
          mediaType: "image/jpeg", name: name)
      else { return .response(Problem(.noSuchPhoto, "It is gone.").response) }
      return .file(file)
    }
    return bench
  }

  private let target = ServedFileTests.original

  /// The path of the original of a photo of the test library.
  static let original = "/api/v1/photos/\(photo)/original"
  /// The path of its picture.
  static let picture = "/api/v1/photos/\(photo)/picture"

  private static let photo: String = {
    let service = WebBench.service(TestSources())
    let reply = service.reply(
      to: ServiceRequest(
        method: "GET", target: "/api/v1/spots?box=-90,-180,90,180",
        fields: [("Host", "localhost"), ("Authorization", "Bearer \(WebBench.keyText)")]),
      now: .init(secondsSince1970: 0))
    guard case .response(let response) = reply else { return "" }
    let text = String(decoding: response.body, as: UTF8.self)
    return text.firstMatch(of: /"cover":"([^"]+)"/).map { String($0.1) } ?? ""
  }()

  @Test func `originals support ranges, HEAD and entity tags, in a sandbox`() async throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 2)
    // Longer than one read, and not a multiple of its size.
    let content = (0..<300_001).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let path = folder.path("a.jpg")
    try folder.write(content, to: path)
    let bench = try await bench(path, name: "Ä \"b\"\r\n.jpg")
    let whole = try await bench.ask(target)
    #expect(whole.status == 200 && whole.body == content)
    #expect(whole["Content-Type"] == "image/jpeg" && whole["Accept-Ranges"] == "bytes")
    #expect(whole["Content-Security-Policy"]?.hasPrefix("sandbox;") == true)
    #expect(
      whole["Content-Disposition"] == "inline; filename*=UTF-8''%C3%84%20%22b%22%0D%0A.jpg")
    let tag = try #require(whole["ETag"])
    let part = try await bench.ask(
      target, [WebBench.key, "Range: bytes=100-299999", "If-Range: \(tag)"])
    #expect(part.status == 206 && part.body == Array(content[100...299_999]))
    #expect(part["Content-Range"] == "bytes 100-299999/300001")
    let beyond = try await bench.ask(target, [WebBench.key, "Range: bytes=300001-"])
    #expect(beyond.status == 416 && beyond["Content-Range"] == "bytes */300001")
    let head = try await bench.ask(target, method: "HEAD")
    #expect(head.status == 200 && head.body.isEmpty && head["Content-Length"] == "300001")
    let known = try await bench.ask(target, [WebBench.key, "If-None-Match: \(tag)"])
    #expect(known.status == 304 && known.body.isEmpty)
    await bench.stop()
  }

  @Test func `a missing file or a folder in its place gets status 404`() async throws {
    let folder = TemporaryFolder()
    for path in [folder.path("none.jpg"), folder.root] {
      let bench = try await bench(path)
      let answer = try await bench.ask(target)
      #expect(answer.status == 404 && answer.problem == "no-such-photo")
      await bench.stop()
    }
  }

  @Test func `a file truncated while it is sent aborts the response`() async throws {
    let folder = TemporaryFolder()
    let path = folder.path("a.jpg")
    try folder.write([UInt8](repeating: 1, count: 100_000), to: path)
    let bench = try await WebBench()
    bench.outside.answer { _ in
      guard let opened = try? FileDescriptor.open(path, .readOnly),
        let file = try? ServedFile(takingOver: opened, mediaType: "image/jpeg", name: "a.jpg"),
        (try? FileDescriptor.open(path, .readWrite, options: .truncate)) != nil
      else { return .response(.noContent) }
      return .file(file)
    }
    let answer = try await bench.ask(target)
    #expect(answer["Content-Length"] == "100000" && answer.body.isEmpty)
    await bench.stop()
  }
}
