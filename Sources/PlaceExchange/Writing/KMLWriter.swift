import CivilTime
import Interchange
import Spatial

/// Writes places as placemarks of KML 2.2 (OGC 07-147r2), in one folder per collection. A place in
/// several collections is written in the first.
///
/// Viewers interpret descriptions as HTML, so notes are written as HTML with special characters
/// escaped.
enum KMLWriter {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:ps="\(GPXPlaces.ownNamespace)">
    <Document>
    <name>Places</name>

    """

  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(Array(head.utf8))
    let folders = Dictionary(grouping: records.indices) { records[$0].collections.first ?? "" }
    for folder in folders.keys.sorted() where !folder.isEmpty {
      try write(Array("<Folder>\n<name>\(XMLText.escaped(folder))</name>\n".utf8))
      try PlaceWriter.parts((folders[folder] ?? []).lazy.map { records[$0] }, write, placemark)
      try write(Array("</Folder>\n".utf8))
    }
    try PlaceWriter.parts((folders[""] ?? []).lazy.map { records[$0] }, write, placemark)
    try write(Array("</Document>\n</kml>\n".utf8))
  }

  private static func placemark(_ record: PlaceRecord) -> String {
    // An XML id begins with a letter.
    let id = record.ownID.map { " id=\"place-\($0)\"" } ?? ""
    var text = "  <Placemark\(id)>\n    <name>\(XMLText.escaped(record.name))</name>\n"
    if !record.notes.isEmpty {
      let notes = record.notes.map { markup($0.text) }.joined(separator: "<br/><br/>")
      text += "    <description>\(XMLText.escaped(notes))</description>\n"
    }
    if let created = record.created {
      text += "    <TimeStamp><when>\(created.iso8601)</when></TimeStamp>\n"
    }
    text += "    <ExtendedData>\n" + OwnElement.text(record, indent: "      ")
    text += "    </ExtendedData>\n"
    // Longitude comes first: section 10.5.
    text +=
      "    <Point><coordinates>\(Degrees.text(record.coordinate.longitude)),\(Degrees.text(record.coordinate.latitude))</coordinates></Point>\n"
    return text + "  </Placemark>\n"
  }

  /// Returns a text as HTML.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("\n", with: "<br/>")
  }
}
