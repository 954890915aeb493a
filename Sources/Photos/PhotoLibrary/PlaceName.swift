import Encodings
public import Spatial
import Storage
package import SystemPackage
import Towns

/// The rules for naming places: by an album, else by the nearest town, else by the position.
public enum PlaceName {
  /// The maximum length of a name in Unicode scalars.
  public static let maximumLength = 64

  /// Returns the place name that an album's name contains; `nil` if it is only a date, or a name
  /// that cameras, phones and programs give.
  ///
  /// - Parameter album: The folder's name as bytes.
  /// - Returns: A name on one line with only visible characters and single spaces.
  public static func name(ofAlbum album: some Collection<UInt8>) -> String? {
    var name = String.UnicodeScalarView()
    var isSpace = true
    for scalar in String(decoding: album, as: UTF8.self).unicodeScalars {
      guard let visible = visible(scalar, after: name.last) else { continue }
      if visible == " ", isSpace { continue }
      isSpace = visible == " "
      name.append(visible)
    }
    if name.last == " " { name.removeLast() }
    guard !ProgramFolders.contains(String(name)) else { return nil }
    let text = FolderDates.removed(from: String(name))
    name = text.unicodeScalars
    guard name.contains(where: \.properties.isAlphabetic) else { return nil }
    guard !ProgramFolders.contains(text) else { return nil }
    return name.count <= maximumLength
      ? text : String(String.UnicodeScalarView(name.prefix(maximumLength - 1))) + "…"
  }

  /// Returns the place name that a folder's name contains; `nil` as for ``name(ofAlbum:)``, and for
  /// a folder of one letter inside a photo library's `originals`.
  package static func name(ofFolder folder: FilePath) -> String? {
    let path = folder.bytes[...]
    guard let name = FilePath.lastName(of: path) else { return nil }
    if name.count == 1, let parent = FilePath.lastName(of: FilePath.parent(of: path)) {
      let above = String(decoding: parent, as: UTF8.self).lowercased()
      if above == "originals" || above == "masters" { return nil }
    }
    return self.name(ofAlbum: name)
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
      guard let visible = scalar == "_" ? scalar : visible(scalar, after: line.last) else {
        continue
      }
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
    Gazetteer.world.nearest(to: place)?.placeName ?? text(of: place)
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

  /// Returns the scalar for display: a space for a separator, and `nil` for an invisible scalar
  /// except a joiner.
  private static func visible(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?
  ) -> Unicode.Scalar? {
    if TerminalText.isJoiner(scalar, after: previous) { return scalar }
    return switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: " "
    case .control: scalar == "\t" || scalar == "\n" ? " " : nil
    case .format, .surrogate, .privateUse, .unassigned: nil
    default: scalar == "\u{FFFD}" || scalar == "_" ? " " : scalar
    }
  }
}
