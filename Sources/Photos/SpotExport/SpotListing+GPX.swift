import CivilTime
import GeoDocuments
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as waypoints of a GPX 1.1 document (topografix.com/GPX/1/1), for navigators and
  /// maps.
  ///
  /// A spot's name is that of its place with the number of its photos, and occurs once. Its time is
  /// that of the first photo, unless the photo's UTC offset is unknown, and its comment is its id.
  /// One of the user's places adds its name, its notes as the description and its kind as the type.
  /// If photos are included, each of their files is a link of the waypoint.
  public static func gpx(_ listings: [SpotListing]) -> String {
    GPXDocument.start()
      + zip(listings, titles(of: listings)).map { $0.waypoint(titled: $1).text }.joined()
      + GPXDocument.end
  }

  private func waypoint(titled title: String) -> GPXWaypoint {
    var waypoint = GPXWaypoint(at: spot.coordinate)
    // Times in GPX are in UTC.
    waypoint.time = spot.firstCaptured.flatMap { $0.utcOffsetMinutes == nil ? nil : $0.instant }
    waypoint.name = title
    waypoint.comment = spot.id
    waypoint.description = notes ?? ""
    waypoint.links = (photos ?? []).flatMap(\.files).map(Self.link)
    waypoint.type = spot.place?.kind ?? ""
    return waypoint
  }

  /// Returns the address of a file, or of a photo on the server of a remote library.
  private static func link(to path: FilePath) -> String {
    RemotePhoto(path: path)?.webAddress ?? FileLink.text(path.bytes)
  }

  /// The notes of the user's place, newest first, separated by line breaks; `nil` if there are
  /// none.
  var notes: String? {
    guard let notes = spot.place?.notes, !notes.isEmpty else { return nil }
    return notes.map(\.text).joined(separator: "\n")
  }

  /// A short description of the spot: `Siena: 14 photos, 2016–2024`, or only the name of a place
  /// without photos.
  private var heading: String {
    guard name != nil else { return summary }
    return spot.photoCount > 0 ? "\(label): \(summary)" : label
  }

  /// Returns a title for each row. Titles that would occur twice are numbered, because programs
  /// keep one favourite for each name.
  static func titles(of listings: [SpotListing]) -> [String] {
    var taken: [String: Int] = [:]
    let titles = listings.map(\.heading)
    var used = Set(titles)
    return titles.map { title in
      guard let before = taken[title] else {
        taken[title] = 1
        return title
      }
      var number = before + 1
      while !used.insert("\(title) (\(number))").inserted { number += 1 }
      taken[title] = number
      return "\(title) (\(number))"
    }
  }

  private var summary: String {
    let count = "\(spot.photoCount) photo\(spot.photoCount == 1 ? "" : "s")"
    guard let earliest = spot.firstCaptured, let latest = spot.lastCaptured else { return count }
    let shown = CaptureTime.shown(earliest, latest)
    let (first, last) = (shown.first.iso8601.prefix(4), shown.last.iso8601.prefix(4))
    return first == last ? "\(count), \(first)" : "\(count), \(first)–\(last)"
  }
}
