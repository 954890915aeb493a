public import Interchange
import PhotoMetadata
import Spatial
import Storage
public import SystemPackage

/// Everything that is known of the photos under some folders.
///
/// Every file that was looked into is recorded, with what came of it, so that an unchanged folder is
/// rescanned without opening a file. Files lie in the order of their folders' paths and then of their names,
/// both as bytes; photos in the order of their files. Records are plain values in a few large arrays: a
/// million photos are a million rows, not a million objects.
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
  }

  /// The folder trees, none inside another.
  public internal(set) var roots: [Root] = []
  /// When the index last changed; `nil` for one that never did.
  public internal(set) var updated: Instant?

  /// The absolute paths of the folders that hold files, as bytes, sorted.
  var folders: [[UInt8]] = []
  /// The names of all files, one after another.
  var names: [UInt8] = []
  var files: [File] = []
  /// What each file was like when it was looked into; empty in an index that was read for questions only.
  var statuses: [FileStatus] = []
  var photos: [Photo] = []
  /// The shots that have several files.
  var shots = ShotTable()
  /// The files that re-reads of their roots reached, which were ended before they were done.
  var reread = RereadFiles()
  /// The different outcomes that files refer to.
  var outcomes = LookupTable<FileOutcome>()
  /// The different cameras that photos refer to.
  var cameras = LookupTable<Camera>()
  /// The different focal lengths that photos refer to.
  var focalLengths = LookupTable<FocalLength>()

  /// A file that was looked into.
  struct File {
    /// Its folder's place in `folders`.
    var folder: Int32
    /// Its name's place in `names`.
    var nameStart: Int32
    var nameLength: Int32
    /// Its outcome's place in `outcomes`.
    var outcome: Int32
    /// Its place in `photos`; negative where it is no located photo.
    var photo: Int32
    /// Its shot's place in `shots`; negative where it is a shot of its own.
    var shot: Int32 = -1
  }

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
    let places = Set(files.lazy.filter { $0.photo >= 0 || $0.shot >= 0 }.map(\.folder))
    let names = places.compactMap { FilePath(bytes: folders[Int($0)]).lastComponent?.bytes }
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
    location(of: photos[index])
  }

  /// A photo as others see it.
  func location(of photo: Photo) -> PhotoLocation {
    PhotoLocation(
      path: path(of: files[Int(photo.file)]), coordinate: photo.coordinate,
      positionSource: photo.positionSource, captured: photo.captured,
      altitudeMeters: photo.altitudeMeters,
      horizontalAccuracyMeters: photo.horizontalAccuracyMeters, heading: photo.heading,
      camera: photo.camera < 0 ? nil : cameras[photo.camera], rating: photo.rating.map { Int($0) },
      isFavorite: photo.isFavorite)
  }

  /// The name of a file as bytes.
  func name(of file: File) -> ArraySlice<UInt8> {
    names[Int(file.nameStart)..<Int(file.nameStart + file.nameLength)]
  }

  /// The absolute path of a file as bytes.
  func pathBytes(of file: File) -> [UInt8] {
    FilePath.join(folders[Int(file.folder)], name(of: file))
  }

  /// The absolute path of a file.
  func path(of file: File) -> FilePath {
    FilePath(bytes: pathBytes(of: file))
  }

  /// Appends a file to the last folder.
  mutating func appendFile(
    name: some Collection<UInt8>, status: FileStatus, outcome: FileOutcome, photo: Photo? = nil
  ) {
    var photoIndex: Int32 = -1
    if var photo {
      photo.file = Int32(files.count)
      photoIndex = Int32(photos.count)
      photos.append(photo)
    }
    files.append(
      File(
        folder: Int32(folders.count - 1), nameStart: Int32(names.count),
        nameLength: Int32(name.count), outcome: outcomes.index(of: outcome), photo: photoIndex))
    statuses.append(status)
    names.append(contentsOf: name)
  }
}

/// What tells whether a file is still the same.
struct FileStatus: Hashable, Sendable {
  /// Bytes.
  var size: Int64
  /// The modification time in nanoseconds since 1970.
  var modified: Int64
  /// The file's number in its file system.
  var inode: UInt64
  /// What tells whether the files beside it that speak for it are still the same; zero for none.
  var sidecarStamp: UInt64 = 0

  /// Whether a file with this status need not be read again where it had the other before.
  func isUnchanged(_ other: FileStatus) -> Bool {
    size == other.size && modified == other.modified && sidecarStamp == other.sidecarStamp
  }
}

/// The different values of a column, each once, numbered as they came.
struct LookupTable<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var indices: [Value: Int32] = [:]
  /// The number that was given out last, which is mostly the one that is asked for next.
  private var last = 0

  init() {}

  /// Creates a table of values, which may not occur twice.
  init?(_ values: [Value]) {
    for (index, value) in values.enumerated() {
      guard indices.updateValue(Int32(index), forKey: value) == nil else { return nil }
    }
    self.values = values
  }

  subscript(index: Int32) -> Value { values[Int(index)] }

  /// The number of a value, which gets the next one where it has none.
  mutating func index(of value: Value) -> Int32 {
    if last < values.count, values[last] == value { return Int32(last) }
    if let index = indices[value] {
      last = Int(index)
      return index
    }
    last = values.count
    values.append(value)
    indices[value] = Int32(last)
    return Int32(last)
  }
}
