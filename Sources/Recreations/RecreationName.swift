import CivilTime
import PhotoMetadata

/// Names for the files of recreations: `2026-11-22 10.15.03 Arezzo (2008).jpg`.
enum RecreationName {
  /// Some file systems and programs take fewer than the 255 bytes of most.
  static let maximumLength = 200

  /// Returns a name.
  ///
  /// - Parameters:
  ///   - taken: When the new photo was taken.
  ///   - old: The old photo.
  ///   - number: Tells files from one another that would have the same name, from 1 on.
  /// - Returns: The name, which every file system takes whatever the place is called.
  static func text(taken: CaptureTime?, old: OldPhoto, number: Int) -> String {
    let place = safe(old.place ?? "")
    let end = (year(of: old).map { " (\($0))" } ?? "") + (number > 1 ? " \(number)" : "") + ".jpg"
    var name = taken.map { stamp($0) + " " } ?? ""
    let start = place.isEmpty ? "Photo" : place
    for character in start {
      let room = maximumLength - name.utf8.count - end.utf8.count
      guard character.utf8.count <= room else { break }
      name.append(character)
    }
    // A place that is cut off may end with a space.
    while name.last == " " { name.removeLast() }
    return name + end
  }

  /// `2026-11-22 10.15.03`, since few file systems take a colon.
  private static func stamp(_ time: CaptureTime) -> String {
    String(time.iso8601.prefix(19)).replacing("T", with: " ").replacing(":", with: ".")
  }

  private static func year(of old: OldPhoto) -> Int? {
    old.captured.flatMap {
      CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year
    }
  }

  /// Text without what a file system, a shell or a listing would take for something else.
  private static func safe(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      // Line and paragraph separators among them.
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      // Marks that turn the direction of text, joiners; what is no character.
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: result.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "-" : scalar)
      }
    }
    let words = String(result).split(whereSeparator: \.isWhitespace)
    // A dot hides a file where it is first, and is lost on some systems where it is last.
    let joined = words.joined(separator: " ").drop { $0 == "." || $0 == " " || $0 == "-" }
    return String(joined.reversed().drop { $0 == "." || $0 == " " }.reversed())
  }
}
