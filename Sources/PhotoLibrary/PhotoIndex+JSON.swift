import CivilTime
import Interchange
import PhotoMetadata
import Storage
import SystemPackage

// The document, version 3. Columns, because they load several times faster than rows and are half
// as long.
//
// format       "photospots-index"
// version      3; in version 1 there were no spots, in version 2 no positions from elsewhere than
//              files, and no unlocated
// generator    the program that wrote it
// updated      when (ISO 8601)
// roots        [{path, stale, fullyRead, rereadSince, anchor}]; anchor: of remote libraries alone
// outcomes     the different outcomes of files, as text
// cameras      the different cameras, as [make, model]
// focalLengths the different focal lengths, as [mm, mm on 35 mm film]; may be missing
// folders      the absolute paths of folders
// files        columns, a row a file: see FileTable
// reread       [[first, behind the last], …]: the files, as places in files, that an interrupted
//              re-read of a root had reached; may be missing
// photos       columns, a row a located photo: see PhotoTable; null where unknown
// unlocated    columns, a row a photo without a position: see UnlocatedTable; may be missing
// shots        [[file, …]]: the files of each shot that has several, as places in files, the one
//              that stands for it first; if the member is missing, the shots are found again
// spots        clusterRadius (m), and columns, a row a spot: see SpotTable. They are for other
//              programs: this one makes them from the photos

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

  /// Writes the index as JSON, in parts of about a megabyte.
  ///
  /// - Precondition: The index was not read for questions only.
  func writeJSON(to sink: IndexSink) throws(Errno) {
    precondition(files.hasStatuses)
    var writer = JSONWriter()
    try writer.object { (writer) throws(Errno) in
      writer.member("format", Self.format)
      writer.member("version", PhotoIndexCache.version)
      writer.member("generator", "photospots \(PhotoSpotsVersion.current)")
      writeHead(to: &writer)
      try writer.array("folders") { (writer) throws(Errno) in
        try folders.write(to: &writer, sink)
      }
      try files.write(to: &writer, sink)
      reread.write(to: &writer)
      try photos.write(to: &writer, sink)
      try unlocated.write(to: &writer, sink)
      try writer.array("shots") { (writer) throws(Errno) in
        try shots.members.write(to: &writer, sink)
      }
      if let madeSpots {
        try madeSpots.write(to: &writer, sink) { writer in
          writer.member("clusterRadius", madeSpots.clusterRadiusMeters)
        }
      }
    }
    writer.newline()
    try sink(writer.takeBytes())
  }

  /// Writes the small members, which the mapped file has as JSON too.
  func writeHead(to writer: inout JSONWriter) {
    writer.member("updated", updated?.iso8601)
    writeRoots(to: &writer)
    writer.array("outcomes") { writer in
      for outcome in outcomes.values { writer.string(outcome.text) }
    }
    writer.array("cameras") { writer in
      for camera in cameras.values {
        writer.array { writer in
          writer.optional(camera.make) { $0.string($1) }
          writer.optional(camera.model) { $0.string($1) }
        }
      }
    }
    writer.array("focalLengths") { writer in
      for focalLength in focalLengths.values {
        writer.array { writer in
          writer.optional(focalLength.millimeters) { $0.number($1) }
          writer.optional(focalLength.millimetersOn35mmFilm) { $0.integer($1) }
        }
      }
    }
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
          writer.member("anchor", root.anchor)
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a value, or `null` where there is none.
  fileprivate mutating func optional<Value>(
    _ value: Value?, _ element: (inout JSONWriter, Value) -> Void
  ) {
    if let value { element(&self, value) } else { null() }
  }
}
