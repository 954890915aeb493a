import CivilTime
import Encodings
import PhotoMetadata
import Storage
import SystemPackage

// The document, version 3. It stores columns, because they load several times faster than rows and
// take half the space.
//
//   format       "photospots-index"
//   version      3; version 1 had no spots; version 2 had neither given positions (not from files)
//                nor `unlocated`
//   generator    the program that wrote it
//   updated      the time of the last change (ISO 8601)
//   roots        [{path, stale, fullyRead, rereadSince, anchor, volumes, unread, options}];
//                anchor: only of remote libraries; volumes: [[path, device], …], the folder and
//                each folder inside it that is on another file system than the folder above it;
//                unread: the paths of what the last scan could not read inside; options: [{path,
//                exclude, include, tracks, cameraClock}], those given for the folder or a folder
//                inside it, lists of texts; these three may be missing
//   outcomes     the distinct outcomes of files, as text
//   cameras      the distinct cameras, as [make, model]
//   focalLengths the distinct focal lengths, as [mm, 35 mm equivalent in mm]; may be missing
//   captions     the distinct titles and captions of photos, a line each; may be missing
//   folders      the absolute paths of folders
//   files        columns, one row per file: see FileTable
//   reread       [[first, end), …]: ranges of rows of files that an interrupted re-read of a root
//                has already read; may be missing
//   photos       columns, one row per located photo: see PhotoTable; null where unknown
//   unlocated    columns, one row per photo without a position: see UnlocatedTable; may be missing
//   shots        [[file, …]]: the files of each shot with several files, as rows of files, the
//                representative file first; if the member is missing, the shots are found again
//   spots        clusterRadius (m), and columns, one row per spot: see SpotTable. For other
//                programs only: this program computes them from the photos

/// A reason why a text cannot be read as an index.
enum IndexFormatError: Error {
  case damaged(String)
  case newer(Int64)
  /// The document can only be read together with the sizes and times of files.
  case statusesNeeded
}

extension PhotoIndex {
  /// The value of the document's first member.
  static let format = "photospots-index"

  /// Writes the index as JSON, in chunks of about a megabyte.
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
      try writer.array("captions") { (writer) throws(Errno) in
        try captions.texts.write(to: &writer, sink)
      }
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
      if let computedSpots {
        try computedSpots.write(to: &writer, sink) { writer in
          writer.member("clusterRadius", computedSpots.clusterRadiusMeters)
        }
      }
    }
    writer.newline()
    try sink(writer.takeBytes())
  }

  /// Writes the small members, which the mapped file stores as JSON too.
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
          if !root.volumes.isEmpty {
            writer.array("volumes") { writer in
              for volume in root.volumes {
                writer.array { writer in
                  writer.string(bytes: volume.path)
                  writer.integer(Int64(bitPattern: volume.device))
                }
              }
            }
          }
          if !root.unread.isEmpty {
            writer.array("unread") { writer in
              for path in root.unread { writer.string(bytes: path.bytes) }
            }
          }
          root.options.write(to: &writer)
        }
      }
    }
  }
}

extension FolderOptions.ByFolder {
  /// Writes the options as a member of a root, unless there are none.
  fileprivate func write(to writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.array("options") { writer in
      for (path, options) in sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
        writer.object { writer in
          writer.key("path")
          writer.string(bytes: path.bytes)
          for (key, texts) in [
            ("exclude", options.excludes.map { Array($0.utf8) }),
            ("include", options.includes.map { Array($0.utf8) }),
            ("tracks", options.tracks.map(\.stored)),
            ("cameraClock", options.cameraClocks.map { Array($0.utf8) }),
          ] where !texts.isEmpty {
            writer.array(key) { writer in for text in texts { writer.string(bytes: text) } }
          }
          if let owner = options.trackOwner { writer.member("trackOwner", owner) }
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a value, or `null` for `nil`.
  fileprivate mutating func optional<Value>(
    _ value: Value?, _ element: (inout JSONWriter, Value) -> Void
  ) {
    if let value { element(&self, value) } else { null() }
  }
}
