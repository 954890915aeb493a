import CivilTime
import Encodings
import HTTPClient
import PhotoLibrary
import Synchronization
import TestSupport

@testable import RemoteLibraries

/// The library of the tests' servers.
func library(_ text: String = "immich://photos.example") throws -> RemoteLibrary {
  guard let library = RemoteLibrary(text) else { throw RemoteError.interrupted }
  return library
}

/// Walks through the library of a fake server without sockets, and records the pauses.
final class Walking: Sendable {
  let library: RemoteLibrary
  let pauses = Mutex<[Double]>([])
  /// The requests so far.
  let sent = Mutex<[WebRequest]>([])

  init(_ library: RemoteLibrary) { self.library = library }

  /// Returns the responses of a fake server, which a closure may change after each response.
  static func answers(
    of server: FakeImmich, then change: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> @Sendable (Int, WebRequest) -> WebClient.Exchange {
    { number, request in
      let key = request.headers.first { $0.name == "x-api-key" }?.value
      let answer = server.answer(
        request.method.rawValue, request.address.path, key: key, body: request.body)
      change(number)
      return .answered(
        WebAnswer(
          status: answer.status, head: Array(answer.head.utf8), body: Array(answer.body.utf8)))
    }
  }

  /// Walks to the end.
  func run(
    _ walk: inout any RemoteWalk, into walked: inout WalkedLibrary, key: String,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    keeping keep: (RemotePage, any RemoteWalk) -> Void = { _, _ in },
    _ answer: @escaping @Sendable (Int, WebRequest) -> WebClient.Exchange
  ) async throws(RemoteError) {
    let walker = RemoteWalker(
      RemoteServer(library, key: key),
      send: { request in
        let number = self.sent.withLock { sent in
          sent.append(request)
          return sent.count - 1
        }
        return answer(number, request)
      },
      pause: { seconds in self.pauses.withLock { $0.append(seconds) } }, isCancelled: isCancelled,
      now: { Instant(secondsSince1970: 1_750_000_000) })
    try await walker.run(&walk, into: &walked, keeping: keep)
  }
}

/// A response with a status, headers and a body.
func answer(_ status: Int, _ head: String = "", _ body: String = "") -> WebClient.Exchange {
  .answered(WebAnswer(status: status, head: Array(head.utf8), body: Array(body.utf8)))
}
