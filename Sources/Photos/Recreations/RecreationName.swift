import CivilTime
import PhotoMetadata

/// A generator of file names for recreations: `2026-11-22 10.15.03 Arezzo (2008).jpg`.
enum RecreationName {
  /// The maximum length of a name in bytes; some file systems and programs do not support 255.
  static let maximumLength = 200

  /// Returns a file name.
  ///
  /// - Parameters:
  ///   - taken: The time of capture of the new photo.
  ///   - old: The old photo.
  ///   - number: A number, from 1, that distinguishes files with otherwise equal names.
  /// - Returns: The name, valid on every file system for any name of the place.
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
    // A truncated place may end with a space.
    while name.last == " " { name.removeLast() }
    return name + end
  }

  /// Returns a time as `2026-11-22 10.15.03`, because few file systems allow colons.
  private static func stamp(_ time: CaptureTime) -> String {
    String(time.iso8601.prefix(19)).replacing("T", with: " ").replacing(":", with: ".")
  }

  private static func year(of old: OldPhoto) -> Int? {
    old.captured.flatMap {
      CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year
    }
  }

  /// Returns text without characters that have a special meaning for a file system, a shell or a
  /// listing.
  private static func safe(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      // Bidirectional marks, joiners, and code points that are not characters.
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: result.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "-" : scalar)
      }
    }
    let words = String(result).split(whereSeparator: \.isWhitespace)
    // A leading dot hides a file, and a trailing dot is lost on some systems.
    let joined = words.joined(separator: " ").drop { $0 == "." || $0 == " " || $0 == "-" }
    return String(joined.reversed().drop { $0 == "." || $0 == " " }.reversed())
  }
}
