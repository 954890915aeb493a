import Encodings

/// The simple properties of an XMP packet: XMP specification part 1 (ISO 16684-1), section 7.
///
/// Only properties of the photo itself are stored, written as attributes or child elements of a
/// top-level `rdf:Description`, also those whose value is in an `rdf:value` because it has
/// qualifiers (section 7.8), its title and description in the default language (section 8.2.2.4),
/// and those of the place where it was taken. Other structures and lists are ignored, so that the
/// date of a history entry, or the position of the place that is shown, is never mistaken for the
/// photo's.
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
  /// Whether the outermost element is that of another document, such as a page of a server: neither
  /// `x:xmpmeta`, under its old names too, nor `rdf:RDF`.
  private(set) var isForeign = false
  /// The reason why the rest of the packet could not be read.
  private(set) var error: String?
  /// Whether the outermost element was read to its end, or the packet is malformed: the bytes that
  /// follow are of no use.
  private(set) var isFinished = false
  private var hasElements = false
  private var reader = XMLReader(
    maximumTokenLength: maximumTagLength,
    attributeNamespaces: XMPProperties.namespaces.union([rdf]))
  private var encoding = UnicodePieces()
  /// The roles of the open elements, outermost first.
  private var roles: [Role] = []
  private var text = ""

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

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

  /// Returns a text in the Dublin Core namespace: XMP specification part 1, section 8.3.
  func text(_ name: String) -> String? { photo.property(name, in: XMPProperties.core) }

  /// The name of the packet's extension: XMP specification part 3, section 1.1.3.1.
  var extensionName: String? { photo.property("HasExtendedXMP", in: XMPProperties.note) }

  /// The meaning of an element, by its name and those of the elements around it.
  private enum Role {
    /// Nothing that is stored.
    case other
    /// The resources: `rdf:RDF`.
    case root
    /// The photo's properties.
    case description
    /// The value of one property.
    case property(XMLName)
    /// The value of one property, and its qualifiers: an `rdf:Description` in it.
    case qualified(XMLName)
    /// The value of one property whose qualifiers are beside it: `rdf:value`.
    case value(XMLName)
    /// The values of one property in several languages, the default one first: `rdf:Alt`.
    case languages(XMLName)
    /// Properties of a place where the photo was taken: the property `LocationCreated`, an item of
    /// its list, or an `rdf:Description` in one of them.
    case location
    /// The list of such places.
    case locations
    /// The value of one property of such a place.
    case locationProperty(XMLName)

    /// Whether the element's text is stored.
    var hasText: Bool {
      switch self {
      case .property, .value, .locationProperty: true
      case .other, .root, .description, .qualified, .languages, .location, .locations: false
      }
    }

    /// Returns the role of a child.
    func ofChild(_ name: XMLName) -> Role {
      let isRDF = name.namespace == XMPPacket.rdf
      if isRDF, name.local == "RDF" { return .root }
      switch self {
      case .other, .value, .locationProperty: return .other
      case .root: return isRDF && name.local == "Description" ? .description : .other
      case .description:
        if XMPProperties.uses(name) { return .property(name) }
        return name == XMPPacket.createdLocation ? .location : .other
      case .property(let property):
        if isRDF, name.local == "value" { return .value(property) }
        if isRDF, name.local == "Alt", property.namespace == XMPProperties.core {
          return .languages(property)
        }
        return isRDF && name.local == "Description" ? .qualified(property) : .other
      case .qualified(let property):
        return isRDF && name.local == "value" ? .value(property) : .other
      case .languages(let property):
        return isRDF && name.local == "li" ? .value(property) : .other
      case .location:
        guard isRDF else { return .locationProperty(name) }
        if ["Bag", "Seq", "Alt"].contains(name.local) { return .locations }
        return name.local == "Description" ? .location : .other
      case .locations: return isRDF && name.local == "li" ? .location : .other
      }
    }
  }

  private static let createdLocation = XMLName(
    namespace: "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", local: "LocationCreated")

  private mutating func readEvents() throws(XMLError) {
    while !isFinished, let event = try reader.next(skipsText: !(roles.last?.hasText ?? false)) {
      switch event {
      case .start(let name, let attributes):
        if !hasElements { isForeign = !["xmpmeta", "xapmeta", "RDF"].contains(name.local) }
        hasElements = true
        let role = (roles.last ?? .other).ofChild(name)
        roles.append(role)
        text = ""
        keep(attributes, of: name, role)
      case .text(let part):
        if text.utf8.count <= XMPProperties.maximumValueLength { text += part }
      case .end:
        switch roles.removeLast() {
        case .property(let name), .value(let name): photo.keep(name, text)
        case .locationProperty(let name): keepLocation(name, text)
        case .other, .root, .description, .qualified, .languages, .location, .locations: break
        }
        text = ""
        // What follows is padding.
        if roles.isEmpty { isFinished = true }
      }
    }
  }

  private mutating func keep(_ attributes: [XMLAttribute], of name: XMLName, _ role: Role) {
    switch role {
    case .description:
      for attribute in attributes { photo.keep(attribute.name, attribute.value) }
    case .location:
      if name.local != "Description" { createdLocationCount += 1 }
      for attribute in attributes { keepLocation(attribute.name, attribute.value) }
    case .property(let property), .qualified(let property):
      for attribute in attributes
      where attribute.name.namespace == Self.rdf && attribute.name.local == "value" {
        photo.keep(property, attribute.value)
      }
    case .other, .root, .value, .languages, .locations, .locationProperty: break
    }
  }

  private mutating func keepLocation(_ name: XMLName, _ value: String) {
    // In a list, its own element is the first, and its first item the second.
    if createdLocationCount <= 2 { createdLocation.keep(name, value) }
  }
}
