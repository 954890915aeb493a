import Encodings

/// A kind of file that holds no places, or holds them in a form that is not read here.
package enum ForeignFile: String, CaseIterable, Sendable {
  case database = "a database (SQLite, GeoPackage, MBTiles)"
  case shapefile = "a shapefile"
  case fit = "a recording in FIT"
  case training = "a training of Garmin's programs (TCX)"
  case nmea = "a recording of a GPS receiver (NMEA 0183)"
  case timeline = "Google's Timeline"
  case recording = "a recording of positions without names"
  case garminPOI = "a POI file for Garmin's devices (GPI)"
  case mapSource = "a file of Garmin's MapSource or BaseCamp"
  case ozi = "a file of OziExplorer"
  case compeGPS = "a file of CompeGPS or TwoNav"
  case packed = "a packed file"
  case document = "a document or spreadsheet of an office program"
  case propertyList = "a property list"
  case picture = "a picture"
  case webPage = "a web page"
  case newsFeed = "a news feed"
  case gml = "GML"
  case mapsMe = "a binary file of Organic Maps or MAPS.ME (KMB)"

  /// The advice: another export, or a program that converts the file.
  package var advice: String {
    switch self {
    case .database, .garminPOI, .mapSource, .ozi, .compeGPS, .propertyList:
      "export its places from its program as GPX, KML or GeoJSON"
    case .shapefile, .gml: "save it as GeoJSON in WGS 84, for example with QGIS or ogr2ogr"
    case .fit, .training, .nmea, .timeline, .recording:
      "it holds tracks, not places; 'photospots index --tracks' reads tracks"
    case .packed: "unpack it, and import the files in it"
    case .document: "save it as CSV in UTF-8"
    case .picture: "'photospots index' reads the positions of photos"
    case .webPage: "export the places as GPX, KML, GeoJSON or CSV instead"
    case .newsFeed: "export the places as GPX, KML or GeoJSON instead"
    case .mapsMe: "export the list as KMZ or GPX in the program"
    }
  }

  /// Recognises a file by its first bytes; `nil` for text and unknown files.
  static func recognized(_ bytes: [UInt8]) -> ForeignFile? {
    let found = signatures.first { signature in
      bytes.dropFirst(signature.offset).starts(with: signature.bytes)
    }
    return found?.file
  }

  /// The bytes at an offset that identify files: the headers of SQLite, ESRI's shapefiles, FIT,
  /// Garmin's GPI and MapSource, archives (gzip: RFC 1952; bzip2, xz, 7-Zip, RAR), Microsoft's
  /// compound files, PDF, binary property lists, JPEG, PNG, GIF, and of programs' text files.
  private static let signatures: [(offset: Int, bytes: [UInt8], file: ForeignFile)] = [
    (0, Array("SQLite format 3\0".utf8), .database), (0, [0, 0, 0x27, 0x0A], .shapefile),
    (8, Array(".FIT".utf8), .fit), (8, Array("GRMREC".utf8), .garminPOI),
    (0, Array("MsRcf\0".utf8), .mapSource), (0, Array("MsRcd\0".utf8), .mapSource),
    (0, [0x1F, 0x8B], .packed), (0, Array("BZh".utf8), .packed),
    (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A], .packed), (0, [0x37, 0x7A, 0xBC, 0xAF], .packed),
    (0, Array("Rar!".utf8), .packed), (0, [0xD0, 0xCF, 0x11, 0xE0], .document),
    (0, Array("%PDF-".utf8), .document), (0, Array("bplist0".utf8), .propertyList),
    (0, [0xFF, 0xD8, 0xFF], .picture), (0, [0x89, 0x50, 0x4E, 0x47], .picture),
    (0, Array("GIF8".utf8), .picture), (0, Array("OziExplorer".utf8), .ozi),
    (0, Array("G  WGS 84".utf8), .compeGPS), (0, Array("$GP".utf8), .nmea),
    (0, Array("$GN".utf8), .nmea), (0, Array("$GL".utf8), .nmea), (0, Array("$PGRM".utf8), .nmea),
  ]

  /// Recognises a file by the root of its XML.
  static func recognized(root: String) -> ForeignFile? {
    switch root.lowercased() {
    case "trainingcenterdatabase": .training
    case "html": .webPage
    case "rss", "feed", "rdf": .newsFeed
    case "plist": .propertyList
    case "featurecollection", "gml": .gml
    case "workbook", "document-content", "spreadsheet": .document
    default: nil
    }
  }

  /// Recognises an object of JSON by one of its members.
  static func recognized(member: String) -> ForeignFile? {
    let timeline = [
      "semanticSegments", "timelineObjects", "timelineEdits", "rawSignals", "timelinePath",
    ]
    return timeline.contains(member) ? .timeline : nil
  }
}
