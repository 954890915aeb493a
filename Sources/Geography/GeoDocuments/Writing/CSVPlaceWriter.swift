import CivilTime
import Encodings
import Spatial

/// Writes places as lines of a table. Collections, notes and photos are separated by `|`, and notes
/// begin with their times.
enum CSVPlaceWriter {
  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(Array(CSVRow.text(header: CSVPlaces.ownColumns).utf8))
    try PlaceWriter.parts(records, write) { record in
      CSVRow.text([
        .plain(record.ownID ?? ""), .text(record.name),
        .plain(Degrees.text(record.coordinate.latitude)),
        .plain(Degrees.text(record.coordinate.longitude)), .text(record.kind ?? ""),
        .plain(record.alertRadiusMeters.map { PlainNumber.text($0, decimals: 6) } ?? ""),
        .text(CSVText.joined(record.collections)),
        .text(CSVText.joined(record.notes.map(CSVText.text))), .paths(record.photos),
        .plain(record.created?.iso8601 ?? ""), .plain(record.changed?.iso8601 ?? ""),
      ])
    }
  }
}
