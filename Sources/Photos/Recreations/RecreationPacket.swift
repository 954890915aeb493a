import Encodings
import PhotoMetadata
import Storage
import SystemPackage

/// The XMP packet of a recreation, which refers to the old photo.
enum RecreationPacket {
  /// The namespace of this program's properties: `recreationOf`, the file name of the old photo;
  /// `recreationOfID`, its name on the page; `score`, 0–1.
  static let namespace = "urn:photospots:xmp:recreation:1.0/"

  /// Creates the packet: XMP specification part 1 (ISO 16684-1), section 7.
  ///
  /// For other programs, the file name of the old photo is also in `dc:source`, the resource from
  /// which a resource is derived (part 1, section 8.3).
  ///
  /// - Parameters:
  ///   - old: The old photo.
  ///   - score: The alignment score, 0–1.
  /// - Returns: The packet.
  static func bytes(of old: OldPhoto, score: Double?) -> [UInt8] {
    let file = XMLText.escaped(NameText.text(of: old.path.lastComponent?.bytes ?? []))
    // Valid names are short; an invalid name must not exceed the size of the segment.
    let name = XMLText.escaped(String(old.name.prefix(256)))
    var attributes = [
      ("xmp:CreatorTool", "photospots"), ("photospots:recreationOf", file),
      ("photospots:recreationOfID", name),
    ]
    if let score {
      var writer = JSONWriter()
      writer.number(score)
      attributes.append(("photospots:score", writer.text))
    }
    let text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
          xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photospots="\(namespace)"
          \(attributes.map { "\($0)=\"\($1)\"" }.joined(separator: "\n    "))>
         <dc:source>\(file)</dc:source>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
    return Array(text.utf8)
  }
}
