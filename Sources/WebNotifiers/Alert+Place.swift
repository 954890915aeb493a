import Interchange
import Spatial
import SpotAlerts
import SpotWatcher

extension Alert {
  /// Where its spot is shown: on the page with the camera where there is a link to it, else its
  /// cover on the server of a remote library, else on a map; `nil` for a digest.
  var place: String? {
    address(.takeAgain) ?? notification.map { $0.spot.coverAddress ?? Self.map(of: $0.spot) }
  }

  /// The spot on a map.
  private static func map(of spot: NotifiedSpot) -> String {
    let latitude = Degrees.text(spot.coordinate.latitude)
    let longitude = Degrees.text(spot.coordinate.longitude)
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)"
      + "#map=18/\(latitude)/\(longitude)"
  }
}
