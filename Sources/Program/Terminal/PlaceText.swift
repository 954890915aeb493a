import CivilTime
package import Encodings
package import KeptPlaces
import PhotoLibrary
import Spatial
import SpotExport
import Storage

/// The text and JSON forms of places. Names and notes are untrusted.
package enum PlaceText {
  /// Returns the name of a place, or of its town if it has none.
  package static func name(_ place: KeptPlace) -> String {
    place.name.isEmpty ? PlaceName.title(of: place.coordinate) : place.name
  }

  /// Returns a line that reports the change of a place.
  package static func line(_ place: KeptPlace, verb: String) -> String {
    "\(verb) \(place.id): \(name(place).escaped), at \(SpotText.position(place.coordinate))\n"
  }

  /// Returns a row for each place: name, kind, position, contents and id.
  package static func rows(_ places: [KeptPlace]) -> String {
    let names = places.map { String(name($0).escaped.prefix(columns: 40)) }
    let width = names.map(\.columns).max() ?? 0
    return zip(places, names).map { place, name in
      var fields = [
        place.id.description, SpotText.position(place.coordinate).padded(to: 22),
        place.kind.escaped,
      ]
      if let radius = place.alertRadiusMeters { fields.append(Distance.text(radius)) }
      fields += [
        Self.count(place.notes.count, "note"), Self.count(place.photos.count, "photo"),
        place.collections.map(\.escaped).joined(separator: ", "),
      ]
      if let removed = place.removedTime {
        fields.append("removed \(CivilTimeText.bareMinute(removed))")
      }
      return StandardOutput.row(
        name.padded(to: width) + "  ",
        fields.filter { !$0.isEmpty }.joined(separator: "  ")) + "\n"
    }.joined()
  }

  private static func count(_ count: Int, _ name: String) -> String {
    count == 0 ? "" : "\(count) \(name)\(count == 1 ? "" : "s")"
  }

  /// Returns all fields of a place, one per line.
  package static func details(_ place: KeptPlace) -> String {
    var lines = [
      Style.bold.of(name(place).escaped), line("id", place.id.description),
      line("position", SpotText.position(place.coordinate)), line("kind", place.kind.escaped),
    ]
    if let radius = place.alertRadiusMeters {
      lines.append(line("alerts in", Distance.text(radius)))
    }
    if let spot = place.spotID { lines.append(line("pinned to", "spot \(spot.escaped)")) }
    for name in place.collections { lines.append(line("collection", name.escaped)) }
    for path in place.photos { lines.append(line("photo", path.escaped)) }
    for note in place.notes {
      let text = note.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0).escaped }
      lines.append(line("note", "\(date(of: note))  \(text.first ?? "")"))
      lines += text.dropFirst().map { String(repeating: " ", count: 32) + $0 }
    }
    if let removed = place.removedTime {
      lines.append(line("removed", CivilTimeText.minute(removed)))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the date of a note. An imported note may have no date, which is stored as the epoch.
  private static func date(of note: PlaceNote) -> String {
    note.time.millisecondsSince1970 == 0
      ? "undated".padded(to: 16) : CivilTimeText.bareMinute(note.time)
  }

  private static func line(_ name: String, _ value: String) -> String {
    "  " + name.padded(to: 12) + value
  }

  // MARK: - JSON

  /// Returns a place as an indented JSON object.
  package static func json(_ place: KeptPlace) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    write(place, to: &writer)
    writer.newline()
    return writer.takeBytes()
  }

  /// Returns places as a JSON array.
  package static func json(_ places: [KeptPlace]) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.array { writer in
      for place in places { write(place, to: &writer) }
    }
    writer.newline()
    return writer.takeBytes()
  }

  /// Writes a place with the same members as the API of `serve`, but with the paths of photos.
  package static func write(_ place: KeptPlace, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", place.id.description)
      writer.member("latitude", degrees: place.coordinate.latitude)
      writer.member("longitude", degrees: place.coordinate.longitude)
      writer.member("name", name(place))
      writer.member("kind", place.kind)
      writer.member("radius", place.alertRadiusMeters)
      writer.member("spot", place.spotID)
      writer.array("collections") { writer in
        for name in place.collections { writer.string(name) }
      }
      writer.array("notes") { writer in
        for note in place.notes {
          writer.object { writer in
            writer.member("id", note.id)
            writer.member("time", note.time.iso8601)
            writer.member("text", note.text)
          }
        }
      }
      writer.array("photos") { writer in
        for path in place.photos { writer.string(name: path.bytes) }
      }
      writer.member("created", place.createdTime.iso8601)
      writer.member("changed", place.changedTime.iso8601)
      writer.member("removed", place.removedTime?.iso8601)
    }
  }
}
