import Interchange
import PhotoMetadata
import Spatial

// What a document's columns are while they are read: arrays of just the width that the numbers need. Rows are made of them
// at once, when all columns are there, so that a million photos cost each row one pass over memory and not one for
// every column.

/// The columns of files.
struct FileColumns {
  private var names: [UInt8] = []
  private var nameEnds: [Int32] = []
  private var folder: [Int32]?
  private var outcome: [Int32]?
  private var size: [Int64]?
  private var modified: [Int64]?
  private var inode: [Int64]?
  private var sidecars: [Int64]?

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "name": try readNames(&reader)
      case "folder": folder = try reader.column(0...Int32.max)
      case "outcome": outcome = try reader.column(0...Int32.max)
      case "size": size = try reader.column(.min ... .max)
      case "modified": modified = try reader.column(.min ... .max)
      case "inode": inode = try reader.column(.min ... .max)
      case "sidecars": sidecars = try reader.column(.min ... .max)
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readNames(_ reader: inout JSONReader) throws(JSONError) {
    names = []
    nameEnds = []
    nameEnds.reserveCapacity(folder?.count ?? 0)
    try reader.beginArray()
    while try reader.nextElement() {
      try reader.appendStringBytes(to: &names)
      guard let end = Int32(exactly: names.count) else {
        throw JSONError(offset: reader.offset, reason: "the names are longer than 2 GiB")
      }
      nameEnds.append(end)
    }
  }

  /// Makes rows, and gives the columns up.
  mutating func takeRows(
    folderCount: Int, outcomeCount: Int
  ) throws(IndexFormatError) -> (names: [UInt8], files: [PhotoIndex.File]) {
    let columns = self
    self = FileColumns()
    let count = columns.nameEnds.count
    func checked<Value>(
      _ key: String, _ column: [Value]?
    ) throws(IndexFormatError) -> [Value] {
      guard let column, column.count == count else {
        throw .damaged("the column files.\(key) is missing or has another length")
      }
      return column
    }
    let folder = try checked("folder", columns.folder)
    let outcome = try checked("outcome", columns.outcome)
    let (size, modified) = (
      try checked("size", columns.size), try checked("modified", columns.modified)
    )
    let inode = try checked("inode", columns.inode)
    // Documents of folders without sidecars may leave the column out.
    let sidecars = columns.sidecars == nil ? nil : try checked("sidecars", columns.sidecars)
    guard (folder.max() ?? -1) < folderCount else {
      throw .damaged("the column files.folder points nowhere")
    }
    guard (outcome.max() ?? -1) < outcomeCount else {
      throw .damaged("the column files.outcome points nowhere")
    }
    var files: [PhotoIndex.File] = []
    files.reserveCapacity(count)
    var nameStart: Int32 = 0
    for row in 0..<count {
      let nameEnd = columns.nameEnds[row]
      files.append(
        PhotoIndex.File(
          folder: folder[row], nameStart: nameStart, nameLength: nameEnd - nameStart,
          outcome: outcome[row], photo: -1,
          status: FileStatus(
            size: size[row], modified: modified[row], inode: UInt64(bitPattern: inode[row]),
            sidecarStamp: UInt64(bitPattern: sidecars?[row] ?? 0))))
      nameStart = nameEnd
    }
    return (columns.names, files)
  }
}

/// The columns of photos. Where a number is unknown, NaN or the least number of its width stands for it.
struct PhotoColumns {
  private var file: [Int32]?
  private var latitude: [Double]?
  private var longitude: [Double]?
  private var altitude: [Double]?
  private var horizontalAccuracy: [Double]?
  private var heading: [Double]?
  private var magnetic: [Bool]?
  private var captured: [Int64]?
  private var utcOffset: [Int16]?
  private var camera: [Int32]?
  private var rating: [Int8]?
  private var favorite: [Bool]?
  private var source: [PositionSource]?

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "file": file = try reader.column(0...Int32.max)
      case "latitude": latitude = try reader.column()
      case "longitude": longitude = try reader.column()
      case "altitude": altitude = try reader.column()
      case "horizontalAccuracy": horizontalAccuracy = try reader.column()
      case "heading": heading = try reader.column()
      case "magnetic": magnetic = try reader.column()
      case "captured": captured = try reader.column(.min ... .max, null: .min)
      case "utcOffset": utcOffset = try reader.column(-1440...1440, null: .min)
      case "camera": camera = try reader.column(0...Int32.max, null: -1)
      case "rating": rating = try reader.column(-1...5, null: .min)
      case "favorite": favorite = try reader.column()
      case "source": source = try reader.sources()
      default: try reader.skipValue()
      }
    }
  }

  /// Makes rows, ties them to their files, and gives the columns up. `located` is the place of the outcome that
  /// files with a photo have; `nil` where no file has it.
  mutating func takeRows(
    files: inout [PhotoIndex.File], located: Int32?, cameraCount: Int
  ) throws(IndexFormatError) -> [PhotoIndex.Photo] {
    let columns = self
    self = PhotoColumns()
    guard let file = columns.file else { throw .damaged("the column photos.file is missing") }
    func checked<Value>(
      _ key: String, _ column: [Value]?
    ) throws(IndexFormatError) -> [Value] {
      guard let column, column.count == file.count else {
        throw .damaged("the column photos.\(key) is missing or has another length")
      }
      return column
    }
    let latitude = try checked("latitude", columns.latitude)
    let longitude = try checked("longitude", columns.longitude)
    let altitude = try checked("altitude", columns.altitude)
    let accuracy = try checked("horizontalAccuracy", columns.horizontalAccuracy)
    let heading = try checked("heading", columns.heading)
    let magnetic = try checked("magnetic", columns.magnetic)
    let captured = try checked("captured", columns.captured)
    let utcOffset = try checked("utcOffset", columns.utcOffset)
    let (camera, rating) = (
      try checked("camera", columns.camera), try checked("rating", columns.rating)
    )
    let favorite = try checked("favorite", columns.favorite)
    let source = try checked("source", columns.source)
    guard (camera.max() ?? -1) < cameraCount else {
      throw .damaged("the column photos.camera points nowhere")
    }

    var photos: [PhotoIndex.Photo] = []
    photos.reserveCapacity(file.count)
    var previousFile: Int32 = -1
    for row in file.indices {
      let place = Int(file[row])
      guard file[row] > previousFile, place < files.count, files[place].outcome == located else {
        throw .damaged("photo \(row) belongs to no located file")
      }
      guard let coordinate = Coordinate(latitude: latitude[row], longitude: longitude[row]) else {
        throw .damaged("photo \(row) has no valid position")
      }
      previousFile = file[row]
      files[place].photo = Int32(row)
      photos.append(
        PhotoIndex.Photo(
          file: file[row], camera: camera[row], coordinate: coordinate,
          capturedMilliseconds: captured[row], utcOffsetMinutes: utcOffset[row],
          altitude: altitude[row], accuracy: accuracy[row],
          heading: (0...360).contains(heading[row]) ? heading[row] : .nan,
          isMagnetic: magnetic[row], stars: rating[row], isFavorite: favorite[row],
          positionSource: source[row]))
    }
    return photos
  }
}

extension JSONReader {
  /// Reads an array of whole numbers in a range. `null` is what stands for `null`, which is an error where that is
  /// `nil`.
  fileprivate mutating func column<Value: FixedWidthInteger>(
    _ range: ClosedRange<Value>, null: Value? = nil
  ) throws(JSONError) -> [Value] {
    var column: [Value] = []
    let start = offset
    try integers(null: null == nil ? nil : Int64.min) { batch throws(JSONError) in
      for number in batch {
        if let null, number == .min {
          column.append(null)
        } else if let value = Value(exactly: number), range.contains(value) {
          column.append(value)
        } else {
          throw JSONError(offset: start, reason: "a number of the column is out of range")
        }
      }
    }
    return column
  }

  /// Reads an array of numbers; NaN stands for `null`.
  fileprivate mutating func column() throws(JSONError) -> [Double] {
    var column: [Double] = []
    try doubles { column.append(contentsOf: $0) }
    return column
  }

  fileprivate mutating func column() throws(JSONError) -> [Bool] {
    var column: [Bool] = []
    try booleans { column.append(contentsOf: $0) }
    return column
  }

  /// Reads an array of sources, of which mostly each is the one before it.
  fileprivate mutating func sources() throws(JSONError) -> [PositionSource] {
    var sources: [PositionSource] = []
    var (name, last): ([UInt8], [UInt8]) = ([], [])
    try beginArray()
    while try nextElement() {
      name.removeAll(keepingCapacity: true)
      try appendStringBytes(to: &name)
      if let source = sources.last, name == last {
        sources.append(source)
        continue
      }
      guard let source = PositionSource(rawValue: String(decoding: name, as: UTF8.self)) else {
        throw JSONError(offset: offset, reason: "an unknown source")
      }
      sources.append(source)
      last = name
    }
    return sources
  }
}
