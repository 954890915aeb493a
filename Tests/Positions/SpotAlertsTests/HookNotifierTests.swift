import CLibrary
import SpotWatcher
import Storage
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts

@Suite(.serialized, .timeLimit(.minutes(30))) struct HookNotifierTests {
  private let folder = TemporaryFolder()

  private func run(
    _ body: String, limitSeconds: Double = 30,
    onOutput: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) async throws -> DeliveryResult {
    let hook = HookNotifier(
      path: try script(body, in: folder.root), limitSeconds: limitSeconds,
      scratchFolder: folder.root, onOutput: onOutput)
    return await hook.deliver(notification(also: ["b"]))
  }

  /// Returns the number of open files in this test's folder, including unnamed ones; other tests
  /// have their own.
  private func openDescriptors() -> Int {
    (0..<1024).count { number in
      var target = [UInt8](repeating: 0, count: 4096)
      let length = target.withUnsafeMutableBytes { buffer in
        readlink("/proc/self/fd/\(number)", buffer.baseAddress!, buffer.count)
      }
      return length > 0
        && String(decoding: target[..<length], as: UTF8.self).hasPrefix("\(folder.root)/")
    }
  }

  @Test func `a hook gets the notification's main values in addition to the inherited environment`()
    async throws
  {
    let written = folder.root.appending("written")
    #expect(try await run("env > '\(written)'") == .delivered)
    let lines = String(decoding: readFile(written), as: UTF8.self).split(separator: "\n")
    let sent = notification(also: ["b"])
    for line in [
      "PHOTOSPOTS_ID=\(sent.id)", "PHOTOSPOTS_TYPE=enter",
      "PHOTOSPOTS_TIME=2026-11-20T12:00:00.000Z", "PHOTOSPOTS_DEVICE=phone",
      "PHOTOSPOTS_DISTANCE=120.2", "PHOTOSPOTS_BEARING=45", "PHOTOSPOTS_SPOT_ID=a",
      "PHOTOSPOTS_SPOT_LATITUDE=48.8584", "PHOTOSPOTS_SPOT_LONGITUDE=2.2945",
      "PHOTOSPOTS_SPOT_PHOTO_COUNT=14",
      "PHOTOSPOTS_SPOT_FIRST_CAPTURED=2016-05-01T10:00:00.000",
      "PHOTOSPOTS_SPOT_LAST_CAPTURED=2024-08-01T10:00:00.000",
      "PHOTOSPOTS_SPOT_COVER=/photos/2016/tower.jpg", "PHOTOSPOTS_TEXT=\(sent.text)",
    ] { #expect(lines.contains(Substring(line)), "\(line)") }
    #expect(lines.contains { $0.hasPrefix("PATH=") })
  }

  @Test func `variables of unknown values are unset, and the cover's path keeps its bytes`()
    async throws
  {
    let written = folder.root.appending("written")
    let hook = HookNotifier(
      path: try script(
        "printf %s \"$PHOTOSPOTS_SPOT_COVER${PHOTOSPOTS_DEVICE-unset}\" > '\(written)'",
        in: folder.root),
      scratchFolder: folder.root)
    let cover = FilePath(bytes: Array("/a".utf8) + [0xE9, 0x0A])
    #expect(await hook.deliver(notification(device: nil, cover: cover)) == .delivered)
    #expect(readFile(written) == Array("/a".utf8) + [0xE9, 0x0A] + Array("unset".utf8))
  }

  @Test func `a missing, non-executable or malformed hook fails with the reason`() async throws {
    let missing = HookNotifier(
      path: folder.root.appending("none"), scratchFolder: folder.root)
    guard case .failed(let reason) = await missing.deliver(notification()) else {
      Issue.record("ran a hook that does not exist")
      return
    }
    #expect(reason.contains("does not exist"))
    let plain = folder.root.appending("plain")
    try writeFile(plain, "#!/bin/sh\n".utf8)
    let notExecutable = HookNotifier(path: plain, scratchFolder: folder.root)
    guard case .failed(let reason) = await notExecutable.deliver(notification()) else {
      Issue.record("ran a hook that is not executable")
      return
    }
    #expect(reason.contains("not executable"))
    _ = plain.withPlatformString { chmod($0, 0o755) }
    try writeFile(plain, "echo no first line\n".utf8)
    guard case .failed(let reason) = await notExecutable.deliver(notification()) else {
      Issue.record("ran a script through a shell")
      return
    }
    #expect(reason.contains("not a program"), "\(reason)")
    #expect(openDescriptors() == 0)
  }

  @Test(arguments: [
    ("#!/bin/sh\r\necho\r\n", "Windows line ends"), ("#!/usr/bin/env sh\r\n", "'dos2unix'"),
    ("\u{FEFF}#!/bin/sh\n", "byte order mark"), ("#!/opt/none/zsh -f\n", "'/opt/none/zsh', named"),
    ("#!/usr/bin/env no-such-shell\n", "add its folder to PATH"), ("#! \n", "names no program"),
    ("echo\n", "must begin with a line like #!/bin/sh"), ("", "not a program"),
  ])
  func `a script that the system cannot run is told before the first alert`(
    text: String, words: String
  ) throws {
    let path = try script("", in: folder.root)
    try writeFile(path, text.utf8)
    let hook = HookNotifier(path: path, scratchFolder: folder.root)
    #expect(hook.obstacle?.contains(words) == true, "\(hook.obstacle ?? "none")")
    #expect(hook.obstacle?.hasPrefix("\(path) ") == true)
  }

  @Test(arguments: [
    "#!/bin/sh\n", "#! /bin/sh -e", "#!/usr/bin/env sh\n", "#!/usr/bin/env -S sh -e\n",
    "#!/usr/bin/env A=b no-such\n", "\u{7F}ELF\0",
  ])
  func `a script or program whose first line can be run has no obstacle`(text: String) throws {
    let path = try script("", in: folder.root)
    try writeFile(path, text.utf8)
    let hook = HookNotifier(path: path, scratchFolder: folder.root)
    #expect(hook.obstacle == nil, "\(hook.obstacle ?? "")")
  }

  @Test func `only exit status 0 counts as delivered`() async throws {
    #expect(try await run("exit 0") == .delivered)
    #expect(try await run("exit 1") == .failed("exit status 1"))
    #expect(try await run("kill -TERM $$") == .failed("killed by signal 15"))
  }

  @Test func `a hook may ignore its input or close its output`() async throws {
    #expect(try await run("exec <&-; exit 0") == .delivered)
    #expect(try await run("exec >&- 2>&-; cat > /dev/null; exit 0") == .delivered)
  }

  @Test func `the first 64 KiB of a hook's output are kept`() async throws {
    let kept = Mutex<[UInt8]>([])
    let result = try await run(
      "echo begin; head -c 10000000 /dev/zero; echo end >&2",
      onOutput: { bytes in kept.withLock { $0 = bytes } })
    #expect(result == .delivered)
    #expect(kept.withLock(\.count) == HookNotifier.keptOutputBytes)
    #expect(kept.withLock { $0.starts(with: "begin\n".utf8) })
  }

  @Test func `a hook that exceeds its time limit is killed with its process group`() async throws {
    let pids = folder.root.appending("pids")
    try writeFile(pids, "".utf8)
    // A busy machine may need longer until the shell has written anything.
    var limit = 0.5
    while readFile(pids).isEmpty {
      let result = try await run(
        "trap '' TERM; sleep 99 & echo $$ $! > '\(pids)'; wait", limitSeconds: limit)
      guard case .failed(let reason) = result, reason.hasPrefix("killed after ") else {
        Issue.record("\(result)")
        return
      }
      limit *= 2
    }
    try await expectGone(pids)
  }

  @Test func `a hook's background processes are killed when it ends`() async throws {
    let pids = folder.root.appending("pids")
    let result = try await run("sleep 99 & echo $! > '\(pids)'; exit 0")
    #expect(result == .delivered)
    try await expectGone(pids)
  }

  /// Waits until the processes in a file have ended; they may not have been reaped yet.
  private func expectGone(_ pids: FilePath) async throws {
    let numbers = String(decoding: readFile(pids), as: UTF8.self).split { " \n".contains($0) }
    #expect(!numbers.isEmpty)
    for number in numbers {
      await until { !isAlive(number) }
    }
  }

  private func isAlive(_ process: Substring) -> Bool {
    // A kernel file has no size, so it is read differently.
    guard let file = try? FileDescriptor.open("/proc/\(process)/stat", .readOnly) else {
      return false
    }
    defer { try? file.close() }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = (try? buffer.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    return !text.isEmpty && !text.contains(") Z ")
  }

  @Test func `a hook runs in its own session`() async throws {
    let written = folder.root.appending("written")
    #expect(try await run("cut -d ' ' -f 1,5,6 /proc/$$/stat > '\(written)'") == .delivered)
    let fields = String(decoding: readFile(written), as: UTF8.self).split { " \n".contains($0) }
    #expect(fields.count == 3 && Set(fields).count == 1)
  }

  @Test func `hooks leave no files in the scratch folder and no open descriptors`() async throws {
    for _ in 0..<5 { _ = try await run("exit 1") }
    #expect(openDescriptors() == 0)
    let listing = folder.root.appending("listing")
    _ = try await run("ls -A '\(folder.root)' > '\(listing)'")
    #expect(String(decoding: readFile(listing), as: UTF8.self) == "hook.sh\nlisting\n")
  }
}
