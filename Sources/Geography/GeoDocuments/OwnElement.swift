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
        "ps:note", note.text, attributes: [("time", note.time?.iso8601), ("id", note.id)],
        indent: inner)
    }
    let collections = record.collections.map {
      XMLLine.element("ps:collection", $0, indent: inner)
    }
    let photos = record.photos.map {
      XMLLine.element(
        "ps:photo", NameText.line($0),
        attributes: [("file", record.archiveNames[$0].map(KMLPlacemark.address))], indent: inner)
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
    if let time = node.attribute("created").flatMap({ Instant(iso8601: $0) }) { created = time }
    set(changed: node.attribute("changed") ?? "")
    set(radius: node.attribute("radius") ?? "")
    (hasAllCollections, hasAllNotes) = (true, true)
    if name.isEmpty { emptyFields.insert(.name) }
    if alertRadiusMeters == nil { emptyFields.insert(.radius) }
    for child in node.children {
      switch child.name.local {
      case "note":
        let time = child.attribute("time").flatMap { Instant(iso8601: $0) }
        add(ownNote: child.text, time: time, id: child.attribute("id"))
      case "collection": add(collection: child.text)
      case "photo":
        let path = NameText.name(of: child.text.utf8)
        add(photo: path)
        if photos.contains(path) { archiveNames[path] = child.attribute("file") }
      default: unread.append(child.name.local)
      }
    }
    if notes.isEmpty { emptyFields.insert(.notes) }
  }

  /// Takes the fields that another program edited beside the own element, and left in it as they
  /// were.
  mutating func take(_ others: OtherFields) {
    if let text = others.notes {
      if StoredText.line(text).isEmpty { emptyFields.insert(.notes) }
      take(notes: text, isMarkup: others.hasMarkup)
    }
    if let kind = others.kind.map(StoredText.line), !PlaceIcon.isGeneric(kind), kind != self.kind {
      set(kind: kind)
    }
    if let name = others.collection.map(StoredText.line), !name.isEmpty, name != collections.first {
      let others = collections.dropFirst().filter { $0 != name }
      collections = [name] + others
    } else if !others.categories.isEmpty {
      var record = PlaceRecord(coordinate: coordinate)
      for name in others.categories { record.add(collection: name) }
      if Set(record.collections) != Set(collections) { collections = record.collections }
    }
    if others.isRadiusRemoved { emptyFields.insert(.radius) }
    if let radius = others.radius.flatMap(WrittenLength.meters), radius != alertRadiusMeters {
      set(radius: others.radius ?? "")
    }
  }

  /// Takes the notes as one text, in the order in which they are written. Where it consists of some
  /// of them, the others were removed. Where all but one are in it, that one was edited; else the
  /// text is a further note.
  private mutating func take(notes description: String, isMarkup: Bool) {
    let known = notes.map(\.text)
    let written = known.joined(separator: Self.noteSeparator)
    // Programs lay out white space anew.
    let unedited = PlaceText.singleSpaced(isMarkup ? HTMLText.escaped(written) : written)
    guard PlaceText.singleSpaced(description) != unedited else { return }
    let isPlain = !isMarkup && PlainText.isMarkup(written)
    let text = isPlain ? PlaceText.lines(description) : PlaceText.plain(description)
    guard !text.isEmpty, PlaceText.singleSpaced(text) != PlaceText.singleSpaced(written) else {
      return
    }
    if let left = notes(in: text) {
      notes = left
      return
    }
    let (old, new) = (Array(written.unicodeScalars), Array(text.unicodeScalars))
    let sameHead = zip(old, new).prefix { $0 == $1 }.count
    let sameTail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    var start = 0
    for place in known.indices {
      let end = start + known[place].unicodeScalars.count
      let tail = old.count - end
      if sameHead >= start, sameTail >= tail, new.count > start + tail {
        var edited = String.UnicodeScalarView()
        edited.append(contentsOf: new[start..<(new.count - tail)])
        notes[place].text = PlaceText.lines(String(edited))
        return
      }
      start = end + Self.noteSeparator.unicodeScalars.count
    }
    add(note: text)
  }

  /// Returns the notes of which a text consists; `nil` where it has other parts.
  private func notes(in text: String) -> [Note]? {
    var rest = Substring(text)
    var left: [Note] = []
    for note in notes where !rest.isEmpty {
      if rest == note.text {
        rest = ""
      } else if rest.hasPrefix(note.text + Self.noteSeparator) {
        rest = rest.dropFirst(note.text.count + Self.noteSeparator.count)
      } else {
        continue
      }
      left.append(note)
    }
    return rest.isEmpty ? left : nil
  }

  /// The text between two notes where they are written as one.
  static let noteSeparator = "\n\n"
}

/// The fields of a place that this program writes twice: to its own element, and to elements that
/// other programs know and edit. A field is `nil` where a format has no such element.
struct OtherFields {
  /// The notes, one after the other.
  var notes: String?
  /// Whether the notes are written as HTML.
  var hasMarkup = false
  var kind: String?
  /// The first collection.
  var collection: String?
  /// All collections; empty where a format or a program has no element for them.
  var categories: [String] = []
  /// The radius with or without a unit.
  var radius: String?
  /// Whether the format can store a radius and the record has none: another program removed it.
  var isRadiusRemoved = false
}
