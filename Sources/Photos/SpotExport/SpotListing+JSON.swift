import CivilTime
public import Encodings
import GeoDocuments
public import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage

extension SpotListing {
  /// Writes rows as a JSON array of objects.
  ///
  /// The members are `id`, `latitude`, `longitude` (degrees), `name`, `label` (the name with what
  /// tells the spot apart from others of the list), `photoCount`, `radiusMeters`,
  /// `firstCaptured`, `lastCaptured` (ISO 8601), and where known `distance` (metres), `bearing`
  /// (degrees clockwise from true north), `lastRecreated` and `photos`. A muted spot has `muted`,
  /// true, and `mutedUntil` if the muting ends by itself. One of the user's places, or a spot to
  /// which a place is pinned, has `place`: `id`, `name`, `kind`, `notes` (`time` and `text`, newest
  /// first), `collections` and, if it has one, `radius` in metres.
  public static func writeJSON(_ listings: [SpotListing], to writer: inout JSONWriter) {
    writer.array { writer in
      for listing in listings {
        writer.object { writer in
          writer.member("id", listing.spot.id)
          writer.member("latitude", degrees: listing.spot.coordinate.latitude)
          writer.member("longitude", degrees: listing.spot.coordinate.longitude)
          listing.writeProperties(to: &writer)
        }
      }
    }
  }

  /// Writes rows as a GeoJSON FeatureCollection of points (RFC 7946), with properties named as in
  /// ``writeJSON(_:to:)``.
  public static func writeGeoJSON(_ listings: [SpotListing], to writer: inout JSONWriter) {
    writer.featureCollection { writer in
      for listing in listings { listing.writeFeature(to: &writer) }
    }
  }

  /// Returns rows as a sequence of GeoJSON features (RFC 8142): each is preceded by the control
  /// character U+001E and ends with a line feed, so a reader can start before the end is written.
  public static func geoJSONSequence(_ listings: [SpotListing]) -> [UInt8] {
    listings.flatMap { listing -> [UInt8] in
      var writer = JSONWriter()
      listing.writeFeature(to: &writer)
      writer.newline()
      return [0x1E] + writer.takeBytes()
    }
  }

  private func writeFeature(to writer: inout JSONWriter) {
    writer.feature(id: spot.id, at: spot.coordinate) { writer in
      writer.member("id", spot.id)
      writeProperties(to: &writer)
    }
  }

  private func writeProperties(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("label", label)
    writer.member("photoCount", spot.photoCount)
    writer.member("radiusMeters", spot.radiusMeters)
    writer.member("firstCaptured", spot.firstCaptured?.localISO8601)
    writer.member("lastCaptured", spot.lastCaptured?.localISO8601)
    writer.member("lastRecreated", lastRecreated?.iso8601)
    writer.member("distance", approach?.distanceMeters)
    writer.member("bearing", approach?.bearingDegrees)
    if let muting {
      writer.member("muted", true)
      if case .until(let end) = muting { writer.member("mutedUntil", end.iso8601) }
    }
    if let place = spot.place {
      writer.key("place")
      place.write(to: &writer)
    }
    guard let photos else { return }
    writer.array("photos") { writer in
      for photo in photos { photo.write(to: &writer) }
    }
  }
}

extension OwnPlace {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("kind", kind)
      writer.member("radius", alertRadiusMeters)
      writer.array("collections") { writer in
        for name in collections { writer.string(name) }
      }
      writer.array("notes") { writer in
        for note in notes {
          writer.object { writer in
            writer.member("time", note.time.iso8601)
            writer.member("text", note.text)
          }
        }
      }
    }
  }
}

extension PhotoShot {
  /// Writes the shot as a JSON object with the members `path` (absolute, or
  /// `immich://HOST/ID/NAME`), `url` (the address for browsers, if it is in a remote library),
  /// `latitude`, `longitude` (degrees), and where known `altitude`, `horizontalAccuracy` (metres),
  /// `heading` (degrees), `captured` (ISO 8601; with `capturedSource` `name` the date
  /// in the file's name), `make`, `model`, `rating`, `favorite`, `album`,
  /// `source`. If the shot has several files, `files` holds their paths, beginning with `path`.
  /// Names that are not UTF-8 are written as `NameText`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", name: photo.path.shown)
      writer.member("url", webAddress)
      writer.member("latitude", degrees: photo.coordinate.latitude)
      writer.member("longitude", degrees: photo.coordinate.longitude)
      writer.member("altitude", photo.altitudeMeters)
      writer.member("horizontalAccuracy", photo.horizontalAccuracyMeters)
      writer.member("heading", photo.heading?.degrees)
      writer.member("captured", photo.captured?.localISO8601)
      writer.member("capturedSource", photo.captured?.isFromName == true ? "name" : nil)
      writer.member("make", photo.camera?.make)
      writer.member("model", photo.camera?.model)
      writer.member("rating", photo.rating)
      writer.member("favorite", photo.isFavorite)
      if let album = photo.album { writer.member("album", name: album.bytes) }
      writer.member("source", photo.positionSource.rawValue)
      guard !otherFiles.isEmpty else { return }
      writer.array("files") { writer in
        for file in files { writer.string(name: file.shown) }
      }
    }
  }
}
