import CLibrary
import PhotoMetadata
import Storage
import SystemPackage

/// The contents of one folder: its subfolders, and its files that may be photos.
///
/// Hidden names, which begin with a dot, are skipped unless the patterns include a folder of the
/// name, and so are symbolic links, FIFOs, sockets and devices.
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
    /// A stamp of the sidecars' change times; zero if there are none.
    var sidecarChanges: UInt64 = 0
    /// Whether its own properties or those of a sidecar cannot be read, so that a known file stays
    /// as it was.
    var isUncertain = false
  }

  /// An entry whose properties cannot be read.
  struct Failure {
    /// Its name; it may be a file or a folder.
    let name: [UInt8]
    let error: Errno
  }

  /// A file that may be a photo's sidecar.
  private struct SidecarFile {
    let name: [UInt8]
    /// Its size and times; `nil` if they cannot be read.
    let status: FileStatus?
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
  /// The entries whose properties cannot be read.
  private(set) var failures: [Failure] = []
  /// The number of the file system that holds the folder; `nil` if the folder could not be read.
  private(set) var device: UInt64?
  /// The entries of the folder.
  private(set) var entries = EntryCounts()
  /// The XMP and JSON files that belong to no photo.
  private(set) var unowned: [[UInt8]] = []
  /// The symbolic links, whatever they lead to.
  private(set) var links: [[UInt8]] = []
  private var sidecarFiles: [SidecarFile] = []
  /// The number of entries whose properties could be read.
  private var lookUpCount = 0

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
    var status = stat()
    if fstat(descriptor, &status) == 0 { device = UInt64(truncatingIfNeeded: status.st_dev) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        break
      }
      let kind = add(entry, in: descriptor, needsStatus: needsStatus, excludes: excludes)
      if let kind { entries.count(kind) }
    }
    // A folder that can be read but not searched refuses all its entries.
    if lookUpCount == 0, !failures.isEmpty,
      failures.allSatisfy({ $0.error == .permissionDenied })
    {
      throw .permissionDenied
    }
    sortFiles()
    assignSidecars(in: FileDescriptor(rawValue: descriptor))
  }

  /// The maximum number of sidecars of a folder whose titles are read.
  private static let maximumTitleCount = 10_000

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
  private mutating func assignSidecars(in folder: FileDescriptor) {
    guard !sidecarFiles.isEmpty else { return }
    // Sorted, so that equal contents give equal results whatever order they are listed in.
    sidecarFiles.sort { $0.name.lexicographicallyPrecedes($1.name) }
    var sidecarNames = SidecarNames()
    for (index, file) in sidecarFiles.enumerated() { sidecarNames.add(file.name, at: index) }
    let found = sidecarFiles
    var titlesLeft = Self.maximumTitleCount
    let assigned = sidecarNames.sidecars(ofAll: files.map { names[$0.name] }) { place in
      titlesLeft -= 1
      guard titlesLeft >= 0 else { return .none }
      return Sidecar.title(inTakeoutNamed: found[place].name, in: folder)
    }
    let sidecars = assigned.sidecars
    for index in assigned.uncertain { files[index].isUncertain = true }
    let owned = Set(sidecars.joined().map(\.index))
    let left = sidecarFiles.indices.filter { !owned.contains($0) }.map { sidecarFiles[$0].name }
    unowned = left.filter(SidecarNames.namesPhoto)
    entries.sidecars -= left.count
    entries.unowned += unowned.count
    entries.otherFiles += left.count - unowned.count
    for index in files.indices {
      var stamp = SidecarStamp()
      for (kind, place) in sidecars[index] {
        let file = sidecarFiles[place]
        if let status = file.status {
          stamp.combine(kind, status)
        } else {
          files[index].isUncertain = true
        }
        files[index].sidecars.append(
          Sidecar(kind: kind, path: FilePath(bytes: FilePath.join(path, file.name))))
      }
      files[index].sidecarStamp = stamp.value
      files[index].sidecarChanges = stamp.changes
      files[index].status?.sidecarStamp = stamp.value
      files[index].status?.changed &+= stamp.changes
    }
  }

  /// Adds the subfolder, file or sidecar of a directory entry; other entries are skipped.
  ///
  /// - Returns: The counter of the entry; `nil` for the folder itself and the one above.
  private mutating func add(
    _ entry: UnsafeMutablePointer<dirent>, in folder: CInt, needsStatus: Bool,
    excludes: ExcludePatterns
  ) -> EntryCounts.Kind? {
    // The record is only as long as its name, which is shorter than the C structure, so only access
    // through a pointer is safe.
    guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
    let nameStart = UnsafeRawPointer(entry).advanced(by: nameOffset)
      .assumingMemoryBound(to: CChar.self)
    var kind = CInt(entry.pointee.d_type)
    let name = UnsafeBufferPointer(start: nameStart, count: strlen(nameStart))
    let bytes = name.lazy.map { UInt8(bitPattern: $0) }
    if nameStart[0] == CChar(UInt8(ascii: ".")) {
      if bytes.elementsEqual(".".utf8) || bytes.elementsEqual("..".utf8) { return nil }
      guard excludes.hasIncludes, kind == DT_DIR || kind == DT_UNKNOWN,
        !excludes.match(name: bytes, path: FilePath.join(path, bytes))
      else { return .hidden }
    }
    isEmpty = false
    var status = stat()
    var hasStatus = false
    var failure: Errno?
    if kind == DT_UNKNOWN {
      switch Self.lookUp(nameStart, in: folder, &status) {
      case .missing: return .vanished
      case .found:
        lookUpCount += 1
        hasStatus = true
        kind = CInt(status.st_mode & S_IFMT) >> 12
      case .failed(let error):
        guard !excludes.match(name: bytes, path: FilePath.join(path, bytes)) else {
          return .excluded
        }
        failures.append(Failure(name: Array(bytes), error: error))
        failure = error
        kind = CInt(DT_REG)
      }
    }
    if kind == DT_DIR {
      let subfolder = FilePath.join(path, Array(bytes))
      guard !excludes.match(name: bytes, path: subfolder) else { return .excluded }
      subfolders.append(subfolder)
      return .folders
    }
    guard kind == DT_REG else {
      guard kind == DT_LNK else { return .notFiles }
      guard !excludes.match(name: bytes, path: FilePath.join(path, bytes)) else { return .excluded }
      links.append(Array(bytes))
      return .notFiles
    }
    let claim = PhotoFormats.claim(ofName: bytes)
    let isSidecar = claim == .other && SidecarNames.isSidecar(bytes)
    guard claim != .other || isSidecar else { return failure == nil ? .otherFiles : .failed }
    guard !excludes.match(name: bytes, path: FilePath.join(path, bytes)) else { return .excluded }
    if needsStatus || isSidecar, !hasStatus, failure == nil {
      switch Self.lookUp(nameStart, in: folder, &status) {
      case .missing: return .vanished
      case .found:
        lookUpCount += 1
        hasStatus = true
      case .failed(let error):
        failures.append(Failure(name: Array(bytes), error: error))
        failure = error
      }
    }
    if isSidecar {
      sidecarFiles.append(
        SidecarFile(name: Array(bytes), status: hasStatus ? FileStatus(status) : nil))
      return .sidecars
    }
    let start = names.count
    names.append(contentsOf: bytes)
    files.append(
      File(
        name: start..<names.count, claimsToBePhoto: claim == .photo,
        inode: UInt64(entry.pointee.d_ino), status: hasStatus ? FileStatus(status) : nil,
        isUncertain: failure != nil))
    return failure == nil ? .candidates : .failed
  }

  /// The result of reading an entry's properties.
  private enum LookUp {
    case found
    /// It no longer exists.
    case missing
    /// It may exist.
    case failed(Errno)
  }

  /// Reads an entry's type, size and times.
  private static func lookUp(
    _ name: UnsafePointer<CChar>, in folder: CInt, _ status: inout stat
  ) -> LookUp {
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return .found }
    let error = Errno(rawValue: errno)
    return error == .noSuchFileOrDirectory ? .missing : .failed(error)
  }
}

extension FileStatus {
  init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    size = Int64(status.st_size)
    self.modified = Self.nanoseconds(modified)
    self.changed = UInt64(bitPattern: Self.nanoseconds(changed))
    inode = UInt64(status.st_ino)
  }

  /// Times outside the years 1678–2262 wrap around, which is good enough for comparison.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// A hash of the sizes and times of a photo's sidecars.
private struct SidecarStamp {
  /// The hash; zero without sidecars.
  private(set) var value: UInt64 = 0
  /// A hash of the change times; zero without sidecars.
  private(set) var changes: UInt64 = 0

  mutating func combine(_ kind: Sidecar.Kind, _ status: FileStatus) {
    let parts = [
      kind == .xmp ? 1 : 2, UInt64(bitPattern: status.size), UInt64(bitPattern: status.modified),
    ]
    for part in parts { value = Self.mixed(value, part) }
    changes = Self.mixed(changes, status.changed)
  }

  /// The finalizer of MurmurHash3 (A. Appleby): changing any bit changes about half of the result's
  /// bits.
  private static func mixed(_ value: UInt64, _ part: UInt64) -> UInt64 {
    var mixed = value ^ part &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return (mixed ^ (mixed >> 33)) | 1
  }
}
