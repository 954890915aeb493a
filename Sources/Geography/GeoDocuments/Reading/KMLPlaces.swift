import CivilTime
import Encodings
import Spatial

/// Reads the placemarks of KML 2.2 and 2.3 (OGC 07-147r2, 12-007r2) that are points.
///
/// The folders that contain a placemark become its collections, each by its own name; the document
/// does not. HTML descriptions are converted to plain text. Recognised values of `ExtendedData`
/// become fields of the place, others lines of its notes. Tracks, lines, areas and links out of the
/// archive are only counted.
enum KMLPlaces {
  /// Reads a document into a file.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - file: The file to add its places to.
  ///   - kmz: The archive that the document is in; `nil` for a file of its own.
  /// - Returns: The documents of the archive that it links to.
  /// - Throws: ``PlaceFileError`` where the text is not XML, or there are too many places.
  @discardableResult
  static func read(
    _ text: [UInt8], into file: inout PlaceFile, in kmz: KMZLinks? = nil
  ) throws(PlaceFileError) -> [ZipReader.Entry] {
    var reader = XMLReader(text)
    // A placemark or a link to another document.
    var builder = XMLNodeBuilder()
    var scopes: [Scope] = []
    var links: [ZipReader.Entry] = []
    while let event = try GPXPlaces.next(&reader) {
      switch event {
      case .start(let name, let attributes):
        if builder.isOpen || name.local == "Placemark" || name.local == "NetworkLink" {
          builder.begin(name, attributes)
        } else {
          if otherFeatures.contains(name.local) { file.skip(.otherGeometry) }
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
        if isTooLarge {
          file.skip(.tooLarge, node.text(of: "name"))
        } else if node.name.local == "NetworkLink" {
          if let entry = kmz?.entry(node.descendants("href").first?.text ?? "") {
            links.append(entry)
          } else {
            file.skip(.link, node.text(of: "name"))
          }
        } else {
          try add(node, scopes, kmz, to: &file)
        }
      }
    }
    return links
  }

  /// The features that are neither placemarks nor links nor contain features (OGC 12-007r2, section
  /// 9).
  private static let otherFeatures = ["GroundOverlay", "PhotoOverlay", "ScreenOverlay", "Tour"]

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
    _ node: XMLNode, _ scopes: [Scope], _ kmz: KMZLinks?, to file: inout PlaceFile
  ) throws(PlaceFileError) {
    let name = node.text(of: "name")
    let points = node.descendants("Point")
    guard let point = points.first, points.count == 1 else {
      return file.skip(
        points.isEmpty && !hasOtherGeometry(node) ? .withoutPosition : .otherGeometry, name)
    }
    guard let coordinate = coordinate(point.text(of: "coordinates")) else {
      return file.skip(.unreadablePosition, name)
    }
    // Beside one point, the other geometry says nothing about the place.
    if hasOtherGeometry(node) { file.skip(.otherGeometry, name) }
    var record = PlaceRecord(coordinate: coordinate)
    record.set(name: name)
    let times = ["when", "begin"].flatMap(node.descendants).map(\.text)
    record.set(created: times.first { Instant(written: $0) != nil } ?? times.first ?? "")
    let extended = node.children.filter { $0.name.local == "ExtendedData" }
    if let own = extended.lazy.flatMap(\.children)
      .first(where: { $0.name.namespace == OwnElement.namespace })
    {
      record.read(own: own)
      // Programs that keep the own element edit the usual ones beside it.
      record.take(
        OtherFields(
          notes: PlainText.withoutPictures(node.text(of: "description")), hasMarkup: true,
          collection: scopes.last?.element == "Folder" ? scopes.last?.name : nil))
    } else {
      let isList = kmz?.isList ?? false
      for scope in scopes where scope.element == "Folder" || isList && scope.element == "Document" {
        record.add(collection: scope.name)
      }
      record.sourceID = node.attribute("id").flatMap(SourceID.global)
      record.unread = unread(in: node)
      readTexts(of: node, extended, into: &record)
    }
    record.unread += unread(in: extended)
    readPictures(of: node, kmz, into: &record, &file)
    try file.add(record)
  }

  /// The elements of a placemark that are read.
  private static let known: Set<String> = [
    "name", "description", "Point", "MultiGeometry", "TimeStamp", "TimeSpan", "ExtendedData",
    "address", "phoneNumber", "Carousel",
  ]

  /// Returns the names of the elements that are not read.
  private static func unread(in node: XMLNode) -> [String] {
    let others = node.children.filter { !known.contains($0.name.local) && !$0.isEmpty }
    let repeated = ["name", "description", "address"].flatMap { name in
      node.children.filter { $0.name.local == name && !$0.isEmpty }.dropFirst().map(\.name.local)
    }
    return others.map(\.name.local) + repeated
  }

  /// Returns the names of other programs' own elements in `ExtendedData` (OGC 07-147r2, section
  /// 9.3), which are not read.
  private static func unread(in extended: [XMLNode]) -> [String] {
    extended.flatMap(\.children)
      .filter { $0.name.namespace != OwnElement.namespace }
      .flatMap { $0.names(ofTextsExcept: ["Data", "SchemaData"]) }
  }

  /// Takes the pictures of the archive that a placemark shows; others are counted.
  private static func readPictures(
    of node: XMLNode, _ kmz: KMZLinks?, into record: inout PlaceRecord,
    _ file: inout PlaceFile
  ) {
    var addresses =
      PlainText.pictures(ofMarkup: node.text(of: "description"))
      + node.descendants("ImageUrl").map(\.text)
    for (path, address) in record.archiveNames {
      record.archiveNames[path] = kmz?.entry(address)?.name
      if !addresses.contains(address) { addresses.append(address) }
    }
    for address in addresses {
      guard let entry = kmz?.entry(address) else {
        record.losses.append(.picture)
        continue
      }
      file.add(picture: entry)
      if !record.archivedPictures.contains(entry.name) {
        record.archivedPictures.append(entry.name)
      }
    }
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
    let note = PlaceText.plain(node.text(of: "description"))
    var values = PlaceValues()
    var others: [String] = []
    for data in extended.flatMap({ $0.descendants("Data") + $0.descendants("SimpleData") }) {
      let key = data.attribute("name") ?? ""
      let value = data.name.local == "Data" ? data.text(of: "value") : data.text
      let plain = PlaceText.plain(value)
      guard !plain.isEmpty else { continue }
      if let field = PlaceField(columnName: key), values.take(plain, as: field) { continue }
      // The description in Google's My Maps repeats the values.
      if !note.contains(plain) { others.append("\(PlaceText.line(key, limit: 100)): \(plain)") }
    }
    values.apply(to: &record)
    let texts =
      [note] + ["address", "phoneNumber"].map(node.text) + [others.joined(separator: "\n")]
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
