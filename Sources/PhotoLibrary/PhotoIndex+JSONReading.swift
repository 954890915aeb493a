import Interchange
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension PhotoIndex {
  /// Reads the JSON document; its layout is described where it is written.
  ///
  /// Every number that points somewhere is checked: no text makes an index that traps later. Without `statuses`,
  /// what only a scan needs is passed over; an error says where it is needed all the same.
  init(
    json reader: inout JSONReader, includingStatuses: Bool = true
  ) throws(IndexFormatError) {
    var document = IndexDocument(files: FileColumns(includingStatuses: includingStatuses))
    do throws(JSONError) {
      try document.read(&reader)
    } catch {
      throw .damaged(error.description)
    }
    guard document.format == Self.format else {
      throw .damaged("it is not a photospots index")
    }
    guard let version = document.version, version >= 1 else { throw .damaged("it has no version") }
    guard version <= PhotoIndexCache.version else { throw .newer(version) }
    try self.init(document)
  }

  private init(_ document: IndexDocument) throws(IndexFormatError) {
    var document = document
    guard let outcomes = LookupTable(document.outcomes),
      let cameras = LookupTable(document.cameras),
      let focalLengths = LookupTable(document.focalLengths)
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
    self.focalLengths = focalLengths
    let rows = try document.files.takeRows(
      folderCount: folders.count, outcomeCount: outcomes.values.count)
    (names, files, statuses) = (rows.names, rows.files, rows.statuses)
    reread = document.reread
    photos = try document.photos.takeRows(
      files: &files, located: outcomes.values.firstIndex(of: .located).map { Int32($0) },
      cameraCount: cameras.values.count, focalLengthCount: focalLengths.values.count)
    if let shots = document.shots {
      try take(shots)
    } else {
      // Copies are known by their sizes.
      guard statuses.count == files.count else { throw .statusesNeeded }
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

/// The document as it was read.
private struct IndexDocument {
  var format: String?
  var version: Int64?
  var updated: Instant?
  var roots: [PhotoIndex.Root] = []
  var outcomes: [FileOutcome] = []
  var cameras: [Camera] = []
  var focalLengths: [FocalLength] = []
  var folders: [[UInt8]] = []
  var files: FileColumns
  var photos = PhotoColumns()
  var reread = RereadFiles()
  /// `nil` where the document has none.
  var shots: ShotTable?

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
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
      case "outcomes": outcomes = try reader.list(Self.outcome)
      case "cameras": cameras = try reader.list(Self.camera)
      case "focalLengths": focalLengths = try reader.list(Self.focalLength)
      case "folders":
        folders = try reader.list { reader throws(JSONError) in try reader.stringBytes() }
      case "files": try files.read(&reader)
      case "reread": reread = try RereadFiles(from: &reader)
      case "photos": try photos.read(&reader)
      case "shots": shots = try reader.shots()
      default: try reader.skipValue()
      }
    }
    try reader.end()
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
}

extension IndexDocument {
  fileprivate static func focalLength(
    _ reader: inout JSONReader
  ) throws(JSONError) -> FocalLength {
    var numbers: [Double?] = []
    try reader.beginArray()
    while try reader.nextElement() {
      numbers.append(try reader.skipNull() ? nil : try reader.double())
    }
    guard numbers.count == 2,
      let focalLength = FocalLength(
        millimeters: numbers[0], millimetersOn35mmFilm: numbers[1].flatMap { Int(exactly: $0) })
    else {
      throw JSONError(
        offset: reader.offset, reason: "a focal length is [millimetres, millimetres on 35 mm film]")
    }
    return focalLength
  }
}

extension JSONReader {
  /// Reads an array whose elements the closure reads.
  fileprivate mutating func list<Element>(
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
    try list { reader throws(JSONError) in
      var root = PhotoIndex.Root(path: "")
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "path": root.path = FilePath(bytes: try reader.stringBytes())
        case "stale": root.isStale = try reader.boolean()
        case "fullyRead": root.fullyRead = Instant(iso8601: try reader.string())
        case "rereadSince": root.rereadSince = Instant(iso8601: try reader.string())
        default: try reader.skipValue()
        }
      }
      return root
    }
  }
}
