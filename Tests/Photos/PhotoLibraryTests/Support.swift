import CivilTime
import Encodings
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport

/// A folder of photos, with an index that is updated by scans.
struct Library: ~Copyable {
  let folder: TemporaryFolder
  var index = PhotoIndex()
  var now = Instant(secondsSince1970: 1_800_000_000)

  init() throws {
    let folder = TemporaryFolder()
    try folder.createFolder(folder.path("photos"))
    self.folder = folder
  }

  /// The folder that is scanned.
  var photos: FilePath { folder.path("photos") }

  /// The paths of the located photos below the folder, in the order of the index.
  var located: [String] {
    (0..<index.photoCount).map { place in
      String(index.photo(at: place).path.string.dropFirst(photos.string.count + 1))
    }
  }

  /// Writes a photo, whose position depends on the number.
  func add(_ name: String, _ number: Int = 1, modified: Int = 1_700_000_000) throws {
    try add(photos.appending(name), number, modified: modified)
  }

  /// Writes a photo at a path.
  func add(_ path: FilePath, _ number: Int = 1, modified: Int = 1_700_000_000) throws {
    try folder.write(photoContent(number), to: path)
    try folder.setModified(path, seconds: modified)
  }

  /// Scans the folder and stores the result.
  @discardableResult
  mutating func scan(
    _ folders: [FilePath]? = nil, settings: PhotoIndexer.Settings = .init(),
    monitor: ScanMonitor = ScanMonitor()
  ) throws -> ScanReport {
    now = now.advanced(bySeconds: 60)
    let (index, report) = try PhotoIndexer(settings: settings).update(
      index, with: folders ?? [photos], now: now, monitor: monitor)
    self.index = index
    return report
  }
}

extension TemporaryFolder {
  /// Saves an index, changes its document, and returns the index in it.
  func saved(_ index: PhotoIndex, _ change: (String) -> String = { $0 }) throws -> PhotoIndex? {
    let cache = PhotoIndexCache(path: path("index.json"))
    try cache.save(index)
    let text = String(decoding: try contents(of: cache.path), as: UTF8.self)
    try write(change(text), to: "changed.json")
    return try PhotoIndexCache(path: path("changed.json")).load()
  }
}

/// A photo, whose position depends on the number and whose length does not.
func photoContent(_ number: Int = 1) -> [UInt8] {
  let gps = ExifBlock.position(latitude: 10 + Double(number) / 1000, longitude: 20)
  let exif = [ExifBlock.Entry(0x9003, .ascii("2024:04:13 20:34:30"))]
  return JPEGFile(ExifBlock(image: [.init(0x10F, .ascii("Maker"))], exif: exif, gps: gps)).bytes
}

/// A photo without a position.
let photoWithoutPosition = JPEGFile(ExifBlock(image: [.init(0x10F, .ascii("Maker"))])).bytes

extension ScanReport {
  /// The counts of changed files, for comparison.
  var changes: [String: Int] {
    ["new": new, "changed": changed, "moved": moved, "removed": removed, "read": filesRead]
      .filter { $0.value != 0 }
  }

  /// The outcomes of files, for comparison.
  var outcomes: [String: Int] {
    [
      "scanned": files.photos, "located": files.located, "without": files.withoutPosition,
      "malformed": files.malformed, "unreadable": unreadable,
    ].filter { $0.value != 0 }
  }
}

extension PhotoIndex {
  /// All photos, in the order of the index.
  var allPhotos: [PhotoLocation] { (0..<photoCount).map { photo(at: $0) } }
}

/// A photo as stored in the index file.
struct PhotoRow: Sendable {
  var name: String
  var coordinate: Coordinate
  var captured: Instant?
  var rating: Int?
}

/// Creates an index of photos that need not exist, by loading an index file. All are in one folder.
func index(of rows: [PhotoRow], folder path: String = "/photos") throws -> PhotoIndex {
  let rows = rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  let folder = TemporaryFolder()
  try folder.write(indexText(of: rows, folder: path), to: "index.json")
  guard let index = try PhotoIndexCache(path: folder.path("index.json")).load() else {
    throw Errno.noSuchFileOrDirectory
  }
  return index
}

/// The index file of such photos.
func indexText(of rows: [PhotoRow], folder: String) -> [UInt8] {
  func column(_ write: (inout JSONWriter, Int, PhotoRow) -> Void) -> String {
    var writer = JSONWriter()
    writer.array { writer in
      for (place, row) in rows.enumerated() { write(&writer, place, row) }
    }
    return writer.text
  }
  let zeros = column { writer, _, _ in writer.integer(0) }
  let nulls = column { writer, _, _ in writer.null() }
  let falses = column { writer, _, _ in writer.boolean(false) }
  let captured = column { writer, _, row in
    if let captured = row.captured {
      writer.integer(captured.millisecondsSince1970)
    } else {
      writer.null()
    }
  }
  let rating = column { writer, _, row in
    if let rating = row.rating { writer.integer(rating) } else { writer.null() }
  }
  let text = """
    {"format":"photospots-index","version":1,"roots":[],"outcomes":["located"],"cameras":[],
    "folders":["\(folder)"],
    "files":{"folder":\(zeros),"name":\(column { $0.string($2.name) }),"size":\(zeros),
    "modified":\(zeros),"inode":\(zeros),"outcome":\(zeros)},
    "photos":{"file":\(column { writer, place, _ in writer.integer(place) }),
    "latitude":\(column { $0.number($2.coordinate.latitude) }),
    "longitude":\(column { $0.number($2.coordinate.longitude) }),
    "altitude":\(nulls),"horizontalAccuracy":\(nulls),"heading":\(nulls),"magnetic":\(falses),
    "captured":\(captured),"utcOffset":\(nulls),"camera":\(nulls),"rating":\(rating),
    "favorite":\(falses),"source":\(column { writer, _, _ in writer.string("EXIF") })}}
    """
  return Array(text.utf8)
}
