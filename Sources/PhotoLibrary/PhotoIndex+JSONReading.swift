import Interchange
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension PhotoIndex {
  /// Reads the JSON document; its layout is described where it is written.
  ///
  /// Every number that points somewhere is checked: no text makes an index that traps later.
  init(json text: [UInt8]) throws(IndexFormatError) {
    var document = IndexDocument()
    do throws(JSONError) {
      try document.read(text)
    } catch {
      throw .damaged(error.description)
    }
    guard document.format == "photospots-index" else {
      throw .damaged("it is not a photospots index")
    }
    guard let version = document.version, version >= 1 else { throw .damaged("it has no version") }
    guard version <= PhotoIndexCache.version else { throw .newer(version) }
    try self.init(document)
  }

  private init(_ document: IndexDocument) throws(IndexFormatError) {
    guard let outcomes = LookupTable(document.outcomes), let cameras = LookupTable(document.cameras)
    else { throw .damaged("a table holds a value twice") }
    guard document.folders.allSatisfy({ $0.first == UInt8(ascii: "/") }),
      document.roots.allSatisfy({ $0.path.isAbsolute })
    else { throw .damaged("a folder's path is not absolute") }
    self.init()
    roots = document.roots
    updated = document.updated
    folders = document.folders
    self.outcomes = outcomes
    self.cameras = cameras
    names = document.names
    files = try document.files()
    photos = try document.photos(files: &files, outcomes: outcomes)
    if let shots = document.shots {
      try take(shots)
    } else {
      findShots()
    }
  }

  /// Takes shots over from a document.
  private mutating func take(_ shots: ShotTable) throws(IndexFormatError) {
    for shot in 0..<Int32(shots.count) {
      let members = shots[shot]
      guard members.count > 1, let lead = members.first, files.indices.contains(Int(lead)),
        files[Int(lead)].photo >= 0
      else { throw .damaged("shot \(shot) has no photo or no other file") }
      for file in members {
        guard files.indices.contains(Int(file)), files[Int(file)].shot < 0 else {
          throw .damaged("a file of shot \(shot) is missing or in two shots")
        }
        files[Int(file)].shot = shot
      }
    }
    self.shots = shots
  }
}

/// The columns of the document as they were read.
private struct IndexDocument {
  var format: String?
  var version: Int64?
  var updated: Instant?
  var roots: [PhotoIndex.Root] = []
  var outcomes: [FileOutcome] = []
  var cameras: [Camera] = []
  var folders: [[UInt8]] = []
  var names: [UInt8] = []
  /// `nil` where the document has none.
  var shots: ShotTable?
  private var nameEnds: [Int] = []
  private var fileColumns: [String: [Int64]] = [:]
  private var photoIntegers: [String: [Int64?]] = [:]
  private var photoNumbers: [String: [Double?]] = [:]
  private var photoFlags: [String: [Bool]] = [:]
  private var sources: [PositionSource] = []

  mutating func read(_ text: [UInt8]) throws(JSONError) {
    var reader = JSONReader(text)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "format": format = try reader.string()
      case "version":
        version = try reader.integer()
        // The rest of a newer document may be anything.
        if let version, version > PhotoIndexCache.version { return }
      case "updated": updated = Instant(iso8601: try reader.string())
      case "roots": roots = try reader.roots()
      case "outcomes": outcomes = try reader.column(Self.outcome)
      case "cameras": cameras = try reader.column(Self.camera)
      case "folders":
        folders = try reader.column { reader throws(JSONError) in try reader.stringBytes() }
      case "files": try readFiles(&reader)
      case "photos": try readPhotos(&reader)
      case "shots": shots = try reader.shots()
      default: try reader.skipValue()
      }
    }
    try reader.end()
  }

  private mutating func readFiles(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "name":
        try reader.beginArray()
        while try reader.nextElement() {
          try reader.appendStringBytes(to: &names)
          nameEnds.append(names.count)
        }
      case "folder", "size", "modified", "inode", "sidecars", "outcome":
        fileColumns[key] = try reader.column { reader throws(JSONError) in try reader.integer() }
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readPhotos(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "file", "captured", "utcOffset", "camera", "rating":
        photoIntegers[key] = try reader.column { reader throws(JSONError) in
          try reader.skipNull() ? nil : try reader.integer()
        }
      case "latitude", "longitude", "altitude", "horizontalAccuracy", "heading":
        photoNumbers[key] = try reader.column { reader throws(JSONError) in
          try reader.skipNull() ? nil : try reader.double()
        }
      case "magnetic", "favorite":
        photoFlags[key] = try reader.column { reader throws(JSONError) in try reader.boolean() }
      case "source": sources = try reader.column(Self.source)
      default: try reader.skipValue()
      }
    }
  }

  private static func outcome(_ reader: inout JSONReader) throws(JSONError) -> FileOutcome {
    guard let outcome = FileOutcome(text: try reader.string()) else {
      throw JSONError(offset: reader.offset, reason: "an unknown outcome")
    }
    return outcome
  }

  private static func camera(_ reader: inout JSONReader) throws(JSONError) -> Camera {
    var names: [String?] = []
    try reader.beginArray()
    while try reader.nextElement() {
      names.append(try reader.skipNull() ? nil : try reader.string())
    }
    guard names.count == 2, let camera = Camera(make: names[0], model: names[1]) else {
      throw JSONError(offset: reader.offset, reason: "a camera is [make, model]")
    }
    return camera
  }

  private static func source(_ reader: inout JSONReader) throws(JSONError) -> PositionSource {
    guard let source = PositionSource(rawValue: try reader.string()) else {
      throw JSONError(offset: reader.offset, reason: "an unknown source")
    }
    return source
  }

  // MARK: - Rows

  /// Makes rows of the columns of files.
  func files() throws(IndexFormatError) -> [PhotoIndex.File] {
    let folder = try fileColumn("folder", below: folders.count)
    let outcome = try fileColumn("outcome", below: outcomes.count)
    let (size, modified) = (try fileColumn("size"), try fileColumn("modified"))
    let inode = try fileColumn("inode")
    // Documents of folders without sidecars may leave the column out.
    let sidecars =
      fileColumns["sidecars"] == nil ? nil : try fileColumn("sidecars")
    guard names.count <= Int(Int32.max) else { throw .damaged("too many names") }
    return nameEnds.indices.map { row in
      let start = row == 0 ? 0 : nameEnds[row - 1]
      return PhotoIndex.File(
        folder: Int32(folder[row]), nameStart: Int32(start),
        nameLength: Int32(nameEnds[row] - start), outcome: Int32(outcome[row]), photo: -1,
        status: FileStatus(
          size: size[row], modified: modified[row], inode: UInt64(bitPattern: inode[row]),
          sidecarStamp: UInt64(bitPattern: sidecars?[row] ?? 0)))
    }
  }

  private func fileColumn(
    _ key: String, below limit: Int? = nil
  ) throws(IndexFormatError) -> [Int64] {
    guard let column = fileColumns[key], column.count == nameEnds.count else {
      throw .damaged("the column files.\(key) is missing or has another length")
    }
    if let limit, !column.allSatisfy({ (0..<Int64(limit)).contains($0) }) {
      throw .damaged("the column files.\(key) points nowhere")
    }
    return column
  }

  /// Makes rows of the columns of photos, and ties them to their files.
  func photos(
    files: inout [PhotoIndex.File], outcomes: LookupTable<FileOutcome>
  ) throws(IndexFormatError) -> [PhotoIndex.Photo] {
    guard let file = photoIntegers["file"] else {
      throw .damaged("the column photos.file is missing")
    }
    let count = file.count
    func checked<Value>(
      _ key: String, _ columns: [String: [Value]]
    ) throws(IndexFormatError) -> [Value] {
      guard let column = columns[key], column.count == count else {
        throw .damaged("the column photos.\(key) is missing or has another length")
      }
      return column
    }
    let (latitude, longitude) = (
      try checked("latitude", photoNumbers), try checked("longitude", photoNumbers)
    )
    let altitude = try checked("altitude", photoNumbers)
    let accuracy = try checked("horizontalAccuracy", photoNumbers)
    let (heading, magnetic) = (
      try checked("heading", photoNumbers), try checked("magnetic", photoFlags)
    )
    let captured = try checked("captured", photoIntegers)
    let utcOffset = try checked("utcOffset", photoIntegers)
    let (camera, rating) = (
      try checked("camera", photoIntegers), try checked("rating", photoIntegers)
    )
    let favorite = try checked("favorite", photoFlags)
    guard sources.count == count else {
      throw .damaged("the column photos.source has another length")
    }

    var photos: [PhotoIndex.Photo] = []
    photos.reserveCapacity(count)
    var previousFile: Int64 = -1
    for row in 0..<count {
      guard let fileIndex = file[row], fileIndex > previousFile, fileIndex < Int64(files.count),
        outcomes[files[Int(fileIndex)].outcome] == .located
      else { throw .damaged("photo \(row) belongs to no located file") }
      guard let latitude = latitude[row], let longitude = longitude[row],
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      else { throw .damaged("photo \(row) has no valid position") }
      guard camera[row].map({ (0..<Int64(cameras.count)).contains($0) }) ?? true,
        rating[row].map({ (-1...5).contains($0) }) ?? true,
        utcOffset[row].map({ (-1440...1440).contains($0) }) ?? true
      else { throw .damaged("photo \(row) has a number out of range") }
      previousFile = fileIndex
      files[Int(fileIndex)].photo = Int32(row)
      photos.append(
        PhotoIndex.Photo(
          file: Int32(fileIndex), camera: camera[row].map { Int32($0) } ?? -1,
          coordinate: coordinate,
          captured: captured[row].map {
            CaptureTime(
              instant: Instant(millisecondsSince1970: $0),
              utcOffsetMinutes: utcOffset[row].map { Int($0) })
          },
          altitudeMeters: altitude[row], horizontalAccuracyMeters: accuracy[row],
          heading: heading[row].flatMap { Heading(degrees: $0, isMagnetic: magnetic[row]) },
          rating: rating[row].map { Int8($0) }, isFavorite: favorite[row],
          positionSource: sources[row]))
    }
    return photos
  }
}

extension JSONReader {
  /// Reads an array whose elements the closure reads.
  fileprivate mutating func column<Element>(
    _ element: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    while try nextElement() { elements.append(try element(&self)) }
    return elements
  }

  /// Reads an array of arrays of places.
  fileprivate mutating func shots() throws(JSONError) -> ShotTable {
    var shots = ShotTable()
    var files: [Int32] = []
    try beginArray()
    while try nextElement() {
      files.removeAll(keepingCapacity: true)
      try beginArray()
      while try nextElement() {
        let start = offset
        guard let file = Int32(exactly: try integer()) else {
          throw JSONError(offset: start, reason: "a file's place is too large")
        }
        files.append(file)
      }
      shots.append(files)
    }
    return shots
  }

  fileprivate mutating func roots() throws(JSONError) -> [PhotoIndex.Root] {
    try column { reader throws(JSONError) in
      var root = PhotoIndex.Root(path: "")
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "path": root.path = FilePath(bytes: try reader.stringBytes())
        case "stale": root.isStale = try reader.boolean()
        case "fullyRead": root.fullyRead = Instant(iso8601: try reader.string())
        default: try reader.skipValue()
        }
      }
      return root
    }
  }
}
