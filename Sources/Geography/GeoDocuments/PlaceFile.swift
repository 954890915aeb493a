package import Encodings

/// The places in a file of another program.
package struct PlaceFile: Sendable {
  /// The format of the file.
  package var format: PlaceFormat
  /// The program or variant recognised within the format, such as `OsmAnd favourites`; `nil` where
  /// none was.
  package var dialect: String?
  /// The places, in the order of the file; keys and ids are unique.
  package fileprivate(set) var records: [PlaceRecord] = []
  /// The elements that are not places, by reason.
  package fileprivate(set) var skipped: [Skipped] = []
  /// The number of records that were merged into an earlier record of the same place.
  package fileprivate(set) var repeatedCount = 0

  private var places: [[UInt8]: Int] = [:]

  /// Elements of a file that were skipped for the same reason.
  package struct Skipped: Hashable, Sendable {
    /// The reason.
    package var reason: Reason
    /// The number of such elements.
    package var count: Int
    /// The names of the first few of them, or else their line numbers.
    package var examples: [String]
  }

  /// The reasons why an element of a file is skipped.
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
  }

  /// The maximum number of examples for each reason.
  private static let exampleCount = 5

  init(format: PlaceFormat, dialect: String? = nil) {
    (self.format, self.dialect) = (format, dialect)
  }

  /// The dialect, or else the format, for messages.
  package var title: String { dialect ?? format.title }

  /// Adds a place, or merges it into an earlier one with the same id.
  mutating func add(_ record: PlaceRecord) throws(PlaceFileError) {
    let key = record.ownID.map { Array($0.utf8) } ?? record.key(format: format)
    guard let place = places[key] else {
      guard records.count < RecordLimits.recordCount else { throw .tooManyPlaces }
      places[key] = records.count
      records.append(record)
      return
    }
    repeatedCount += 1
    for note in record.notes { records[place].add(note: note.text, time: note.time) }
    for collection in record.collections { records[place].add(collection: collection) }
    for photo in record.photos { records[place].add(photo: photo) }
  }

  /// Counts an element that is skipped.
  mutating func skip(_ reason: Reason, _ example: String = "") {
    let place =
      skipped.firstIndex { $0.reason == reason }
      ?? {
        skipped.append(Skipped(reason: reason, count: 0, examples: []))
        return skipped.count - 1
      }()
    skipped[place].count += 1
    let example = PlaceText.line(example, limit: RecordLimits.nameLength)
    if !example.isEmpty, skipped[place].examples.count < Self.exampleCount {
      skipped[place].examples.append(example)
    }
  }

  /// Adds all places to a collection.
  package mutating func collect(_ name: String) {
    for place in records.indices { records[place].add(collection: name) }
  }
}

/// The reason why a file as a whole cannot be read.
package enum PlaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is in none of the formats.
  case unknownFormat
  /// The file is empty.
  case empty
  /// It is unclear which columns of the table hold the position; the value is the names of the
  /// columns.
  case unclearColumns([String])
  /// A requested column does not exist in the table.
  case noColumn(String, columns: [String])
  /// The text is not well-formed XML.
  case xml(XMLError)
  /// The text is not JSON, or not of the structure of its format.
  case json(JSONError)
  /// The archive is rejected.
  case zip(ZipError)
  /// The archive contains no KML document.
  case noDocument
  /// The archive contradicts its manifest.
  case manifest(String)
  /// The file has more places than ``RecordLimits/recordCount``.
  case tooManyPlaces

  /// The reason, with advice about it.
  package var description: String {
    switch self {
    case .unknownFormat:
      """
      its format is unknown; use GPX, KML, KMZ, GeoJSON, CSV, Google's saved places, or a file of \
      'photospots places export'
      """
    case .empty: "it is empty"
    case .unclearColumns(let columns):
      """
      it is not clear which columns hold the position; the columns are \(Self.list(columns)). Name them: \
      --columns latitude=COLUMN,longitude=COLUMN,name=COLUMN
      """
    case .noColumn(let name, let columns):
      "there is no column '\(name)' for --columns; the columns are \(Self.list(columns))"
    case .xml(let error): "it is not valid XML: \(error)"
    case .json(let error): "it is not valid JSON: \(error)"
    case .zip(let error): "the archive is refused: \(error)"
    case .noDocument: "the archive holds no KML document"
    case .manifest(let reason): "the archive is refused: \(reason)"
    case .tooManyPlaces: "it contains more than \(RecordLimits.recordCount) places"
    }
  }

  private static func list(_ columns: [String]) -> String {
    columns.prefix(40).enumerated().map { place, name in
      "\(place + 1) '\(PlaceText.line(name, limit: 40))'"
    }.joined(separator: ", ")
  }
}
