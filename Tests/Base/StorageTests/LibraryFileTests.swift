import CLibrary
import SystemPackage
import TestSupport
import Testing

@testable import Storage

/// Files of a library that were replaced since they were indexed.
@Suite struct LibraryFileTests {
  private let folder = TemporaryFolder()
  private var root: FilePath { folder.path("photos") }

  /// The functions that open a file below a folder: that of the system, and its replacement.
  private enum Way: CaseIterable {
    case system, components
  }

  init() throws {
    try folder.write("a photo", to: "photos/2008/Arezzo/a.jpg")
    try folder.write("a secret", to: "private/a.jpg")
  }

  private func link(_ name: String, to target: FilePath) throws {
    let path = folder.path(name)
    _ = path.withPlatformString { name in target.withPlatformString { symlink($0, name) } }
    var status = stat()
    try #require(path.withPlatformString { lstat($0, &status) } == 0)
  }

  private func rename(_ name: String, to other: String) throws {
    try Disk.rename(folder.path(name), to: folder.path(other))
  }

  private func text(
    of path: FilePath, stamp: LibraryFile.Stamp? = nil, _ way: Way = .system
  ) throws(Errno) -> String {
    let file: FileDescriptor
    switch way {
    case .system: file = try Disk.open(LibraryFile(path, in: [root], stamp: stamp))
    case .components:
      var relative = path
      guard relative.removePrefix(root) else { throw .noSuchFileOrDirectory }
      let opened = try Disk.typed { try FileDescriptor.open(root, .readOnly) }
      defer { Disk.close(opened) }
      file = try Disk.openByComponents(relative, in: opened)
    }
    defer { Disk.close(file) }
    return try Disk.typed {
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  @Test(arguments: Way.allCases)
  private func `a file is read below its root`(way: Way) throws {
    #expect(try text(of: root.appending("2008/Arezzo/a.jpg"), way) == "a photo")
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try text(of: root.appending("2008/Arezzo/b.jpg"), way)
    }
  }

  @Test(arguments: Way.allCases)
  private func `a file that became a link is not followed`(way: Way) throws {
    try rename("photos/2008/Arezzo/a.jpg", to: "photos/old.jpg")
    for target in [folder.path("private/a.jpg"), "../../old.jpg"] {
      try link("photos/2008/Arezzo/a.jpg", to: target)
      #expect(throws: Errno.tooManySymbolicLinkLevels) {
        try text(of: root.appending("2008/Arezzo/a.jpg"), way)
      }
      try rename("photos/2008/Arezzo/a.jpg", to: "link")
    }
  }

  @Test(arguments: Way.allCases, ["photos/2008/Arezzo", "photos/2008"])
  private func `a parent folder that became a link is not followed`(way: Way, parent: String) throws
  {
    let isOuter = parent == "photos/2008"
    try folder.write("a secret", to: "private/Arezzo/a.jpg")
    try rename(parent, to: "moved")
    try link(parent, to: folder.path("private" + (isOuter ? "" : "/Arezzo")))
    let error = #expect(throws: Errno.self) {
      try text(of: root.appending("2008/Arezzo/a.jpg"), way)
    }
    #expect([.notDirectory, .tooManySymbolicLinkLevels].contains(error))
  }

  @Test func `a root may be a link, which its owner made`() throws {
    try rename("photos", to: "disk")
    try link("photos", to: folder.path("disk"))
    #expect(try text(of: root.appending("2008/Arezzo/a.jpg")) == "a photo")
  }

  @Test func `a path that leads out of the root is not opened`() throws {
    for path in ["photos/../private/a.jpg", "private/a.jpg", "photos/./2008/Arezzo/a.jpg"] {
      let file = LibraryFile(folder.path(path), in: [root])
      let isOutside = path == "private/a.jpg"
      // A file outside of all roots is opened below its own folder.
      #expect(Disk.holds(file) == isOutside, "\(path)")
    }
  }

  @Test func `a FIFO or folder in place of a file is refused without waiting`() throws {
    let path = root.appending("2008/Arezzo/fifo.jpg")
    try #require(path.withPlatformString { mkfifo($0, 0o600) } == 0)
    #expect(throws: Errno.notSupported) { try text(of: path) }
    #expect(throws: Errno.notSupported) { try text(of: root.appending("2008/Arezzo")) }
  }

  @Test func `a file with another size or time than expected is refused`() throws {
    let path = root.appending("2008/Arezzo/a.jpg")
    var status = stat()
    try #require(path.withPlatformString { stat($0, &status) } == 0)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    let nanoseconds = Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec)
    #expect(
      try text(of: path, stamp: .init(size: 7, modifiedNanoseconds: nanoseconds)) == "a photo")
    for other in [
      LibraryFile.Stamp(size: 8, modifiedNanoseconds: nanoseconds),
      LibraryFile.Stamp(size: 7, modifiedNanoseconds: nanoseconds + 1),
    ] {
      #expect(throws: Errno.staleNFSFileHandle) { try text(of: path, stamp: other) }
    }
  }

  @Test func `a file belongs to the innermost root`() {
    let roots: [FilePath] = ["/photos", "/photos/2008", "/photos/20", "/"]
    #expect(LibraryFile("/photos/2008/a.jpg", in: roots).root == "/photos/2008")
    #expect(LibraryFile("/photos/2009/a.jpg", in: roots).root == "/photos")
    #expect(LibraryFile("/other/a.jpg", in: ["/photos"] as [FilePath]).root == "/other")
  }
}
