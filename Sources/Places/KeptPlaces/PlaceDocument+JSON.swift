package import Encodings
import Spatial
import Storage
import SystemPackage

// The document, version 1, has one line per place, sorted by id, with its members in this order:
//
// id           sixteen digits
// created      milliseconds since 1970; all other times are offsets to it, in milliseconds, and
//              missing where they are zero
// latitude     degrees to 1e-7; missing where only the removal of the place is still known
// longitude    the same
// name         missing where the place has none
// kind         missing where it is "place"
// radius       metres; missing where the place has none of its own
// spot         the id of the spot that the place is pinned to
// notes        [{id, date (milliseconds since 1970), text, time}, or {id, removed, time}]
// photos       ["path", or {path, removed, time}]
// collections  ["name", or {name, removed, time}]
// removed      true
// times        {position, name, kind, radius, spot, removed}

/// The reason why bytes are not a valid document of places.
enum PlaceFormatError: Error, Hashable {
  case damaged(String)
  case newer(Int64)
  /// The bytes are in another format.
  case foreign
}

extension PlaceDocument {
  static let format = "photospots-places"
  /// The version that is written, and the newest that can be read.
  static let version: Int64 = 1

  // MARK: - Writing

  /// Writes the document in chunks of about 64 KiB.
  func write<E: Error>(to sink: ([UInt8]) throws(E) -> Void) throws(E) {
    var writer = JSONWriter()
    try writer.object { (writer) throws(E) in
      writer.member("format", Self.format)
      writer.member("version", Self.version)
      try writer.array("places") { (writer) throws(E) in
        for row in table.order {
          writer.beginLine()
          table.rows[row].write(to: &writer)
          if writer.bytes.count >= 1 << 16 { try sink(writer.takeBytes()) }
        }
      }
    }
    writer.newline()
    try sink(writer.takeBytes())
  }

  /// The content of the document's file.
  package var json: [UInt8] {
    var json: [UInt8] = []
    write { json += $0 }
    return json
  }

  // MARK: - Reading

  /// The usual length in bytes of a place with a note.
  private static let usualRowSize = 200

  /// The readable part of a document, and the reason why it is not all of it.
  struct Reading {
    var document = PlaceDocument()
    var error: PlaceFormatError?
  }

  /// Reads a document.
  ///
  /// - Throws: `JSONError` where the bytes are not a document of places, or of a newer version.
  package init(json: [UInt8]) throws(JSONError) {
    var reader = JSONReader(json)
    let reading = Self.reading(&reader)
    switch reading.error {
    case nil: self = reading.document
    case .damaged(let reason): throw JSONError(offset: 0, reason: reason)
    case .foreign: throw JSONError(offset: 0, reason: "it is not a document of places")
    case .newer(let version):
      throw JSONError(offset: 0, reason: PlaceStoreError.versionText(version))
    }
  }

  /// Reads as many places as possible: all of them, or those before the first damaged one.
  ///
  /// - Parameters:
  ///   - reader: The text.
  ///   - size: The approximate size of the text in bytes; zero if unknown.
  /// - Returns: The places, and the error if there is one.
  static func reading(_ reader: inout JSONReader, size: Int = 0) -> Reading {
    var reading = Reading()
    reading.document.reserveCapacity(size / usualRowSize)
    var (format, version): (String?, Int64?)
    do throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "format": format = try reader.string()
        case "version": version = try reader.integer()
        case "places":
          // A newer version may use the member differently.
          if let version, version > Self.version {
            try reader.skipValue()
          } else {
            try reading.document.readPlaces(&reader)
          }
        default: try reader.skipValue()
        }
      }
      try reader.end()
    } catch {
      reading.error = .damaged(error.description)
    }
    if let format, format != Self.format {
      reading.error = .foreign
    } else if let version, version > Self.version {
      reading.error = .newer(version)
    } else if reading.error == nil {
      if format == nil { reading.error = .foreign }
      if format != nil, version != Self.version {
        reading.error = .damaged("the version of its format is missing")
      }
    }
    return reading
  }

  private mutating func readPlaces(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() { merge(try KeptPlace(&reader)) }
  }
}

extension KeptPlace {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id.description)
      writer.member("created", created)
      if let contents { contents.write(to: &writer, created: created) }
      if removal.value { writer.member("removed", true) }
      writeTimes(to: &writer)
    }
  }

  private func writeTimes(to writer: inout JSONWriter) {
    var times = [("removed", removal.time)]
    if let contents {
      times += [
        ("position", contents.position.time), ("name", contents.name.time),
        ("kind", contents.kind.time), ("radius", contents.radius.time),
        ("spot", contents.spot.time),
      ]
    }
    let others = times.filter { $0.1 != created }
    guard !others.isEmpty else { return }
    writer.object("times") { writer in
      for (name, time) in others { writer.member(name, time - created) }
    }
  }
}

extension KeptPlace.Contents {
  fileprivate func write(to writer: inout JSONWriter, created: Int64) {
    let coordinate = position.value.coordinate
    writer.member("latitude", degrees: coordinate.latitude)
    writer.member("longitude", degrees: coordinate.longitude)
    if !name.value.text.isEmpty { writer.member("name", name.value.text) }
    if kind.value.text != KeptPlace.usualKind { writer.member("kind", kind.value.text) }
    if radius.value > 0 { writer.member("radius", radius.value) }
    if !spot.value.text.isEmpty { writer.member("spot", spot.value.text) }
    if !notes.elements.isEmpty {
      writer.array("notes") { writer in
        for note in notes.elements { note.write(to: &writer, created) }
      }
    }
    if !photos.elements.isEmpty {
      writer.array("photos") { writer in
        for photo in photos.elements {
          photo.register.write(to: &writer, created, "path") { $0.string(name: photo.key.bytes) }
        }
      }
    }
    if !collections.elements.isEmpty {
      writer.array("collections") { writer in
        for name in collections.elements {
          name.register.write(to: &writer, created, "name") { $0.string(name.key.text) }
        }
      }
    }
  }
}

extension ElementSet<ByteText, NoteContent>.Element {
  fileprivate func write(to writer: inout JSONWriter, _ created: Int64) {
    writer.object { writer in
      writer.member("id", key.text)
      if register.value.isPresent {
        writer.member("date", register.value.date)
        writer.member("text", register.value.text.text)
      } else {
        writer.member("removed", true)
      }
      if register.time != created { writer.member("time", register.time - created) }
    }
  }
}

extension Register<Bool> {
  /// Writes an element; only its key if it is present and was written when the place was created.
  fileprivate func write(
    to writer: inout JSONWriter, _ created: Int64, _ member: String,
    _ key: (inout JSONWriter) -> Void
  ) {
    guard !value || time != created else { return key(&writer) }
    writer.object { writer in
      writer.key(member)
      key(&writer)
      if !value { writer.member("removed", true) }
      if time != created { writer.member("time", time - created) }
    }
  }
}
