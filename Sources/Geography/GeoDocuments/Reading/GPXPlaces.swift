import CivilTime
import Encodings
import Spatial

/// Reads the waypoints of GPX 1.0 and 1.1 (topografix.com/GPX/1/1).
///
/// Proximity, categories and address are read from Garmin's `WaypointExtension`
/// (GpxExtensionsv3.xsd, WaypointExtensionv1.xsd), and icon and address from OsmAnd's elements
/// ("OsmAnd GPX", osmand.net/docs, Waypoint appearance and groups). `type` is the group of a
/// favourite in OsmAnd's files, and the kind of a waypoint in others. Routes and tracks are only
/// counted.
enum GPXPlaces {
  static func read(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .gpx)
    var reader = XMLReader(text)
    var builder = XMLNodeBuilder()
    var depth = 0
    var isOsmAnd = false
    while let event = try next(&reader) {
      switch event {
      case .start(let name, let attributes):
        depth += 1
        if builder.isOpen || name.local == "wpt" {
          builder.begin(name, attributes)
        } else if depth == 1 {
          let creator = attributes.first { $0.name.local == "creator" }?.value ?? ""
          isOsmAnd = creator.hasPrefix("OsmAnd")
        } else if name.local == "trk" || name.local == "rte" {
          file.skip(.otherGeometry)
        }
      case .text(let text): builder.add(text)
      case .end:
        depth -= 1
        let isTooLarge = builder.isTooLarge
        guard let node = builder.end() else { continue }
        if isTooLarge {
          file.skip(.tooLarge, node.text(of: "name"))
        } else {
          try add(node, isOsmAnd: isOsmAnd, to: &file)
        }
      }
    }
    if isOsmAnd { file.dialect = "OsmAnd favourites" }
    return file
  }

  static func next(_ reader: inout XMLReader) throws(PlaceFileError) -> XMLReader.Event? {
    do throws(XMLError) { return try reader.next() } catch { throw .xml(error) }
  }

  private static func add(
    _ node: XMLNode, isOsmAnd: Bool, to file: inout PlaceFile
  ) throws(PlaceFileError) {
    let name = node.text(of: "name")
    guard let latitude = node.attribute("lat"), let longitude = node.attribute("lon") else {
      return file.skip(.withoutPosition, name)
    }
    guard let coordinate = WrittenDegrees.coordinate(latitude, longitude) else {
      return file.skip(.unreadablePosition, name)
    }
    var record = PlaceRecord(coordinate: coordinate)
    record.set(name: name)
    record.set(created: node.text(of: "time"))
    let extensions = node.children.filter { $0.name.local == "extensions" }.flatMap(\.children)
    if let own = extensions.first(where: { $0.name.namespace == OwnElement.namespace }) {
      record.read(own: own)
      // Programs that keep the own element edit the usual ones beside it, and add others.
      record.take(OtherFields(of: node, extensions))
      record.unread += unread(in: node, extensions, besideOwn: true)
      readFurtherNotes(of: node, into: &record)
    } else {
      record.unread = unread(in: node, extensions)
      readNotes(of: node, extensions, into: &record)
      readKind(of: node, extensions, isOsmAnd: isOsmAnd, into: &record)
      for category in extensions.flatMap({ $0.descendants("Category") }) {
        record.add(collection: category.text)
      }
      record.set(radius: proximity(extensions))
    }
    try file.add(record)
  }

  /// The elements of a waypoint that are read.
  private static let known: Set<String> = [
    "name", "time", "desc", "cmt", "link", "url", "urlname", "type", "sym", "extensions",
  ]
  /// The elements of extensions that are read.
  private static let knownExtensions: Set<String> = ["Proximity", "Category", "Address", "address"]
  /// The elements of extensions that this program writes.
  private static let written: Set<String> = [
    "place", "Proximity", "Category", "DisplayMode", "icon", "background", "color",
  ]
  /// The elements of which only the first is read.
  private static let single = ["name", "time", "desc", "cmt", "url", "type", "sym"]

  /// Returns the names of the elements that are not read, also beside those of this program.
  private static func unread(
    in node: XMLNode, _ extensions: [XMLNode], besideOwn: Bool = false
  ) -> [String] {
    let others = node.children.filter { !known.contains($0.name.local) && !$0.isEmpty }
    let repeated = single.flatMap { name in
      node.children.filter { $0.name.local == name && !$0.isEmpty }.dropFirst().map(\.name.local)
    }
    let read = besideOwn ? written : knownExtensions
    let further = extensions.filter { besideOwn || !isIcon($0) }
    return others.map(\.name.local) + repeated
      + further.flatMap { $0.names(ofTextsExcept: read) }
  }

  private static func isIcon(_ node: XMLNode) -> Bool {
    node.name.local == "icon" && PlaceIcon.isIcon(node.text)
  }

  /// Adds the texts and links that this program does not write, and another one added.
  private static func readFurtherNotes(of node: XMLNode, into record: inout PlaceRecord) {
    let comment = plain(node.text(of: "cmt"))
    let isKnown = [plain(node.text(of: "desc")), record.name].contains { $0.contains(comment) }
    if !isKnown { record.add(note: comment, time: record.created) }
    let links = node.children.filter { $0.name.local == "link" }
      .map { $0.attribute("href") ?? "" }
    for link in links + [node.text(of: "url")] where FileLink.path(link) == nil {
      record.add(note: link, time: record.created)
    }
  }

  /// Returns the proximity in Garmin's extensions, in either of their namespaces.
  fileprivate static func proximity(_ extensions: [XMLNode]) -> String {
    extensions.lazy.flatMap { node in
      node.name.local == "Proximity" ? [node] : node.descendants("Proximity")
    }.first?.text ?? ""
  }

  private static func readNotes(
    of node: XMLNode, _ extensions: [XMLNode], into record: inout PlaceRecord
  ) {
    // Garmin's programs write the same text in both elements.
    let written = ["desc", "cmt"].map(node.text)
    record.losses += written.flatMap(PlainText.pictures).map { _ in .picture }
    var texts = written.map(plain)
    if texts[0].contains(texts[1]) {
      texts[1] = ""
    } else if texts[1].contains(texts[0]) {
      texts[0] = ""
    }
    for text in texts where text != record.name { record.add(note: text, time: record.created) }
    let addresses = extensions.flatMap { node in
      node.name.local == "address" ? [node.text] : node.descendants("Address").map(joined)
    }
    for address in addresses { record.add(note: address, time: record.created) }
    func addTitle(_ text: String) {
      let title = plain(text)
      guard !(texts + [record.name]).contains(where: { $0.contains(title) }) else { return }
      record.add(note: title, time: record.created)
    }
    for link in node.children where link.name.local == "link" {
      let address = link.attribute("href") ?? ""
      if let path = FileLink.path(address) {
        record.add(photo: path)
      } else {
        addTitle(link.text(of: "text"))
        record.add(note: address, time: record.created)
      }
    }
    // In GPX 1.0, a link's address is the text of `url`. A geocache's name is that of its link.
    addTitle(node.text(of: "urlname"))
    record.add(note: node.text(of: "url"), time: record.created)
  }

  /// Returns the text of a description. In GPX, it is HTML only by its tags: a reference is text.
  private static func plain(_ text: String) -> String {
    PlainText.isMarkup(text) ? PlaceText.plain(text) : PlaceText.lines(text)
  }

  /// Returns the parts of an address in one line.
  private static func joined(_ address: XMLNode) -> String {
    address.children.map { PlaceText.line($0.text, limit: 200) }.filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  private static func readKind(
    of node: XMLNode, _ extensions: [XMLNode], isOsmAnd: Bool, into record: inout PlaceRecord
  ) {
    let icon = extensions.first(where: isIcon)?.text
    let type = node.text(of: "type")
    if isOsmAnd || icon != nil {
      record.add(collection: type)
      record.set(kind: icon.map(PlaceIcon.kind) ?? "")
    } else if !PlaceIcon.isGeneric(type) {
      record.set(kind: type)
    }
    let symbol = node.text(of: "sym")
    if record.kind == nil, !PlaceIcon.isGeneric(symbol) { record.set(kind: symbol) }
  }
}

extension OtherFields {
  /// Reads the fields that this program also writes to elements that other programs know.
  fileprivate init(of node: XMLNode, _ extensions: [XMLNode]) {
    notes = node.text(of: "desc")
    kind = node.text(of: "sym")
    collection = node.text(of: "type")
    categories = extensions.flatMap { $0.descendants("Category") }.map(\.text)
    radius = GPXPlaces.proximity(extensions)
    isRadiusRemoved = radius.map(StoredText.line)?.isEmpty ?? true
  }
}
