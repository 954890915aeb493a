import Glibc
import Storage
import SystemPackage
import TestSupport
import Testing

@Suite struct DiskTests {
  @Test func `a file is replaced as a whole, and nothing is left beside it`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    for text in ["first", "", "a longer second"] {
      try Disk.replace(path, with: Array(text.utf8))
      let content = try folder.contents(of: path)
      #expect(content == Array(text.utf8))
    }
    #expect(Corpus.paths(under: folder.root) == [path])
  }

  @Test func `the old file stays where writing fails`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    try folder.write("old", to: path)
    #expect(throws: Errno.ioError) {
      try Disk.replace(path) { file throws(Errno) in
        try Disk.write(Array("half of the new".utf8), to: file)
        throw .ioError
      }
    }
    #expect(throws: Errno.noSpace) {
      try Disk.replace(path) { _ throws(Errno) in
        let full = try Disk.open("/dev/full", .writeOnly)
        defer { Disk.close(full) }
        try Disk.write(Array("x".utf8), to: full)
      }
    }
    let content = try folder.contents(of: path)
    #expect(content == Array("old".utf8))
    #expect(Corpus.paths(under: folder.root) == [path])
  }

  @Test func `a leftover of a crash is written over, and a link in its place not followed`() throws
  {
    let folder = TemporaryFolder()
    let (path, victim) = (folder.path("file"), folder.path("victim"))
    try folder.write("a long leftover of an earlier crash", to: "file.new")
    try Disk.replace(path, with: Array("new".utf8))
    let content = try folder.contents(of: path)
    #expect(content == Array("new".utf8))
    try folder.write("victim", to: victim)
    try folder.link(folder.path("file.new"), to: victim)
    #expect(throws: Errno.self) { try Disk.replace(path, with: Array("x".utf8)) }
    let untouched = try folder.contents(of: victim)
    #expect(untouched == Array("victim".utf8))
  }

  @Test func `a missing folder is an error, and folders are created with those above`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("a/b/c/file")
    #expect(throws: Errno.noSuchFileOrDirectory) { try Disk.replace(path, with: []) }
    try Disk.createFolder(path.removingLastComponent())
    try Disk.createFolder(path.removingLastComponent())
    try Disk.replace(path, with: [])
    #expect(throws: Errno.fileExists) { try Disk.createFolder(path) }
    #expect(throws: Errno.self) { try Disk.createFolder(path.appending("d")) }
  }

  @Test func `what is created is for its owner alone`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("private/file")
    try Disk.createFolder(path.removingLastComponent())
    try Disk.replace(path, with: Array("x".utf8))
    for (path, mode) in [(path, 0o600), (path.removingLastComponent(), 0o700)] {
      var status = stat()
      #expect(path.withPlatformString { stat($0, &status) } == 0)
      #expect(Int(status.st_mode & 0o777) == mode)
    }
  }

  @Test func `a file beyond the limit, a folder and a FIFO are errors and block nothing`() throws {
    let folder = TemporaryFolder()
    try folder.write("12345", to: "file")
    #expect(try Disk.read(folder.path("file"), limit: 5) == Array("12345".utf8))
    #expect(throws: Errno.fileTooLarge) { try Disk.read(folder.path("file"), limit: 4) }
    #expect(throws: Errno.self) { try Disk.read(folder.root, limit: 1 << 20) }
    try folder.createFIFO(folder.path("fifo"))
    #expect(throws: Errno.self) { try Disk.read(folder.path("fifo"), limit: 1 << 20) }
  }
}
