import CivilTime
import Encodings
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension PhotoIndex {
  /// Reads the JSON document, whose format is described in `PhotoIndex+JSON.swift`.
  ///
  /// Every row number is checked, so that no text creates an index that traps later. Without
  /// statuses, the columns that only a scan needs are skipped; if the document has no shots, which
  /// are then found by file sizes, `statusesNeeded` is thrown.
  init(
    json reader: inout JSONReader, includingStatuses: Bool = true
  ) throws(IndexFormatError) {
    var document = IndexDocument(includingStatuses: includingStatuses)
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
    try self.init(head: document)
    guard document.folders.allSatisfy({ $0.first == UInt8(ascii: "/") }) else {
      throw .damaged("a folder's path is not absolute")
    }
    folders = document.folders
    captions = CaptionTable(document.captions)
    files = try document.files.finish()
    photos = try document.photos.finish()
    unlocated = try document.unlocated?.finish() ?? UnlocatedTable()
    reread = document.reread
    try checkRows()
    try checkUnlocated()
    // Checked even if it is then dropped, so that a document is damaged for all commands or for
    // none.
    if !files.hasStatuses { unlocated = UnlocatedTable() }
    try linkFilesToPhotos()
    if let shots = document.shots {
      try checkShots(shots)
      self.shots = shots
      linkFilesToShots()
    } else {
      // Recognising copies requires file sizes.
      guard files.hasStatuses else { throw .statusesNeeded }
      findShots()
    }
  }

  /// Creates an index with only the small members of a document.
  private init(head document: IndexDocument) throws(IndexFormatError) {
    guard let outcomes = LookupTable<FileOutcome, Rows.Outcomes>(document.outcomes),
      let cameras = LookupTable<Camera, Rows.Cameras>(document.cameras),
      let focalLengths = LookupTable<FocalLength, Rows.FocalLengths>(document.focalLengths)
    else { throw .damaged("a table holds a value twice") }
    guard document.roots.allSatisfy({ $0.path.isAbsolute }) else {
      throw .damaged("a folder's path is not absolute")
    }
    self.init()
    roots = document.roots
    updated = document.updated
    self.outcomes = outcomes
    self.cameras = cameras
    self.focalLengths = focalLengths
  }

  /// Reads an object with only the small members, which the mapped file stores as JSON too.
  init(head reader: inout JSONReader) throws(JSONError) {
    var document = IndexDocument(includingStatuses: false)
    try document.readMembers(&reader)
    do throws(IndexFormatError) {
      try self.init(head: document)
    } catch {
      throw JSONError(offset: reader.offset, reason: "the members do not form an index")
    }
  }

  /// Checks that every column of row numbers refers to existing rows.
  private func checkRows() throws(IndexFormatError) {
    for (name, isRight) in [
      ("files.folder", files.folder.namesRows(below: folders.count)),
      ("files.outcome", files.outcome.namesRows(below: outcomes.values.count)),
      ("photos.camera", photos.camera.namesRows(below: cameras.values.count)),
      ("photos.focalLength", photos.focalLength.namesRows(below: focalLengths.values.count)),
      ("photos.caption", photos.caption.namesRows(below: captions.texts.count)),
      ("unlocated.caption", unlocated.caption.namesRows(below: captions.texts.count)),
      ("unlocated.camera", unlocated.camera.namesRows(below: cameras.values.count)),
      (
        "unlocated.focalLength",
        unlocated.focalLength.namesRows(below: focalLengths.values.count)
      ),
    ] where !isRight {
      throw .damaged("the column \(name) refers to a missing row")
    }
  }

  /// Checks that the photos without a position refer to files of that outcome, each once and in
  /// order.
  private func checkUnlocated() throws(IndexFormatError) {
    let outcome = outcomes.known(.noPosition)
    var previous: FileID?
    for row in unlocated.indices {
      let file = unlocated.file[row]
      guard previous.map({ $0 < file }) ?? true, file.row < files.count,
        files.outcome[file.row] == outcome
      else { throw .damaged("row \(row) of unlocated belongs to no file without a position") }
      previous = file
    }
  }

  /// Sets the photo of each file.
  private mutating func linkFilesToPhotos() throws(IndexFormatError) {
    let located = outcomes.known(.located)
    var photoOfFile = Array(repeating: PhotoID?.none.stored, count: files.count)
    var previous: FileID?
    for photo in photos.ids {
      let file = photos.file[photo.row]
      guard previous.map({ $0 < file }) ?? true, file.row < files.count,
        files.outcome[file.row] == located
      else { throw .damaged("photo \(photo.row) belongs to no located file") }
      guard
        Coordinate(
          latitude: photos.latitude[photo.row], longitude: photos.longitude[photo.row]) != nil
      else { throw .damaged("photo \(photo.row) has no valid position") }
      previous = file
      photoOfFile[file.row] = photo.stored
    }
    files.photo = Column(own: photoOfFile)
    files.shot = Column(own: Array(repeating: ShotID?.none.stored, count: files.count))
  }

  /// Checks that each shot has several existing files with a located photo first, and that no file
  /// is in two shots.
  private func checkShots(_ shots: ShotTable) throws(IndexFormatError) {
    var isTaken = Array(repeating: false, count: files.count)
    for shot in shots.ids {
      let members = shots[shot]
      guard members.count > 1, let lead = members.first, lead.row < files.count,
        files.photo[lead.row] != nil
      else { throw .damaged("shot \(shot.row) has no photo or no other file") }
      for file in members {
        guard file.row < files.count, !isTaken[file.row] else {
          throw .damaged("a file of shot \(shot.row) is missing or in two shots")
        }
        isTaken[file.row] = true
      }
    }
  }
}

/// The parsed members of the document.
private struct IndexDocument {
  var format: String?
  var version: Int64?
  var updated: Instant?
  var roots: [PhotoIndex.Root] = []
  var outcomes: [FileOutcome] = []
  var cameras: [Camera] = []
  var focalLengths: [FocalLength] = []
  var captions = TextColumn()
  var folders = TextColumn()
  var files: TableReading<FileTable>
  var photos = TableReading(PhotoTable())
  /// The photos without a position; `nil` if the document lacks the member.
  var unlocated: TableReading<UnlocatedTable>?
  var reread = RereadFiles()
  /// The shots; `nil` if the document lacks the member.
  var shots: ShotTable?

  init(includingStatuses: Bool) {
    files = TableReading(FileTable(), includingScanColumns: includingStatuses)
  }

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try readMembers(&reader)
    // The rest of a newer document may have any form.
    if let version, version > PhotoIndexCache.version { return }
    try reader.end()
  }

  mutating func readMembers(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "format": format = try reader.string()
      case "version":
        version = try reader.integer()
        if let version, version > PhotoIndexCache.version { return }
      case "updated": updated = Instant(iso8601: try reader.string())
      case "roots": roots = try reader.roots()
      case "outcomes": outcomes = try reader.list(Self.outcome)
      case "cameras": cameras = try reader.list(Self.camera)
      case "focalLengths": focalLengths = try reader.list(Self.focalLength)
      case "captions": try captions.read(from: &reader, count: 0)
      case "folders": try folders.read(from: &reader, count: 0)
      case "files": try files.read(&reader)
      case "reread": reread = try RereadFiles(from: &reader)
      case "photos": try photos.read(&reader)
      case "unlocated":
        var table = TableReading(UnlocatedTable())
        try table.read(&reader)
        unlocated = table
      case "shots":
        var table = ShotTable()
        try table.members.read(from: &reader, count: 0)
        shots = table
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
        case "anchor": root.anchor = try reader.string()
        case "volumes":
          root.volumes = try reader.list { (reader) throws(JSONError) in try reader.volume() }
        case "unread":
          root.unread = try reader.list { (reader) throws(JSONError) in
            FilePath(bytes: try reader.stringBytes())
          }
        case "options": root.options = try reader.options()
        default: try reader.skipValue()
        }
      }
      return root
    }
  }

  private mutating func options() throws(JSONError) -> FolderOptions.ByFolder {
    var all: FolderOptions.ByFolder = [:]
    try beginArray()
    while try nextElement() {
      var (path, options) = (FilePath?.none, FolderOptions())
      try beginObject()
      while let key = try nextKey() {
        switch key {
        case "path": path = FilePath(bytes: try stringBytes())
        case "exclude":
          options.excludes = try list { (reader) throws(JSONError) in try reader.string() }
        case "include":
          options.includes = try list { (reader) throws(JSONError) in try reader.string() }
        case "tracks":
          options.tracks = try list { (reader) throws(JSONError) in
            TrackRoot(stored: try reader.stringBytes())
          }
        case "trackOwner": options.trackOwner = try string()
        case "cameraClock":
          options.cameraClocks = try list { (reader) throws(JSONError) in try reader.string() }
        default: try skipValue()
        }
      }
      guard let path, path.isAbsolute else {
        throw JSONError(offset: offset, reason: "options belong to no folder")
      }
      if !options.isEmpty { all[path] = options }
    }
    return all
  }

  private mutating func volume() throws(JSONError) -> PhotoIndex.Root.Volume {
    var path: [UInt8]?
    var device: Int64?
    try beginArray()
    while try nextElement() {
      if path == nil {
        path = try stringBytes()
      } else if device == nil {
        device = try integer()
      } else {
        try skipValue()
      }
    }
    guard let path, let device else {
      throw JSONError(offset: offset, reason: "a volume is [path, device]")
    }
    return PhotoIndex.Root.Volume(path: path, device: UInt64(bitPattern: device))
  }
}
