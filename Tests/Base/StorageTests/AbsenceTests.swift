import CLibrary
import SystemPackage
import TestSupport
import Testing

@testable import Storage

/// Files that seem to be missing while their disk is away.
@Suite struct AbsenceTests {
  private let temporary = TemporaryFolder()

  private func link(_ target: String, at name: String) throws -> FilePath {
    let path = temporary.path(name)
    try Disk.createFolder(path.removingLastComponent())
    try #require(symlink(target, path.string) == 0)
    return path
  }

  private func isAway(_ path: FilePath) -> Bool {
    let away = Errno.noSuchAddressOrDevice
    let read = #expect(throws: Errno.self) { try Disk.read(path, limit: 100) }
    #expect((Disk.generation(of: path) == .unknown(away)) == (read == away))
    return read == away
  }

  @Test func `a link that leads nowhere is a disk that is away, not a missing file`() throws {
    let gone = temporary.path("gone/folder/file").string
    #expect(isAway(try link(gone, at: "a/file")))
    #expect(isAway(try link("../gone/file", at: "b/file")))
    #expect(isAway(try link(temporary.path("gone").string, at: "c/folder").appending("file")))
    // A link to a link.
    #expect(isAway(try link(temporary.path("a/file").string, at: "d/file")))
  }

  @Test func `a link to a file that is not made yet is no disk that is away`() throws {
    try Disk.createFolder(temporary.path("share"))
    let path = try link(temporary.path("share/file").string, at: "a/file")
    #expect(!isAway(path))
    #expect(!isAway(temporary.path("share/none")) && !isAway(temporary.path("none/none")))
    #expect(Disk.generation(of: path) == .absent)
  }

  @Test func `no folder is made where a link leads nowhere`() throws {
    let path = try link(temporary.path("gone/state").string, at: "state")
    #expect(throws: Errno.noSuchAddressOrDevice) { try Disk.createFolder(path) }
    #expect(throws: Errno.noSuchAddressOrDevice) {
      try Disk.createFolder(path.appending("photospots"))
    }
  }

  @Test func `nothing is missing or made below a mount point without its disk`() throws {
    let point = temporary.path("mnt")
    try Disk.createFolder(point)
    let file = point.appending("state/file")
    #expect(!isAway(file))
    Disk.expectMount(at: point)
    #expect(isAway(file) && !isAway(temporary.path("mnt2/file")))
    #expect(throws: Errno.noSuchAddressOrDevice) {
      try Disk.createFolder(file.removingLastComponent())
    }
    #expect(rmdir(point.string) == 0)
    #expect(isAway(file))
    #expect(throws: Errno.noSuchAddressOrDevice) { try Disk.createFolder(point) }
  }

  @Test func `the mount point of a folder is remembered for the next run`() throws {
    let (state, memory) = (temporary.path("mnt/state"), temporary.path("cache/mount.json"))
    // On the same disk as the memory.
    try Disk.createFolder(state)
    try Disk.createFolder(memory.removingLastComponent())
    KnownMount(of: state, memory: memory).expect()
    #expect(!temporary.exists(memory))
    let point = temporary.path("mnt")
    try temporary.write(
      #"{"format":"photospots-mount","version":1,"path":"\#(state)","mount":"\#(point)"}"#,
      to: memory)
    KnownMount(of: temporary.path("other"), memory: memory).expect()
    #expect(!isAway(state.appending("file")))
    KnownMount(of: state, memory: memory).expect()
    #expect(isAway(state.appending("file")))
  }

  @Test(.enabled(if: Disk.device(of: "/dev/shm") != Disk.device(of: "/dev")))
  func `a mount point is the last folder of its disk, also of a folder that is missing`() {
    #expect(Disk.mountPoint(of: "/dev/shm/none/none") == "/dev/shm")
    #expect(Disk.mountPoint(of: "/dev/shm") == "/dev/shm")
    #expect(Disk.mountPoint(of: "/") == nil)
  }
}
