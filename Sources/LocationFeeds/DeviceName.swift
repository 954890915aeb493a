import Codecs

/// The form in which devices' names are kept, compared and shown.
public enum DeviceName {
  /// The greatest number of Unicode scalars in a name.
  public static let maximumLength = 64

  /// Returns a name without what cannot be seen and of bounded length; `nil` where nothing is left.
  ///
  /// Control and format characters, line separators, and private and unassigned code points are
  /// left out, spaces at either end too. A longer name keeps its first 50 scalars and ends in `~`
  /// and 13 characters of base32, a hash of the whole, so that two long names stay apart. A name
  /// that was returned is returned as it is.
  ///
  /// - Complexity: O(*n*), the length of the name.
  public static func cleaned(_ name: String) -> String? {
    if isPlain(name) { return name }
    var scalars = String.UnicodeScalarView(
      name.unicodeScalars.drop { isInvisible($0) || $0.properties.isWhitespace }
        .filter { !isInvisible($0) })
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    guard scalars.count > maximumLength else { return scalars.isEmpty ? nil : String(scalars) }
    return String(scalars.prefix(maximumLength - 14)) + "~" + hash(of: String(scalars))
  }

  /// Whether a name is clean beyond doubt, as nearly all are: short, of visible ASCII characters.
  private static func isPlain(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, let last = bytes.last, bytes.count <= maximumLength,
      first != 0x20, last != 0x20
    else { return false }
    return bytes.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }

  private static func hash(of text: String) -> String {
    var hash = FNV1a()
    hash.combine(text.utf8)
    return Base32.text(hash.value)
  }
}
