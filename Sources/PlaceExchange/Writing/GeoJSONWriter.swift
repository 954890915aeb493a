import CivilTime
import Interchange
import Spatial

/// Writes places as a FeatureCollection of GeoJSON (RFC 7946).
enum GeoJSONWriter {
  private static let partSize = 1 << 16

  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    try writer.object { writer throws(Failure) in
      writer.member("type", "FeatureCollection")
      // The importer accepts ids of places only from files with this generator.
      writer.member("generator", "photospots")
      try writer.array("features") { writer throws(Failure) in
        for record in records {
          feature(record, to: &writer)
          if writer.bytes.count >= partSize { try write(writer.takeBytes()) }
        }
      }
    }
    writer.newline()
    try write(writer.takeBytes())
  }

  private static func feature(_ record: PlaceRecord, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "Feature")
      writer.member("id", record.ownID)
      writer.object("geometry") { writer in
        writer.member("type", "Point")
        // Longitude comes first: RFC 7946, section 3.1.1.
        writer.array("coordinates") { writer in
          writer.number(degrees: record.coordinate.longitude)
          writer.number(degrees: record.coordinate.latitude)
        }
      }
      writer.object("properties") { writer in
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
          }
        }
        list("photos", record.photos, &writer) { $0.string(name: $1) }
      }
    }
  }

  private static func list<Element>(
    _ name: String, _ elements: [Element], _ writer: inout JSONWriter,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    writer.array(name) { writer in for element in elements { write(&writer, element) } }
  }
}
