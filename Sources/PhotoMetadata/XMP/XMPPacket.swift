import Interchange

/// The simple properties of an XMP packet: XMP specification part 1 (ISO 16684-1), section 7.
///
/// Only properties of the photo itself are kept, written as attributes or as elements of a
/// top-level `rdf:Description`; structures and lists inside it are passed over, so that a history
/// entry's date is never taken for the photo's.
struct XMPPacket {
  private var properties: [XMLName: String] = [:]
  /// Whether it is not XML, from before the first property on.
  private(set) var isUnreadable = false
  private var hasElements = false

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let exif = "http://ns.adobe.com/exif/1.0/"
  private static let xmp = "http://ns.adobe.com/xap/1.0/"
  private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  private static let note = "http://ns.adobe.com/xmp/note/"
  /// What is kept; other namespaces are most of a packet.
  private static let namespaces = [exif, xmp, photoshop, note]
  /// Packets hold some dozen properties, a few hundred at most.
  private static let maximumProperties = 4096

  /// Reads a packet. What comes before a place where it is not XML is kept.
  init(_ bytes: ArraySlice<UInt8>) {
    var reader = XMLReader(Array(bytes))
    // A packet is padded, and some writers leave NULs behind it.
    do throws(XMLError) {
      try read(&reader)
      isUnreadable = !hasElements
    } catch {
      isUnreadable = properties.isEmpty
    }
  }

  /// The value of a property in the EXIF namespace: XMP specification part 2, section 2.3.
  func exif(_ name: String) -> String? { properties[XMLName(namespace: Self.exif, local: name)] }

  /// The value of a property in the basic namespace: the same, section 2.1.
  func basic(_ name: String) -> String? { properties[XMLName(namespace: Self.xmp, local: name)] }

  /// The value of a property in the Photoshop namespace: the same, section 3.2.
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
