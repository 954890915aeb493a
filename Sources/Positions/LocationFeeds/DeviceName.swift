import Encodings

/// Normalises the names of devices for storage, comparison and display.
public enum DeviceName {
  /// The greatest number of Unicode scalars in a name.
  public static let maximumLength = 64

  /// Returns a name without invisible characters and of bounded length; `nil` where nothing is
  /// left.
  ///
  /// Removes control and format characters, line separators, private and unassigned code points,
  /// and white space at both ends. A name longer than ``maximumLength`` is shortened to its first
  /// 50 scalars, `~` and 13 characters of base32, a hash of the whole name, so that two long names
  /// remain distinct. The function is idempotent.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the name.
  public static func cleaned(_ name: String) -> String? {
    if isPlain(name) { return name }
    var scalars = String.UnicodeScalarView(
      name.unicodeScalars.drop { isInvisible($0) || $0.properties.isWhitespace }
        .filter { !isInvisible($0) })
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    guard scalars.count > maximumLength else { return scalars.isEmpty ? nil : String(scalars) }
    return String(scalars.prefix(maximumLength - 14)) + "~" + hash(of: String(scalars))
  }

  /// Returns whether a name consists of visible ASCII characters and inner spaces and is short, as
  /// nearly all names are; such a name needs no cleaning.
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
