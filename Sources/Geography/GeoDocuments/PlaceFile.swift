package import Encodings
import Spatial

/// The places in a file of another program.
package struct PlaceFile: Sendable {
  /// The format of the file.
  package var format: PlaceFormat
  /// The program or variant recognised within the format, such as `OsmAnd favourites`; `nil` where
  /// none was.
  package var dialect: String?
  /// The places, in the order of the file; keys and ids are unique.
  package fileprivate(set) var records: [PlaceRecord] = []
  /// The elements that are not places, and the parts of places that are not kept, by reason.
  package fileprivate(set) var skipped: [Skipped] = []
  /// The columns, properties and elements that have no field, by name, each with the number of its
  /// values.
  package fileprivate(set) var unread: [(name: String, count: Int)] = []
  /// The encoding that was assumed for a file that declares none; `nil` where nothing was assumed.
  package internal(set) var guessedEncoding: String?
  /// The archive of the file; `nil` where it is not in one.
  package internal(set) var archive: ZipReader?
  /// The pictures of the archive that the places show, each once.
  package fileprivate(set) var pictures: [ZipReader.Entry] = []
  /// The number of records that were merged into an earlier record of the same place.
  package fileprivate(set) var repeatedCount = 0

  private var places: [[UInt8]: Int] = [:]
  /// The indices of records whose id others have that say something else.
  private var contradicted: Set<Int> = []
  private var unreadPlaces: [String: Int] = [:]
  private var pictureNames: Set<String> = []

  /// Elements or parts of a file that were left out for the same reason.
  package struct Skipped: Hashable, Sendable {
    /// The reason.
    package var reason: Reason
    /// The number of such elements.
    package var count: Int
    /// The names of the first few of them, or else their line numbers.
    package var examples: [String]

    /// The count with the reason, such as `2 without a position` or `1 picture`.
    package var text: String {
      let words = count == 1 ? reason.singular : reason.rawValue
      return "\(count) \(words)"
    }
  }

  /// The reasons why an element of a file, or a part of a place, is left out.
  package enum Reason: String, Sendable, CaseIterable {
    /// It has no position, such as a saved place with only a link.
    case withoutPosition = "without a position"
    /// Its position is malformed or out of range.
    case unreadablePosition = "with an unreadable position"
    /// It is a track, a line, an area or another geometry that is not a point.
    case otherGeometry = "that are not points"
    /// It is a link to another file or server, which is not followed.
    case link = "that are links to other files"
    /// It is too large to be read.
    case tooLarge = "that are too large"
    /// It is not an object of its format, or damaged.
    case malformed = "that are malformed"
    /// It is a file of the archive that no place shows.
    case otherFile = "other files of the archive"
    /// It is a picture that is not in the archive, or within a text.
    case picture = "pictures"
    /// It is a text that is longer than its field allows.
    case longText = "texts cut at their limit"
    /// It is a note, collection or photo beyond the maximum number of a place.
    case tooMany = "parts beyond the limit of a place"
    /// It is a date or time in an unknown form.
    case unreadableTime = "unreadable times"
    /// It is a radius in an unknown form or unit.
    case unreadableRadius = "unreadable radii"
    /// It is a radius outside of ``RecordLimits/radiusMeters``, of which the nearest is taken.
    case limitedRadius = "radii limited to 10 to 5000 m"
    /// It is the path of a photo that is not absolute.
    case photoPath = "photos with an unreadable path"
    /// It is a byte that is not part of a character in the encoding of the file.
    case badByte = "unreadable bytes, shown as \u{FFFD}"
    /// It is a column or property beyond the number of names that are counted apart.
    case unreadValue = "values without a field"
    /// It was deleted, and the file still holds it.
    case deleted = "that were deleted"
    /// It has the id of an earlier place of the file, but another name or position.
    case contradicting = "with the id of another place in the file"

    /// The words for one element.
    fileprivate var singular: String {
      switch self {
      case .withoutPosition, .unreadablePosition, .contradicting: rawValue
      case .otherGeometry: "that is not a point"
      case .link: "that is a link to another file"
      case .deleted: "that was deleted"
      case .tooLarge: "that is too large"
      case .malformed: "that is malformed"
      case .otherFile: "other file of the archive"
      case .picture: "picture"
      case .longText: "text cut at its limit"
      case .tooMany: "part beyond the limit of a place"
      case .unreadableTime: "unreadable time"
      case .unreadableRadius: "unreadable radius"
      case .limitedRadius: "radius limited to 10 to 5000 m"
      case .photoPath: "photo with an unreadable path"
      case .badByte: "unreadable byte, shown as \u{FFFD}"
      case .unreadValue: "value without a field"
      }
    }
  }

  /// The maximum number of names of unread values.
  private static let unreadNameCount = 200

  /// The maximum number of examples for each reason.
  private static let exampleCount = 5

  init(format: PlaceFormat, dialect: String? = nil) {
    (self.format, self.dialect) = (format, dialect)
  }

  /// The dialect, or else the format, for messages.
  package var title: String { dialect ?? format.title }

  /// Adds a place, or merges it into an earlier one with the same id. A place at 0, 0 that this
  /// program did not write counts as one without a position.
  mutating func add(_ record: PlaceRecord) throws(PlaceFileError) {
    // Programs write 0, 0 for a missing position.
    guard !record.coordinate.isNullIsland || record.ownID != nil else {
      return skip(.withoutPosition, record.name)
    }
    var record = record
    for loss in record.losses { skip(loss, record.name) }
    for name in record.unread { leaveUnread(name) }
    (record.losses, record.unread) = ([], [])
    let key = record.ownID.map { Array($0.utf8) } ?? record.key(format: format)
    guard let place = places[key] else {
      guard records.count < RecordLimits.recordCount else { throw .tooManyPlaces }
      places[key] = records.count
      records.append(record)
      return
    }
    if let version = record.version, let known = records[place].version, version != known {
      repeatedCount += 1
      if version > known { records[place] = record }
      return
    }
    if record.ownID != nil, contradicts(record, records[place]) {
      contradicted.insert(place)
      return skip(.contradicting, record.name)
    }
    repeatedCount += 1
    for note in record.notes { records[place].add(note: note.text, time: note.time) }
    for collection in record.collections { records[place].add(collection: collection) }
    for photo in record.photos { records[place].add(photo: photo) }
    for name in record.archivedPictures where !records[place].archivedPictures.contains(name) {
      records[place].archivedPictures.append(name)
    }
    records[place].archiveNames.merge(record.archiveNames) { first, _ in first }
    for loss in records[place].losses { skip(loss, record.name) }
    records[place].losses = []
  }

  /// Leaves out the records whose id others have that say something else.
  ///
  /// - Complexity: O(*n*), where *n* is the number of records.
  mutating func leaveOutContradicted() {
    guard !contradicted.isEmpty else { return }
    let all = records
    records = []
    for (place, record) in all.enumerated() {
      if contradicted.contains(place) {
        skip(.contradicting, record.name)
      } else {
        records.append(record)
      }
    }
    contradicted = []
  }

  /// Returns whether two records of one id say something else: of a row that was copied in a
  /// spreadsheet to make another place of it, nothing tells which one is meant.
  private func contradicts(_ record: PlaceRecord, _ other: PlaceRecord) -> Bool {
    record.name != other.name || record.coordinate != other.coordinate
  }

  /// Counts values that have no field, by the name of their column, property or element.
  mutating func leaveUnread(_ name: String, count: Int = 1) {
    let name = PlaceText.line(name, limit: 60)
    if let place = unreadPlaces[name] {
      unread[place].count += count
    } else if unread.count < Self.unreadNameCount {
      unreadPlaces[name] = unread.count
      unread.append((name, count))
    } else {
      skip(.unreadValue, name, count: count)
    }
  }

  /// Adds a picture of the archive, which a place shows.
  mutating func add(picture: ZipReader.Entry) {
    if pictureNames.insert(picture.name).inserted { pictures.append(picture) }
  }

  /// Takes what the conversion of a text says about its encoding.
  mutating func take(_ encoding: TextEncoding) {
    guessedEncoding = guessedEncoding ?? encoding.guess
    skip(.badByte, count: encoding.badByteCount)
  }

  /// Counts an element or a part that is left out.
  mutating func skip(_ reason: Reason, _ example: String = "", count: Int = 1) {
    guard count > 0 else { return }
    let place =
      skipped.firstIndex { $0.reason == reason }
      ?? {
        skipped.append(Skipped(reason: reason, count: 0, examples: []))
        return skipped.count - 1
      }()
    skipped[place].count += count
    let example = PlaceText.line(example, limit: RecordLimits.nameLength)
    if !example.isEmpty, skipped[place].examples.count < Self.exampleCount {
      skipped[place].examples.append(example)
    }
  }

  /// Leaves only the place with an index, and the pictures that it shows.
  package mutating func select(_ index: Int) {
    let names = Set(records[index].archivedPictures)
    records = [records[index]]
    pictures.removeAll { !names.contains($0.name) }
  }

  /// Adds all places, or those from an index on, to a collection.
  package mutating func collect(_ name: String, from start: Int = 0) {
    for place in records.indices.dropFirst(start) { records[place].add(collection: name) }
  }
}

/// The reason why a file as a whole cannot be read.
package enum PlaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is in none of the formats.
  case unknownFormat
  /// The file is of a known kind that is not read.
  case foreign(ForeignFile)
  /// The file is empty.
  case empty
  /// It is unclear which columns of the table hold the position; the value is the names of the
  /// columns.
  case unclearColumns([String])
  /// The same for a table whose encoding was guessed, which may be why no column is known.
  case guessedColumns([String], encoding: String)
  /// The table has no header, and it is unclear which of two columns, counted from 1, holds the
  /// latitude; the third column holds names.
  case unclearOrder(Int, Int, name: Int?)
  /// The positions are in another reference system than WGS 84; the value is its name.
  case referenceSystem(String)
  /// The archive is a spreadsheet.
  case spreadsheet
  /// A requested column does not exist in the table.
  case noColumn(String, columns: [String])
  /// The text is not well-formed XML.
  case xml(XMLError)
  /// The text is not JSON, or not of the structure of its format.
  case json(JSONError)
  /// The archive is rejected.
  case zip(ZipError)
  /// The archive contains no KML document; the value is the names of other files of places in it.
  case noDocument([String])
  /// The archive contradicts its manifest.
  case manifest(String)
  /// The file has more places than ``RecordLimits/recordCount``.
  case tooManyPlaces
  /// The encoding that the file declares is not known; the value is its name.
  case encoding(String)
  /// The text is too long.
  case tooLarge

  /// The reason, with advice about it.
  package var description: String {
    switch self {
    case .unknownFormat:
      """
      its format is unknown; use GPX, KML, KMZ, GeoJSON, CSV, Google's saved places, or a file of \
      'photospots places export'
      """
    case .foreign(let file): "it is \(file.rawValue); \(file.advice)"
    case .empty: "it is empty"
    case .unclearColumns(let columns):
      """
      it is not clear which columns hold the position; the columns are \(Self.list(columns)). Name them: \
      --columns latitude=COLUMN,longitude=COLUMN,name=COLUMN
      """
    case .guessedColumns(let columns, let encoding):
      """
      \(Self.unclearColumns(columns).description). The file names no encoding and was read as \
      \(encoding); if its letters are wrong, name another: --encoding windows-1251
      """
    case .unclearOrder(let first, let second, let name):
      """
      it has no line with the names of its columns, and columns \(first) and \(second) may be latitude and \
      longitude or, as in Garmin's POI files, the other way round. Name them: --columns \
      \(Self.columns(first, second, name)) or --columns \(Self.columns(second, first, name))
      """
    case .referenceSystem(let name):
      """
      its positions are in the reference system '\(name)'; save it with those of WGS 84 (EPSG:4326)
      """
    case .spreadsheet: "it is a spreadsheet; save it as CSV in UTF-8"
    case .noColumn(let name, let columns):
      "there is no column '\(name)' for --columns; the columns are \(Self.list(columns))"
    case .xml(let error): "it is not valid XML: \(error)"
    case .json(let error): "it is not valid JSON: \(error)"
    case .zip(let error): "the archive is refused: \(error)"
    case .noDocument(let others):
      others.isEmpty
        ? "the archive holds no KML document"
        : """
        the archive holds no KML document; unpack it, and import \
        \(others.map { "'\(PlaceText.line($0, limit: 60))'" }.joined(separator: ", "))
        """
    case .manifest(let reason): "the archive is refused: \(reason)"
    case .tooManyPlaces: "it contains more than \(RecordLimits.recordCount) places"
    case .encoding(let name):
      """
      its encoding '\(name)' is not known here; save it as UTF-8, or name its encoding: \
      --encoding windows-1251
      """
    case .tooLarge: "it is longer than 1 GiB"
    }
  }

  private static func columns(_ latitude: Int, _ longitude: Int, _ name: Int?) -> String {
    "latitude=\(latitude),longitude=\(longitude)" + (name.map { ",name=\($0)" } ?? "")
  }

  private static func list(_ columns: [String]) -> String {
    columns.prefix(40).enumerated().map { place, name in
      "\(place + 1) '\(PlaceText.line(name, limit: 40))'"
    }.joined(separator: ", ")
  }
}
