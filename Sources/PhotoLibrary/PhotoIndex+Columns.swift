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
  /// The columns of what tells that a file is unchanged.
  private var statuses: [String: StatusColumn] = [:]
  private let includesStatuses: Bool
  /// As many as the first column has.
  private var expectedCount: Int { folder?.count ?? nameEnds.count }

  private struct StatusColumn {
    let count: Int
    /// None where the column was passed over.
    let numbers: [Int64]
  }

  init(includingStatuses includesStatuses: Bool) {
    self.includesStatuses = includesStatuses
  }

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "name":
        (names, nameEnds) = ([], [])
        nameEnds.reserveCapacity(expectedCount)
        try reader.strings(onto: &names, ends: &nameEnds)
      case "folder": folder = try reader.column(0...Int32.max, expectedCount)
      case "outcome": outcome = try reader.column(0...Int32.max, expectedCount)
      case "size", "modified", "inode", "sidecars":
        if includesStatuses {
          let numbers: [Int64] = try reader.column(.min ... .max, expectedCount)
          statuses[key] = StatusColumn(count: numbers.count, numbers: numbers)
        } else {
          statuses[key] = StatusColumn(count: try reader.skipIntegers(), numbers: [])
        }
      default: try reader.skipValue()
      }
    }
  }

  /// Makes rows, and gives the columns up.
  mutating func takeRows(
    folderCount: Int, outcomeCount: Int
  ) throws(IndexFormatError) -> Rows {
    let columns = self
    self = FileColumns(includingStatuses: includesStatuses)
    let count = columns.nameEnds.count
    func checked(_ key: String, _ column: [Int32]?) throws(IndexFormatError) -> [Int32] {
      guard let column, column.count == count else { throw Self.misfit(key) }
      return column
    }
    let folder = try checked("folder", columns.folder)
    let outcome = try checked("outcome", columns.outcome)
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
          outcome: outcome[row], photo: -1))
      nameStart = nameEnd
    }
    return Rows(names: columns.names, files: files, statuses: try columns.statusRows(count))
  }

  /// What the columns make.
  struct Rows {
    let names: [UInt8]
    var files: [PhotoIndex.File]
    let statuses: [FileStatus]
  }

  private static func misfit(_ key: String) -> IndexFormatError {
    .damaged("the column files.\(key) is missing or has another length")
  }

  private func statusRows(_ count: Int) throws(IndexFormatError) -> [FileStatus] {
    func checked(_ key: String) throws(IndexFormatError) -> [Int64] {
      guard let column = statuses[key], column.count == count else { throw Self.misfit(key) }
      return column.numbers
    }
    let (size, modified, inode) = (
      try checked("size"), try checked("modified"), try checked("inode")
    )
    // Documents of folders without sidecars may leave the column out.
    let sidecars = statuses["sidecars"] == nil ? nil : try checked("sidecars")
    guard includesStatuses else { return [] }
    return (0..<count).map { row in
      FileStatus(
        size: size[row], modified: modified[row], inode: UInt64(bitPattern: inode[row]),
        sidecarStamp: UInt64(bitPattern: sidecars?[row] ?? 0))
    }
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
  private var focalLength: [Int16]?
  /// As many as the first column has.
  private var expectedCount: Int { file?.count ?? 0 }

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "file": file = try reader.column(0...Int32.max, expectedCount)
      case "latitude": latitude = try reader.column(expectedCount)
      case "longitude": longitude = try reader.column(expectedCount)
      case "altitude": altitude = try reader.column(expectedCount)
      case "horizontalAccuracy": horizontalAccuracy = try reader.column(expectedCount)
      case "heading": heading = try reader.column(expectedCount)
      case "magnetic": magnetic = try reader.column(expectedCount)
      case "captured": captured = try reader.column(.min ... .max, null: .min, expectedCount)
      case "utcOffset": utcOffset = try reader.column(-1440...1440, null: .min, expectedCount)
      case "camera": camera = try reader.column(0...Int32.max, null: -1, expectedCount)
      case "rating": rating = try reader.column(-1...5, null: .min, expectedCount)
      case "favorite": favorite = try reader.column(expectedCount)
      case "source": source = try reader.sources()
      case "focalLength":
        focalLength = try reader.column(0...Int16.max, null: -1, expectedCount)
      default: try reader.skipValue()
      }
    }
  }

  /// Makes rows, ties them to their files, and gives the columns up. `located` is the place of the outcome that
  /// files with a photo have; `nil` where no file has it.
  mutating func takeRows(
    files: inout [PhotoIndex.File], located: Int32?, cameraCount: Int, focalLengthCount: Int
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
    // Documents of earlier programs have none.
    let focalLength =
      columns.focalLength == nil ? nil : try checked("focalLength", columns.focalLength)
    guard (focalLength?.max() ?? -1) < focalLengthCount else {
      throw .damaged("the column photos.focalLength points nowhere")
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
          positionSource: source[row], focalLength: focalLength?[row] ?? -1))
    }
    return photos
  }
}

extension JSONReader {
  /// Reads an array of whole numbers in a range. `null` is what stands for `null`, which is an error where that is
  /// `nil`.
  fileprivate mutating func column<Value: FixedWidthInteger>(
    _ range: ClosedRange<Value>, null: Value? = nil, _ expectedCount: Int
  ) throws(JSONError) -> [Value] {
    var column: [Value] = []
    column.reserveCapacity(expectedCount)
    let start = offset
    let range = Int64(range.lowerBound)...Int64(range.upperBound)
    try integers(null: null == nil ? nil : Int64.min) { batch throws(JSONError) in
      var isInRange = true
      let values = [Value](unsafeUninitializedCapacity: batch.count) { values, count in
        for number in batch {
          isInRange = isInRange && (range.contains(number) || (number == .min && null != nil))
          let value = number == .min ? null ?? .min : Value(truncatingIfNeeded: number)
          values.initializeElement(at: count, to: value)
          count += 1
        }
      }
      guard isInRange else {
        throw JSONError(offset: start, reason: "a number of the column is out of range")
      }
      column.append(contentsOf: values)
    }
    return column
  }

  /// Reads an array of numbers; NaN stands for `null`.
  fileprivate mutating func column(_ expectedCount: Int) throws(JSONError) -> [Double] {
    var column: [Double] = []
    column.reserveCapacity(expectedCount)
    try doubles { column.append(contentsOf: $0) }
    return column
  }

  fileprivate mutating func column(_ expectedCount: Int) throws(JSONError) -> [Bool] {
    var column: [Bool] = []
    column.reserveCapacity(expectedCount)
    try booleans { column.append(contentsOf: $0) }
    return column
  }

  /// Reads an array of sources, of which mostly each is the one before it.
  fileprivate mutating func sources() throws(JSONError) -> [PositionSource] {
    var (names, ends): ([UInt8], [Int32]) = ([], [])
    let columnStart = offset
    try strings(onto: &names, ends: &ends)
    var sources: [PositionSource] = []
    sources.reserveCapacity(ends.count)
    var (start, last) = (0, 0..<0)
    for end in ends {
      let name = start..<Int(end)
      if let source = sources.last, names[name] == names[last] {
        sources.append(source)
      } else if let source = PositionSource(rawValue: String(decoding: names[name], as: UTF8.self))
      {
        sources.append(source)
      } else {
        throw JSONError(offset: columnStart, reason: "an unknown source")
      }
      (start, last) = (name.upperBound, name)
    }
    return sources
  }
}
