import Encodings

/// The simple properties of an XMP packet: XMP specification part 1 (ISO 16684-1), section 7.
///
/// Only properties of the photo itself are stored, written as attributes or child elements of a
/// top-level `rdf:Description`. Nested structures and lists are ignored, so that the date of a
/// history entry is never mistaken for the photo's.
struct XMPPacket {
  private var properties: [XMLName: String] = [:]
  /// Whether the bytes contain no XML element, or are malformed before the first stored property.
  private(set) var isUnreadable = false
  private var hasElements = false

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let exif = "http://ns.adobe.com/exif/1.0/"
  private static let exifEX = "http://cipa.jp/exif/1.0/"
  private static let xmp = "http://ns.adobe.com/xap/1.0/"
  private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  private static let note = "http://ns.adobe.com/xmp/note/"
  /// The namespaces of stored properties; others make up most of a packet.
  private static let namespaces = [exif, exifEX, xmp, photoshop, note]
  /// The maximum number of stored properties; packets have a few dozen, at most a few hundred.
  private static let maximumProperties = 4096

  /// Parses a packet; if it is malformed, properties before the error are kept.
  init(_ bytes: ArraySlice<UInt8>) {
    var reader = XMLReader(Array(bytes))
    // Packets are padded, and some programs append NULs.
    do throws(XMLError) {
      try read(&reader)
      isUnreadable = !hasElements
    } catch {
      isUnreadable = properties.isEmpty
    }
  }

  /// Returns a property in the EXIF namespace: XMP specification part 2, section 2.3. Entries since
  /// EXIF 2.3 have a namespace of their own (CIPA DC-010-2020), which not all software uses.
  func exif(_ name: String) -> String? {
    properties[XMLName(namespace: Self.exif, local: name)]
      ?? properties[XMLName(namespace: Self.exifEX, local: name)]
  }

  /// Returns a property in the basic namespace: XMP specification part 2, section 2.1.
  func basic(_ name: String) -> String? { properties[XMLName(namespace: Self.xmp, local: name)] }

  /// Returns a property in the Photoshop namespace: XMP specification part 2, section 3.2.
  func photoshop(_ name: String) -> String? {
    properties[XMLName(namespace: Self.photoshop, local: name)]
  }

  /// The name of the packet's extension: XMP specification part 3, section 1.1.3.1.
  var extensionName: String? {
    properties[XMLName(namespace: Self.note, local: "HasExtendedXMP")]
  }

  private mutating func read(_ reader: inout XMLReader) throws(XMLError) {
    var path: [XMLName] = []
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes):
        hasElements = true
        path.append(name)
        text = ""
        guard Self.isDescription(path[...]) else { continue }
        for attribute in attributes { keep(attribute.name, attribute.value) }
      case .text(let part):
        if Self.isProperty(path) { text += part }
      case .end:
        if Self.isProperty(path), let name = path.last { keep(name, text) }
        text = ""
        path.removeLast()
      }
    }
  }

  private static let root = XMLName(namespace: rdf, local: "RDF")
  private static let description = XMLName(namespace: rdf, local: "Description")

  private static func isDescription(_ path: ArraySlice<XMLName>) -> Bool {
    path.last == description && path.dropLast().last == root
  }

  private static func isProperty(_ path: [XMLName]) -> Bool {
    isDescription(path.dropLast())
  }

  /// Stores a property without surrounding white space, if its namespace is supported, and unless
  /// it is empty or was stored before.
  private mutating func keep(_ name: XMLName, _ value: String) {
    guard Self.namespaces.contains(name.namespace) else { return }
    let space: (Character) -> Bool = { $0.isWhitespace }
    let trimmed = value.drop(while: space)
    guard let last = trimmed.lastIndex(where: { !space($0) }),
      properties.count < Self.maximumProperties, properties[name] == nil
    else { return }
    properties[name] = String(trimmed[...last])
  }
}
