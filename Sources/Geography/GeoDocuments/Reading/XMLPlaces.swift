import Encodings

/// Walks the elements of XML documents that are lists of places.
enum XMLPlaces {
  /// Calls a closure with each element of some name that is not inside another one.
  ///
  /// Elements that are too large are counted.
  ///
  /// - Parameters:
  ///   - names: The names of the elements.
  ///   - text: The document.
  ///   - file: The file to which the closure adds places.
  ///   - body: Receives each element and the attributes of the root.
  /// - Throws: ``PlaceFileError`` where the text is not XML, and the errors of the closure.
  static func forEach(
    _ names: String..., in text: [UInt8], of file: inout PlaceFile,
    _ body: (
      _ node: XMLNode, _ root: [XMLAttribute], _ file: inout PlaceFile
    ) throws(PlaceFileError) -> Void
  ) throws(PlaceFileError) {
    var reader = XMLReader(text)
    var builder = XMLNodeBuilder()
    var root: [XMLAttribute]?
    while let event = try GPXPlaces.next(&reader) {
      switch event {
      case .start(let name, let attributes):
        if builder.isOpen || names.contains(name.local) {
          builder.begin(name, attributes)
        } else {
          root = root ?? attributes
        }
      case .text(let text): builder.add(text)
      case .end:
        let isTooLarge = builder.isTooLarge
        guard let node = builder.end() else { continue }
        if isTooLarge {
          file.skip(.tooLarge, node.text(of: "name"))
        } else {
          try body(node, root ?? [], &file)
        }
      }
    }
  }
}
