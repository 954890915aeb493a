import Encodings

/// An element of an XML document with its content.
struct XMLNode {
  /// The name. Readers ignore its namespace, which many programs get wrong.
  let name: XMLName
  let attributes: [XMLAttribute]
  /// The text directly in the element, as far as it is stored.
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
  private(set) var isTooLarge = false

  /// The maximum number of elements in a place; the rest are ignored.
  private static let maximumCount = 10_000
  /// The maximum length of an element's text in bytes; any more is ignored.
  private static let maximumTextLength = 1 << 16

  var isOpen: Bool { !open.isEmpty }

  /// Begins an element: a place if none is open, else a descendant of it.
  mutating func begin(_ name: XMLName, _ attributes: [XMLAttribute]) {
    if open.isEmpty { (nodeCount, isTooLarge) = (0, false) }
    nodeCount += 1
    if nodeCount > Self.maximumCount { isTooLarge = true }
    open.append(XMLNode(name: name, attributes: attributes))
  }

  mutating func add(_ text: String) {
    guard !open.isEmpty else { return }
    let place = open.count - 1
    guard open[place].text.utf8.count + text.utf8.count <= Self.maximumTextLength else { return }
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
