import CLibrary
import Storage
import SystemPackage
import TestSupport
import Testing

/// The first bytes of these tests' files.
private let signature = FileSignature(format: "test")

/// A file with the signature.
private func own(_ text: String) -> [UInt8] { Array("{\"format\":\"test\",\(text)".utf8) }

/// The permissions, owner and group of a file.
private func access(_ path: FilePath) throws -> [Int] {
  var status = stat()
  try #require(path.withPlatformString { lstat($0, &status) } == 0)
  return [Int(status.st_mode & 0o7777), Int(status.st_uid), Int(status.st_gid)]
}

@Suite struct DiskTests {
  @Test func `a file is replaced as a whole, and no temporary file remains`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    for text in ["first", "", "a longer second"] {
      #expect(try Disk.replace(path, of: signature, with: own(text)) == nil)
      let content = try folder.contents(of: path)
      #expect(content == own(text))
    }
    #expect(Corpus.paths(under: folder.root) == [path])
  }

  @Test func `a file is recognised after a byte order mark`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    try folder.write([0xEF, 0xBB, 0xBF] + own("old"), to: path)
    #expect(try Disk.replace(path, of: signature, with: own("new")) == nil)
    #expect(try folder.contents(of: path) == own("new"))
  }

  @Test func `the old file is kept if writing fails`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    try folder.write(own("old"), to: path)
    #expect(throws: Errno.ioError) {
      try Disk.replace(path, of: signature) { file throws(Errno) in
        try Disk.write(own("half of the new"), to: file)
        throw .ioError
      }
    }
    let full = try FileDescriptor.open("/dev/full", .writeOnly)
    defer { try? full.close() }
    #expect(throws: Errno.noSpace) {
      try Disk.replace(path, of: signature) { _ throws(Errno) in
        try Disk.write(Array("x".utf8), to: full)
      }
    }
    let content = try folder.contents(of: path)
    #expect(content == own("old"))
    #expect(Corpus.paths(under: folder.root) == [path])
  }

  @Test
  func `a crash at any step of replacing a file leaves the old or the new one`()
    throws
  {
    let steps = try FaultyDisk.forEachStep(.canceled, staysFaulty: true) { disk in
      let folder = TemporaryFolder()
      let path = folder.path("file")
      _ = try Disk.replace(path, of: signature, with: own("old"))
      let uncertainty = disk.run { try? Disk.replace(path, of: signature, with: own("new")) }
      let content = try folder.contents(of: path)
      switch disk.failed {
      case .create, .write, .synchronize, .rename:
        #expect(uncertainty == nil && content == own("old"))
      case .synchronizeFolder: #expect(uncertainty == .canceled && content == own("new"))
      case nil, .remove, .map: #expect(content == own("new"))
      }
      #expect(try Disk.replace(path, of: signature, with: own("next")) == nil)
      #expect(try folder.contents(of: path) == own("next"))
      #expect(Corpus.paths(under: folder.root) == [path])
    }
    #expect(steps == [.create, .write, .synchronize, .rename, .synchronizeFolder])
  }

  @Test func `a full disk at any step leaves the old file and no temporary one`() throws {
    _ = try FaultyDisk.forEachStep(.noSpace, staysFaulty: false) { disk in
      let folder = TemporaryFolder()
      let path = folder.path("file")
      _ = try Disk.replace(path, of: signature, with: own("old"))
      let result = Result {
        try disk.run { try Disk.replace(path, of: signature, with: own("new")) }
      }
      let isNew = disk.failed == nil || disk.failed == .synchronizeFolder
      if case .success = result { #expect(isNew) } else { #expect(!isNew) }
      #expect(try folder.contents(of: path) == own(isNew ? "new" : "old"))
      #expect(Corpus.paths(under: folder.root) == [path])
    }
  }

  @Test func `a file that cannot be mapped is read`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    try folder.write(own("content"), to: path)
    for isMapped in [true, false] {
      let disk = FaultyDisk(after: isMapped ? .max : 0, .notSupported, staysFaulty: true)
      let file = try disk.run { try MappedFile(path, limit: 1000) }
      #expect(Array(file.bytes) == own("content") && !file.isCut)
      #expect(disk.failed == (isMapped ? nil : .map))
    }
  }

  @Test func `a leftover temporary file is overwritten, but a link in its place is not followed`()
    throws
  {
    let folder = TemporaryFolder()
    let (path, victim) = (folder.path("file"), folder.path("victim"))
    try folder.write(own("a long leftover of an earlier crash"), to: "file.new")
    #expect(try Disk.replace(path, of: signature, with: own("new")) == nil)
    let content = try folder.contents(of: path)
    #expect(content == own("new"))
    try folder.write(own("victim"), to: victim)
    try folder.link(folder.path("file.new"), to: victim)
    #expect(throws: Errno.self) { try Disk.replace(path, of: signature, with: own("x")) }
    let untouched = try folder.contents(of: victim)
    #expect(untouched == own("victim"))
  }

  @Test(arguments: ["", ".new"])
  func `a foreign file is never replaced, appended to, locked or set aside`(
    ending: String
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    for text in [
      "a letter", "{}", "[]", "null", "\u{FF}\u{D8}", "{\"format\":\"tester\"}", "{\"format\": 1",
      "{\"a\":{\"format\":\"test\"}}", "\u{0}1", String(repeating: " ", count: 600),
    ] {
      try folder.write(text, to: "file" + ending)
      #expect(throws: Errno.foreignFile) {
        try Disk.replace(path, of: signature, with: own("new"))
      }
      if ending.isEmpty {
        #expect(try !Disk.mayReplace(path, of: signature))
        #expect(throws: Errno.foreignFile) { try Disk.openToAppend(path, of: signature) }
        #expect(throws: Errno.foreignFile) { try Disk.lock(path) }
        #expect(throws: Errno.foreignFile) {
          try Disk.setAside(path, of: signature, ending: ".aside")
        }
      }
      #expect(Corpus.paths(under: folder.root) == [folder.path("file" + ending)])
      #expect(try folder.contents(of: folder.path("file" + ending)) == Array(text.utf8), "\(text)")
    }
  }

  @Test func `a damaged, reformatted or truncated file of this format may be replaced`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    let laidOut = Array("{\n  \"format\" : \"test\",\n".utf8)
    let cutOff = (0...own("").count).map { Array(own("")[..<$0]) }
    for text in [own("\u{0}"), laidOut] + cutOff {
      try folder.write(text, to: path)
      #expect(try Disk.mayReplace(path, of: signature))
      #expect(try Disk.replace(path, of: signature, with: own("new")) == nil)
    }
    let aside = try Disk.setAside(path, of: signature, ending: ".aside")
    #expect(aside == folder.path("file.aside"))
    #expect(Corpus.paths(under: folder.root) == [aside])
  }

  @Test(arguments: [1, 600, 200_000])
  func `a file of zero bytes, left by a power failure, may be replaced, appended to and locked`(
    count: Int
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    let zeros = [UInt8](repeating: 0, count: count)
    try folder.write(zeros, to: path)
    #expect(try Disk.mayReplace(path, of: signature))
    Disk.close(try Disk.openToAppend(path, of: signature))
    let lock = try Disk.lock(path)
    #expect(lock != nil)
    lock.map(Disk.unlockAndClose)
    #expect(try Disk.replace(path, of: signature, with: own("new")) == nil)
    try folder.write(zeros + [1], to: path)
    #expect(try !Disk.mayReplace(path, of: signature))
  }

  @Test func `replacing a link replaces its target and keeps the link`() throws {
    let folder = TemporaryFolder()
    let (target, link) = (folder.path("store/file"), folder.path("link"))
    try folder.write(own("old"), to: target)
    try folder.link(folder.path("store/second"), to: FilePath("file"))
    try folder.link(link, to: FilePath("store/second"))
    #expect(try Disk.target(of: link) == target)
    #expect(try Disk.replace(link, of: signature, with: own("new")) == nil)
    #expect(try folder.contents(of: target) == own("new"))
    #expect(try folder.contents(of: link) == own("new"))
    var status = stat()
    #expect(lstat(link.string, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    let aside = try Disk.setAside(link, of: signature, ending: ".aside")
    #expect(aside == folder.path("store/file.aside"))
    // Its target is created where it is missing.
    #expect(try Disk.replace(link, of: signature, with: own("again")) == nil)
    #expect(try folder.contents(of: target) == own("again"))
    try folder.link(folder.path("loop"), to: FilePath("loop"))
    #expect(throws: Errno.tooManySymbolicLinkLevels) {
      try Disk.replace(folder.path("loop"), of: signature, with: own("x"))
    }
  }

  @Test func `a replaced file keeps its permissions, owner and group`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    try folder.write(own("old"), to: path)
    for mode in [0o644, 0o664, 0o640, 0o600] as [CInterop.Mode] {
      try folder.setPermissions(of: path, to: FilePermissions(rawValue: mode))
      let before = try access(path)
      #expect(try Disk.replace(path, of: signature, with: own("new")) == nil)
      #expect(try access(path) == before)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
  func `a replaced file of another owner and group keeps them`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("file")
    try folder.write(own("old"), to: path)
    try folder.setPermissions(of: path, to: FilePermissions(rawValue: 0o600))
    #expect(chown(path.string, 1, 2) == 0)
    let before = try access(path)
    #expect(try Disk.replace(path, of: signature, with: own("new")) == nil)
    #expect(try access(path) == before)
    #expect(before[1...] == [1, 2])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
  func `another user's file in a shared folder is not followed or written`() throws {
    let folder = TemporaryFolder()
    let (path, link, number) = (folder.path("file"), folder.path("link"), folder.path("lock"))
    try folder.write(own("x"), to: path)
    try folder.link(link, to: path)
    try folder.write("1", to: number)
    for place in [path, link, number] { #expect(lchown(place.string, 1, 1) == 0) }
    for (mode, owner, isRefused) in [
      (0o1777, 0, true), (0o775, 0, true), (0o755, 0, false), (0o1777, 1, false),
    ] as [(CInterop.Mode, uid_t, Bool)] {
      try folder.setPermissions(of: folder.root, to: FilePermissions(rawValue: mode))
      #expect(chown(folder.root.string, owner, owner) == 0)
      for isAllowed in [
        (try? Disk.openToAppend(path, of: signature)).map { Disk.close($0) } != nil,
        (try? Disk.target(of: link)) != nil,
        (try? Disk.lock(number)).flatMap(\.self).map { Disk.close($0) } != nil,
        (try? Disk.mayReplace(path, of: signature)) != nil,
      ] {
        #expect(isAllowed == !isRefused, "\(mode) \(owner)")
      }
    }
  }

  @Test func `only one process holds a lock, and links and files with text are rejected`() throws {
    let folder = TemporaryFolder()
    let (path, victim) = (folder.path("lock"), folder.path("victim"))
    let first = try #require(try Disk.lock(path))
    #expect(try Disk.lock(path) == nil)
    try Disk.write(Array("123".utf8), to: first)
    Disk.unlockAndClose(first)
    Disk.unlockAndClose(try #require(try Disk.lock(path)))
    try folder.write("123", to: victim)
    try folder.link(folder.path("link"), to: victim)
    #expect(throws: Errno.tooManySymbolicLinkLevels) { try Disk.lock(folder.path("link")) }
    try folder.createFIFO(folder.path("fifo"))
    #expect(throws: Errno.self) { try Disk.lock(folder.path("fifo")) }
  }

  @Test func `an unnamed file has its content and does not replace existing files`() throws {
    let folder = TemporaryFolder()
    let file = try Disk.unnamedFile(with: Array("content".utf8), at: folder.path("a"))
    defer { Disk.close(file) }
    #expect(Corpus.paths(under: folder.root).isEmpty)
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
    #expect(bytes.prefix(count) == Array("content".utf8)[...])
    try folder.write("victim", to: "victim")
    try folder.link(folder.path("b"), to: folder.path("victim"))
    for name in ["b", "victim"] {
      #expect(throws: Errno.fileExists) {
        try Disk.unnamedFile(with: [1], at: folder.path(name))
      }
    }
    #expect(try folder.contents(of: folder.path("victim")) == Array("victim".utf8))
  }

  @Test func `a missing folder is an error, and folders are created with their parents`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("a/b/c/file")
    #expect(throws: Errno.noSuchFileOrDirectory) { try Disk.replace(path, of: signature, with: []) }
    try Disk.createFolder(path.removingLastComponent())
    try Disk.createFolder(path.removingLastComponent())
    #expect(try Disk.replace(path, of: signature, with: []) == nil)
    #expect(throws: Errno.fileExists) { try Disk.createFolder(path) }
    #expect(throws: Errno.self) { try Disk.createFolder(path.appending("d")) }
  }

  @Test func `new files and folders are accessible only to their owner`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("private/file")
    try Disk.createFolder(path.removingLastComponent())
    #expect(try Disk.replace(path, of: signature, with: own("x")) == nil)
    for (path, mode) in [(path, 0o600), (path.removingLastComponent(), 0o700)] {
      var status = stat()
      #expect(path.withPlatformString { stat($0, &status) } == 0)
      #expect(Int(status.st_mode & 0o777) == mode)
    }
  }

  @Test func `files and folders that the user asked for have the permissions of the umask`()
    throws
  {
    let folder = TemporaryFolder()
    let path = folder.path("shared/file")
    try Disk.createFolder(path.removingLastComponent(), access: .umask)
    #expect(try Disk.replace(path, of: signature, with: own("x"), access: .umask) == nil)
    #expect(try folder.permissions(of: path) == folder.permissionsOfUmask())
    #expect(
      try folder.permissions(of: path.removingLastComponent())
        == folder.permissionsOfUmask(isFolder: true))
    // A file that exists keeps its mode.
    try folder.setPermissions(of: path, to: .ownerReadWrite)
    #expect(try Disk.replace(path, of: signature, with: own("y"), access: .umask) == nil)
    #expect(try folder.permissions(of: path) == .ownerReadWrite)
  }

  @Test func `reading a large file, a folder or a FIFO fails without blocking`() throws {
    let folder = TemporaryFolder()
    try folder.write("12345", to: "file")
    #expect(try Disk.read(folder.path("file"), limit: 5) == Array("12345".utf8))
    #expect(throws: Errno.fileTooLarge) { try Disk.read(folder.path("file"), limit: 4) }
    #expect(throws: Errno.self) { try Disk.read(folder.root, limit: 1 << 20) }
    try folder.createFIFO(folder.path("fifo"))
    #expect(throws: Errno.self) { try Disk.read(folder.path("fifo"), limit: 1 << 20) }
  }
}
