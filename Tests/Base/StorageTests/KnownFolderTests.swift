import CLibrary
import SystemPackage
import TestSupport
import Testing

@testable import Storage

@Suite struct KnownFolderTests {
  private let temporary = TemporaryFolder()
  private var folder: FilePath { temporary.path("share") }
  private var memory: FilePath { temporary.path("state/share-folder.json") }
  /// What the next run of the program knows.
  private var nextRun: KnownFolder { KnownFolder(folder, memory: memory) }

  private func move(_ old: String, _ new: String) {
    #expect(rename(temporary.path(old).string, temporary.path(new).string) == 0)
  }

  @Test func `a folder that was never seen is not away, whether it exists or not`() throws {
    #expect(try !nextRun.isAway())
    try Disk.createFolder(folder)
    #expect(try !nextRun.isAway())
  }

  @Test func `a known folder that is missing or another one is away, also for the next run`()
    throws
  {
    try Disk.createFolder(folder)
    let known = nextRun
    try known.noteSeen(creatingFolder: true)
    #expect(try !known.isAway() && !nextRun.isAway())
    move("share", "mounted")
    #expect(try known.isAway() && nextRun.isAway())
    // The empty mount point.
    try Disk.createFolder(folder)
    #expect(try known.isAway() && nextRun.isAway())
    #expect(rmdir(folder.string) == 0)
    move("mounted", "share")
    #expect(try !known.isAway() && !nextRun.isAway())
  }

  @Test func `without a memory, a folder is known while the program runs`() throws {
    try Disk.createFolder(folder)
    let known = KnownFolder(folder)
    try known.noteSeen()
    move("share", "mounted")
    #expect(try known.isAway())
    #expect(try !KnownFolder(folder).isAway())
  }

  @Test func `another number of the device counts only until the machine starts again`() throws {
    try Disk.createFolder(folder)
    try nextRun.noteSeen(creatingFolder: true)
    let kept = String(decoding: try temporary.contents(of: memory), as: UTF8.self)
    var status = stat()
    #expect(stat(folder.string, &status) == 0)
    let other = kept.replacing("\"device\":\"\(status.st_dev)\"", with: "\"device\":\"1\"")
    #expect(other != kept)
    try temporary.write(other, to: memory)
    #expect(try nextRun.isAway())
    let restarted = other.replacing(#/"boot":"[^"]*"/#, with: #""boot":"earlier""#)
    try temporary.write(restarted, to: memory)
    #expect(try !nextRun.isAway())
  }

  @Test func `a memory of another folder, or a damaged one, knows nothing`() throws {
    try Disk.createFolder(folder)
    try nextRun.noteSeen(creatingFolder: true)
    #expect(try !KnownFolder(temporary.path("elsewhere"), memory: memory).isAway())
    for text in ["", "{", "[]", #"{"format":"photospots-folder","version":1}"#] {
      try temporary.write(text, to: memory)
      #expect(rename(folder.string, temporary.path("away").string) == 0)
      #expect(try !nextRun.isAway(), "\(text)")
      move("away", "share")
    }
  }

  @Test func `a folder that was never seen and cannot be looked at is an error`() throws {
    #expect(symlink(folder.string, folder.string) == 0)
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try nextRun.isAway() }
  }

  @Test func `a folder that cannot be looked at is an error, not a missing one`() throws {
    let loop = temporary.path("loop")
    #expect(symlink("loop", loop.string) == 0)
    let known = KnownFolder(loop.appending("share"))
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try known.noteSeen() }
  }
}

@Suite struct FileGenerationTests {
  private let temporary = TemporaryFolder()

  @Test func `a look at a file finds none, its state, or an error`() throws {
    let file = temporary.path("file")
    #expect(Disk.generation(of: file) == .absent)
    try temporary.write("a", to: file)
    let first = Disk.generation(of: file)
    guard case .present = first else {
      Issue.record("\(first)")
      return
    }
    try temporary.write("longer", to: file)
    #expect(Disk.generation(of: file) != first)
    #expect(Disk.generation(of: file.appending("below")) == .unknown(.notDirectory))
    let long = temporary.path(String(repeating: "n", count: 300))
    #expect(Disk.generation(of: long) == .unknown(.fileNameTooLong))
    #expect(symlink("loop", temporary.path("loop").string) == 0)
    #expect(
      Disk.generation(of: temporary.path("loop")) == .unknown(.tooManySymbolicLinkLevels))
    #expect(FileGeneration.absent.text == "" && FileGeneration.unknown(.ioError).text != "")
  }

  @Test(arguments: [
    (Errno.noSpace, MachineFault.noRoom), (.diskQuotaExceeded, .noRoom),
    (.readOnlyFileSystem, .readOnly), (.permissionDenied, .noAccess), (.ioError, .unavailable),
    (.staleNFSFileHandle, .unavailable), (Errno(rawValue: 117), .unavailable),
    (.tooManyOpenFiles, .exhausted),
  ])
  func `an error of the system that the machine causes is its fault`(
    error: Errno, fault: MachineFault
  ) {
    #expect(MachineFault(error) == fault)
    #expect(fault.sentence.hasSuffix("."))
  }

  @Test(arguments: [Errno.invalidArgument, .fileExists, .fileTooLarge])
  func `other errors are no fault of the machine`(error: Errno) {
    #expect(MachineFault(error) == nil)
  }

  @Test func `a probe writes to the disk and leaves nothing`() throws {
    try Disk.probe(temporary.root)
    #expect(try Disk.entryCount(of: temporary.root) == 0)
    let steps = FaultyDisk.forEachStep(.noSpace, staysFaulty: false) { disk in
      let isWritable = (try? disk.run { try Disk.probe(temporary.root) }) != nil
      #expect(isWritable == [nil, .remove].contains(disk.failed), "\(disk.failed as Any)")
    }
    #expect(steps.contains(.write) && steps.contains(.synchronize), "\(steps)")
    #expect(try Disk.entryCount(of: temporary.root) == 0)
    #expect(throws: Errno.noSuchFileOrDirectory) { try Disk.probe(temporary.path("none")) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `what root creates in the folder of a user belongs to the user`() throws {
    let home = temporary.path("home")
    try Disk.createFolder(home)
    #expect(chown(home.string, 12_345, 12_346) == 0)
    let state = home.appending("state/photospots")
    try Disk.createFolder(state)
    let file = state.appending("mutes.json")
    _ = try Disk.replace(file, of: .any, with: [0x7B])
    let lock = try #require(try Disk.lock(state.appending("lock")))
    Disk.close(lock)
    for path in [state, file, state.appending("lock")] {
      var status = stat()
      #expect(lstat(path.string, &status) == 0)
      #expect(status.st_uid == 12_345 && status.st_gid == 12_346, "\(path)")
    }
    // Left by an earlier version.
    #expect(chown(file.string, 0, 0) == 0)
    #expect(try Disk.ownership(of: file)?.isUsableByOwnerOfFolder == false)
    _ = try Disk.replace(file, of: .any, with: [0x7B])
    #expect(try Disk.ownership(of: file)?.user == 12_345)
    // Another user's file in a folder of everybody is not given away.
    #expect(chmod(home.string, 0o777) == 0)
    _ = try Disk.replace(home.appending("open"), of: .any, with: [0x7B])
    #expect(try Disk.ownership(of: home.appending("open"))?.user == 0)
  }
}
