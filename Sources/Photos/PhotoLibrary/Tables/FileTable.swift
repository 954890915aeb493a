/// Every examined file, sorted by its folder's path and then by its name, both as bytes.
struct FileTable: DeclaredTable {
  var folder = Column<FolderID>()
  var name = TextColumn()
  var size = Column<Int64>()
  var modified = Column<Int64>()
  var inode = Column<UInt64>()
  var sidecars = Column<UInt64>()
  var changed = Column<UInt64>()
  var content = Column<UInt64>()
  var outcome = Column<OutcomeID>()
  var photo = Column<PhotoID?>()
  var shot = Column<ShotID?>()

  typealias Row = Rows.Files

  static let columns: [ColumnSchema<FileTable>] = [
    .init("folder", { $1(&$0.folder) }, "its folder, as an index into folders"),
    .init("name", { $1(&$0.name) }, "its name, as bytes"),
    .init("size", { $1(&$0.size) }, "bytes"),
    .init("modified", { $1(&$0.modified) }, "ns since 1970"),
    .init("inode", { $1(&$0.inode) }, "64 bits, signed", places: .documentOnly),
    .init(
      "sidecars", { $1(&$0.sidecars) },
      "64 bits, signed: a stamp of its sidecars' sizes and times, or 0",
      places: .documentOnly, mayBeMissing: true),
    .init(
      "changed", { $1(&$0.changed) },
      "64 bits, signed: a stamp of the change times of it and its sidecars, or 0 if unknown",
      places: .documentOnly, mayBeMissing: true),
    .init(
      "content", { $1(&$0.content) },
      "64 bits, signed: a hash of its first and last 64 KiB, or 0 if not needed",
      places: .documentOnly, mayBeMissing: true),
    .init("outcome", { $1(&$0.outcome) }, "the outcome of reading it, as an index into outcomes"),
    .init("photo", { $1(&$0.photo) }, "its row in photos", places: .mappedOnly),
    .init(
      "shot", { $1(&$0.shot) }, "its row in shots, where that has several files",
      places: .mappedOnly),
  ]

  /// An examined file.
  struct File {
    let folder: FolderID
    let outcome: OutcomeID
    /// The photo; `nil` if the file is not a located photo.
    let photo: PhotoID?
    /// The shot; `nil` if the file is the only one of its shot.
    let shot: ShotID?
  }

  var count: Int { folder.count }

  subscript(file: FileID) -> File {
    @inline(__always) get {
      let row = file.row
      return File(
        folder: folder[row], outcome: outcome[row], photo: photo[row], shot: shot[row])
    }
  }

  /// Whether the table has the sizes and times that show whether a file changed; an index read for
  /// questions only does not.
  var hasStatuses: Bool { inode.count == count }

  /// Returns the status of a file when it was examined.
  ///
  /// - Precondition: ``hasStatuses``
  func status(of file: FileID) -> FileStatus {
    let row = file.row
    return FileStatus(
      size: size[row], modified: modified[row], inode: inode[row], sidecarStamp: sidecars[row],
      changed: changed[row], content: content[row])
  }

  mutating func append(_ file: File, name: some Collection<UInt8>, status: FileStatus) {
    folder.append(file.folder)
    self.name.append(name)
    size.append(status.size)
    modified.append(status.modified)
    inode.append(status.inode)
    sidecars.append(status.sidecarStamp)
    changed.append(status.changed)
    content.append(status.content)
    outcome.append(file.outcome)
    photo.append(file.photo)
    shot.append(file.shot)
  }
}

/// The properties of a file that show whether it changed.
struct FileStatus: Hashable, Sendable {
  /// The size in bytes.
  var size: Int64
  /// The modification time in nanoseconds since 1970.
  var modified: Int64
  /// The inode number.
  var inode: UInt64
  /// A hash of the sizes and times of the file's sidecars; zero without sidecars.
  var sidecarStamp: UInt64 = 0
  /// A stamp of the change times (`st_ctime`) of the file and its sidecars, which no program can
  /// set; zero if unknown. A move changes it too.
  var changed: UInt64 = 0
  /// The hash of the file's content, ``ContentHash``; zero if it was not needed.
  var content: UInt64 = 0

  /// Returns whether a file that had the other status before need not be read again.
  func isUnchanged(_ other: FileStatus) -> Bool {
    hasSameTimes(as: other)
      && (changed == other.changed || changed == 0 || other.changed == 0)
  }

  /// Returns whether the sizes and modification times of the file and its sidecars are the same,
  /// which is weak evidence: a program can set the times.
  func hasSameTimes(as other: FileStatus) -> Bool {
    size == other.size && modified == other.modified && sidecarStamp == other.sidecarStamp
  }

  /// The properties by which a file is recognised after a move on the same disk.
  var identity: Identity { Identity(size: size, modified: modified, inode: inode) }

  /// The properties by which a file is recognised after a move on the same disk.
  struct Identity: Hashable, Sendable {
    /// The size in bytes.
    var size: Int64
    /// The modification time in nanoseconds since 1970.
    var modified: Int64
    /// The inode number; zero for a remote asset.
    var inode: UInt64
  }
}
