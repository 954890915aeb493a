import CivilTime
import Encodings
import Spatial

/// Writes places as placemarks of KML, in one folder per collection. A place in several collections
/// is written in the first.
enum KMLPlaceWriter {
  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let start = KMLDocument.start(
      name: "Places", [(prefix: "ps", name: OwnElement.namespace)])
    try write(Array(start.utf8))
    let folders = Dictionary(grouping: records.indices) { records[$0].collections.first ?? "" }
    for folder in folders.keys.sorted() where !folder.isEmpty {
      try write(Array(KMLDocument.startFolder(folder).utf8))
      try placemarks((folders[folder] ?? []).lazy.map { records[$0] }, write)
      try write(Array(KMLDocument.endFolder.utf8))
    }
    try placemarks((folders[""] ?? []).lazy.map { records[$0] }, write)
    try write(Array(KMLDocument.end.utf8))
  }

  private static func placemarks<Failure: Error>(
    _ records: some Sequence<PlaceRecord>, _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try PlaceWriter.parts(records, write) { KMLPlacemark($0).text }
  }
}

extension KMLPlacemark {
  fileprivate init(_ record: PlaceRecord) {
    self.init(at: record.coordinate)
    id = record.ownID.map { "place-" + $0 } ?? ""
    name = record.name
    description = record.notes.map(\.text).joined(separator: PlaceRecord.noteSeparator)
    pictures = record.photos.compactMap { record.archiveNames[$0] }
    time = record.created.map { .stamp($0.iso8601) }
    extendedData = OwnElement.text(record, indent: "      ")
  }
}
