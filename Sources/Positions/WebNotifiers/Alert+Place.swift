import Encodings
import Spatial
import SpotAlerts
import SpotWatcher

extension Alert {
  /// The address that shows the alert's spot: the page with the camera if there is a link to it,
  /// else the cover on the server of a remote library, else a map. `nil` for a digest.
  var place: String? {
    address(.takeAgain) ?? notification.map { $0.spot.coverAddress ?? Self.map(of: $0.spot) }
  }

  /// Returns the address of a map centred on a spot.
  private static func map(of spot: NotifiedSpot) -> String {
    let latitude = Degrees.text(spot.coordinate.latitude)
    let longitude = Degrees.text(spot.coordinate.longitude)
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)"
      + "#map=18/\(latitude)/\(longitude)"
  }
}
