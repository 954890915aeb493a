import Encodings

/// Reads places from files of this and other programs.
package enum PlaceReading {
  /// The content of a file.
  package enum Content: Sendable {
    /// The places in a file of another program, or in a table or map file of this one.
    case places(PlaceFile)
    /// The text of this program's own document of places.
    case document([UInt8])
  }

  /// The options of reading.
  package struct Options: Sendable {
    /// The format; `nil` to recognise it from the content.
    package var format: PlaceFormat?
    /// The columns of a table as named by the user; `nil` to recognise them.
    package var columns: PlaceColumns?
    /// The file's name without its extension, which is the list's name in Google's files.
    package var title: String?
    /// The name of the encoding as given by the user; `nil` for the one that the file declares.
    package var encoding: String?

    /// Creates options.
    package init(
      format: PlaceFormat? = nil, columns: PlaceColumns? = nil, title: String? = nil,
      encoding: String? = nil
    ) {
      (self.format, self.columns, self.title) = (format, columns, title)
      self.encoding = encoding
    }
  }

  /// Returns whether a file is a zip archive, by its first bytes (APPNOTE.TXT, sections 4.3.7 and
  /// 4.3.16).
  package static func isArchive(_ start: some Sequence<UInt8>) -> Bool {
    let start = Array(start.prefix(4))
    return start == [0x50, 0x4B, 3, 4] || start == [0x50, 0x4B, 5, 6]
  }

  /// Reads a file that is not an archive.
  ///
  /// - Parameters:
  ///   - bytes: The content, in any encoding that ``TextEncoding`` knows.
  ///   - options: The options.
  /// - Returns: The places or document in the file.
  /// - Throws: ``PlaceFileError`` where the file as a whole cannot be read.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func read(
    _ bytes: [UInt8], _ options: Options = Options()
  ) throws(PlaceFileError) -> Content {
    if options.format == .ov2 || options.format == nil && OV2Places.isStart(bytes) {
      return .places(try OV2Places.read(bytes, encoding: options.encoding))
    }
    if options.format == nil, let file = ForeignFile.recognized(bytes) { throw .foreign(file) }
    let encoding = try TextEncoding(bytes, asked: options.encoding)
    let text = encoding.text
    guard let start = text.firstIndex(where: { !isSpace($0) }) else { throw .empty }
    let format: PlaceFormat
    if let asked = options.format {
      format = asked
    } else {
      format = try recognized(text, text[start])
    }
    var file: PlaceFile
    switch format {
    case .gpx: file = try GPXPlaces.read(text)
    case .kml:
      file = PlaceFile(format: .kml)
      try KMLPlaces.read(text, into: &file)
    case .geojson: file = try GeoJSONPlaces.read(text, collection: options.title)
    case .csv:
      file = try readTable(text, encoding, options)
    case .json:
      guard encoding.badByteCount == 0 else {
        throw .json(JSONError(offset: 0, reason: "it holds bytes that are not UTF-8"))
      }
      return .document(text)
    case .topojson: file = try TopoJSONPlaces.read(text)
    case .osm:
      let isXML = text[start] == UInt8(ascii: "<")
      file = try isXML ? OSMPlaces.readXML(text) : OSMPlaces.readJSON(text)
    case .loc: file = try LOCPlaces.read(text)
    case .wkt: file = try WKTPlaces.read(text)
    case .objects: file = try JSONPlaces.read(text)
    case .kmz, .zip, .ov2: throw .zip(.noDirectory)
    }
    file.take(encoding)
    file.leaveOutContradicted()
    return .places(file)
  }

  private static func readTable(
    _ text: [UInt8], _ encoding: TextEncoding, _ options: Options
  ) throws(PlaceFileError) -> PlaceFile {
    // No text has zero bytes.
    guard options.format != nil || !text.prefix(4096).contains(0) else { throw .unknownFormat }
    do throws(PlaceFileError) {
      return try CSVPlaces.read(text, columns: options.columns, collection: options.title)
    } catch {
      guard case .unclearColumns(let columns) = error, let guess = encoding.guess else {
        throw error
      }
      throw .guessedColumns(columns, encoding: guess)
    }
  }

  /// Reads the KML documents in a KMZ archive: `doc.kml`, or else the first one (OGC 07-147r2,
  /// annex C), those that it links to, and all others. Each file of the archive is read once, shown
  /// by a place, or counted.
  package static func readKMZ(
    _ archive: ZipReader, _ options: Options = Options()
  ) throws(PlaceFileError) -> PlaceFile {
    let documents = archive.entries.filter { $0.name.lowercased().hasSuffix(".kml") }
    guard let first = documents.first(where: { $0.name == "doc.kml" }) ?? documents.first else {
      // OPC and ODF (ISO/IEC 29500-2, 26300-3).
      let spreadsheets = ["[Content_Types].xml", "content.xml", "Index/Document.iwa"]
      if archive.entries.contains(where: { spreadsheets.contains($0.name) }) { throw .spreadsheet }
      if archive.entries.contains(where: { $0.name.lowercased().hasSuffix(".kmb") }) {
        throw .foreign(.mapsMe)
      }
      let others = archive.entries.map(\.name).filter { name in
        importable.contains { name.lowercased().hasSuffix($0) }
      }
      throw .noDocument(Array(others.prefix(5)))
    }
    let files = Dictionary(
      archive.entries.map { (KMZLinks.key($0.name), $0) },
      uniquingKeysWith: { one, _ in one })
    var file = PlaceFile(format: .kmz)
    file.archive = archive
    // The next one is the last.
    var waiting = Array(([first] + documents).reversed())
    var size = 0
    var read = Set<String>()
    while let document = waiting.popLast() {
      guard read.insert(document.name).inserted else { continue }
      size += document.size
      guard size <= documentLimit else { throw .zip(.tooLarge(document.name)) }
      let isList = documents.count > 1 && document.name != "doc.kml"
      let links = try readDocument(
        document, of: archive, KMZLinks(of: document, among: files, isList: isList), options,
        into: &file)
      // What is linked comes before the documents that nothing links to.
      waiting += links.reversed()
    }
    file.leaveOutContradicted()
    let used = read.union(file.pictures.map(\.name))
    for entry in archive.entries where !used.contains(entry.name) {
      file.skip(.otherFile, entry.name)
    }
    return file
  }

  private static func readDocument(
    _ document: ZipReader.Entry, of archive: ZipReader, _ kmz: KMZLinks,
    _ options: Options, into file: inout PlaceFile
  ) throws(PlaceFileError) -> [ZipReader.Entry] {
    let bytes: [UInt8]
    do throws(ZipError) {
      bytes = try archive.contents(of: document, limit: documentLimit)
    } catch { throw .zip(error) }
    let encoding = try TextEncoding(bytes, asked: options.encoding)
    file.take(encoding)
    return try KMLPlaces.read(encoding.text, into: &file, in: kmz)
  }

  /// The endings of names of files that may hold places.
  private static let importable = [
    ".gpx", ".geojson", ".json", ".csv", ".umap", ".loc", ".ov2", ".osm", ".topojson", ".wkt",
  ]

  /// The maximum size of a document in an archive, in bytes.
  static let documentLimit = 1 << 29

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func recognized(
    _ text: [UInt8], _ first: UInt8
  ) throws(PlaceFileError) -> PlaceFormat {
    switch first {
    case UInt8(ascii: "<"): return try recognizedXML(text)
    case UInt8(ascii: "{"): return try recognizedJSON(text)
    case JSONTexts.recordSeparator: return .geojson
    case UInt8(ascii: "["): return try recognizedList(text)
    default: return WKTPlaces.isStart(text) ? .wkt : .csv
    }
  }

  private static func recognizedXML(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFormat {
    var reader = XMLReader(text)
    while let event = try GPXPlaces.next(&reader) {
      guard case .start(let name, _) = event else { continue }
      switch name.local {
      case "gpx": return .gpx
      case "kml", "Document", "Folder", "Placemark": return .kml
      case "osm": return .osm
      case "loc": return .loc
      default:
        throw ForeignFile.recognized(root: name.local).map { .foreign($0) } ?? .unknownFormat
      }
    }
    throw .unknownFormat
  }

  private static func recognizedJSON(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFormat {
    var foreign: ForeignFile?
    do throws(JSONError) {
      var reader = JSONReader(text)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "format":
          if try reader.peek() == .string, try reader.string() == "photospots-places" {
            return .json
          }
        case "features", "geometry", "coordinates": return .geojson
        case "type":
          if try Feature.scalar(&reader) == "Topology" { return .topojson }
        // The Overpass API.
        case "osm3s": return .osm
        case "elements": if try isOfOSM(&reader) { return .osm }
        default:
          if let file = ForeignFile.recognized(member: key) { foreign = file }
          try reader.skipValue()
        }
        if foreign != nil { break }
      }
    } catch { throw .json(error) }
    if let foreign { throw .foreign(foreign) }
    return .objects
  }

  /// Returns whether a list begins with an element of OpenStreetMap, or is empty.
  private static func isOfOSM(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    var ahead = reader
    try reader.skipValue()
    guard try ahead.peek() == .array else { return false }
    try ahead.beginArray()
    guard try ahead.nextElement() else { return true }
    guard try ahead.peek() == .object else { return false }
    let element = try JSONObject(&ahead)
    guard element.kind(of: "type") == .string, let type = try element.string("type") else {
      return false
    }
    return ["node", "way", "relation"].contains(type)
  }

  private static func recognizedList(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFormat {
    var foreign: ForeignFile?
    do throws(JSONError) {
      var reader = JSONReader(text)
      try reader.beginArray()
      var examined = 0
      while foreign == nil, examined < 100, try reader.nextElement(),
        try reader.peek() == .object
      {
        let keys = try JSONObject(&reader).keys
        foreign = keys.lazy.compactMap(ForeignFile.recognized(member:)).first
        // The timeline that an iPhone exports has records of several kinds.
        if ["startTime", "endTime"].allSatisfy(keys.contains),
          ["visit", "activity", "timelineMemory"].contains(where: keys.contains)
        {
          foreign = .timeline
        }
        examined += 1
      }
    } catch { throw .json(error) }
    if let foreign { throw .foreign(foreign) }
    return .objects
  }
}
