/// The numbers of files by the outcomes of reading them.
public struct FileCounts: Hashable, Sendable {
  /// The number of photos with a position.
  public private(set) var located = 0
  /// The number of photos without a valid position.
  public private(set) var withoutPosition = 0
  /// The number of files with invalid content.
  public private(set) var malformed = 0
  /// The number of files that could not be read.
  public private(set) var unreadable = 0
  /// The number of files that have names of photos but other contents.
  public private(set) var notPhotos = 0

  /// The number of photos, readable or not.
  public var photos: Int { located + withoutPosition + malformed + unreadable }

  /// The numbers of photos by outcome, with their names in documents.
  package var named: [(name: String, count: Int)] {
    [
      ("located", located), ("noPosition", withoutPosition), ("malformed", malformed),
      ("unreadable", unreadable),
    ]
  }

  /// Counts files with the same outcome.
  mutating func count(_ outcome: FileOutcome, files: Int = 1) {
    switch outcome {
    case .located: located += files
    case .noPosition: withoutPosition += files
    case .malformed: malformed += files
    case .unreadable: unreadable += files
    case .notAPhoto: notPhotos += files
    }
  }

  mutating func add(_ other: FileCounts) {
    located += other.located
    withoutPosition += other.withoutPosition
    malformed += other.malformed
    unreadable += other.unreadable
    notPhotos += other.notPhotos
  }
}

extension PhotoIndex {
  /// The numbers of its files by their outcomes.
  ///
  /// - Complexity: O(*n*) for *n* files.
  package var fileCounts: FileCounts {
    var files = Array(repeating: 0, count: outcomes.values.count)
    for outcome in self.files.outcome { files[outcome.row] += 1 }
    var counts = FileCounts()
    for (outcome, count) in zip(outcomes.values, files) { counts.count(outcome, files: count) }
    return counts
  }
}
