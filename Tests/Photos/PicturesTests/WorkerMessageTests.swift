import SystemPackage
import TestSupport
import Testing

@testable import Pictures

/// The messages between this process and those that decode photos, and the delays of restarts.
@Suite struct WorkerMessageTests {
  private static let orders = [
    WorkerOrder(
      .picture(
        PictureWish(size: 512, isSquare: true, accepted: AcceptedTypes(heic: false, avif: true))),
      count: 0),
    WorkerOrder(
      .picture(
        PictureWish(size: 2048, isSquare: false, accepted: AcceptedTypes(heic: true, avif: false))),
      count: 1 << 40),
    WorkerOrder(.pixels(longestSide: 192), count: 3),
  ]

  private static let answers: [WorkerAnswer.Status] = [
    .ready(parts: 3), .waitsForTurn, .jpeg(length: 70_000, isPoor: true),
    .jpeg(length: 1, isPoor: false), .unmodified(.webP),
    .pixels(width: 192, height: 128, isCutOff: true), .pixels(width: 1, height: 1, isCutOff: false),
    .noPicture, .noDecoder, .unreadable(.ioError),
  ]

  @Test func `orders and answers round-trip`() throws {
    for order in Self.orders { #expect(WorkerOrder(order.bytes) == order) }
    for status in Self.answers {
      let bytes = WorkerAnswer(status).bytes
      #expect(bytes.count == WorkerAnswer.length)
      #expect(try #require(WorkerAnswer(bytes)).status == status)
    }
  }

  @Test func `an answer is as long as its kind allows, whatever the bytes`() throws {
    #expect(WorkerAnswer([]) == nil && WorkerOrder([]) == nil)
    var random = SeededGenerator(seed: 64)
    var count = 0
    for _ in 0..<20_000 {
      let heads = Self.answers.map { WorkerAnswer($0).bytes }
      var bytes = heads[Int.random(in: 0..<heads.count, using: &random)]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let answer = WorkerAnswer(bytes) else { continue }
      count += 1
      for order in Self.orders where answer.answers(order) {
        switch order.kind {
        case .picture: #expect(answer.contentLength <= WorkerAnswer.longestPicture)
        case .pixels(let longestSide):
          #expect(answer.contentLength <= longestSide * longestSide * 3)
        }
      }
    }
    #expect(count > 1000)
  }

  @Test func `an answer of another kind than the order is refused`() {
    let (picture, pixels) = (Self.orders[0], Self.orders[2])
    #expect(WorkerAnswer(.jpeg(length: 10, isPoor: false)).answers(picture))
    #expect(!WorkerAnswer(.jpeg(length: 10, isPoor: false)).answers(pixels))
    #expect(!WorkerAnswer(.unmodified(.png)).answers(pixels))
    #expect(!WorkerAnswer(.pixels(width: 10, height: 10, isCutOff: false)).answers(picture))
    #expect(WorkerAnswer(.pixels(width: 192, height: 10, isCutOff: false)).answers(pixels))
    #expect(!WorkerAnswer(.pixels(width: 10, height: 193, isCutOff: false)).answers(pixels))
    #expect(!WorkerAnswer(.ready(parts: 3)).answers(picture))
  }

  @Test func `the first restart is at once, and later ones wait up to five seconds`() {
    let now = ContinuousClock.now
    var delay = RestartDelay()
    #expect(delay.allowsStart(at: now))
    delay.fail(at: now)
    #expect(delay.allowsStart(at: now))
    delay.fail(at: now)
    #expect(!delay.allowsStart(at: now + .milliseconds(99)))
    #expect(delay.allowsStart(at: now + .milliseconds(100)))
    for _ in 0..<100 { delay.fail(at: now) }
    #expect(!delay.allowsStart(at: now + .milliseconds(4999)))
    #expect(delay.allowsStart(at: now + .seconds(5)))
    delay.succeed()
    #expect(delay.allowsStart(at: now))
  }
}
