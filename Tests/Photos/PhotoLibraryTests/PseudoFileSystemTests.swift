import CLibrary
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct PseudoFileSystemTests {
  private let folder = TemporaryFolder()

  /// A line of the table.
  private func line(_ path: FilePath, _ type: String) -> String {
    "36 35 98:0 / \(path) rw,noatime shared:1 - \(type) none rw\n"
  }

  @Test func `pseudo file systems are distinguished from disks and tmpfs`() {
    let root = folder.root
    let text =
      line(root, "ext4") + line(root.appending("proc"), "proc")
      + line(root.appending("sys"), "sysfs")
      + line(root.appending("sys/fs/cgroup"), "cgroup2") + line(root.appending("dev"), "devtmpfs")
      + line(root.appending("tmp"), "tmpfs") + line(root.appending("run/media/me/stick"), "vfat")
      + line("/elsewhere/proc", "proc")
    let table = MountTable(text: Array(text.utf8))
    let found = table.pseudoFileSystems(below: root).map { FilePath(bytes: $0) }
    #expect(found == ["proc", "sys", "sys/fs/cgroup", "dev"].map { root.appending($0) })
    // A pseudo file system that the user names explicitly is scanned.
    #expect(table.pseudoFileSystems(below: root.appending("proc")).isEmpty)
    #expect(
      MountTable(text: Array(line("/proc", "proc").utf8)).pseudoFileSystems(below: "/")
        == [Array("/proc".utf8)])
  }

  @Test func `pseudo file systems are found below a symbolic link`() throws {
    try folder.createFolder(folder.path("real/proc"))
    try folder.link(folder.path("link"), to: folder.path("real"))
    let table = MountTable(text: Array(line(folder.path("real/proc"), "proc").utf8))
    let found = table.pseudoFileSystems(below: folder.path("link")).map { FilePath(bytes: $0) }
    #expect(found == [folder.path("link/proc")])
  }

  @Test(.enabled(if: mayMount("proc"), "no file system may be mounted here"))
  func `a scan skips pseudo file systems and reports them`() throws {
    var library = try Library()
    try library.add("a.jpg")
    let proc = library.photos.appending("proc")
    try library.folder.createFolder(proc)
    try #require(mount("proc", proc.string, "proc", 0, nil) == 0)
    defer { umount(proc.string) }
    let report = try library.scan()
    #expect(report.pseudoFileSystems == [proc])
    #expect(report.outcomes == ["scanned": 1, "located": 1] && report.problems.isEmpty)
    #expect(report.walked[library.photos]?.folders.count == 1)
  }
}
