import Storage
import SystemPackage
import TestSupport
import Testing

@Suite struct DiskCreatingTests {
  private let folder = TemporaryFolder()
  private let bytes = Array("whole".utf8)
  private var path: FilePath { folder.path("a.jpg") }
  private var temporary: FilePath { folder.path(".a.new") }

  private func create() throws(Errno) {
    _ = try Disk.create(path, with: bytes, by: temporary)
  }

  @Test func `a new file has the permissions of the umask, and no temporary file remains`() throws {
    try folder.write("left by a crash", to: temporary)
    try create()
    #expect(try folder.contents(of: path) == bytes)
    #expect(try Disk.entryCount(of: folder.root) == 1)
    #expect(try Disk.size(of: path) == 5 && Disk.size(of: temporary) == nil)
    #expect(try folder.permissions(of: path) == folder.permissionsOfUmask())
    #expect(try Disk.size(of: folder.root) == nil)
  }

  @Test func `an existing file or link is not replaced`() throws {
    try folder.write("mine", to: path)
    #expect(throws: Errno.fileExists) { try create() }
    #expect(try folder.contents(of: path) == Array("mine".utf8))
    folder.remove(path)
    try folder.link(path, to: folder.path("elsewhere"))
    #expect(throws: Errno.fileExists) { try create() }
    #expect(!folder.exists(folder.path("elsewhere")) && !folder.exists(temporary))
  }

  @Test func `a full disk leaves everything unchanged`() {
    let steps = FaultyDisk.forEachStep(.noSpace, staysFaulty: false) { disk in
      if (try? disk.run { try create() }) == nil {
        #expect(!folder.exists(path) && !folder.exists(temporary), "\(disk.failed as Any)")
      }
      folder.remove(path)
    }
    #expect(steps.contains(.rename) && steps.contains(.synchronize), "\(steps)")
  }

  @Test func `a crash leaves a whole file, an empty one or none`() throws {
    _ = try FaultyDisk.forEachStep(.canceled, staysFaulty: true) { disk in
      try? disk.run { try create() }
      if folder.exists(path) {
        let content = try folder.contents(of: path)
        #expect(content == bytes || content.isEmpty, "\(disk.failed as Any)")
      }
      folder.remove(path)
    }
  }
}
