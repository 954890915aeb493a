import CLibrary
import SystemPackage
import TestSupport
import Testing

@testable import Storage

@Suite struct DiskLockTests {
  private let folder = TemporaryFolder()

  @Test(.enabled(if: access("/proc/locks", R_OK) == 0, "Linux lists its locks"))
  func `a lock is detected without acquiring it`() throws {
    let path = folder.path("lock")
    #expect(Disk.isLocked(path) == false, "there is no file")
    let file = try #require(try Disk.lock(path))
    #expect(Disk.isLocked(path) == true)
    #expect(try Disk.lock(path) == nil, "it is still held")
    Disk.unlockAndClose(file)
    #expect(Disk.isLocked(path) == false)
  }

  @Test func `a lock for a change is acquired, and given up for one that is held on`() throws {
    let path = folder.path("lock")
    let file = try #require(try Disk.lockForChange(path))
    #expect(try Disk.lockForChange(path) == nil)
    Disk.unlockAndClose(file)
    let again = try #require(try Disk.lockForChange(path))
    Disk.unlockAndClose(again)
  }

  @Test(arguments: [
    ("1: FLOCK  ADVISORY  WRITE 708 fd:01:1234 0 EOF\n", true),
    ("1: FLOCK  ADVISORY  WRITE 708 fd:01:12345 0 EOF\n", false),
    ("1: POSIX  ADVISORY  WRITE 708 fd:01:1234 0 EOF\n", false),
    ("1: -> FLOCK  ADVISORY  WRITE 709 fd:01:1234 0 EOF\n", false), ("1: FLOCK\n", false),
    ("", false), ("1: FLOCK ADVISORY WRITE 708 1234\n", false),
    (
      "1: POSIX  ADVISORY  READ 1 00:01:1 0 EOF\n2: FLOCK  ADVISORY  WRITE 8 08:02:1234 0 EOF", true
    ),
  ])
  func `the system's list of locks is searched by inode`(list: String, isLocked: Bool) {
    #expect(Disk.lists(Array(list.utf8), inode: 1234) == isLocked)
  }
}
