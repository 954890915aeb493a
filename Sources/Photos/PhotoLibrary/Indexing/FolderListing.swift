import CLibrary
import PhotoMetadata
import Storage
import SystemPackage

/// The contents of one folder: its subfolders, and its files that may be photos.
///
/// Hidden names, which begin with a dot, are skipped, and so are symbolic links, FIFOs, sockets and
/// devices.
struct FolderListing {
  /// A file that may be a photo.
  struct File {
    /// The range of its name in `names`.
    let name: Range<Int>
    /// Whether its file extension is that of a photo.
    let claimsToBePhoto: Bool
    /// Its inode number, which approximates its position on the disk.
    let inode: UInt64
    /// Its size and times; `nil` if they were not requested.
    var status: FileStatus?
    /// Its sidecars in the same folder.
    var sidecars: [Sidecar] = []
    /// A hash of the sidecars' sizes and times; zero if there are none.
    var sidecarStamp: UInt64 = 0
  }

  /// A file that may be a photo's sidecar.
  private struct SidecarFile {
    let name: [UInt8]
    let status: FileStatus
  }

  let path: [UInt8]
  private(set) var subfolders: [[UInt8]] = []
  private(set) var names: [UInt8] = []
  /// The files, sorted by the bytes of their names.
  private(set) var files: [File] = []
  /// The error if the folder could not be read.
  private(set) var problem: Errno?
  /// Whether the folder contains nothing except hidden names.
  private(set) var isEmpty = true
  private var sidecarFiles: [SidecarFile] = []

  /// Lists a folder.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the folder.
  ///   - followsLink: Whether the folder itself may be a symbolic link.
  ///   - needsStatus: Whether to read the files' sizes and times.
  ///   - excludes: The patterns of names to skip.
  init(
    path: [UInt8], followsLink: Bool, needsStatus: Bool, excludes: ExcludePatterns
  ) {
    self.path = path
    do throws(Errno) {
      try read(followsLink: followsLink, needsStatus: needsStatus, excludes: excludes)
    } catch {
      problem = error
    }
  }

  func name(of file: File) -> ArraySlice<UInt8> { names[file.name] }

  private mutating func read(
    followsLink: Bool, needsStatus: Bool, excludes: ExcludePatterns
  ) throws(Errno) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], flags)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    guard let stream = fdopendir(descriptor) else {
      let error = Errno(rawValue: errno)
      close(descriptor)
      throw error
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        break
      }
      try add(entry, in: descriptor, needsStatus: needsStatus, excludes: excludes)
    }
    sortFiles()
    assignSidecars()
  }

  /// Sorts indices rather than files: moving the large `File` values at each step took a sixth of a
  /// rescan's time.
  private mutating func sortFiles() {
    let order = names.withUnsafeBytes { names in
      files.indices.sorted { left, right in
        let (left, right) = (names[files[left].name], names[files[right].name])
        return left.lexicographicallyPrecedes(right)
      }
    }
    files = order.map { files[$0] }
  }

  /// Finds the sidecars of each photo.
  private mutating func assignSidecars() {
    guard !sidecarFiles.isEmpty else { return }
    var sidecarNames = SidecarNames()
    for (index, file) in sidecarFiles.enumerated() { sidecarNames.add(file.name, at: index) }
    for index in files.indices {
      var stamp = SidecarStamp()
      for (kind, place) in sidecarNames.sidecars(of: names[files[index].name]) {
        let file = sidecarFiles[place]
        stamp.combine(kind, file.status)
        files[index].sidecars.append(
          Sidecar(kind: kind, path: FilePath(bytes: FilePath.join(path, file.name))))
      }
      files[index].sidecarStamp = stamp.value
      files[index].status?.sidecarStamp = stamp.value
    }
  }

  /// Adds the subfolder, file or sidecar of a directory entry; other entries are skipped.
  private mutating func add(
    _ entry: UnsafeMutablePointer<dirent>, in folder: CInt, needsStatus: Bool,
    excludes: ExcludePatterns
  ) throws(Errno) {
    // The record is only as long as its name, which is shorter than the C structure, so only access
    // through a pointer is safe.
    guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
    let nameStart = UnsafeRawPointer(entry).advanced(by: nameOffset)
      .assumingMemoryBound(to: CChar.self)
    guard nameStart[0] != CChar(UInt8(ascii: ".")) else { return }
    isEmpty = false
    var kind = CInt(entry.pointee.d_type)
    var status = stat()
    var hasStatus = false
    if kind == DT_UNKNOWN {
      guard try Self.lookUp(nameStart, in: folder, &status) else { return }
      hasStatus = true
      kind = CInt(status.st_mode & S_IFMT) >> 12
    }
    let name = UnsafeBufferPointer(start: nameStart, count: strlen(nameStart))
    let bytes = name.lazy.map { UInt8(bitPattern: $0) }
    if kind == DT_DIR {
      let subfolder = FilePath.join(path, bytes)
      if !excludes.match(name: bytes, path: subfolder) { subfolders.append(subfolder) }
      return
    }
    guard kind == DT_REG else { return }
    let claim = PhotoFormats.claim(ofName: bytes)
    let isSidecar = claim == .other && SidecarNames.isSidecar(bytes)
    guard claim != .other || isSidecar,
      !excludes.match(name: bytes, path: FilePath.join(path, bytes))
    else { return }
    if needsStatus || isSidecar, !hasStatus {
      guard try Self.lookUp(nameStart, in: folder, &status) else { return }
      hasStatus = true
    }
    if isSidecar {
      sidecarFiles.append(SidecarFile(name: Array(bytes), status: FileStatus(status)))
      return
    }
    let start = names.count
    names.append(contentsOf: bytes)
    files.append(
      File(
        name: start..<names.count, claimsToBePhoto: claim == .photo,
        inode: UInt64(entry.pointee.d_ino), status: hasStatus ? FileStatus(status) : nil))
  }

  /// Reads a file's size and times; returns `false` if it no longer exists. Throws if the folder
  /// can be read but not searched, because its files still exist then.
  private static func lookUp(
    _ name: UnsafePointer<CChar>, in folder: CInt, _ status: inout stat
  ) throws(Errno) -> Bool {
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return true }
    let error = Errno(rawValue: errno)
    guard error == .noSuchFileOrDirectory else { throw error }
    return false
  }
}

extension FileStatus {
  init(_ status: stat) {
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    size = Int64(status.st_size)
    // Times outside the years 1678–2262 wrap around, which is good enough for comparison.
    self.modified =
      Int64(modified.tv_sec)
      .multipliedReportingOverflow(by: 1_000_000_000).partialValue
      &+ Int64(modified.tv_nsec)
    inode = UInt64(status.st_ino)
  }
}

/// A hash of the sizes and times of a photo's sidecars.
private struct SidecarStamp {
  /// The hash; zero without sidecars.
  private(set) var value: UInt64 = 0

  mutating func combine(_ kind: Sidecar.Kind, _ status: FileStatus) {
    // The finalizer of MurmurHash3 (A. Appleby): changing any bit changes about half of the
    // result's bits.
    let parts = [
      kind == .xmp ? 1 : 2, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modified),
    ]
    for part in parts {
      var mixed = value ^ part &+ 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
      mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
      value = (mixed ^ (mixed >> 33)) | 1
    }
  }
}
