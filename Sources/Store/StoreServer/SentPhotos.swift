package import Encodings

/// The changes that were sent to a store after a scan, in numbers.
package struct SentPhotos {
  /// The number of photos that the index has.
  package var photoCount = 0
  /// The number of photos that were added, changed ones among them.
  package var addedCount = 0
  /// The number of photos that were removed, changed ones among them.
  package var removedCount = 0
  /// The number of spots that were written; `nil` if workers compute them.
  package var spotCount: Int?

  /// The changes as a line of text.
  package var text: String {
    let spots = spotCount.map { "\($0) spot\($0 == 1 ? "" : "s") written" }
    let photos = "\(addedCount) photo\(addedCount == 1 ? "" : "s")"
    return """
      store: \(photos) added, \(removedCount) removed; \(spots ?? "workers compute the spots")

      """
  }

  /// Writes the changes as the member `store` of a JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.object("store") { writer in
      writer.member("photos", photoCount)
      writer.member("added", addedCount)
      writer.member("removed", removedCount)
      writer.member("spotsWritten", spotCount)
    }
  }
}
