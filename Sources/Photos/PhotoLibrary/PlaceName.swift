import Encodings
public import Spatial
import Towns

/// The rules for naming places: by an album, else by the nearest town, else by the position.
public enum PlaceName {
  /// The maximum length of a name in Unicode scalars.
  public static let maximumLength = 64

  /// Returns the place name that an album's name contains; `nil` if it is only the name of a
  /// camera's or phone's folder, or a date.
  ///
  /// - Parameter album: The folder's name as bytes.
  /// - Returns: A name on one line with only visible characters and single spaces.
  public static func name(ofAlbum album: some Collection<UInt8>) -> String? {
    var name = String.UnicodeScalarView()
    var isSpace = true
    for scalar in String(decoding: album, as: UTF8.self).unicodeScalars {
      guard let visible = visible(scalar) else { continue }
      if visible == " ", isSpace { continue }
      isSpace = visible == " "
      name.append(visible)
    }
    if name.last == " " { name.removeLast() }
    name = withoutDates(name)
    guard name.contains(where: \.properties.isAlphabetic) else { return nil }
    let text = String(name)
    guard !isCameraFolder(text) else { return nil }
    return name.count <= maximumLength
      ? text : String(String.UnicodeScalarView(name.prefix(maximumLength - 1))) + "…"
  }

  /// Returns the user's name of a place on one line, with only visible characters and single
  /// spaces, truncated to ``maximumLength``; `nil` if nothing visible remains.
  public static func line(_ name: String) -> String? {
    // Limits the work on names with many invisible characters.
    line(name.unicodeScalars.prefix(16 * maximumLength), maximumLength: maximumLength)
  }

  /// Returns a text on one line, with only visible characters and single spaces; `nil` if nothing
  /// visible remains.
  package static func line(
    _ text: some Sequence<Unicode.Scalar>, maximumLength: Int
  ) -> String? {
    var line = String.UnicodeScalarView()
    var (isSpace, count) = (true, 0)
    for scalar in text {
      guard let visible = scalar == "_" ? scalar : visible(scalar) else { continue }
      if visible == " ", isSpace { continue }
      guard count < maximumLength else {
        line.removeLast()
        line.append("…")
        break
      }
      isSpace = visible == " "
      line.append(visible)
      count += 1
    }
    while line.last == " " { line.removeLast() }
    return line.isEmpty ? nil : String(line)
  }

  /// Returns the title of a place without photos: its nearest town, else its position.
  public static func title(of place: Coordinate) -> String {
    Gazetteer.world.nearest(to: place)?.town.name ?? text(of: place)
  }

  /// Returns a position formatted for display: `48.85840° N, 2.29450° E`.
  public static func text(of place: Coordinate) -> String {
    func degrees(_ number: Double, _ signs: (String, String)) -> String {
      let written = PlainNumber.text(abs(number), decimals: 5).split(separator: ".")
      let decimals = written.count > 1 ? String(written[1]) : ""
      let padding = String(repeating: "0", count: 5 - decimals.utf8.count)
      return "\(written[0]).\(decimals)\(padding)° \(number < 0 ? signs.1 : signs.0)"
    }
    return "\(degrees(place.latitude, ("N", "S"))), \(degrees(place.longitude, ("E", "W")))"
  }

  /// Returns the name without a leading date, as in `2019-05 Siena`, and without a trailing year,
  /// since a place may have photos of many years.
  private static func withoutDates(
    _ name: String.UnicodeScalarView
  ) -> String.UnicodeScalarView {
    let words = name.split(separator: " ")
    let first = words.firstIndex {
      !isDate($0) && !$0.allSatisfy { "-–.,".unicodeScalars.contains($0) }
    }
    guard let first, let last = words.lastIndex(where: { !isYear($0) }), first <= last else {
      return String.UnicodeScalarView()
    }
    // Words are separated by one space.
    return String.UnicodeScalarView(name[words[first].startIndex..<words[last].endIndex])
  }

  /// Returns whether a word is a date beginning with the year: `2019`, `2019-05-12`, `20190512`.
  private static func isDate(_ word: Substring.UnicodeScalarView) -> Bool {
    isYear(word.prefix(4))
      && word.dropFirst(4).allSatisfy { "0123456789-._".unicodeScalars.contains($0) }
  }

  /// Returns whether a word is a year in which photos can have been taken, 1826–2099.
  private static func isYear(_ word: Substring.UnicodeScalarView) -> Bool {
    word.count == 4 && Int(String(word)).map { (1826...2099).contains($0) } ?? false
  }

  /// Returns the scalar for display: a space for a separator, and `nil` for an invisible scalar.
  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: " "
    case .control: scalar == "\t" || scalar == "\n" ? " " : nil
    case .format, .surrogate, .privateUse, .unassigned: nil
    default: scalar == "\u{FFFD}" || scalar == "_" ? " " : scalar
    }
  }

  /// Returns whether a folder's name is the default of a camera (`100CANON`, of the DCF standard:
  /// three digits and five letters), a phone or a desktop.
  private static func isCameraFolder(_ name: String) -> Bool {
    let lower = name.lowercased()
    if usualNames.contains(lower) { return true }
    let bytes = Array(lower.utf8)
    return bytes.count == 8 && bytes.prefix(3).allSatisfy { (0x30...0x39).contains($0) }
  }

  private static let usualNames: Set = [
    "dcim", "camera", "camera roll", "camera uploads", "photos", "pictures", "images", "img",
    "photos from", "bilder", "fotos", "foto", "immagini", "private", "misc", "new folder",
    "untitled", "untitled folder", "takeout", "google photos", "downloads", "download", "upload",
    "uploads", "import", "backup", "raw", "jpg", "jpeg", "export", "exports", "originals", "tmp",
  ]
}
