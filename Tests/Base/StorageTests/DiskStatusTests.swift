import CLibrary
import SystemPackage
import TestSupport
import Testing

@testable import Storage

@Suite struct DiskStatusTests {
  private let folder = TemporaryFolder()

  /// Makes a file of a user and with permissions, and returns whether it is private by its path,
  /// and as an open file.
  private func isPrivate(owner: uid_t, mode: CModeT) throws -> [Bool] {
    try folder.write("key", to: "key")
    let path = folder.path("key")
    try folder.setPermissions(of: path, to: FilePermissions(rawValue: mode))
    try #require(path.withPlatformString { chown($0, owner, gid_t.max) } == 0)
    let file = try FileDescriptor.open(path, .readOnly)
    return try file.closeAfter {
      [
        try Disk.isPrivate(path), Disk.isPrivate(file),
        Disk.isPrivate(file, allowsGroupOfRoot: true),
      ]
    }
  }

  @Test(arguments: [0o600, 0o400, 0o700] as [CModeT])
  func `a file of this user that others cannot read is private`(mode: CModeT) throws {
    #expect(try isPrivate(owner: geteuid(), mode: mode) == [true, true, true])
  }

  @Test(arguments: [0o604, 0o602, 0o660, 0o644] as [CModeT])
  func `a file that others can read or write is not private`(mode: CModeT) throws {
    #expect(try isPrivate(owner: geteuid(), mode: mode) == [false, false, false])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can make files of other users"))
  func `a file of another user is not private, whatever its permissions are`() throws {
    #expect(try isPrivate(owner: 4321, mode: 0o600) == [false, false, false])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can make files of root"))
  func `the group may read a file of root where that is allowed, as for keys of certificates`()
    throws
  {
    #expect(try isPrivate(owner: 0, mode: 0o640) == [false, false, true])
    #expect(try isPrivate(owner: 0, mode: 0o660) == [false, false, false])
    #expect(try isPrivate(owner: 4321, mode: 0o640) == [false, false, false])
  }

  @Test func `a missing file is an error`() {
    #expect(throws: Errno.noSuchFileOrDirectory) { try Disk.isPrivate(folder.path("none")) }
  }
}
