import CivilTime
import Interchange
import Spatial

/// Writes places as comma-separated values (RFC 4180, but with LF line ends).
///
/// Collections, notes and photos are separated by `|`, and notes begin with their times. Texts that
/// spreadsheets would interpret as formulas are guarded.
enum CSVWriter {
  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(Array((CSVPlaces.ownColumns.joined(separator: ",") + "\n").utf8))
    try PlaceWriter.parts(records, write) { record in
      let fields = [
        record.ownID ?? "", CSVText.guarded(record.name), Degrees.text(record.coordinate.latitude),
        Degrees.text(record.coordinate.longitude), CSVText.guarded(record.kind ?? ""),
        record.alertRadiusMeters.map { PlainNumber.text($0, decimals: 6) } ?? "",
        CSVText.guarded(CSVText.joined(record.collections)),
        CSVText.joined(record.notes.map(CSVText.text)),
        CSVText.joined(record.photos.map { NameText.text(of: $0) }),
        record.created?.iso8601 ?? "", record.changed?.iso8601 ?? "",
      ]
      return fields.map(CSVText.field).joined(separator: ",") + "\n"
    }
  }
}
