import Encodings

/// Reads the elements of one XML format from the events of a document.
protocol XMLTrackParser: Sendable {
  init()

  /// Reads the start of an element. The root's depth is 1.
  mutating func begin(_ name: String, _ attributes: [XMLAttribute], depth: Int)

  /// Reads a part of the open element's text, and appends the fixes that it completes.
  mutating func append(_ part: String, into output: inout DocumentOutput)

  /// Reads the end of the element at a depth, and appends the fixes that it completes.
  mutating func end(depth: Int, into output: inout DocumentOutput)

  /// Appends the fixes in the complete parts of an element that the end of the document cuts off.
  mutating func finish(into output: inout DocumentOutput)
}

/// Reads an XML document with the parser of its format.
///
/// Nothing is read after malformed XML, since its context is unknown. Namespaces of names are
/// ignored, as many programs get them wrong.
struct XMLDocument<Parser: XMLTrackParser>: DocumentParser {
  private var reader = XMLReader()
  private var parser = Parser()
  /// The number of open elements.
  private var depth = 0
  private var isLost = false

  init() {}

  mutating func consume(_ text: [UInt8], into output: inout DocumentOutput) {
    guard !isLost else { return }
    reader.append(text)
    readEvents(into: &output)
  }

  mutating func finish(into output: inout DocumentOutput) {
    guard !isLost else { return }
    reader.finish()
    readEvents(into: &output)
  }

  private mutating func readEvents(into output: inout DocumentOutput) {
    do throws(XMLError) {
      while let event = try reader.next() {
        switch event {
        case .start(let name, let attributes):
          depth += 1
          parser.begin(name.local, attributes, depth: depth)
        case .text(let part): parser.append(part, into: &output)
        case .end:
          parser.end(depth: depth, into: &output)
          depth -= 1
        }
      }
    } catch {
      isLost = true
      parser.finish(into: &output)
      output.add(.xml(error))
    }
  }
}
