package import GeoDocuments

/// The report of an import of a file: its reading, and the changes that were made or would be.
package struct PlaceImportReport: Sendable {
  /// The name of the format.
  package let title: String
  /// The counts.
  package let counts: PlaceCounts
  /// The changes.
  package let outcome: PlaceImport.Outcome
  /// The elements and parts that were left out, by reason.
  package let skipped: [PlaceFile.Skipped]
  /// The number of photos and pictures that were left out.
  package let photoCount: Int
  /// The columns, properties and elements without a field, each with the number of its values.
  package let unread: [(name: String, count: Int)]
  /// The encoding that was assumed; `nil` where the file declares one, or is UTF-8.
  package let guessedEncoding: String?
  /// Whether nothing was changed.
  package let isDryRun: Bool

  /// Creates a report of an import.
  package init(
    _ item: PlaceImport, _ outcome: PlaceImport.Outcome, _ photos: ArchivedPhotos, isDryRun: Bool
  ) {
    title = item.title
    counts = PlaceCounts(item, outcome, photos)
    self.outcome = outcome
    photoCount = photos.leftOutCount
    self.isDryRun = isDryRun
    if case .places(let file) = item.content {
      (skipped, unread, guessedEncoding) = (file.skipped, file.unread, file.guessedEncoding)
    } else {
      (skipped, unread, guessedEncoding) = ([], [], nil)
    }
  }
}
