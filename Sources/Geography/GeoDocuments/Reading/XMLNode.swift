import Encodings

/// An element of an XML document with its content.
struct XMLNode {
  /// The name. Readers ignore its namespace, which many programs get wrong.
  let name: XMLName
  let attributes: [XMLAttribute]
  /// The text directly in the element.
  fileprivate(set) var text = ""
  fileprivate(set) var children: [XMLNode] = []

  init(name: XMLName, attributes: [XMLAttribute]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// Returns the first child with a name; `nil` where there is none.
  func child(_ name: String) -> XMLNode? { children.first { $0.name.local == name } }

  /// Returns the text of the first child with a name; empty where there is none.
  func text(of name: String) -> String { child(name)?.text ?? "" }

  /// Returns the value of an attribute; `nil` where there is none.
  func attribute(_ name: String) -> String? {
    attributes.first { $0.name.local == name }?.value
  }

  /// Whether the element has neither text nor attributes nor elements.
  var isEmpty: Bool {
    children.isEmpty && attributes.isEmpty && PlaceText.line(text, limit: 1).isEmpty
  }

  /// Returns the names of the nested elements with a text, without those of some names, at any
  /// depth.
  func names(ofTextsExcept known: Set<String>) -> [String] {
    if known.contains(name.local) || isEmpty { return [] }
    return children.isEmpty ? [name.local] : children.flatMap { $0.names(ofTextsExcept: known) }
  }

  /// Returns the nested elements with a name, at any depth, in the order of the document.
  func descendants(_ name: String) -> [XMLNode] {
    children.flatMap { child in
      (child.name.local == name ? [child] : []) + child.descendants(name)
    }
  }
}

/// Builds the complete elements of a document that are places.
struct XMLNodeBuilder {
  /// The open elements of the current place, the outermost first.
  private var open: [XMLNode] = []
  private var nodeCount = 0
  private var textLength = 0
  private(set) var isTooLarge = false

  /// The maximum number of elements in a place.
  private static let maximumCount = 10_000
  /// The maximum length in bytes of all texts of a place together, which may hold pictures.
  private static let maximumTextLength = 1 << 26

  var isOpen: Bool { !open.isEmpty }

  /// Begins an element: a place if none is open, else a descendant of it.
  mutating func begin(_ name: XMLName, _ attributes: [XMLAttribute]) {
    if open.isEmpty { (nodeCount, textLength, isTooLarge) = (0, 0, false) }
    nodeCount += 1
    if nodeCount > Self.maximumCount { isTooLarge = true }
    open.append(XMLNode(name: name, attributes: attributes))
  }

  mutating func add(_ text: String) {
    guard !open.isEmpty else { return }
    let place = open.count - 1
    textLength += text.utf8.count
    guard textLength <= Self.maximumTextLength else {
      isTooLarge = true
      return
    }
    open[place].text += text
  }

  /// Ends an element; returns the place if it is complete with it.
  mutating func end() -> XMLNode? {
    guard let node = open.popLast() else { return nil }
    if open.isEmpty { return node }
    if !isTooLarge { open[open.count - 1].children.append(node) }
    return nil
  }
}
