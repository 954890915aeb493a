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
  /// A spot's name contains the number of its photos, its time is that of the first one, and its
  /// comment is its id. One of the user's places adds its name, its notes as the description and
  /// its kind as the type. If photos are included, each of their files is a link of the waypoint.
  public static func gpx(_ listings: [SpotListing]) -> String {
    GPXDocument.start() + listings.map(\.waypoint.text).joined() + GPXDocument.end
  }

  private var waypoint: GPXWaypoint {
    var waypoint = GPXWaypoint(at: spot.coordinate)
    waypoint.time = spot.firstCaptured?.instant
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
