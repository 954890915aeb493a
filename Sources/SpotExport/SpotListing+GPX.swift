import CivilTime
import Codecs
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as waypoints of a GPX 1.1 document (topografix.com/GPX/1/1), for navigators and
  /// maps.
  ///
  /// A spot's name contains the number of its photos, its time is that of the first one, and its
  /// comment is its id. One of the user's places adds its name, its notes as the description and
  /// its kind as the type. If photos are included, each of their files is a link of the waypoint.
  public static func gpx(_ listings: [SpotListing]) -> String {
    let waypoints = listings.map(\.waypoint).joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="photospots" xmlns="http://www.topografix.com/GPX/1/1">
      \(waypoints)</gpx>

      """
  }

  // The elements are in the order required by the schema.
  private var waypoint: String {
    var lines = [
      "  <wpt lat=\"\(Degrees.text(spot.coordinate.latitude))\" lon=\"\(Degrees.text(spot.coordinate.longitude))\">"
    ]
    // GPX times are UTC.
    if let first = spot.firstCaptured { lines.append("    <time>\(first.instant.iso8601)</time>") }
    lines.append("    <name>\(XMLText.escaped(title))</name>")
    lines.append("    <cmt>\(spot.id)</cmt>")
    if let notes { lines.append("    <desc>\(XMLText.escaped(notes))</desc>") }
    for file in (photos ?? []).lazy.flatMap(\.files) {
      lines.append("    <link href=\"\(FileURL.text(file))\"/>")
    }
    if let place = spot.place {
      lines.append("    <type>\(XMLText.escaped(place.kind))</type>")
    }
    lines.append("  </wpt>\n")
    return lines.joined(separator: "\n")
  }

  /// The notes of the user's place, newest first, separated by line breaks; `nil` if there are
  /// none.
  var notes: String? {
    guard let notes = spot.place?.notes, !notes.isEmpty else { return nil }
    return notes.map(\.text).joined(separator: "\n")
  }

  /// A short description of the spot: `14 photos, 2016–2024`, after the name of the user's place if
  /// there is one.
  var title: String {
    guard let place = spot.place, !place.name.isEmpty else { return summary }
    return spot.photoCount > 0 ? "\(place.name): \(summary)" : place.name
  }

  private var summary: String {
    let count = "\(spot.photoCount) photo\(spot.photoCount == 1 ? "" : "s")"
    guard let first = spot.firstCaptured?.iso8601.prefix(4),
      let last = spot.lastCaptured?.iso8601.prefix(4)
    else { return count }
    return first == last ? "\(count), \(first)" : "\(count), \(first)–\(last)"
  }
}

/// Converts paths to URLs (RFC 8089).
enum FileURL {
  /// Returns the URL of a file: `file:///home/me/a%20photo.jpg`. All bytes except unreserved
  /// characters (RFC 3986, section 2.3) and slashes are percent-encoded, so the URL needs no
  /// escaping in XML.
  static func text(_ path: FilePath) -> String {
    RemotePhoto(path: path)?.webAddress
      ?? "file://" + PercentEncoding.text(path.bytes, keeping: "-._~/")
  }
}
