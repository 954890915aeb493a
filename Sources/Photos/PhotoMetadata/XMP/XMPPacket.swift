import Encodings

/// The simple properties of an XMP packet: XMP specification part 1 (ISO 16684-1), section 7.
///
/// Only properties of the photo itself are stored, written as attributes or child elements of a
/// top-level `rdf:Description`, also those whose value is in an `rdf:value` because it has
/// qualifiers (section 7.8), and those of the place where it was taken. Other structures and lists
/// are ignored, so that the date of a history entry, or the position of the place that is shown, is
/// never mistaken for the photo's.
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

  /// The properties of the photo.
  private(set) var photo = XMPProperties()
  /// The properties of the place where the photo was taken, the first of them: IPTC Photo Metadata
  /// Standard 2022.1, "Location Created".
  private(set) var createdLocation = XMPProperties()
  private var createdLocationCount = 0
  /// Whether the bytes contain no XML element, or are malformed before the first stored property.
  var isUnreadable: Bool {
    error != nil && photo.isEmpty && createdLocation.isEmpty || isFinished && !hasElements
  }
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
  private static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"

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

  /// Returns a property in the EXIF namespace.
  func exif(_ name: String) -> String? { photo.exif(name) }

  /// Returns a property in the basic namespace: XMP specification part 2, section 2.1.
  func basic(_ name: String) -> String? { photo.property(name, in: XMPProperties.xmp) }

  /// Returns a property in the Photoshop namespace: XMP specification part 2, section 3.2.
  func photoshop(_ name: String) -> String? { photo.property(name, in: XMPProperties.photoshop) }

  /// The name of the packet's extension: XMP specification part 3, section 1.1.3.1.
  var extensionName: String? { photo.property("HasExtendedXMP", in: XMPProperties.note) }

  private mutating func readEvents() throws(XMLError) {
    while !isFinished, let event = try reader.next() {
      switch event {
      case .start(let name, let attributes):
        hasElements = true
        path.append(name)
        text = ""
        if Self.isDescription(path[...]) {
          for attribute in attributes { photo.keep(attribute.name, attribute.value) }
        } else if Self.isCreatedLocation(path[...]) {
          if name == Self.item || name == Self.createdLocation { createdLocationCount += 1 }
          for attribute in attributes { keepLocation(attribute.name, attribute.value) }
        } else if let property = Self.qualified(path[...]) {
          for attribute in attributes where attribute.name == Self.value {
            photo.keep(property, attribute.value)
          }
        }
      case .text(let part):
        if text.utf8.count <= XMPProperties.maximumValueLength,
          Self.property(path) != nil || Self.isCreatedLocation(path.dropLast())
        {
          text += part
        }
      case .end:
        if let name = Self.property(path) {
          photo.keep(name, text)
        } else if let name = path.last, Self.isCreatedLocation(path.dropLast()) {
          keepLocation(name, text)
        }
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

  private static let item = XMLName(namespace: rdf, local: "li")
  private static let lists = ["Bag", "Seq", "Alt"].map { XMLName(namespace: rdf, local: $0) }
  private static let createdLocation = XMLName(namespace: iptcExtension, local: "LocationCreated")

  /// Returns whether the element at a path holds properties of a place where the photo was taken:
  /// the property, an item of its list, or an `rdf:Description` in one of them.
  private static func isCreatedLocation(_ path: ArraySlice<XMLName>) -> Bool {
    var path = path
    if path.last == description { path = path.dropLast() }
    if path.last == item {
      guard let list = path.dropLast().last, lists.contains(list) else { return false }
      path = path.dropLast(2)
    }
    return path.last == createdLocation && isDescription(path.dropLast())
  }

  private mutating func keepLocation(_ name: XMLName, _ value: String) {
    // In a list, its own element is the first, and its first item the second.
    if createdLocationCount <= 2 { createdLocation.keep(name, value) }
  }
}
