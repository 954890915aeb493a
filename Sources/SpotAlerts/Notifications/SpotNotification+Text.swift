import Interchange
import PhotoMetadata

extension SpotNotification {
  /// The notification in a line for people: `120 m north-east: 14 photos, 2016–2024, and 2 more spots`.
  ///
  /// It holds no name from a feed or a file, so it can be shown anywhere.
  public var text: String {
    var text = distanceMeters < 5 ? "Right here: " : "\(distanceText) \(compassPoint): "
    text += spot.photoCount == 1 ? "1 photo" : "\(spot.photoCount) photos"
    if let years = spot.years { text += ", \(years)" }
    switch alsoNear.count {
    case 0: break
    case 1: text += ", and 1 more spot"
    default: text += ", and \(alsoNear.count) more spots"
    }
    return text
  }

  /// Metres, from 100 m on in tens, from a kilometre on in tenths of one.
  private var distanceText: String {
    switch distanceMeters {
    case ..<100: "\(Int(distanceMeters.rounded())) m"
    case ..<995: "\(Int((distanceMeters / 10).rounded()) * 10) m"
    default: "\((min(distanceMeters, 1e9) / 100).rounded() / 10) km"
    }
  }

  private var compassPoint: String {
    let points = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    let eighth = (bearingDegrees / 45).rounded()
    return points[eighth >= 0 && eighth < 8 ? Int(eighth) : 0]
  }
}

extension NotifiedSpot {
  /// The years of the first and the last capture, `2016–2024`, or the one year; `nil` where none is
  /// dated.
  public var years: String? {
    guard let firstCaptured, let lastCaptured else { return nil }
    let years = [firstCaptured, lastCaptured].compactMap {
      CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year
    }
    guard let first = years.first, let last = years.last else { return nil }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }
}
