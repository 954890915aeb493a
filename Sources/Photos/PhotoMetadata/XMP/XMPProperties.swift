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
  /// The namespaces that are used.
  static let namespaces: Set = [exif, exifEX, xmp, photoshop, note]
  /// The maximum number of properties; packets have a few dozen, at most a few hundred.
  private static let maximumCount = 4096
  /// The maximum length of a value in bytes.
  static let maximumValueLength = 4096

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

  /// Stores a property without surrounding white space, if its namespace is used, and unless it is
  /// empty or was stored before.
  mutating func keep(_ name: XMLName, _ value: String) {
    guard value.utf8.count <= Self.maximumValueLength, Self.namespaces.contains(name.namespace),
      values.count < Self.maximumCount, values[name] == nil
    else { return }
    let scalars = value.unicodeScalars.drop(while: Self.isSpace)
    guard let last = scalars.lastIndex(where: { !Self.isSpace($0) }) else { return }
    values[name] = String(scalars[...last])
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
  }
}
