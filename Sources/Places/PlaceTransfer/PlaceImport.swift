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
    /// The places of which the file says something else than what was changed here later, with the
    /// names of the fields that were not taken. They are also counted by the other numbers.
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
      let reason = error == .invalidArgument ? "it is empty" : error.description
      throw MessageError("\(path.escaped) cannot be read: \(reason)")
    }
    var options = options
    options.title = path.stem
    do throws(PlaceFileError) {
      if PlaceReading.isArchive(file.bytes.prefix(4)) {
        content = try Self.archive(file, orUntil: interruption)
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

  private static func archive(
    _ file: MappedFile, orUntil interruption: Interruption
  ) throws(PlaceFileError) -> Content {
    let archive: ZipReader
    do throws(ZipError) {
      archive = try ZipReader(size: file.bytes.count) { range in
        Array(file.bytes[range.clamped(to: 0..<file.bytes.count)])
      }
    } catch { throw .zip(error) }
    guard let places = try PlaceArchive(archive) else {
      return .places(try PlaceReading.readKMZ(archive))
    }
    guard try places.verify({ _ in !interruption.isRequested }) else {
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

  // MARK: - Applying

  /// Adds the places to a document.
  ///
  /// - Parameters:
  ///   - document: The existing places.
  ///   - moved: The new paths of photos, by their original paths.
  ///   - radiusMeters: The distance within which an existing place is reported as close to a new
  ///     one.
  ///   - now: The current time.
  /// - Returns: The counts of the changes.
  /// - Throws: The error of the document if it rejects a place.
  package func apply(
    to document: inout PlaceDocument, moved: [FilePath: FilePath], radiusMeters: Double,
    now: Instant
  ) throws(PlaceError) -> Outcome {
    let known = document.places
    var added: [KeptPlace] = []
    var outcome = Outcome()
    switch content {
    case .places(let file):
      for record in file.records {
        let id = record.id(format: file.format)
        for name in record.collections { outcome.collections[name, default: 0] += 1 }
        if let place = document[id], record.isHeld(by: place) {
          outcome.unchanged += 1
          continue
        }
        if let time = record.time, !PlaceDocument.isPlausible(time, now: now) {
          outcome.futureTimes += 1
        }
        let isNew = document[id] == nil
        var upsert = try document.upsert(
          record.fields, id: id, time: isNew ? record.created ?? record.time : record.time, now: now
        )
        if case .added = upsert, record.time != record.created {
          // The time of creation and the time of the last change may differ.
          try document.upsert(record.fields, id: id, time: record.time, now: now)
          upsert = .added
        }
        switch upsert {
        case .added:
          outcome.added += 1
          if let place = document[id] { added.append(place) }
        case .changed: outcome.changed += 1
        case .unchanged: outcome.unchanged += 1
        case .removed: outcome.removed += 1
        }
        if !isNew, let place = document[id],
          case let fields = try record.fieldsNotHeld(by: place, asStoredAt: now), !fields.isEmpty
        {
          outcome.differing.append((place.name, id, fields))
        }
      }
    case .document(let other), .archive(_, let other):
      let before = document
      document.merge(other)
      for place in other.places {
        for name in place.collections { outcome.collections[name, default: 0] += 1 }
        guard let merged = document[place.id] else {
          outcome.removed += 1
          continue
        }
        if let old = before[place.id] {
          if old == merged { outcome.unchanged += 1 } else { outcome.changed += 1 }
        } else {
          outcome.added += 1
          added.append(merged)
        }
        try Self.move(moved, in: merged, &document, now)
      }
    }
    outcome.neighbors = Self.neighbors(of: added, among: known, within: radiusMeters)
    return outcome
  }

  /// Replaces a place's photo paths with their new paths.
  private static func move(
    _ moved: [FilePath: FilePath], in place: KeptPlace, _ document: inout PlaceDocument,
    _ now: Instant
  ) throws(PlaceError) {
    guard place.photos.contains(where: { moved[$0] != nil }) else { return }
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
