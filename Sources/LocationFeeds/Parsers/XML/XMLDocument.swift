import Interchange

/// Reads the elements of one XML format from the events of a document.
protocol XMLTrackParser: Sendable {
  init()

  /// Reads an event and appends the fixes that it completes.
  mutating func read(_ event: XMLReader.Event, into output: inout DocumentOutput)

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
      while let event = try reader.next() { parser.read(event, into: &output) }
    } catch {
      isLost = true
      parser.finish(into: &output)
      output.add(.xml(error))
    }
  }
}
