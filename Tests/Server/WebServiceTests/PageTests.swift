import SpotService
import SystemPackage
import TestSupport
import Testing

@testable import WebService

@Suite(.timeLimit(.minutes(30))) struct PageTests {
  private static var folder: FilePath {
    Repository.folder.appending("Sources/Server/Page/files")
  }

  @Test func `the embedded files of the page equal those in Sources/Server/Page/files`() throws {
    let page = PageFiles()
    let folder = Self.folder
    let paths = Corpus.paths(under: folder)
    let names = paths.map { String($0.string.dropFirst(folder.string.count)) }
    #expect(names.sorted() == PageFiles.paths, "run Sources/Server/Page/make-table.py")
    for (path, name) in zip(paths, names) {
      let source = try Corpus.contents(of: path)
      let served =
        ["js", "css"].contains(path.extension) ? PageFiles.compact(source) : source
      #expect(served == page.file(at: name[...])?.bytes, "\(name)")
      #expect(PageFiles.mediaType(path.extension ?? "") != nil, "\(name)")
    }
  }

  @Test func `lines of comments of a module are empty, and others lose their indentation`() {
    let source = """
      // One.
      import a from "./a.js"; // kept

      /**
       * Two: `x`.
       */
      export const b = 1 / 2; /* kept */
        /* Three. */
        // Four.
      const c = "/*";
        d(" ");
      """
    let lines = String(decoding: PageFiles.compact(Array(source.utf8)), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines == [
        "", "import a from \"./a.js\"; // kept", "", "", "", "",
        "export const b = 1 / 2; /* kept */", "", "", "const c = \"/*\";", "d(\" \");",
      ])
  }

  @Test func `the embedded OpenAPI description equals SpotService/openapi.json`() throws {
    let path = Self.folder.removingLastComponent().removingLastComponent()
      .appending("SpotService/openapi.json")
    #expect(try Corpus.contents(of: path) == APIDescription.bytes)
  }

  @Test func `page files need no key and have an ETag for revalidation`() async throws {
    let bench = try await WebBench()
    let page = PageFiles()
    for path in ["/", "/app.js", "/app.js?x=1", "/map/pins.js", "/icon-192.png", "/world-50.bin"] {
      let answer = try await bench.ask(path, [])
      let file = try #require(page.file(at: path.prefix { $0 != "?" }))
      #expect(answer.status == 200 && answer.body == file.bytes, "\(path)")
      #expect(answer["Content-Type"] == file.mediaType)
      #expect(answer["Content-Length"] == "\(file.bytes.count)")
      #expect(answer["Cache-Control"] == "no-cache")
      #expect(answer["Vary"] == "Accept-Encoding")
      let tag = try #require(answer["ETag"])
      let again = try await bench.ask(path, ["If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
      #expect(try await bench.ask(path, ["If-None-Match: \"x\""]).status == 200)
      let head = try await bench.ask(path, method: "HEAD", [])
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head["Content-Length"] == answer["Content-Length"])
    }
    await bench.stop()
  }

  @Test func `files are gzipped for clients that accept it if that makes them smaller`()
    async throws
  {
    let bench = try await WebBench()
    for (path, isPacked) in [("/app.js", true), ("/", true), ("/icon-192.png", false)] {
      let plain = try await bench.ask(path, [])
      let packed = try await bench.ask(path, ["Accept-Encoding: br, gzip"])
      #expect(packed["Content-Encoding"] == (isPacked ? "gzip" : nil), "\(path)")
      #expect((isPacked ? packed.unpacked : packed.body) == plain.body)
      #expect(packed["Content-Length"] == "\(packed.body.count)")
      #expect(packed.body.count < plain.body.count || !isPacked)
      #expect(try await bench.ask(path, ["Accept-Encoding: gzip;q=0"]).body == plain.body)
    }
    await bench.stop()
  }

  @Test(arguments: [
    (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate, gzip;q=1.0", true),
    ("gzip;q=0", false), ("gzip; q=0.0, *", false), ("*", true), ("*;q=0", false), ("br", false),
    ("gzipped", false), ("x-gzip", true),
  ])
  func `Accept-Encoding is parsed for gzip`(field: String?, isAccepted: Bool) {
    #expect(Gzip.isAccepted(field) == isAccepted)
  }

  @Test func `incompressible or tiny data is not compressed`() {
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(Gzip.packed(noise, level: 9) == nil)
    #expect(Gzip.packed([], level: 9) == nil)
    #expect(Gzip.packed([1, 1, 1], level: 9) == nil)
  }

  @Test(arguments: [
    "/none", "/index.htm", "/../app.js", "/map/../app.js", "/map%2Fpins.js", "/%61pp.js", "/map",
    "/map/", "//app.js", "/api.json", "/APP.JS", "/app.js/", "/.", "/tiles", "/feeds",
  ])
  func `an unknown path gets status 404 with a content security policy`(path: String) async throws {
    let bench = try await WebBench()
    let answer = try await bench.ask(path, [])
    #expect(answer.status == 404)
    #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
    #expect(answer["Content-Security-Policy"]?.contains("default-src 'self'") == true)
    await bench.stop()
  }

  @Test func `page files accept only GET and HEAD, and only allowed host names`() async throws {
    let bench = try await WebBench()
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
      let answer = try await bench.ask("/", method: method, [])
      #expect(answer.status == 405 && answer["Allow"] == "GET, HEAD")
    }
    #expect(try await bench.ask("/", host: "evil.test", []).problem == "wrong-host")
    #expect(try await bench.ask("/app.js", host: "evil.test", []).status == 421)
    #expect(try await bench.ask("/", host: "nas.local", []).status == 200)
    // A link on another site, such as a webmail page, may open the page.
    #expect(try await bench.ask("/", ["Sec-Fetch-Site: cross-site"]).status == 200)
    await bench.stop()
  }

  @Test func `a body sent to a resource that accepts none is not read`() async throws {
    let bench = try await WebBench()
    let answer = try await bench.ask("/", method: "POST", ["Content-Length: 4000000000"])
    #expect(answer.status == 405 && answer["Connection"] == "close")
    await bench.stop()
  }
}
