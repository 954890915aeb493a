package import Interchange

/// The places that a foreign file holds.
package struct PlaceFile: Sendable {
  /// The format of the file.
  package var format: PlaceFormat
  /// The program or shape that was recognised within the format: `OsmAnd favourites`; `nil` for
  /// none in particular.
  package var dialect: String?
  /// The places, in the order of the file; each key and each id occurs once.
  package fileprivate(set) var records: [PlaceRecord] = []
  /// Elements that became no places, by reason.
  package fileprivate(set) var skipped: [Skipped] = []
  /// The number of records that are the same place as an earlier one, with which they were joined.
  package fileprivate(set) var repeatedCount = 0

  private var places: [[UInt8]: Int] = [:]

  /// Elements of a file that became no places for one reason.
  package struct Skipped: Hashable, Sendable {
    /// The reason.
    package var reason: Reason
    /// How many there are.
    package var count: Int
    /// The names, or else the lines, of the first of them.
    package var examples: [String]
  }

  /// The reasons for which an element of a file becomes no place.
  package enum Reason: String, Sendable, CaseIterable {
    /// It has no position, such as a saved place that has a link only.
    case withoutPosition = "without a position"
    /// Its position cannot be read, or lies outside of the globe.
    case unreadablePosition = "with a position that cannot be read"
    /// It is a track, a line, an area or another thing that is no point.
    case otherGeometry = "that are no points"
    /// It refers to another file or server, which is not read.
    case link = "that are links to other files"
    /// It holds more than ``RecordLimits`` allow to look at.
    case tooLarge = "that are too large"
  }

  /// How many names of skipped elements are kept for each reason.
  private static let exampleCount = 5

  init(format: PlaceFormat, dialect: String? = nil) {
    (self.format, self.dialect) = (format, dialect)
  }

  /// The format and the dialect for messages.
  package var title: String { dialect ?? format.title }

  /// Adds a place, or joins it with the earlier one that has its id.
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

  /// Counts an element that becomes no place.
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

  /// Adds every place to a collection.
  package mutating func collect(_ name: String) {
    for place in records.indices { records[place].add(collection: name) }
  }
}

/// The reason for which a file as a whole cannot be read.
package enum PlaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is in none of the formats.
  case unknownFormat
  /// The file is empty.
  case empty
  /// The table does not say which columns hold the position; the columns as they are written.
  case unclearColumns([String])
  /// A column that was asked for is not in the table.
  case noColumn(String, columns: [String])
  /// The text is no XML.
  case xml(XMLError)
  /// The text is no JSON, or not of the shape of its format.
  case json(JSONError)
  /// The archive cannot be read.
  case zip(ZipError)
  /// The archive holds no KML document.
  case noDocument
  /// The archive is not what its manifest says.
  case manifest(String)
  /// The file holds more places than can be kept.
  case tooManyPlaces

  /// What is wrong, and what to do about it.
  package var description: String {
    switch self {
    case .unknownFormat:
      """
      it is in no known format: GPX, KML, KMZ, GeoJSON, CSV, Google's saved places, or a file of 'photospots \
      places export'
      """
    case .empty: "it is empty"
    case .unclearColumns(let columns):
      """
      it is not clear which columns hold the position; the columns are \(Self.list(columns)). Name them: \
      --columns latitude=COLUMN,longitude=COLUMN,name=COLUMN
      """
    case .noColumn(let name, let columns):
      "there is no column '\(name)' for --columns; the columns are \(Self.list(columns))"
    case .xml(let error): "it is no XML that can be read: \(error)"
    case .json(let error): "it is no JSON that can be read: \(error)"
    case .zip(let error): "the archive is refused: \(error)"
    case .noDocument: "the archive holds no KML document"
    case .manifest(let reason): "the archive is refused: \(reason)"
    case .tooManyPlaces: "it holds more than \(RecordLimits.recordCount) places"
    }
  }

  private static func list(_ columns: [String]) -> String {
    columns.prefix(40).enumerated().map { place, name in
      "\(place + 1) '\(PlaceText.line(name, limit: 40))'"
    }.joined(separator: ", ")
  }
}
