import CLibrary
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient
@testable import WebNotifiers

/// Randomly damaged responses, sent to the real client over real connections.
///
/// The number is three thousand, or the value of the environment variable `PHOTOSPOTS_ANSWERS`;
/// `make soak` sets 100,000.
@Suite(.timeLimit(.minutes(60))) struct AnswerMutationTests {
  private static let seed: UInt64 = 0x28

  private static let count: Int = {
    guard let text = getenv("PHOTOSPOTS_ANSWERS").map({ String(cString: $0) }) else { return 3000 }
    guard let count = Int(text), (1...100_000_000).contains(count) else {
      preconditionFailure("PHOTOSPOTS_ANSWERS=\(text): write a number from 1 to 100000000")
    }
    return count
  }()

  private static let sound = [
    "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 503 x\r\nRetry-After: Sun, 06 Nov 1994 08:50:07 GMT\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
    "HTTP/1.0 301 Moved\r\nLocation: gopher://[::1]:99999/\r\n\r\n",
    "HTTP/1.1 401 x\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "HTTP/1.1 000 x\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 099 x\r\nContent-Length: -1\r\n\r\n",
    "HTTP/2 200\r\nSet-Cookie: a=b; Max-Age=99999999999999999999\r\nAlt-Svc: h3=\":1\"\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n folded: x\r\n\r\n\u{1F}\0\0\0",
  ].map { Array($0.utf8) }

  @Test func `a damaged response is parsed or fails with a reason that hides the secret`()
    async throws
  {
    let generator = Mutex(SeededGenerator(seed: Self.seed))
    let latest = Mutex<[UInt8]>([])
    let server = try LoopbackServer { _, _ in
      let bytes = generator.withLock { generator in
        let bytes = Self.sound.randomElement(using: &generator) ?? []
        return Damage.apply(to: bytes, using: &generator)
      }
      latest.withLock { $0 = bytes }
      return .raw(bytes)
    }
    let address = try #require(WebAddress("http://127.0.0.1:\(server.port)/s3cr3t"))
    let request = WebRequest(.post, to: address, contentType: "text/plain", body: [0x61])
    let client = WebClient(limitSeconds: 60)
    var answered = 0
    for number in 0..<Self.count {
      let bodyLimit = number % 2 == 0 ? 0 : 100
      let exchange = await client.exchange(request, bodyLimit: bodyLimit)
      let context = "seed \(Self.seed), answer \(number): \(latest.withLock { $0 })"
      switch exchange {
      case .answered(let answer):
        answered += 1
        #expect((200...999).contains(answer.status) && answer.body.count <= bodyLimit, "\(context)")
      case .failed(let reason):
        #expect(!reason.isEmpty && !reason.contains("s3cr3t"), "\(context)")
        #expect(!reason.contains("within"), "\(context)")
      }
      _ = exchange.result
    }
    #expect(server.requests.count == Self.count)
    // Otherwise only the connection was tested.
    #expect(answered > Self.count / 10 && answered < Self.count * 9 / 10)
  }
}
