public import CivilTime
import PhotoMetadata
import Spatial
import Storage
public import SystemPackage

/// The metadata of the photos under some folders.
///
/// Every file that was examined is recorded with its outcome, so that an unchanged folder is
/// rescanned without opening a file. Files are sorted by their folders' paths and then by their
/// names, both as bytes; photos are in the order of their files. The data is stored in the columns
/// of a few tables, in memory or in a mapped file, so a million photos are a million rows rather
/// than a million objects.
public struct PhotoIndex: Sendable {
  /// A folder tree or remote library that the user chose to index.
  public struct Root: Hashable, Sendable {
    /// The absolute path.
    public var path: FilePath
    /// Whether the last scan could not read it, so that its photos may be outdated.
    public var isStale = false
    /// When every file under it was last read, rather than only checked for changes.
    public var fullyRead: Instant?
    /// When the last full re-read began; `nil` if it was completed.
    var rereadSince: Instant?
    /// For a remote library, the anchor from which the next walk continues; for a folder tree
    /// `nil`.
    var anchor: String?
    /// The file system of the folder, and those of all folders inside it that are on another file
    /// system than the folder above them; empty if unknown.
    var volumes: [Volume] = []
    /// The folders and other entries inside it that the last scan could not list, sorted by their
    /// bytes, at most ``maximumUnreadCount``. Photos that could not be read are among the files.
    package internal(set) var unread: [FilePath] = []
    /// The options given for the root or for folders inside it, by folder.
    package internal(set) var options: FolderOptions.ByFolder = [:]

    /// The greatest number of unread entries of a root in an index.
    static let maximumUnreadCount = 100

    /// A folder where a file system begins, and the number of that file system.
    struct Volume: Hashable {
      let path: [UInt8]
      let device: UInt64
    }

    /// The remote library; `nil` for a folder tree.
    package var remote: RemoteLibrary? { RemoteLibrary(path: path.bytes) }

    /// Returns whether the root is a folder or inside it. A remote library is not inside `/`.
    func lies(in folder: FilePath) -> Bool { IndexUpdate.lies(path.bytes, in: folder.bytes) }
  }

  /// The roots, none inside another.
  public internal(set) var roots: [Root] = []
  /// The time of the last change; `nil` if there was none.
  public internal(set) var updated: Instant?

  /// The absolute paths of the folders that contain files, sorted.
  var folders = TextColumn()
  var files = FileTable()
  var photos = PhotoTable()
  /// The photos without a position; empty in an index read for questions only.
  var unlocated = UnlocatedTable()
  /// The shots with several files.
  var shots = ShotTable()
  /// The spots computed together with the index; `nil` if none were.
  var computedSpots: SpotTable?
  /// The files already read by interrupted full re-reads of their roots.
  var reread = RereadFiles()
  /// The distinct outcomes that files refer to.
  var outcomes = LookupTable<FileOutcome, Rows.Outcomes>()
  /// The distinct cameras that photos refer to.
  var cameras = LookupTable<Camera, Rows.Cameras>()
  /// The distinct focal lengths that photos refer to.
  var focalLengths = LookupTable<FocalLength, Rows.FocalLengths>()
  /// The distinct captions that photos refer to.
  var captions = CaptionTable()
  /// The mapped file that contains the tables; `nil` if they are in memory.
  var mapping: MappedFile?

  /// Creates an empty index.
  public init() {}

  /// The number of examined files.
  public var fileCount: Int { files.count }
  /// The number of photos with a position.
  public var photoCount: Int { photos.count }

  /// The distinct names of folders with files of located shots, as bytes, sorted.
  ///
  /// - Complexity: O(*n* + *m* log *m*) for *n* files in *m* folders.
  public var albums: [[UInt8]] {
    var isAlbum = Array(repeating: false, count: folders.count)
    for row in files.indices where files.photo[row] != nil || files.shot[row] != nil {
      isAlbum[files.folder[row].row] = true
    }
    let names = folders.indices.lazy.filter { isAlbum[$0] }
      .compactMap { FilePath(bytes: folders[$0]).lastComponent?.bytes }
    return Set(names).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The roots that the last scan could not read.
  var staleRoots: [FilePath] { roots.filter(\.isStale).map(\.path) }

  /// Returns whether the index has the folder as a root, or has files in it or below it.
  public func holds(_ folder: FilePath) -> Bool {
    roots.contains { $0.path.starts(with: folder) }
      || folders.contains { IndexUpdate.lies($0, in: folder.bytes) }
  }

  /// Returns a photo.
  ///
  /// - Precondition: `index` is in `0..<photoCount`.
  public func photo(at index: Int) -> PhotoLocation {
    location(of: photos[PhotoID(index)])
  }

  /// Returns the public form of a photo.
  func location(of photo: PhotoTable.Photo) -> PhotoLocation {
    let facts = photo.facts
    return PhotoLocation(
      path: path(of: facts.file), coordinate: photo.coordinate,
      positionSource: photo.source, captured: facts.captured,
      altitudeMeters: photo.altitudeMeters,
      horizontalAccuracyMeters: photo.horizontalAccuracyMeters, heading: photo.heading,
      camera: facts.camera.map { cameras[$0] }, rating: facts.rating.map { Int($0) },
      isFavorite: facts.isFavorite, caption: facts.caption.map { captions[$0] })
  }

  /// Returns the name of a file as bytes.
  func name(of file: FileID) -> ArraySlice<UInt8> { files.name[file.row] }

  /// Returns the path of a folder as bytes.
  func folder(_ folder: FolderID) -> ArraySlice<UInt8> { folders[folder.row] }

  /// Returns the absolute path of a file as bytes.
  func pathBytes(of file: FileID) -> [UInt8] {
    FilePath.join(Array(folder(files.folder[file.row])), name(of: file))
  }

  /// Returns the absolute path of a file.
  func path(of file: FileID) -> FilePath {
    FilePath(bytes: pathBytes(of: file))
  }

  /// Appends a file to the last folder.
  mutating func appendFile(
    name: some Collection<UInt8>, status: FileStatus, outcome: FileOutcome,
    photo: PhotoTable.Photo? = nil
  ) {
    var photoID: PhotoID?
    if var photo {
      photo.facts.file = FileID(files.count)
      photoID = PhotoID(photos.count)
      photos.append(photo)
    }
    files.append(
      FileTable.File(
        folder: FolderID(folders.count - 1), outcome: outcomes.index(of: outcome), photo: photoID,
        shot: nil),
      name: name, status: status)
  }
}

/// The distinct values of a column, numbered in order of appearance.
struct LookupTable<Value: Hashable & Sendable, Table: TableRows>: Sendable {
  private(set) var values: [Value] = []
  private var indices: [Value: Int] = [:]
  /// The last number returned by `index(of:)`, which is mostly the next result too.
  private var last = 0

  init() {}

  /// Creates a table of distinct values; `nil` if a value occurs twice.
  init?(_ values: [Value]) {
    for (index, value) in values.enumerated() {
      guard indices.updateValue(index, forKey: value) == nil else { return nil }
    }
    self.values = values
  }

  subscript(row: RowID<Table>) -> Value { values[row.row] }

  /// Returns the number of a value, assigning the next number to a new value.
  mutating func index(of value: Value) -> RowID<Table> {
    if last < values.count, values[last] == value { return RowID(last) }
    if let index = indices[value] {
      last = index
    } else {
      last = values.count
      values.append(value)
      indices[value] = last
    }
    return RowID(last)
  }

  /// Returns the number of a value; `nil` if the table does not contain it.
  func known(_ value: Value) -> RowID<Table>? { indices[value].map { RowID($0) } }
}
