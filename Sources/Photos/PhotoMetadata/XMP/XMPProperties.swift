import Encodings

/// The simple properties of one resource of an XMP packet, in the namespaces that are used; others
/// make up most of a packet.
struct XMPProperties {
  private var values: [XMLName: String] = [:]

  private static let exif = "http://ns.adobe.com/exif/1.0/"
  private static let exifEX = "http://cipa.jp/exif/1.0/"
  /// The basic namespace.
  static let xmp = "http://ns.adobe.com/xap/1.0/"
  /// The namespace of Photoshop.
  static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  /// The namespace of extended packets.
  static let note = "http://ns.adobe.com/xmp/note/"
  /// The Dublin Core namespace: XMP specification part 1, section 8.3.
  static let core = "http://purl.org/dc/elements/1.1/"
  /// The properties in ``core`` that are used, which are texts in several languages.
  private static let texts: Set = ["title", "description"]
  /// The namespaces that are used.
  static let namespaces: Set = [exif, exifEX, xmp, photoshop, note, core]
  /// The maximum number of properties; packets have a few dozen, at most a few hundred.
  private static let maximumCount = 4096
  /// The maximum length of a value in bytes.
  static let maximumValueLength = 4096

  /// Returns whether a property is used.
  static func uses(_ name: XMLName) -> Bool {
    name.namespace == core ? texts.contains(name.local) : namespaces.contains(name.namespace)
  }

  /// Whether no property is stored.
  var isEmpty: Bool { values.isEmpty }

  /// Returns a property in a namespace.
  func property(_ name: String, in namespace: String) -> String? {
    values[XMLName(namespace: namespace, local: name)]
  }

  /// Returns a property in the EXIF namespace: XMP specification part 2, section 2.3. Entries since
  /// EXIF 2.3 have a namespace of their own (CIPA DC-010-2020), which not all software uses.
  func exif(_ name: String) -> String? {
    property(name, in: Self.exif) ?? property(name, in: Self.exifEX)
  }

  /// Stores a property without surrounding white space, if it is used, and unless it is empty or
  /// was stored before. Of long texts, the beginning is stored.
  mutating func keep(_ name: XMLName, _ value: String) {
    let isText = name.namespace == Self.core
    guard isText || value.utf8.count <= Self.maximumValueLength, Self.uses(name),
      values.count < Self.maximumCount, values[name] == nil
    else { return }
    let scalars = value.unicodeScalars.prefix(Self.maximumValueLength).drop(while: Self.isSpace)
    guard let last = scalars.lastIndex(where: { !Self.isSpace($0) }) else { return }
    values[name] = String(scalars[...last])
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
  }
}
