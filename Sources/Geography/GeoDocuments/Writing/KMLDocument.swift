import Encodings
package import Spatial

/// The frame of documents in KML 2.2 (OGC 07-147r2).
package enum KMLDocument {
  /// Returns the start of a document.
  ///
  /// - Parameters:
  ///   - name: The name of the document; empty for none.
  ///   - namespaces: The prefixes and names of the namespaces of extended data.
  /// - Returns: The text before the first folder or placemark.
  package static func start(
    name: String = "", _ namespaces: [(prefix: String, name: String)] = []
  ) -> String {
    let others = namespaces.map { " xmlns:\($0.prefix)=\"\($0.name)\"" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2"\(others)>
      <Document>
      \(XMLLine.element("name", name, indent: ""))
      """
  }

  /// The text after the last folder or placemark.
  package static let end = "</Document>\n</kml>\n"

  /// Returns the text before the placemarks of a folder.
  static func startFolder(_ name: String) -> String {
    "<Folder>\n<name>\(XMLText.escaped(name))</name>\n"
  }

  /// The text after the placemarks of a folder.
  static let endFolder = "</Folder>\n"
}

/// A placemark of a KML document.
package struct KMLPlacemark {
  /// The time of a placemark, in ISO 8601.
  package enum Time {
    /// A moment.
    case stamp(String)
    /// The time from the first moment to the last.
    case span(String, String)
  }

  /// The position.
  package var coordinate: Coordinate
  /// The id, which begins with a letter; empty for none.
  package var id = ""
  /// The name.
  package var name = ""
  /// The description as plain text of several lines; empty for none.
  package var description = ""
  /// The names of pictures in the archive of the document, which viewers show with the description.
  package var pictures: [String] = []
  /// The time; `nil` where it is unknown.
  package var time: Time?
  /// The elements of the extended data, as lines of XML with an indentation of six spaces.
  package var extendedData = ""

  /// Creates a placemark with only a position.
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  /// Returns the relative address of a file in the archive of the document (RFC 3986, section 4.2).
  static func address(_ name: String) -> String {
    PercentEncoding.text(name.utf8, keeping: "/-._~")
  }

  /// The element.
  package var text: String {
    let id = XMLLine.written([("id", id.isEmpty ? nil : id)])
    var text = "  <Placemark\(id)>\n    <name>\(XMLText.escaped(name))</name>\n"
    // Viewers interpret a description as HTML, and texts come from foreign files.
    let shown = pictures.map { "<img src=\"\(Self.address($0))\"/><br/>" }.joined()
    text += XMLLine.element("description", shown + HTMLText.escaped(description))
    switch time {
    case .stamp(let time): text += "    <TimeStamp><when>\(time)</when></TimeStamp>\n"
    case .span(let begin, let end):
      text += "    <TimeSpan><begin>\(begin)</begin><end>\(end)</end></TimeSpan>\n"
    case nil: break
    }
    if !extendedData.isEmpty {
      text += "    <ExtendedData>\n\(extendedData)    </ExtendedData>\n"
    }
    // Longitude comes first: section 10.5.
    let position = [coordinate.longitude, coordinate.latitude].map(Degrees.text)
      .joined(separator: ",")
    return text + "    <Point><coordinates>\(position)</coordinates></Point>\n  </Placemark>\n"
  }
}

/// Text in descriptions of placemarks, which viewers interpret as HTML.
package enum HTMLText {
  private static let references: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\n": "<br/>",
  ]

  /// Returns a text as HTML.
  package static func escaped(_ text: String) -> String {
    ScalarText.replacing(references, in: text)
  }
}
