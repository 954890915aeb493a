import CivilTime
import Encodings
import GeoDocuments
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as placemarks of a KML 2.2 document (OGC 07-147r2), for Earth viewers.
  ///
  /// A placemark's name contains the number of photos, and its time span is from the first to the
  /// last one. If photos are included, the description lists them, one per line, each followed by
  /// its other files after a plus sign. One of the user's places adds its name, and its notes
  /// before the photos.
  public static func kml(_ listings: [SpotListing]) -> String {
    KMLDocument.start()
      + zip(listings, titles(of: listings)).map { $0.placemark(titled: $1).text }.joined()
      + KMLDocument.end
  }

  private func placemark(titled title: String) -> KMLPlacemark {
    var placemark = KMLPlacemark(at: spot.coordinate)
    placemark.id = "\(spot.isOwnPlace ? "place" : "spot")-\(spot.id)"
    placemark.name = title
    let paths = (photos ?? []).flatMap { shot in
      [NameText.line(shot.photo.path.shown)]
        + shot.otherFiles.map { "+ " + NameText.line($0.shown) }
    }
    placemark.description = ((notes.map { [$0] } ?? []) + paths).joined(separator: "\n")
    if let first = spot.firstCaptured, let last = spot.lastCaptured {
      placemark.time = .span(first.localISO8601, last.localISO8601)
    }
    return placemark
  }
}
