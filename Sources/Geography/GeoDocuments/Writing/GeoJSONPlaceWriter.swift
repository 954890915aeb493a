import CivilTime
import Encodings
import Spatial

/// Writes places as features of GeoJSON.
enum GeoJSONPlaceWriter {
  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    // The importer accepts ids of places only from files with this generator.
    try writer.featureCollection(generator: "photospots") { writer throws(Failure) in
      for record in records {
        writer.feature(id: record.ownID, at: record.coordinate) { writer in
          properties(of: record, to: &writer)
        }
        if writer.bytes.count >= PlaceWriter.partSize { try write(writer.takeBytes()) }
      }
    }
    writer.newline()
    try write(writer.takeBytes())
  }

  private static func properties(of record: PlaceRecord, to writer: inout JSONWriter) {
    writer.member("name", record.name)
    writer.member("kind", record.kind)
    writer.member("radius", record.alertRadiusMeters)
    writer.member("created", record.created?.iso8601)
    writer.member("changed", record.changed?.iso8601)
    list("collections", record.collections, &writer) { $0.string($1) }
    list("notes", record.notes, &writer) { writer, note in
      writer.object { writer in
        writer.member("time", note.time?.iso8601)
        writer.member("text", note.text)
        writer.member("id", note.id)
      }
    }
    list("photos", record.photos, &writer) { $0.string(name: $1) }
  }

  private static func list<Element>(
    _ name: String, _ elements: [Element], _ writer: inout JSONWriter,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    writer.array(name) { writer in for element in elements { write(&writer, element) } }
  }
}
