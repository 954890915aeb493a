package import CivilTime
import Encodings
import GeoDocuments
package import KeptPlaces
package import PlaceTransfer

/// An import of places from a file, as requested.
public struct PlaceImportWork: Sendable {
  /// The file.
  let contents: [UInt8]
  /// The name of the file; empty where it is not given.
  let name: String
  let options: PlaceReading.Options
  /// A collection for all places of the file.
  let collection: String?
  let preference: PlaceTaking.Preference
  let restoresRemoved: Bool
  /// Whether nothing is to be changed.
  package let isDryRun: Bool

  /// Reads the file.
  ///
  /// - Throws: A problem where the file as a whole cannot be read.
  package func read() throws(Problem) -> PlaceImport {
    do throws(PlaceFileError) {
      let item = try PlaceImport(contents: contents, name: name, options)
      return collection.map(item.collected) ?? item
    } catch { throw Problem(.noPlaces, "The file cannot be read: \(error).") }
  }

  /// Imports what was read. Photos and pictures of an archive are left out, since no files are
  /// stored.
  ///
  /// - Parameters:
  ///   - item: The file as read.
  ///   - document: The current places.
  ///   - radiusMeters: The distance within which an existing place is close to a new one.
  ///   - now: The current time.
  /// - Returns: A report of the changes.
  /// - Throws: `PlaceError` where a place is rejected.
  package func apply(
    _ item: PlaceImport, to document: inout PlaceDocument, radiusMeters: Double, now: Instant
  ) throws(PlaceError) -> PlaceImportReport {
    let photos = ArchivedPhotos(leavingOut: item)
    let outcome = try item.apply(
      to: &document, photos: photos, preference: preference, restoresRemoved: restoresRemoved,
      radiusMeters: radiusMeters, now: now)
    return PlaceImportReport(item, outcome, photos, isDryRun: isDryRun)
  }
}

extension Service {
  /// Returns the work for importing a file of places.
  func importPlaces(_ call: Call) throws(Problem) -> PlaceImportWork {
    let parameters = call.parameters
    guard !call.request.body.isEmpty else { throw Problem(.noPlaces, "The file is empty.") }
    for name in ["name", "collection", "columns", "encoding"] {
      guard parameters.text(name)?.utf8.count ?? 0 <= 1000 else {
        throw Parameters.bad(name, "is too long")
      }
    }
    let preferences = PlaceTaking.Preference.allCases
    let preference = parameters.text("prefer").map(PlaceTaking.Preference.init(rawValue:))
    guard let preference = preference ?? .newest else {
      let names = preferences.map(\.rawValue).joined(separator: ", ")
      throw Parameters.bad("prefer", "must be one of \(names)")
    }
    let columns = parameters.text("columns").map(PlaceColumns.init)
    if case .some(nil) = columns {
      throw Parameters.bad("columns", "must be FIELD=COLUMN, as in latitude=Y,longitude=X")
    }
    return PlaceImportWork(
      contents: call.request.body, name: parameters.text("name") ?? "",
      options: PlaceReading.Options(
        columns: columns ?? nil, encoding: parameters.text("encoding")),
      collection: parameters.text("collection"), preference: preference,
      restoresRemoved: try parameters.flag("restore"), isDryRun: try parameters.flag("dryRun"))
  }

  /// The maximum number of places and names of each kind that the answer to an import lists.
  private static let namedCount = 100

  /// Creates the response to an import: its counts, and what differs, was left out or not read.
  package func imported(_ report: PlaceImportReport) -> ServiceResponse {
    ServiceResponse { writer in
      writer.object { writer in
        let (counts, outcome) = (report.counts, report.outcome)
        writer.member("text", counts.text)
        writer.member("format", report.title)
        writer.member("dryRun", report.isDryRun)
        writer.member("read", counts.read)
        writer.member("new", counts.new)
        writer.member("changed", counts.changed)
        writer.member("kept", counts.kept)
        writer.member("differs", counts.differs)
        writer.member("leftOut", counts.leftOut)
        writer.member("notRead", counts.unread)
        writer.member("restored", outcome.restored)
        writer.member("removed", outcome.removed)
        writer.member("encoding", report.guessedEncoding)
        writer.array("differing") { writer in
          for place in outcome.differing.prefix(Self.namedCount) {
            writer.object { writer in
              writer.member("id", place.id.description)
              writer.member("name", place.name)
              writer.array("fields") { writer in place.fields.forEach { writer.string($0) } }
            }
          }
        }
        writer.array("parts") { writer in report.writeParts(to: &writer) }
        writer.array("unread") { writer in
          for value in report.unread.prefix(Self.namedCount) {
            writer.object { writer in
              writer.member("name", value.name)
              writer.member("count", value.count)
            }
          }
        }
      }
    }
  }
}

extension PlaceImportReport {
  /// Writes the reasons why elements and parts were left out, with their counts and the names of
  /// the first few.
  fileprivate func writeParts(to writer: inout JSONWriter) {
    for part in skipped {
      Self.write("\(part.reason)", part.count, part.text, part.examples, to: &writer)
    }
    if photoCount > 0 {
      let text = "\(photoCount.grouped) picture\(photoCount == 1 ? "" : "s") of the archive"
      Self.write("photo", photoCount, text, [], to: &writer)
    }
    if outcome.futureTimes > 0 {
      let noun = outcome.futureTimes == 1 ? "time" : "times"
      let text = "\(outcome.futureTimes.grouped) \(noun) more than a day in the future"
      Self.write("futureTime", outcome.futureTimes, text, [], to: &writer)
    }
  }

  private static func write(
    _ reason: String, _ count: Int, _ text: String, _ examples: [String],
    to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("reason", reason)
      writer.member("count", count)
      writer.member("text", text)
      writer.array("examples") { writer in examples.forEach { writer.string($0) } }
    }
  }
}
