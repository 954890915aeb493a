import Encodings
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

/// A list of photos that osxphotos has exported from an Apple Photos library.
///
/// Source: osxphotos, `PhotoInfo.asdict` and `PhotoInfo.json` (osxphotos/photoinfo.py): an array of
/// objects, in which unknown members are ignored.
enum OSXPhotosDocument {
  /// The maximum size of a file in bytes.
  static let maximumSize: Int64 = 16 << 30
  private static let maximumStringLength = 64 << 20

  /// Reads a file in pieces.
  static func read(_ path: FilePath) throws(PositionImportError) -> PositionRecords {
    let file: FileDescriptor
    do throws(Errno) {
      file = try Disk.openRegularFile(path, limit: maximumSize)
    } catch { throw .unreadable(error) }
    defer { Disk.close(file) }
    var failure: Errno?
    var reader = JSONReader(maximumStringLength: maximumStringLength) { buffer in
      do throws(Errno) { return try Disk.read(file, into: buffer) } catch {
        failure = error
        return 0
      }
    }
    let result = Result { () throws(PositionImportError) in try records(&reader) }
    if let failure { throw .unreadable(failure) }
    return try result.get()
  }

  /// Reads a document.
  static func records(_ reader: inout JSONReader) throws(PositionImportError) -> PositionRecords {
    var records = PositionRecords(.applePhotos)
    // Until the first photo is recognized, an error means that the file is of another kind.
    var isRecognised = false
    do throws(JSONError) {
      guard try reader.peek() == .array else { throw JSONError(offset: 0, reason: "") }
      try reader.beginArray()
      var count = 0
      while try reader.nextElement() {
        guard try add(&reader, to: &records) else { throw JSONError(offset: 0, reason: "") }
        isRecognised = true
        count += 1
        guard count <= PositionRecords.maximumCount else {
          throw JSONError(
            offset: reader.offset, reason: "more than \(PositionRecords.maximumCount) photos")
        }
      }
      try reader.end()
    } catch {
      guard isRecognised, !error.reason.isEmpty else { throw .unknown }
      throw .damaged("\(error)")
    }
    // An empty list may be the answer to a query that finds nothing.
    return records
  }

  /// Reads a photo. Returns `false` if the object is not a photo.
  private static func add(
    _ reader: inout JSONReader, to records: inout PositionRecords
  ) throws(JSONError) -> Bool {
    guard try reader.peek() == .object else { return false }
    try reader.beginObject()
    var hasIdentity = false
    var isInTrash = false
    var latitude: Double?
    var longitude: Double?
    var path: RecordedPath?
    var otherPaths: [RecordedPath] = []
    var name: [UInt8]?
    var captured: CaptureTime?
    var size: Int64?
    while let key = try reader.nextKey() {
      switch key {
      case "uuid": hasIdentity = try text(&reader) != nil
      case "latitude": latitude = try number(&reader)
      case "longitude": longitude = try number(&reader)
      case "path": path = try text(&reader).flatMap { RecordedPath($0) }
      case "path_raw", "path_edited", "path_live_photo":
        if let other = try text(&reader).flatMap({ RecordedPath($0) }) { otherPaths.append(other) }
      case "original_filename": name = try text(&reader)
      case "date": captured = try text(&reader).flatMap { CaptureTime(recorded: $0) }
      case "original_filesize":
        size = try number(&reader).flatMap { $0 >= 1 && $0 < 1e15 ? Int64(saturating: $0) : nil }
      case "intrash":
        if try reader.peek() == .boolean {
          isInTrash = try reader.boolean()
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard hasIdentity, let name else { return false }
    guard !isInTrash, latitude != nil || longitude != nil,
      let coordinate = records.coordinate(latitude, longitude)
    else { return true }
    // A photo that is only in the cloud has a name but no path.
    guard let paths = path.map({ [$0] }) ?? RecordedPath(name).map({ [$0] }) else {
      records.pathlessCount += 1
      return true
    }
    records.photos.append(
      RecordedPhoto(
        paths: paths + otherPaths.prefix(3), names: path == nil ? [] : [name], size: size,
        captured: captured, coordinate: coordinate))
    return true
  }

  private static func text(_ reader: inout JSONReader) throws(JSONError) -> [UInt8]? {
    guard try reader.peek() == .string else {
      try reader.skipValue()
      return nil
    }
    let bytes = try reader.stringBytes()
    return bytes.isEmpty || bytes.count > RecordedPath.maximumLength ? nil : bytes
  }

  private static func number(_ reader: inout JSONReader) throws(JSONError) -> Double? {
    guard try reader.peek() == .number else {
      try reader.skipValue()
      return nil
    }
    return try reader.double()
  }
}
