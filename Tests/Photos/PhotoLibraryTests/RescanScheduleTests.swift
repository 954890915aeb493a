import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct RescanScheduleTests {
  private typealias Scan = RescanSchedule.Scan
  private let times = WatchTimes()
  private let first: FilePath = "/first"
  private let second: FilePath = "/second"
  private let state = RootState(device: 1, inode: 2, isEmpty: false)

  /// A schedule whose first scan, which took no time, is done.
  private func schedule() -> RescanSchedule {
    var schedule = RescanSchedule(folders: [first, second], times: times, now: .zero)
    _ = scan(&schedule, [first, second], at: .zero)
    return schedule
  }

  /// Makes a scan as it was asked for; returns the notices.
  private func scan(
    _ schedule: inout RescanSchedule, _ folders: [FilePath], at now: Duration,
    took: Duration = .zero, leavesWriters: Bool = false, waitsForWriters: Bool = true,
    found: RescanSchedule.Found? = nil
  ) -> [WatchNotice] {
    let found = found ?? RescanSchedule.Found(state: state)
    return schedule.note(
      Scan(folders: folders, waitsForWriters: waitsForWriters),
      found: Dictionary(uniqueKeysWithValues: folders.map { ($0, found) }),
      leftWriters: leavesWriters, from: now, to: now + took)
  }

  private func changes(_ roots: FilePath...) -> FolderWatches.Changes {
    FolderWatches.Changes(roots: Set(roots), isEmpty: false)
  }

  private func due(_ folders: FilePath..., waitsForWriters: Bool = true) -> RescanSchedule.Step {
    .scan(Scan(folders: folders, waitsForWriters: waitsForWriters))
  }

  @Test(arguments: [(bytes: Int64(0), pause: 20.0), (50_000_000, 50), (10_000_000_000, 600)])
  func `the pause before the next scan grows with the bytes written`(
    bytes: Int64, pause: Double
  ) {
    var schedule = schedule()
    schedule.note(changes(first), at: .seconds(100))
    _ = schedule.note(
      Scan(folders: [first], waitsForWriters: true), found: [:], leftWriters: false,
      bytesWritten: bytes, from: .seconds(102), to: .seconds(103))
    schedule.note(changes(second), at: .seconds(104))
    for now in stride(from: 110.0, to: 103 + pause, by: 10) {
      schedule.note(states: [state, state], at: .seconds(saturating: now))
      #expect(schedule.step(at: .seconds(saturating: now)) != due(first, second), "\(now)")
    }
    schedule.note(states: [state, state], at: .seconds(saturating: 103 + pause))
    #expect(schedule.step(at: .seconds(saturating: 103 + pause)) == due(first, second))
  }

  @Test func `the schedule begins with a scan of everything, and then waits`() {
    var schedule = RescanSchedule(folders: [first, second], times: times, now: .zero)
    #expect(schedule.step(at: .zero) == due(first, second, waitsForWriters: false))
    #expect(scan(&schedule, [first, second], at: .zero).isEmpty)
    #expect(schedule.step(at: .zero) == .wait(until: times.lookInterval))
  }

  @Test func `a change is scanned after a quiet period, in its tree only`() {
    var schedule = schedule()
    schedule.note(changes(first), at: .seconds(5))
    #expect(schedule.step(at: .seconds(5)) == .wait(until: .seconds(7)))
    schedule.note(changes(first), at: .seconds(6))
    #expect(schedule.step(at: .seconds(7)) == .wait(until: .seconds(8)))
    #expect(schedule.step(at: .seconds(8)) == due(first))
    _ = scan(&schedule, [first], at: .seconds(8))
    #expect(schedule.step(at: .seconds(8)) == .wait(until: times.lookInterval))
  }

  @Test func `continuous changes delay a scan by at most 30 s`() {
    var schedule = schedule()
    var now = Duration.seconds(1)
    while case .wait = schedule.step(at: now), now < .seconds(100) {
      schedule.note(changes(first), at: now)
      schedule.note(states: [state, state], at: now)
      now += .milliseconds(500)
    }
    #expect(now == .seconds(31))
    #expect(schedule.step(at: now) == due(first))
  }

  @Test func `trees that changed together are scanned together`() {
    var schedule = schedule()
    schedule.note(changes(first), at: .seconds(1))
    schedule.note(changes(second), at: .seconds(2))
    #expect(schedule.step(at: .seconds(3)) == due(first, second))
  }

  @Test func `changes during a scan are found by the next scan`() {
    var schedule = schedule()
    schedule.note(changes(first), at: .seconds(1))
    // The scan takes three seconds, and then its events are read.
    _ = scan(&schedule, [first], at: .seconds(3), took: .seconds(1))
    schedule.note(changes(first), at: .seconds(4))
    schedule.note(states: [state, state], at: .seconds(20))
    #expect(schedule.step(at: .seconds(24)) == due(first))
  }

  @Test func `the pause before the next scan grows with the time of the last one`() {
    for (took, pause) in [
      (Duration.milliseconds(200), Duration.seconds(4)), (.seconds(8), .seconds(160)),
      (.seconds(40), .seconds(600)),
    ] {
      var schedule = schedule()
      _ = scan(&schedule, [first], at: .seconds(100), took: took)
      let end = .seconds(100) + took
      schedule.note(changes(first), at: end)
      schedule.note(states: [state, state], at: .seconds(1000))
      #expect(schedule.step(at: end + .seconds(3)) == .wait(until: end + pause))
      #expect(schedule.step(at: end + pause) == due(first))
    }
  }

  @Test func `new folders are scanned again once they are watched`() {
    var schedule = schedule()
    let found = RescanSchedule.Found(state: state, registration: .init(hasNewFolders: true))
    _ = scan(&schedule, [first], at: .seconds(1), found: found)
    #expect(schedule.step(at: .seconds(3)) == due(first))
    _ = scan(&schedule, [first], at: .seconds(3))
    #expect(schedule.step(at: .seconds(3)) == .wait(until: times.lookInterval))
  }

  @Test func `a file being written is checked ever less often, and finally read`() {
    var schedule = schedule()
    var now = Duration.seconds(1)
    var delays: [Duration] = []
    var isPatient = true
    while isPatient, delays.count < 100 {
      _ = scan(&schedule, [first], at: now, leavesWriters: true, waitsForWriters: true)
      schedule.note(states: [state, state], at: now + .seconds(100))
      guard case .wait(let next) = schedule.step(at: now) else { break }
      delays.append(next - now)
      now = next
      isPatient = schedule.step(at: now) == due(first)
    }
    #expect(
      delays.prefix(6) == [
        .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30), .seconds(30),
      ])
    #expect(schedule.step(at: now) == due(first, waitsForWriters: false))
    #expect(now >= times.writerPatience && now < times.writerPatience + .seconds(60))
    // Then the waiting time starts again.
    _ = scan(&schedule, [first], at: now, leavesWriters: true, waitsForWriters: false)
    #expect(schedule.step(at: now + .seconds(2)) == due(first))
    _ = scan(&schedule, [first], at: now + .seconds(2))
    #expect(schedule.step(at: now + .seconds(2)) != due(first))
  }

  @Test func `lost events lead to an immediate full scan, and are reported`() {
    var schedule = schedule()
    var lost = FolderWatches.Changes()
    lost.didOverflow = true
    schedule.note(lost, at: .seconds(1))
    #expect(schedule.step(at: .seconds(1)) == due(first, second))
    #expect(scan(&schedule, [first, second], at: .seconds(1)) == [.eventsLost])
    #expect(schedule.step(at: .seconds(1)) == .wait(until: times.lookInterval))
    #expect(scan(&schedule, [first, second], at: .seconds(2)) == [])
  }

  @Test func `trees without events are swept often, and others rarely`() {
    for (gap, interval) in [
      (nil, times.safetyInterval), (EventGap.shared("nfs4"), times.sweepInterval),
    ] {
      var schedule = schedule()
      let found = RescanSchedule.Found(state: state, registration: .init(gap: gap))
      let notices = scan(&schedule, [first], at: .seconds(1), found: found)
      #expect(notices == (gap.map { [.sweeping(first, every: .seconds(300), because: $0)] } ?? []))
      // Reported once.
      #expect(scan(&schedule, [first], at: .seconds(2), found: found).isEmpty)
      schedule.note(states: [state, state], at: .seconds(10_000))
      #expect(schedule.step(at: .seconds(2) + interval - .milliseconds(1)) != due(first))
      guard case .scan(let due) = schedule.step(at: .seconds(2) + interval) else {
        Issue.record("no scan is due")
        continue
      }
      #expect(due.folders.contains(first))
    }
  }

  @Test func `a root's absence and return are found by polling, and reported once each`() {
    var schedule = schedule()
    #expect(schedule.step(at: .seconds(10)) == .look)
    schedule.note(states: [state, state], at: .seconds(10))
    #expect(schedule.step(at: .seconds(10)) == .wait(until: .seconds(20)))
    schedule.note(states: [nil, state], at: .seconds(20))
    #expect(schedule.step(at: .seconds(22)) == due(first))
    let away = RescanSchedule.Found(state: nil, isAway: true)
    #expect(scan(&schedule, [first], at: .seconds(22), found: away) == [.away(first)])
    #expect(scan(&schedule, [first], at: .seconds(23), found: away) == [])
    schedule.note(states: [nil, state], at: .seconds(30))
    #expect(schedule.step(at: .seconds(35)) == .wait(until: .seconds(40)))
    // The empty mount point is not the disk yet.
    let empty = RootState(device: 1, inode: 9, isEmpty: true)
    schedule.note(states: [empty, state], at: .seconds(40))
    #expect(schedule.step(at: .seconds(42)) == due(first))
    let stillAway = RescanSchedule.Found(state: empty, isAway: true)
    #expect(scan(&schedule, [first], at: .seconds(42), found: stillAway) == [])
    schedule.note(states: [state, state], at: .seconds(50))
    #expect(schedule.step(at: .seconds(52)) == due(first))
    #expect(scan(&schedule, [first], at: .seconds(52)) == [.back(first)])
  }

  @Test func `a failed scan is retried`() {
    var schedule = schedule()
    schedule.note(changes(first), at: .seconds(1))
    #expect(schedule.step(at: .seconds(3)) == due(first))
    schedule.postpone(at: .seconds(3))
    #expect(schedule.step(at: .seconds(3)) == .wait(until: .seconds(8)))
    #expect(schedule.step(at: .seconds(8)) == due(first))
  }
}

@Suite struct FolderEventTests {
  #if os(Linux)
    /// An event as the system writes it, with any length for its name.
    private func bytes(_ watch: Int32, _ mask: UInt32, name: [UInt8], length: Int) -> [UInt8] {
      [UInt32(bitPattern: watch), mask, 7, UInt32(length)].flatMap { number in
        withUnsafeBytes(of: number) { Array($0) }
      } + name
    }

    @Test func `parses consecutive events, and ignores a truncated one`() {
      let text =
        bytes(3, 0x100, name: Array("a.jpg\0\0\0".utf8), length: 8)
        + bytes(-1, 0x4000, name: [], length: 0)
        + bytes(4, 8, name: [1, 2, 3, 0], length: 400)
      let events = FolderEvent.events(in: text)
      #expect(events.map(\.watch) == [3, -1])
      #expect(events.map(\.name) == [Array("a.jpg".utf8), []])
      #expect(events.map(\.isOverflow) == [false, true])
      for length in 0..<text.count { _ = FolderEvent.events(in: Array(text.prefix(length))) }
    }

    @Test func `only events of possible photos, sidecars and folders are relevant`() {
      let excludes = ExcludePatterns(["@eaDir", "thumb_*"], root: [])
      func concerns(_ name: String, mask: UInt32 = 8) -> Bool {
        FolderEvent(watch: 1, mask: mask, name: Array(name.utf8))
          .concernsPhotos(excludes: excludes)
      }
      for name in ["a.jpg", "A.HEIC", "noextension", "a.jpg.json", "a.xmp", ""] {
        #expect(concerns(name), "\(name)")
      }
      for name in [".a.jpg", ".hidden", "notes.txt", "a.jpg.part", "thumb_1.jpg"] {
        #expect(!concerns(name), "\(name)")
      }
      #expect(concerns("2024.trip", mask: 0x4000_0100))
      for name in ["@eaDir", ".cache"] { #expect(!concerns(name, mask: 0x4000_0100), "\(name)") }
      // The end of a watch is irrelevant.
      #expect(!concerns("", mask: 0x8000))
    }
  #endif
}

@Suite struct MountTableTests {
  private let table = MountTable(
    text: Array(
      """
      22 27 0:21 / / rw,relatime - ext4 /dev/sda1 rw
      23 22 0:22 / /mnt/nas rw shared:7 master:1 - nfs4 server:/export rw
      24 22 0:23 / /mnt/my\\040disk rw - fuseblk /dev/sdb1 rw
      25 22 0:24 / /home/someone/cloud rw - fuse.sshfs host: rw
      26 22 0:25 / /srv rw - nfs old:/ rw
      27 22 0:26 / /srv rw - xfs /dev/sdc1 rw
      28 22 0:27 / /mnt/my\\040disk/with\\040share rw - cifs //host/share rw
      not a line of it
      29 22
      """.utf8))

  @Test(arguments: [
    ("/photos", nil), ("/mnt/nas", "nfs4"), ("/mnt/nas/2024/04", "nfs4"), ("/mnt/nastier", nil),
    ("/home/someone", "fuse.sshfs"), ("/home/someone/cloud/a", "fuse.sshfs"),
    ("/mnt/my disk/with", nil), ("/mnt/my disk", "cifs"), ("/mnt/my disk/with share/a", "cifs"),
    // The last of two at one place is seen.
    ("/srv/photos", nil),
  ]) func `recognises a tree that is, or contains, a network file system`(
    folder: String, type: String?
  ) {
    #expect(table.sharedFileSystem(under: FilePath(folder)) == type)
  }

  @Test func `lists the disks mounted below a folder`() {
    func paths(_ folder: String) -> [String] {
      table.volumes(below: FilePath(folder)).map { String(decoding: $0.path, as: UTF8.self) }
    }
    #expect(paths("/mnt") == ["/mnt/nas", "/mnt/my disk", "/mnt/my disk/with share"])
    #expect(paths("/mnt/my disk") == ["/mnt/my disk/with share"])
    #expect(paths("/mnt/nas") == [] && paths("/photos") == [])
    #expect(table.volumes(below: "/").map(\.id.count) == [2, 2, 2, 2, 2, 2])
  }

  @Test func `reads this machine's mount table`() {
    #if os(Linux)
      let table = MountTable.current()
      #expect(table.sharedFileSystem(under: "/proc") == nil)
      #expect(table.pseudoFileSystems(below: "/").contains(Array("/proc".utf8)))
    #endif
    #expect(MountTable(text: []).sharedFileSystem(under: "/anywhere") == nil)
  }
}
