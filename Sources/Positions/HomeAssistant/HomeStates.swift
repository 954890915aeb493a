import CivilTime
import Encodings
public import Spatial
public import SpotAlerts
import SpotWatcher

/// The spots around a device.
public struct HomeSurroundings: Hashable, Sendable {
  /// A spot and the distance to its centre.
  public struct Spot: Hashable, Sendable {
    let id: String
    let name: String
    let position: Coordinate
    let photoCount: Int
    let distanceMeters: Double

    /// Creates a spot.
    public init(
      id: String, name: String, position: Coordinate, photoCount: Int, distanceMeters: Double
    ) {
      self.id = id
      self.name = name
      self.position = position
      self.photoCount = photoCount
      self.distanceMeters = distanceMeters
    }
  }

  /// The number of spots within the proximity radius.
  let spotCount: Int
  /// The nearest spot, inside or outside of that radius; `nil` where there are no spots.
  let nearest: Spot?

  /// Creates surroundings.
  public init(spotCount: Int, nearest: Spot?) {
    self.spotCount = spotCount
    self.nearest = nearest
  }

  /// The state of a device's sensors: `spots`, `nearest`, `distance` in whole metres, and `spot`,
  /// the attributes of the nearest spot.
  ///
  /// Null makes a sensor unknown: a template of Home Assistant renders it as `None`
  /// (home-assistant.io/integrations/sensor.mqtt, `state_topic`).
  var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("spots", spotCount)
      writer.key("nearest")
      // States have at most 255 characters; names are usually far shorter.
      if let name = nearest?.name {
        writer.string(String(String.UnicodeScalarView(name.unicodeScalars.prefix(200))))
      } else {
        writer.null()
      }
      writer.key("distance")
      if let distance = nearest?.distanceMeters, distance.isFinite {
        writer.integer(Int(saturating: distance.rounded()))
      } else {
        writer.null()
      }
      writer.object("spot") { writer in
        guard let nearest else { return }
        writer.member("id", nearest.id)
        writer.member("photos", nearest.photoCount)
        writer.member("latitude", degrees: nearest.position.latitude)
        writer.member("longitude", degrees: nearest.position.longitude)
      }
    }
    return writer.takeBytes()
  }

  /// Returns whether more than the distance to the same nearest spot has changed.
  func differsVisibly(from other: HomeSurroundings) -> Bool {
    spotCount != other.spotCount || nearest?.id != other.nearest?.id
      || nearest?.name != other.nearest?.name
  }
}

extension Alert {
  /// The alert as the payload of an event (home-assistant.io/integrations/event.mqtt): `event_type`
  /// is `enter` or `digest`, and the other members become attributes.
  public var homeEvent: [UInt8] { homePayload(hasType: true) }

  /// The alert as the state of the sensor for the last alert.
  var homeState: [UInt8] { homePayload(hasType: false) }

  /// Returns the alert as a JSON object, with or without the type of an event.
  private func homePayload(hasType: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      switch content {
      case .spot(let notification):
        if hasType { writer.member("event_type", "enter") }
        writer.member("id", id)
        writer.member("time", notification.time.iso8601)
        writer.member("device", notification.device)
        writeWords(to: &writer)
        let spot = notification.spot
        writer.member("place", spot.place?.name ?? notification.memory?.place)
        writer.member("spot", spot.id)
        writer.member("distance", notification.distanceMeters)
        writer.member("bearing", notification.bearingDegrees)
        writer.member("photos", spot.photoCount)
        writer.member("years", spot.years)
        writer.member("latitude", degrees: spot.coordinate.latitude)
        writer.member("longitude", degrees: spot.coordinate.longitude)
        guard !links.isEmpty else { return }
        writer.object("links") { writer in
          for link in links { writer.member(link.purpose.rawValue, link.address) }
        }
      case .digest(let digest):
        if hasType { writer.member("event_type", "digest") }
        writer.member("id", id)
        writer.member("time", digest.end.iso8601)
        writeWords(to: &writer)
      }
    }
    return writer.takeBytes()
  }

  private func writeWords(to writer: inout JSONWriter) {
    writer.member("title", title)
    writer.member("text", text)
  }
}
