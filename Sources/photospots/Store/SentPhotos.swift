import Interchange

/// The changes that were sent to a store after a scan.
struct SentPhotos {
  /// The number of photos that the index has.
  var photoCount = 0
  /// The number of photos that were added, changed ones among them.
  var addedCount = 0
  /// The number of photos that were removed, changed ones among them.
  var removedCount = 0
  /// The number of spots that were written; `nil` where spots are left to workers.
  var spotCount: Int?

  /// The changes in a line.
  var text: String {
    let spots = spotCount.map { "; \($0) spots written" } ?? "; spots are left to workers"
    return "the store got \(addedCount) photos, and \(removedCount) were removed\(spots)\n"
  }

  /// Writes the changes as a member of an object.
  func write(to writer: inout JSONWriter) {
    writer.object("store") { writer in
      writer.member("photos", photoCount)
      writer.member("added", addedCount)
      writer.member("removed", removedCount)
      writer.member("spotsWritten", spotCount)
    }
  }
}
