import CivilTime
import Encodings
package import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
package import SystemPackage

/// The file that holds the pages of a walk until the walk is in the index, so that an interrupted
/// walk can be continued. It is NDJSON: a head, then one line per page, written to disk before the
/// next page is requested.
package final class WalkSpool: Sendable {
  private static let format = "photospots-remote-walk"
  /// The version of the format. Files of other versions are discarded, and their walks begin again.
  private static let version: Int64 = 2
  /// The maximum length of the file in bytes; longer files are not read.
  private static let limit = 4 << 30

  private let file: FileDescriptor
  /// The walk after the last complete line.
  package let walk: any RemoteWalk
  /// The content of the pages.
  package let walked: WalkedLibrary
  /// Whether pages of an earlier run were found.
  package let isResumed: Bool

  /// Opens or creates the file of a library and reads its pages. Pages from another anchor are
  /// discarded, and so is a cut-off line at the end.
  package init(
    _ path: FilePath, of library: RemoteLibrary, from anchor: String?
  ) throws(Errno) {
    let file = try Disk.openToAppend(
      path, of: FileSignature(format: Self.format), createsFile: true)
    let contents: SpoolContents
    do throws(Errno) {
      let head = Self.head(library, anchor)
      contents = SpoolContents(
        try Disk.readToEnd(path, limit: Self.limit), head: head, library, anchor)
      try Disk.truncate(file, to: Int64(contents.length))
      if contents.length == 0 { try Disk.write(head, to: file) }
    } catch {
      Disk.close(file)
      throw error
    }
    self.file = file
    walked = contents.walked
    isResumed = contents.walk != nil
    walk = contents.walk ?? library.walk.init(library, from: anchor)
  }

  deinit { Disk.close(file) }

  /// Appends a page and the state of the walk after it, and synchronises the file.
  package func append(_ page: RemotePage, _ walk: any RemoteWalk) throws(Errno) {
    var writer = JSONWriter()
    page.write(to: &writer, walk)
    writer.newline()
    try Disk.write(writer.bytes, to: file)
    try Disk.synchronize(file)
  }

  /// Removes the file, after the walk is in the index or to begin a new one.
  package static func remove(_ path: FilePath) { Disk.discard(path) }

  private static func head(_ library: RemoteLibrary, _ anchor: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", format)
      writer.member("version", version)
      writer.member("library", library.description)
      writer.member("anchor", anchor)
    }
    writer.newline()
    return writer.bytes
  }
}

/// The complete lines of a spool file.
package struct SpoolContents {
  /// The walk after the last page; `nil` where there is no page.
  package private(set) var walk: (any RemoteWalk)?
  /// The content of the pages.
  package private(set) var walked = WalkedLibrary()
  /// The length in bytes of the head and the valid lines.
  package private(set) var length = 0

  /// Reads a spool file up to its first invalid line; a file with another head counts as empty.
  package init(
    _ bytes: [UInt8], head: [UInt8], _ library: RemoteLibrary, _ anchor: String?
  ) {
    guard bytes.starts(with: head) else { return }
    length = head.count
    while let end = bytes[length...].firstIndex(of: UInt8(ascii: "\n")) {
      var reader = JSONReader(bytes, range: length..<end)
      do throws(JSONError) {
        guard let (page, walk) = try RemotePage.read(&reader, library, anchor) else { return }
        try reader.end()
        _ = walked.add(page)
        self.walk = walk
      } catch { return }
      length = end + 1
    }
  }
}

extension RemotePage {
  fileprivate func write(to writer: inout JSONWriter, _ walk: any RemoteWalk) {
    writer.object { writer in
      writer.array("records") { writer in
        for record in records { record.write(to: &writer) }
      }
      writer.array("removed") { writer in for id in removed { writer.string(id) } }
      writer.array("albums") { writer in
        for membership in albums {
          writer.array { writer in
            writer.string(membership.id)
            writer.string(membership.album)
          }
        }
      }
      writer.key("state")
      walk.write(to: &writer)
    }
  }

  fileprivate static func read(
    _ reader: inout JSONReader, _ library: RemoteLibrary, _ anchor: String?
  ) throws(JSONError) -> (RemotePage, any RemoteWalk)? {
    var page = RemotePage()
    var walk: (any RemoteWalk)?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "records":
        try reader.beginArray()
        while try reader.nextElement() { page.records.append(try RemoteRecord(from: &reader)) }
      case "removed":
        try reader.beginArray()
        while try reader.nextElement() { page.removed.append(try reader.string()) }
      case "albums":
        for pair in try reader.pairs() { page.albums.append(.init(id: pair.0, album: pair.1)) }
      case "state":
        guard let read = library.walk.init(library, from: anchor, state: &reader) else {
          return nil
        }
        walk = read
      default: try reader.skipValue()
      }
    }
    return walk.map { (page, $0) }
  }
}

extension RemoteRecord {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("size", size)
      writer.member("version", version)
      writer.member("shown", isShown)
      writer.member("latitude", properties.coordinate?.latitude)
      writer.member("longitude", properties.coordinate?.longitude)
      writer.member("altitude", properties.altitudeMeters)
      writer.member("captured", properties.captured?.instant.millisecondsSince1970)
      writer.member("utcOffset", properties.captured?.utcOffsetMinutes)
      writer.member("make", properties.make)
      writer.member("model", properties.model)
      writer.member("focalLength", properties.focalLength?.millimeters)
      writer.member("caption", properties.caption)
      writer.member("rating", properties.rating)
      writer.member("favorite", properties.isFavorite)
    }
  }

  fileprivate init(from reader: inout JSONReader) throws(JSONError) {
    let record = try JSONObject(&reader)
    let id = try record.string("id") ?? ""
    guard RemotePhoto.isID(id.utf8) else { throw record.error("an asset has no id") }
    var properties = PhotoProperties()
    properties.set(
      latitude: try record.double("latitude"), longitude: try record.double("longitude"))
    properties.altitudeMeters = try record.double("altitude")
    let offset = try record.int("utcOffset").flatMap { abs($0) <= 900 ? $0 : nil }
    let captured = try record.integer("captured").map { Instant(millisecondsSince1970: $0) }
    properties.set(captured: captured.map { CaptureTime(instant: $0, utcOffsetMinutes: offset) })
    properties.make = try record.string("make")
    properties.model = try record.string("model")
    properties.focalLength = FocalLength(
      millimeters: try record.double("focalLength"), millimetersOn35mmFilm: nil)
    properties.caption = PhotoText.ofPerson(try record.string("caption"))
    properties.rating = try record.int("rating").flatMap { (-1...5).contains($0) ? $0 : nil }
    properties.isFavorite = try record.boolean("favorite") ?? false
    self.init(
      id: id, name: try record.string("name") ?? "", size: max(0, try record.integer("size") ?? 0),
      version: try record.integer("version") ?? 0, isShown: try record.boolean("shown") ?? true,
      properties: properties)
  }
}
