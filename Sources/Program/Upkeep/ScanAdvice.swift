package import PhotoLibrary

/// The next step after a scan that found few positions or none.
package struct ScanAdvice {
  /// The number of photos that were scanned.
  private let photoCount: Int
  /// The number of them that have no position, also not from a track or another program.
  private let unplacedCount: Int
  /// Whether the scan inferred positions from tracks.
  private let usedTracks: Bool
  /// The commands to offer.
  private let commands: OfferedCommands

  /// Creates the advice.
  ///
  /// - Parameters:
  ///   - photoCount: The number of photos that were scanned.
  ///   - unplacedCount: The number of them that have no position.
  ///   - usedTracks: Whether the scan inferred positions from tracks.
  ///   - commands: The commands to offer.
  package init(
    photoCount: Int, unplacedCount: Int, usedTracks: Bool,
    commands: OfferedCommands = OfferedCommands()
  ) {
    (self.photoCount, self.unplacedCount) = (photoCount, unplacedCount)
    (self.usedTracks, self.commands) = (usedTracks, commands)
  }

  /// The share of photos without a position from which a step is worth its sentence, in percent.
  private static let leastPercent = 20

  /// Sentences with the commands to run; `nil` if most photos have a position.
  package var text: String? {
    guard photoCount > 0 else {
      return """
        no photo was found. Name the folder that holds your photos, with its subfolders: \
        \(commands.text("index", "FOLDER"))
        """
    }
    let percent = unplacedCount * 100 / photoCount
    guard percent >= Self.leastPercent else { return nil }
    let steps = [
      usedTracks
        ? "Longer tracks or other clocks may place more of them: photospots help index."
        : """
        Tracks recorded on the way give them one: \(commands.text("index", "--tracks", "FOLDER")).
        """,
      """
      Positions that only digiKam, Lightroom or Apple Photos know: \
      \(commands.text("import-positions", "FILE"))
      """,
    ].joined(separator: " ")
    guard unplacedCount < photoCount else {
      let photos =
        photoCount == 1
        ? "the only photo has no position" : "none of the \(photoCount) photos has a position"
      return "\(photos), so there is no spot yet. \(steps)"
    }
    return """
      \(unplacedCount) of \(photoCount) photos (\(percent) %) \(unplacedCount == 1 ? "has" : "have") no position. \(steps). The page shows \
      the others: \(commands.text("serve"))
      """
  }
}
