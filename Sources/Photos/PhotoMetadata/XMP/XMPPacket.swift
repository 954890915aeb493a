import Encodings

/// The simple properties of an XMP packet: XMP specification part 1 (ISO 16684-1), section 7.
///
/// Only properties of the photo itself are stored, written as attributes or child elements of a
/// top-level `rdf:Description`, also those whose value is in an `rdf:value` because it has
/// qualifiers (section 7.8). Other structures and lists are ignored, so that the date of a history
/// entry is never mistaken for the photo's.
///
/// A packet is read in pieces and may have any length and any of the encodings of XML; the memory
/// used depends only on the longest tag.
struct XMPPacket {
  /// The number of bytes read of a packet or sidecar; masks of raw developers may have tens of
  /// megabytes.
  static let maximumLength = 256 << 20
  /// The length in bytes of the pieces of a long packet.
  static let pieceLength = 256 << 10
  /// The maximum length of a tag in bytes: some programs write a mask as one attribute.
  private static let maximumTagLength = 16 << 20
  /// The maximum number of bytes before the first element.
  private static let maximumPrologue = 64 << 10
  /// The maximum length of a stored value in characters.
  private static let maximumValueLength = 4096

  private var properties: [XMLName: String] = [:]
  /// Whether the bytes contain no XML element, or are malformed before the first stored property.
  var isUnreadable: Bool { error != nil && properties.isEmpty || isFinished && !hasElements }
  /// The reason why the rest of the packet could not be read.
  private(set) var error: String?
  /// Whether the outermost element was read to its end, or the packet is malformed: the bytes that
  /// follow are of no use.
  private(set) var isFinished = false
  private var hasElements = false
  private var reader = XMLReader(maximumTokenLength: maximumTagLength)
  private var encoding = UnicodePieces()
  private var path: [XMLName] = []
  private var text = ""

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

  /// Creates a packet without properties, whose bytes are added in pieces.
  init() {}

  /// Parses a packet; if it is malformed, properties before the error are kept.
  init(_ bytes: ArraySlice<UInt8>) {
    add(bytes)
    finish()
  }

  /// Parses the next piece.
  mutating func add(_ piece: ArraySlice<UInt8>) {
    guard !isFinished else { return }
    reader.append(encoding.utf8(piece))
    read()
    if !hasElements, !isFinished, reader.offset > Self.maximumPrologue {
      fail("no XML begins")
    }
  }

  /// Parses the end of the packet.
  mutating func finish() {
    guard !isFinished else { return }
    let rest = encoding.finish()
    if !rest.isEmpty { reader.append(rest) }
    reader.finish()
    read()
    isFinished = true
  }

  private mutating func read() {
    do throws(XMLError) {
      try readEvents()
    } catch {
      fail("\(error.reason)")
    }
  }

  private mutating func fail(_ reason: String) {
    error = reason
    isFinished = true
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

  private mutating func readEvents() throws(XMLError) {
    while !isFinished, let event = try reader.next() {
      switch event {
      case .start(let name, let attributes):
        hasElements = true
        path.append(name)
        text = ""
        if Self.isDescription(path[...]) {
          for attribute in attributes { keep(attribute.name, attribute.value) }
        } else if let property = Self.qualified(path[...]) {
          for attribute in attributes where attribute.name == Self.value {
            keep(property, attribute.value)
          }
        }
      case .text(let part):
        if Self.property(path) != nil, text.utf8.count <= Self.maximumValueLength { text += part }
      case .end:
        if let name = Self.property(path) { keep(name, text) }
        text = ""
        path.removeLast()
        // What follows is padding.
        if path.isEmpty { isFinished = true }
      }
    }
  }

  private static let root = XMLName(namespace: rdf, local: "RDF")
  private static let description = XMLName(namespace: rdf, local: "Description")

  private static func isDescription(_ path: ArraySlice<XMLName>) -> Bool {
    path.last == description && path.dropLast().last == root
  }

  private static let value = XMLName(namespace: rdf, local: "value")

  /// Returns the property whose value is the text at a path; `nil` if there is none.
  private static func property(_ path: [XMLName]) -> XMLName? {
    if isDescription(path.dropLast()) { return path.last }
    return path.last == value ? qualified(path.dropLast()) : nil
  }

  /// Returns the property at a path whose content may be a value and its qualifiers: the property's
  /// own element, or an `rdf:Description` in it.
  private static func qualified(_ path: ArraySlice<XMLName>) -> XMLName? {
    if isDescription(path.dropLast()) { return path.last }
    return path.last == description && isDescription(path.dropLast(2)) ? path.dropLast().last : nil
  }

  /// Stores a property without surrounding white space, if its namespace is supported, and unless
  /// it is empty or was stored before.
  private mutating func keep(_ name: XMLName, _ value: String) {
    guard Self.namespaces.contains(name.namespace), value.utf8.count <= Self.maximumValueLength
    else { return }
    let space: (Character) -> Bool = { $0.isWhitespace }
    let trimmed = value.drop(while: space)
    guard let last = trimmed.lastIndex(where: { !space($0) }),
      properties.count < Self.maximumProperties, properties[name] == nil
    else { return }
    properties[name] = String(trimmed[...last])
  }
}
