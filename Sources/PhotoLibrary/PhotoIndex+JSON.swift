import Interchange
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

// The document, version 1. Columns, because they load several times faster than rows and are half as long.
//
// format       "photospots-index"
// version      1
// generator    the program that wrote it
// updated      when (ISO 8601)
// roots        [{path, stale, fullyRead, rereadSince}]
// outcomes     the different outcomes of files, as text
// cameras      the different cameras, as [make, model]
// focalLengths the different focal lengths, as [mm, mm on 35 mm film]; may be missing
// folders      the absolute paths of folders
// files        columns, a row a file: folder (place in folders), name, size (bytes), modified (ns since 1970),
//              inode and sidecars (64 bits, signed; a stamp of the sidecars' sizes and times, 0 for none),
//              outcome (place in outcomes)
// reread       [[first, behind the last], …]: the files, as places in files, that a re-read of a root reached
//              which was ended before it was done; may be missing
// photos       columns, a row a located photo: file (place in files), latitude, longitude (degrees), altitude,
//              horizontalAccuracy (m), heading (degrees), magnetic, captured (ms since 1970), utcOffset
//              (minutes), camera (place in cameras), rating, favorite, source, focalLength (place in
//              focalLengths; the column may be missing); null where unknown
// shots        [[file, …]]: the files of each shot that has several, as places in files, first the one that
//              stands for it; where the member is missing the shots are found anew

/// Why a text is no index.
enum IndexFormatError: Error {
  case damaged(String)
  case newer(Int64)
  /// It can only be read with what tells whether files changed.
  case statusesNeeded
}

extension PhotoIndex {
  /// What the first member of the document says.
  static let format = "photospots-index"

  // MARK: - Writing

  /// Writes the index as JSON, in parts of about a megabyte.
  ///
  /// - Precondition: The index was not read for questions only.
  func writeJSON<E: Error>(to write: ([UInt8]) throws(E) -> Void) throws(E) {
    precondition(statuses.count == files.count)
    var writer = JSONWriter()
    try writer.object { (writer) throws(E) in
      writer.member("format", Self.format)
      writer.member("version", PhotoIndexCache.version)
      writer.member("generator", "photospots \(PhotoSpotsVersion.current)")
      writer.member("updated", updated?.iso8601)
      writeRoots(to: &writer)
      try writer.column("outcomes", outcomes.values, write) { $0.string($1.text) }
      try writer.column("cameras", cameras.values, write) { writer, camera in
        writer.array { writer in
          writer.optional(camera.make) { $0.string($1) }
          writer.optional(camera.model) { $0.string($1) }
        }
      }
      try writer.column("focalLengths", focalLengths.values, write) { writer, focalLength in
        writer.array { writer in
          writer.optional(focalLength.millimeters) { $0.number($1) }
          writer.optional(focalLength.millimetersOn35mmFilm) { $0.integer($1) }
        }
      }
      try writer.column("folders", folders, write) { $0.string(bytes: $1) }
      try writeFiles(to: &writer, write)
      reread.write(to: &writer)
      try writePhotos(to: &writer, write)
      try writer.column("shots", 0..<Int32(shots.count), write) { writer, shot in
        writer.array { writer in for file in shots[shot] { writer.integer(file) } }
      }
    }
    writer.newline()
    try write(writer.takeBytes())
  }

  private func writeRoots(to writer: inout JSONWriter) {
    writer.array("roots") { writer in
      for root in roots {
        writer.object { writer in
          writer.key("path")
          writer.string(bytes: root.path.bytes)
          writer.member("stale", root.isStale)
          writer.member("fullyRead", root.fullyRead?.iso8601)
          writer.member("rereadSince", root.rereadSince?.iso8601)
        }
      }
    }
  }

  private func writeFiles<E: Error>(
    to writer: inout JSONWriter, _ write: ([UInt8]) throws(E) -> Void
  ) throws(E) {
    try writer.object("files") { (writer) throws(E) in
      try writer.column("folder", files, write) { $0.integer($1.folder) }
      try writer.column("name", files, write) { $0.string(bytes: name(of: $1)) }
      try writer.column("size", statuses, write) { $0.integer($1.size) }
      try writer.column("modified", statuses, write) { $0.integer($1.modified) }
      try writer.column("inode", statuses, write) { $0.integer(Int64(bitPattern: $1.inode)) }
      try writer.column("sidecars", statuses, write) {
        $0.integer(Int64(bitPattern: $1.sidecarStamp))
      }
      try writer.column("outcome", files, write) { $0.integer($1.outcome) }
    }
  }

  private func writePhotos<E: Error>(
    to writer: inout JSONWriter, _ write: ([UInt8]) throws(E) -> Void
  ) throws(E) {
    try writer.object("photos") { (writer) throws(E) in
      try writer.column("file", photos, write) { $0.integer($1.file) }
      try writer.column("latitude", photos, write) { $0.number($1.coordinate.latitude) }
      try writer.column("longitude", photos, write) { $0.number($1.coordinate.longitude) }
      try writer.column("altitude", photos, write) { writer, photo in
        writer.optional(photo.altitudeMeters) { $0.number($1) }
      }
      try writer.column("horizontalAccuracy", photos, write) { writer, photo in
        writer.optional(photo.horizontalAccuracyMeters) { $0.number($1) }
      }
      try writer.column("heading", photos, write) { writer, photo in
        writer.optional(photo.heading?.degrees) { $0.number($1) }
      }
      try writer.column("magnetic", photos, write) { $0.boolean($1.heading?.isMagnetic ?? false) }
      try writer.column("captured", photos, write) { writer, photo in
        writer.optional(photo.captured?.instant.millisecondsSince1970) { $0.integer($1) }
      }
      try writer.column("utcOffset", photos, write) { writer, photo in
        writer.optional(photo.captured?.utcOffsetMinutes) { $0.integer($1) }
      }
      try writer.column("camera", photos, write) { writer, photo in
        writer.optional(photo.camera < 0 ? nil : photo.camera) { $0.integer($1) }
      }
      try writer.column("rating", photos, write) { writer, photo in
        writer.optional(photo.rating) { $0.integer($1) }
      }
      try writer.column("favorite", photos, write) { $0.boolean($1.isFavorite) }
      try writer.column("source", photos, write) { $0.string($1.positionSource.rawValue) }
      try writer.column("focalLength", photos, write) { writer, photo in
        writer.optional(photo.focalLength < 0 ? nil : photo.focalLength) { $0.integer($1) }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a member that is an array, handing over the text whenever it is a megabyte long.
  fileprivate mutating func column<Row, E: Error>(
    _ key: String, _ rows: some Sequence<Row>, _ write: ([UInt8]) throws(E) -> Void,
    _ element: (inout JSONWriter, Row) -> Void
  ) throws(E) {
    try array(key) { (writer) throws(E) in
      for row in rows {
        element(&writer, row)
        if writer.bytes.count >= 1 << 20 { try write(writer.takeBytes()) }
      }
    }
  }

  /// Writes a value, or `null` where there is none.
  fileprivate mutating func optional<Value>(
    _ value: Value?, _ element: (inout JSONWriter, Value) -> Void
  ) {
    if let value { element(&self, value) } else { null() }
  }
}
