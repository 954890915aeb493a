import CivilTime
import Codecs
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as waypoints of a GPX 1.1 document (topografix.com/GPX/1/1), which navigators and
  /// maps read.
  ///
  /// A spot's name says how many photos were taken there, its time is that of the first, and its
  /// comment holds its id. Where the photos are known each is a link of the waypoint, the files of
  /// one after another.
  public static func gpx(_ listings: [SpotListing]) -> String {
    let waypoints = listings.map(\.waypoint).joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="photospots" xmlns="http://www.topografix.com/GPX/1/1">
      \(waypoints)</gpx>

      """
  }

  // The elements stand in the order that the schema prescribes.
  private var waypoint: String {
    var lines = [
      "  <wpt lat=\"\(Degrees.text(spot.coordinate.latitude))\" lon=\"\(Degrees.text(spot.coordinate.longitude))\">"
    ]
    // GPX times are UTC.
    if let first = spot.firstCaptured { lines.append("    <time>\(first.instant.iso8601)</time>") }
    lines.append("    <name>\(title)</name>")
    lines.append("    <cmt>\(spot.id)</cmt>")
    for file in (photos ?? []).lazy.flatMap(\.files) {
      lines.append("    <link href=\"\(FileURL.text(file))\"/>")
    }
    lines.append("  </wpt>\n")
    return lines.joined(separator: "\n")
  }

  /// The spot in a few words: `14 photos, 2016–2024`.
  var title: String {
    let count = "\(spot.photoCount) photo\(spot.photoCount == 1 ? "" : "s")"
    guard let first = spot.firstCaptured?.iso8601.prefix(4),
      let last = spot.lastCaptured?.iso8601.prefix(4)
    else { return count }
    return first == last ? "\(count), \(first)" : "\(count), \(first)–\(last)"
  }
}

/// Paths as URLs: RFC 8089.
enum FileURL {
  /// `file:///home/me/a%20photo.jpg`; every byte that is not unreserved (RFC 3986, section 2.3) or
  /// a slash is written as its percent code, so the text needs no escaping anywhere.
  static func text(_ path: FilePath) -> String {
    "file://" + PercentEncoding.text(path.bytes, keeping: "-._~/")
  }
}
