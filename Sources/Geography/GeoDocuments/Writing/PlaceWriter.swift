import Encodings

/// Writes places in the formats of other programs, in parts that are not held in memory together.
package enum PlaceWriter {
  /// The supported formats. ``PlaceFormat/json`` and ``PlaceFormat/zip`` contain this program's own
  /// document, which is written elsewhere.
  package static let formats: [PlaceFormat] = [.csv, .gpx, .kml, .kmz, .geojson]

  /// The name of the document in an archive of KML (OGC 07-147r2, annex C).
  package static let mapName = "doc.kml"

  /// The length in bytes from which a part is written.
  static let partSize = 1 << 16

  /// Writes places.
  ///
  /// Fields without an equivalent in a format are written to an element or property of this
  /// program's own, so that ``PlaceReading`` returns the same records.
  ///
  /// - Parameters:
  ///   - records: The places.
  ///   - format: One of ``formats``.
  ///   - write: Receives the text part by part.
  /// - Throws: The error of `write`.
  /// - Complexity: O(*n*), where *n* is the size of the text; O(*n* log *n*) for KML.
  package static func write<Failure: Error>(
    _ records: [PlaceRecord], as format: PlaceFormat,
    _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    switch format {
    case .csv: try CSVPlaceWriter.write(records, write)
    case .gpx: try GPXPlaceWriter.write(records, write)
    case .kml: try KMLPlaceWriter.write(records, write)
    case .geojson: try GeoJSONPlaceWriter.write(records, write)
    case .kmz:
      var text: [UInt8] = []
      KMLPlaceWriter.write(records) { text += $0 }
      var archive = ZipWriter()
      try write(archive.file(mapName, text))
      try write(archive.finish())
    default: preconditionFailure("the caller writes this program's own document")
    }
  }

  /// Writes a text for each record, combined into parts of at least 64 KiB.
  static func parts<Failure: Error>(
    _ records: some Sequence<PlaceRecord>, _ write: ([UInt8]) throws(Failure) -> Void,
    _ text: (PlaceRecord) -> String
  ) throws(Failure) {
    var part: [UInt8] = []
    for record in records {
      part += text(record).utf8
      if part.count >= partSize {
        try write(part)
        part.removeAll(keepingCapacity: true)
      }
    }
    if !part.isEmpty { try write(part) }
  }
}
