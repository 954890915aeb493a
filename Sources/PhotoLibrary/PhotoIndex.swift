public import CivilTime
import PhotoMetadata
import Spatial
import Storage
public import SystemPackage

/// Everything that is known of the photos under some folders.
///
/// Every file that was looked into is recorded, with what came of it, so that an unchanged folder
/// is rescanned without opening a file. Files lie in the order of their folders' paths and then of
/// their names, both as bytes; photos in the order of their files. What is known lies in the
/// columns of a few tables, in memory or in a mapped file: a million photos are a million rows, not
/// a million objects.
public struct PhotoIndex: Sendable {
  /// A folder tree that was given to be indexed.
  public struct Root: Hashable, Sendable {
    /// Its absolute path.
    public var path: FilePath
    /// Whether it could not be read the last time, so that its photos may be out of date.
    public var isStale = false
    /// When every file under it was last read, not just looked at.
    public var fullyRead: Instant?
    /// When reading every file under it again began, where that was ended before it was done.
    var rereadSince: Instant?
    /// Of a remote library, where its next walk begins; of a folder tree `nil`.
    var anchor: String?

    /// The remote library; `nil` for a folder tree.
    package var remote: RemoteLibrary? { RemoteLibrary(path: path.bytes) }

    /// Whether the root is a folder or lies in it; a remote library does not lie in `/`.
    func lies(in folder: FilePath) -> Bool { IndexUpdate.lies(path.bytes, in: folder.bytes) }
  }

  /// The folder trees, none inside another.
  public internal(set) var roots: [Root] = []
  /// When the index last changed; `nil` for one that never did.
  public internal(set) var updated: Instant?

  /// The absolute paths of the folders that hold files, sorted.
  var folders = TextColumn()
  var files = FileTable()
  var photos = PhotoTable()
  /// The photos without a position; not there in an index that was read for questions only.
  var unlocated = UnlocatedTable()
  /// The shots that have several files.
  var shots = ShotTable()
  /// The spots that were made with the index; `nil` where none were.
  var madeSpots: SpotTable?
  /// The files that re-reads of their roots reached, which were ended before they were done.
  var reread = RereadFiles()
  /// The different outcomes that files refer to.
  var outcomes = LookupTable<FileOutcome, Rows.Outcomes>()
  /// The different cameras that photos refer to.
  var cameras = LookupTable<Camera, Rows.Cameras>()
  /// The different focal lengths that photos refer to.
  var focalLengths = LookupTable<FocalLength, Rows.FocalLengths>()
  /// The mapped file in which the tables lie; `nil` where they are in memory.
  var mapping: MappedFile?

  /// Creates an index of nothing.
  public init() {}

  /// How many files were looked into.
  public var fileCount: Int { files.count }
  /// How many of them are photos with a position.
  public var photoCount: Int { photos.count }

  /// The names of the folders that hold files of located shots, as the system's bytes, sorted, each
  /// once.
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

  /// The folder trees that could not be read the last time.
  var staleRoots: [FilePath] { roots.filter(\.isStale).map(\.path) }

  /// Whether the index holds a folder as a root, or files in it or below it.
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

  /// A photo as others see it.
  func location(of photo: PhotoTable.Photo) -> PhotoLocation {
    PhotoLocation(
      path: path(of: photo.file), coordinate: photo.coordinate,
      positionSource: photo.positionSource, captured: photo.captured,
      altitudeMeters: photo.altitudeMeters,
      horizontalAccuracyMeters: photo.horizontalAccuracyMeters, heading: photo.heading,
      camera: photo.camera.map { cameras[$0] }, rating: photo.rating.map { Int($0) },
      isFavorite: photo.isFavorite)
  }

  /// The name of a file as bytes.
  func name(of file: FileID) -> ArraySlice<UInt8> { files.name[file.row] }

  /// The path of a folder as bytes.
  func folder(_ folder: FolderID) -> ArraySlice<UInt8> { folders[folder.row] }

  /// The absolute path of a file as bytes.
  func pathBytes(of file: FileID) -> [UInt8] {
    FilePath.join(Array(folder(files.folder[file.row])), name(of: file))
  }

  /// The absolute path of a file.
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
      photo.file = FileID(files.count)
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

/// The different values of a column, each once, numbered as they came.
struct LookupTable<Value: Hashable & Sendable, Table: TableRows>: Sendable {
  private(set) var values: [Value] = []
  private var indices: [Value: Int] = [:]
  /// The number that was given out last, which is mostly the one that is asked for next.
  private var last = 0

  init() {}

  /// Creates a table of values, which may not occur twice.
  init?(_ values: [Value]) {
    for (index, value) in values.enumerated() {
      guard indices.updateValue(index, forKey: value) == nil else { return nil }
    }
    self.values = values
  }

  subscript(row: RowID<Table>) -> Value { values[row.row] }

  /// The number of a value, which gets the next one where it has none.
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

  /// The number of a value; `nil` where it has none.
  func known(_ value: Value) -> RowID<Table>? { indices[value].map { RowID($0) } }
}
