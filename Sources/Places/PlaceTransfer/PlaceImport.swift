package import CivilTime
import Encodings
package import GeoDocuments
package import KeptPlaces
import PhotoLibrary
package import ProcessControl
import Spatial
import Storage
package import SystemPackage

/// A places file that was read and can be imported.
package struct PlaceImport: Sendable {
  /// The content of a file, by its format.
  package enum Content: Sendable {
    case places(PlaceFile)
    case document(PlaceDocument)
    case archive(PlaceArchive, PlaceDocument)
  }

  /// The path of the file.
  package let path: FilePath
  /// The places in the file.
  package let content: Content
  /// The paths of the photos of the selected place, as in the file; `nil` where all are selected.
  private(set) var selectedPhotos: Set<FilePath>?

  /// The counts of an import.
  package struct Outcome: Sendable {
    /// The number of new places.
    package var added = 0
    /// The number of places that were changed.
    package var changed = 0
    /// The number of places that the document already had.
    package var unchanged = 0
    /// The number of places that were removed here, and stay so.
    package var removed = 0
    /// The number of places that were removed here and restored. They are also counted as changed.
    package var restored = 0
    /// The places of which the file says something else that was not taken, with the names of the
    /// fields. They are also counted by the other numbers.
    package var differing: [(name: String, id: PlaceID, fields: [String])] = []
    /// The number of places whose time is in the future, and was not used.
    package var futureTimes = 0
    /// The number of places in each collection, by its name.
    package var collections: [String: Int] = [:]
    /// The new places close to an existing one, with its name and id and the distance between them.
    package var neighbors: [(name: String, known: String, id: PlaceID, meters: Double)] = []
  }

  /// The maximum size in bytes of a file other than an archive.
  private static let sizeLimit: Int64 = 1 << 30

  // MARK: - Reading

  /// Reads a complete file. Archives are also verified.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How it is read.
  ///   - interruption: Ends the verification of an archive early.
  /// - Throws: A `MessageError` that names the file.
  package init(
    _ path: FilePath, _ options: PlaceReading.Options, orUntil interruption: Interruption
  ) throws {
    self.path = path
    let file: MappedFile
    do throws(Errno) {
      file = try MappedFile(path, limit: .max)
    } catch {
      if Disk.isFolder(path) {
        throw MessageError("\(path.escaped) is a folder; name the files in it")
      }
      let reason = error == .invalidArgument ? "it is empty" : error.description
      throw MessageError("\(path.escaped) cannot be read: \(reason)")
    }
    var options = options
    options.title = path.stem
    do throws(PlaceFileError) {
      if PlaceReading.isArchive(file.bytes.prefix(4)) {
        content = try Self.archive(file, options, orUntil: interruption)
      } else {
        guard file.bytes.count <= Self.sizeLimit else { throw .tooManyPlaces }
        switch try PlaceReading.read(Array(file.bytes), options) {
        case .places(let places): content = .places(places)
        case .document(let bytes): content = .document(try Self.document(bytes))
        }
      }
    } catch { throw MessageError("nothing was imported: \(path.escaped): \(error)") }
    if file.isCut { throw MessageError("\(path.escaped) was truncated while it was read") }
  }

  /// The maximum size in bytes of all files of an archive in memory, once unpacked.
  private static let unpackedLimit = 256 << 20

  /// Reads a file in memory. Archives are also verified, and limited to 256 MiB once unpacked.
  ///
  /// - Parameters:
  ///   - contents: The file.
  ///   - name: The name of the file, without folders; may be empty.
  ///   - options: How it is read; the title is the name.
  /// - Throws: ``PlaceFileError`` where the file as a whole cannot be read.
  package init(
    contents: [UInt8], name: String, _ options: PlaceReading.Options
  ) throws(PlaceFileError) {
    path = FilePath(bytes: name.utf8.filter { $0 != 0 && $0 != UInt8(ascii: "/") })
    var options = options
    options.title = path.stem
    guard !PlaceReading.isArchive(contents.prefix(4)) else {
      let archive: ZipReader
      do throws(ZipError) {
        archive = try ZipReader(contents, totalLimit: Self.unpackedLimit)
      } catch { throw .zip(error) }
      content = try Self.archive(archive, options, orUntil: nil)
      return
    }
    switch try PlaceReading.read(contents, options) {
    case .places(let places): content = .places(places)
    case .document(let bytes): content = .document(try Self.document(bytes))
    }
  }

  private static func archive(
    _ file: MappedFile, _ options: PlaceReading.Options, orUntil interruption: Interruption
  ) throws(PlaceFileError) -> Content {
    let archive: ZipReader
    do throws(ZipError) {
      archive = try ZipReader(size: file.bytes.count) { range in
        Array(file.bytes[range.clamped(to: 0..<file.bytes.count)])
      }
    } catch { throw .zip(error) }
    return try self.archive(archive, options, orUntil: interruption)
  }

  private static func archive(
    _ archive: ZipReader, _ options: PlaceReading.Options, orUntil interruption: Interruption?
  ) throws(PlaceFileError) -> Content {
    guard let places = try PlaceArchive(archive) else {
      return .places(try PlaceReading.readKMZ(archive, options))
    }
    guard try places.verify({ _ in interruption?.isRequested != true }) else {
      throw .manifest("the check was interrupted")
    }
    return .archive(places, try document(places.places()))
  }

  private static func document(_ bytes: [UInt8]) throws(PlaceFileError) -> PlaceDocument {
    do throws(JSONError) { return try PlaceDocument(json: bytes) } catch { throw .json(error) }
  }

  /// The name of the format for messages.
  package var title: String {
    switch content {
    case .places(let file): file.title
    case .document: PlaceFormat.json.title
    case .archive: PlaceFormat.zip.title
    }
  }

  /// Returns the import with every place also added to a collection; the program's own documents
  /// are returned unchanged.
  package func collected(_ collection: String) -> PlaceImport {
    guard case .places(var file) = content else { return self }
    file.collect(collection)
    return PlaceImport(path: path, content: .places(file))
  }

  private init(path: FilePath, content: Content) {
    (self.path, self.content) = (path, content)
  }

  /// The places in the file with their ids here, without removed ones.
  package var choices: [(id: PlaceID, name: String?)] {
    switch content {
    case .places(let file): file.records.map { ($0.id(format: file.format), $0.name) }
    case .document(let document), .archive(_, let document):
      document.places.map { ($0.id, $0.name) }
    }
  }

  /// Returns the import of one place alone, one of ``choices``.
  package func selecting(_ id: PlaceID) -> PlaceImport {
    switch content {
    case .places(var file):
      guard let index = file.records.firstIndex(where: { $0.id(format: file.format) == id }) else {
        return self
      }
      file.select(index)
      return PlaceImport(path: path, content: .places(file))
    case .document(let document):
      return PlaceImport(path: path, content: .document(document.selecting(id)))
    case .archive(let archive, let document):
      let selected = document.selecting(id)
      var item = PlaceImport(path: path, content: .archive(archive, selected))
      item.selectedPhotos = Set(selected.places.flatMap(\.photos))
      return item
    }
  }

  // MARK: - Applying

  /// Adds the places to a document.
  ///
  /// - Parameters:
  ///   - document: The existing places.
  ///   - photos: The photos of the file and their paths.
  ///   - preference: The side that is kept where a field differs.
  ///   - restoresRemoved: Whether places that were removed here are restored.
  ///   - radiusMeters: The distance within which an existing place is reported as close to a new
  ///     one.
  ///   - now: The current time.
  /// - Returns: The counts of the changes.
  /// - Throws: The error of the document if it rejects a place.
  package func apply(
    to document: inout PlaceDocument, photos: ArchivedPhotos,
    preference: PlaceTaking.Preference = .newest, restoresRemoved: Bool = false,
    radiusMeters: Double, now: Instant
  ) throws(PlaceError) -> Outcome {
    let known = document.places
    var rules = PlaceTaking()
    (rules.preference, rules.restoresRemoved) = (preference, restoresRemoved)
    var change = Change(rules: rules, now: now)
    switch content {
    case .places(let file):
      for record in file.records {
        try change.take(photos.attached(to: record), format: file.format, to: &document)
        guard !photos.moved.isEmpty, let place = document[record.id(format: file.format)] else {
          continue
        }
        try Self.move(photos.moved, in: place, &document, now)
      }
    case .document(let other), .archive(_, let other):
      for place in other.allPlaces { try change.take(place, to: &document) }
      for place in other.places { try Self.move(photos.moved, in: place, &document, now) }
    }
    var outcome = change.outcome
    outcome.neighbors = Self.neighbors(of: change.added, among: known, within: radiusMeters)
    return outcome
  }

  /// Replaces a place's photo paths with their new paths.
  private static func move(
    _ moved: [FilePath: FilePath], in place: KeptPlace, _ document: inout PlaceDocument,
    _ now: Instant
  ) throws(PlaceError) {
    guard document[place.id] != nil, place.photos.contains(where: { moved[$0] != nil }) else {
      return
    }
    try document.change(place.id, now: now) { fields in
      fields.photos = fields.photos.map { moved[$0] ?? $0 }
    }
  }

  private static func neighbors(
    of added: [KeptPlace], among known: [KeptPlace], within radiusMeters: Double
  ) -> [(name: String, known: String, id: PlaceID, meters: Double)] {
    guard !known.isEmpty, !added.isEmpty else { return [] }
    let index = SpatialIndex(known.map(\.coordinate))
    return added.compactMap { place in
      guard
        let nearest = index.neighbors(within: radiusMeters, of: place.coordinate).first
      else { return nil }
      let other = known[nearest.index]
      return (place.name, other.name, other.id, nearest.distanceMeters)
    }
  }
}

/// A running import into a document.
private struct Change {
  let rules: PlaceTaking
  let now: Instant
  var outcome = PlaceImport.Outcome()
  /// The new places.
  var added: [KeptPlace] = []

  /// Imports a record of a file of another program, or of a table or map file of this one.
  mutating func take(
    _ record: PlaceRecord, format: PlaceFormat, to document: inout PlaceDocument
  ) throws(PlaceError) {
    let id = record.id(format: format)
    for name in record.collections { outcome.collections[name, default: 0] += 1 }
    let known = document[id]
    let emptied = known.flatMap { EmptiedFields(of: record, since: $0, now: now) }
    if let known, record.isHeld(by: known), emptied == nil {
      outcome.unchanged += 1
      return
    }
    // In a table of which one column was sorted alone, a row has the fields of another place.
    if let known, record.ownID != nil, rules.preference != .file,
      let created = record.created, created != known.createdTime
    {
      outcome.unchanged += 1
      outcome.differing.append((known.name, known.id, ["created"]))
      return
    }
    if let time = record.time, !PlaceDocument.isPlausible(time, now: now) {
      outcome.futureTimes += 1
    }
    var rules = rules
    rules.isOwn = record.ownID != nil
    rules.hasAllCollections = record.hasAllCollections
    let isNew = known == nil
    var upsert = try document.upsert(
      record.fields, id: id, time: isNew ? record.created ?? record.time : record.time, by: rules,
      now: now)
    if case .added = upsert, record.time != record.created {
      // The time of creation and the time of the last change may differ.
      try document.upsert(record.fields, id: id, time: record.time, by: rules, now: now)
      upsert = .added
    }
    if let emptied, rules.preference == .file, document[id] != nil {
      try document.change(id, now: now) { emptied.remove(from: &$0) }
      upsert = .changed
    }
    try count(upsert, id, known, document)
    if known != nil, let place = document[id] {
      try noteDifferences(of: record, emptied: emptied?.names ?? [], place)
    }
  }

  /// Imports a place with the times of its fields.
  mutating func take(
    _ place: KeptPlace, to document: inout PlaceDocument
  ) throws(PlaceError) {
    let known = document[place.id]
    let upsert = document.take(place, by: rules, now: now)
    guard place.removedTime == nil else { return }
    for name in place.collections { outcome.collections[name, default: 0] += 1 }
    try count(upsert, place.id, known, document)
    if known != nil, let kept = document[place.id] {
      try noteDifferences(of: PlaceRecord(place), kept)
    }
  }

  private mutating func count(
    _ upsert: PlaceDocument.Upsert, _ id: PlaceID, _ known: KeptPlace?, _ document: PlaceDocument
  ) throws(PlaceError) {
    switch upsert {
    case .added:
      outcome.added += 1
      if let place = document[id] { added.append(place) }
    case .changed:
      outcome.changed += 1
      if known == nil { outcome.restored += 1 }
    case .unchanged: outcome.unchanged += 1
    case .removed: outcome.removed += 1
    }
  }

  private mutating func noteDifferences(
    of record: PlaceRecord, emptied: [String] = [], _ place: KeptPlace
  ) throws(PlaceError) {
    var fields = try record.fieldsNotHeld(by: place, asStoredAt: now)
    fields.removeAll { emptied.contains($0) }
    if rules.preference != .file { fields += emptied }
    if rules.preference == .mine, record.hasAllCollections, record.lacksCollection(of: place),
      !fields.contains("collections")
    {
      fields.append("collections")
    }
    if !fields.isEmpty { outcome.differing.append((place.name, place.id, fields)) }
  }
}
