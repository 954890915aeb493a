import Glibc
import Interchange
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import SpotAlerts

/// A notifier, and how to see what it told.
private struct Subject: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Makes a notifier that works, and reads what it told since.
  let working: @Sendable (FilePath) throws -> (any Notifier, () -> String)
  /// Makes one that nobody listens to or that cannot tell.
  let broken: @Sendable (FilePath) throws -> any Notifier
  /// Makes one that takes for ever.
  let stuck: @Sendable (FilePath) throws -> any Notifier

  static let all = [hook, output]

  private static let hook = Subject(
    testDescription: "hook",
    working: { folder in
      let told = folder.appending("told")
      let hook = HookNotifier(
        path: try script("cat >> '\(told)'", in: folder), scratchFolder: folder)
      return (hook, { String(decoding: readFile(told), as: UTF8.self) })
    },
    broken: { HookNotifier(path: try script("exit 3", in: $0), scratchFolder: $0) },
    stuck: { HookNotifier(path: try script("sleep 1000", in: $0), scratchFolder: $0) })

  private static let output = Subject(
    testDescription: "standard output",
    working: { folder in
      let told = folder.appending("told")
      let file = try Disk.open(told, .writeOnly, [.create, .append])
      return (
        StandardOutputNotifier(descriptor: file, format: .ndjson),
        { String(decoding: readFile(told), as: UTF8.self) }
      )
    },
    broken: { _ in
      let pipe = try FileDescriptor.pipe()
      try pipe.readEnd.close()
      return StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    },
    stuck: { _ in
      let pipe = try FileDescriptor.pipe()
      _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, O_NONBLOCK)
      while (try? pipe.writeEnd.writeAll([UInt8](repeating: 0, count: 4096))) != nil {}
      _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, 0)
      return StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    })
}

@Suite struct NotifierContractTests {
  private let folder = TemporaryFolder()

  @Test(arguments: Subject.all)
  fileprivate func `tells each notification once and whole`(subject: Subject) async throws {
    let (notifier, told) = try subject.working(folder.root)
    let sent = (0..<5).map { notification(Double($0), also: ["b"]) }
    for notification in sent { #expect(await notifier.deliver(notification) == .delivered) }
    #expect(told() == String(decoding: sent.flatMap(\.ndjson), as: UTF8.self))
  }

  @Test(arguments: Subject.all)
  fileprivate func `a notification larger than a pipe is told whole`(subject: Subject) async throws
  {
    let (notifier, told) = try subject.working(folder.root)
    let large = notification(also: (0..<2000).map { "spot \($0)" })
    #expect(large.ndjson.count > 1 << 18)
    #expect(await notifier.deliver(large) == .delivered)
    #expect(told().utf8.elementsEqual(large.ndjson))
  }

  @Test(arguments: Subject.all)
  fileprivate func `says where it could not tell`(subject: Subject) async throws {
    let notifier = try subject.broken(folder.root)
    let result = await notifier.deliver(notification())
    #expect(result == .closed || result == .failed("exit status 3"))
  }

  @Test(.timeLimit(.minutes(1)), arguments: Subject.all)
  fileprivate func `ends when its task is cancelled`(subject: Subject) async throws {
    let notifier = try subject.stuck(folder.root)
    let task = Task { await notifier.deliver(notification()) }
    task.cancel()
    guard case .failed = await task.value else {
      Issue.record("delivered, though it was stuck")
      return
    }
  }
}

@Suite struct StandardOutputNotifierTests {
  @Test func `a closed pipe is told apart from a failure`() async throws {
    let pipe = try FileDescriptor.pipe()
    let notifier = StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    #expect(await notifier.deliver(notification()) == .delivered)
    try pipe.readEnd.close()
    #expect(await notifier.deliver(notification()) == .closed)
  }

  @Test func `a line for people holds nothing that a terminal obeys`() async throws {
    let pipe = try FileDescriptor.pipe()
    let notifier = StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    #expect(
      await notifier.deliver(notification(device: "a\u{1B}[31m\n\u{202E}é")) == .delivered)
    try pipe.writeEnd.close()
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try buffer.withUnsafeMutableBytes { try pipe.readEnd.read(into: $0) }
    #expect(
      String(decoding: buffer[..<count], as: UTF8.self)
        == "a\u{FFFD}[31m\u{FFFD}\u{FFFD}é: 120 m north-east: 14 photos, 2016–2024\n")
  }
}
