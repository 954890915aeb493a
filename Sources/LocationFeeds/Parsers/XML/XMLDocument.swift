import Interchange

/// Reads the elements of one format that is written in XML, from the events of a document.
protocol XMLTrackParser: Sendable {
  init()

  /// Reads an event and appends the fixes that are complete with it.
  mutating func read(_ event: XMLReader.Event, into output: inout DocumentOutput)

  /// Gives what is whole of an element that the end of the document cut off.
  mutating func finish(into output: inout DocumentOutput)
}

/// Reads an XML document with the parser of its format.
///
/// What follows something that is no XML is passed over: there is no telling what it belongs to.
/// Names are taken without their namespace, which many programs get wrong.
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
