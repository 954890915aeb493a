import CivilTime
import Encodings
import Spatial

/// Reads the placemarks of KML 2.2 and 2.3 (OGC 07-147r2, 12-007r2) that are points.
///
/// The folders that contain a placemark become its collections, each by its own name; the document
/// does not. HTML descriptions are converted to plain text. Recognised values of `ExtendedData`
/// become fields of the place, others lines of its notes. Tracks, lines, areas and links to other
/// documents are only counted.
enum KMLPlaces {
  static func read(
    _ text: [UInt8], format: PlaceFormat = .kml
  ) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .kml)
    file.format = format
    var reader = XMLReader(text)
    var builder = XMLNodeBuilder()
    var scopes: [Scope] = []
    while let event = try GPXPlaces.next(&reader) {
      switch event {
      case .start(let name, let attributes):
        if builder.isOpen || name.local == "Placemark" {
          builder.begin(name, attributes)
        } else {
          if name.local == "NetworkLink" { file.skip(.link) }
          if ["GroundOverlay", "PhotoOverlay", "ScreenOverlay"].contains(name.local) {
            file.skip(.otherGeometry)
          }
          scopes.append(Scope(element: name.local))
        }
      case .text(let text):
        if builder.isOpen {
          builder.add(text)
        } else if scopes.count >= 2, scopes[scopes.count - 1].element == "name" {
          scopes[scopes.count - 2].add(text)
        }
      case .end:
        guard builder.isOpen else {
          scopes.removeLast()
          continue
        }
        let isTooLarge = builder.isTooLarge
        guard let node = builder.end() else { continue }
        let folders = scopes.filter { $0.element == "Folder" }.map(\.name)
        if isTooLarge {
          file.skip(.tooLarge, node.text(of: "name"))
        } else {
          try add(node, folders, to: &file)
        }
      }
    }
    return file
  }

  /// An open element that may contain placemarks.
  private struct Scope {
    let element: String
    private(set) var name = ""

    init(element: String) { self.element = element }

    mutating func add(_ text: String) {
      if name.utf8.count + text.utf8.count <= 4096 { name += text }
    }
  }

  private static func add(
    _ node: XMLNode, _ folders: [String], to file: inout PlaceFile
  ) throws(PlaceFileError) {
    let name = node.text(of: "name")
    let points = node.descendants("Point")
    guard let point = points.first, points.count == 1, !hasOtherGeometry(node) else {
      return file.skip(
        points.isEmpty && !hasOtherGeometry(node) ? .withoutPosition : .otherGeometry, name)
    }
    guard let coordinate = coordinate(point.text(of: "coordinates")) else {
      return file.skip(.unreadablePosition, name)
    }
    var record = PlaceRecord(coordinate: coordinate)
    record.set(name: name)
    let times = ["when", "begin"].flatMap(node.descendants)
    record.created = times.lazy.compactMap { Instant(written: $0.text) }.first
    let extended = node.children.filter { $0.name.local == "ExtendedData" }
    if let own = extended.lazy.flatMap(\.children)
      .first(where: { $0.name.namespace == OwnElement.namespace })
    {
      record.read(own: own)
    } else {
      for folder in folders { record.add(collection: folder) }
      record.sourceID = node.attribute("id").flatMap(SourceID.global)
      readTexts(of: node, extended, into: &record)
    }
    try file.add(record)
  }

  private static func hasOtherGeometry(_ node: XMLNode) -> Bool {
    ["LineString", "LinearRing", "Polygon", "Model", "Track", "MultiTrack"].contains {
      !node.descendants($0).isEmpty
    }
  }

  /// Parses `longitude,latitude[,altitude]` (OGC 07-147r2, section 10.5), with the spaces that
  /// commonly follow the commas.
  private static func coordinate(_ text: String) -> Coordinate? {
    let fields = text.split(separator: ",").map { PlaceText.line(String($0), limit: 64) }
    guard (2...3).contains(fields.count) else { return nil }
    return WrittenDegrees.coordinate(fields[1], fields[0])
  }

  private static func readTexts(
    of node: XMLNode, _ extended: [XMLNode], into record: inout PlaceRecord
  ) {
    let description = node.text(of: "description")
    let isMarkup = PlainText.isMarkup(description) || description.contains("&")
    let note = isMarkup ? PlainText.text(ofMarkup: description) : description
    var values = PlaceValues()
    var others: [String] = []
    for data in extended.flatMap({ $0.descendants("Data") + $0.descendants("SimpleData") }) {
      let key = data.attribute("name") ?? ""
      let value = data.name.local == "Data" ? data.text(of: "value") : data.text
      let plain = PlaceText.lines(
        PlainText.isMarkup(value) ? PlainText.text(ofMarkup: value) : value)
      guard !plain.isEmpty else { continue }
      if let field = PlaceField(columnName: key), values.take(plain, as: field) { continue }
      // The description in Google's My Maps repeats the values.
      if !note.contains(plain) { others.append("\(PlaceText.line(key, limit: 100)): \(plain)") }
    }
    values.apply(to: &record)
    let texts = [note, node.child("address")?.text ?? "", others.joined(separator: "\n")]
    for text in texts { record.add(note: text, time: record.created) }
  }
}

/// Selects the ids of other programs that identify a place.
enum SourceID {
  /// Returns an id that is likely to be unique beyond its file, such as `node/240109189`, a UUID or
  /// a URL; `nil` for others.
  ///
  /// Many programs number the elements of each file anew, `1` or `ID_00012`. Such short ids would
  /// merge different places.
  static func global(_ id: String) -> String? {
    (12...1024).contains(id.utf8.count) ? id : nil
  }
}
