import Interchange

/// An element of an XML document with all that is in it.
struct XMLNode {
  /// The name; readers take it without its namespace, which many programs get wrong.
  let name: XMLName
  let attributes: [XMLAttribute]
  /// The text directly in it, as far as it is kept.
  fileprivate(set) var text = ""
  fileprivate(set) var children: [XMLNode] = []

  init(name: XMLName, attributes: [XMLAttribute]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// The first child of a name.
  func child(_ name: String) -> XMLNode? { children.first { $0.name.local == name } }

  /// The text of the first child of a name; empty where there is none.
  func text(of name: String) -> String { child(name)?.text ?? "" }

  /// The value of an attribute.
  func attribute(_ name: String) -> String? {
    attributes.first { $0.name.local == name }?.value
  }

  /// The nodes of a name in it, at any depth, in the order of the document.
  func descendants(_ name: String) -> [XMLNode] {
    children.flatMap { child in
      (child.name.local == name ? [child] : []) + child.descendants(name)
    }
  }
}

/// Collects the elements of a document that are places, each whole.
struct XMLNodeBuilder {
  /// The open elements of the place that is read, the outermost first.
  private var open: [XMLNode] = []
  private var nodeCount = 0
  private(set) var isTooLarge = false

  /// The most elements of a place; further ones are left out.
  private static let maximumCount = 10_000
  /// The longest text of an element; the rest is left out. No point needs more.
  private static let maximumTextLength = 1 << 16

  var isOpen: Bool { !open.isEmpty }

  /// Begins an element, the place itself where none is open.
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

  /// Ends an element; returns the place where it is that.
  mutating func end() -> XMLNode? {
    guard let node = open.popLast() else { return nil }
    if open.isEmpty { return node }
    if !isTooLarge { open[open.count - 1].children.append(node) }
    return nil
  }
}
