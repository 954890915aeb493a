import CivilTime
import Encodings

/// This program's own element in GPX and KML, which other programs ignore. It holds the fields that
/// these formats lack.
enum OwnElement {
  /// The namespace of the element.
  static let namespace = "urn:x-photospots:place:1"

  /// Returns the element as lines.
  static func text(_ record: PlaceRecord, indent: String) -> String {
    let attributes = XMLLine.written([
      ("id", record.ownID), ("kind", record.kind),
      ("radius", record.alertRadiusMeters.map { PlainNumber.text($0, decimals: 6) }),
      ("created", record.created?.iso8601), ("changed", record.changed?.iso8601),
    ])
    let inner = indent + "  "
    let notes = record.notes.map { note in
      XMLLine.element(
        "ps:note", note.text, attributes: [("time", note.time?.iso8601)], indent: inner)
    }
    let collections = record.collections.map {
      XMLLine.element("ps:collection", $0, indent: inner)
    }
    let photos = record.photos.map {
      XMLLine.element("ps:photo", NameText.line($0), indent: inner)
    }
    return "\(indent)<ps:place\(attributes)>\n" + (notes + collections + photos).joined()
      + "\(indent)</ps:place>\n"
  }
}

extension PlaceRecord {
  /// Reads the element that ``OwnElement/text(_:indent:)`` writes.
  mutating func read(own node: XMLNode) {
    ownID = node.attribute("id").flatMap { Self.isPlaceID($0) ? $0 : nil }
    set(kind: node.attribute("kind") ?? "")
    created = node.attribute("created").flatMap { Instant(iso8601: $0) } ?? created
    changed = node.attribute("changed").flatMap { Instant(iso8601: $0) }
    set(radiusMeters: node.attribute("radius").flatMap(WrittenDegrees.number))
    for child in node.children {
      switch child.name.local {
      case "note":
        add(note: child.text, time: child.attribute("time").flatMap { Instant(iso8601: $0) })
      case "collection": add(collection: child.text)
      case "photo": add(photo: NameText.name(of: child.text.utf8))
      default: break
      }
    }
  }
}
