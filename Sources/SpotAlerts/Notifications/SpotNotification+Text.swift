import Interchange
import PhotoMetadata

extension SpotNotification {
  /// The notification in a line for people: `120 m north-east: 14 photos of 6 years, 2016–2024, and 2 more
  /// spots. 9 years ago this week. The camera faced south. Spot 47xjsbmtz9sp`.
  ///
  /// The id is what mutes the spot. The line holds no name from a feed or a file, so it can be
  /// shown anywhere.
  public var text: String {
    var text = distanceMeters < 5 ? "Right here: " : "\(distanceText) \(compassPoint): "
    text += spot.photoCount == 1 ? "1 photo" : "\(spot.photoCount) photos"
    if let count = memory?.yearCount, count > 1 { text += " of \(count) years" }
    if let years = spot.years { text += ", \(years)" }
    switch alsoNear.count {
    case 0: break
    case 1: text += ", and 1 more spot"
    default: text += ", and \(alsoNear.count) more spots"
    }
    let id = spot.hasPlainID ? ["Spot \(spot.id)"] : []
    return ([text] + (memory?.sentences ?? []) + id).joined(separator: ". ")
  }

  /// What comes first in a notification that has a title: `9 years ago this week`, or that it is a spot.
  public var title: String { memory?.anniversary?.text ?? "You took a photo here" }

  /// Metres, from 100 m on in tens, from a kilometre on in tenths of one.
  private var distanceText: String {
    switch distanceMeters {
    case ..<100: "\(Int(saturating: distanceMeters.rounded())) m"
    case ..<995: "\(Int(saturating: (distanceMeters / 10).rounded()) * 10) m"
    default: "\((min(distanceMeters, 1e9) / 100).rounded() / 10) km"
    }
  }

  /// The direction to walk, as one of eight points of the compass.
  public var compassPoint: String { CompassPoint.name(of: bearingDegrees) }
}

/// The eight points of the compass.
private enum CompassPoint {
  /// The name of the point nearest to a direction in degrees; north for what is none.
  static func name(of degrees: Double) -> String {
    let points = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    let eighth = (degrees / 45).rounded()
    return points[eighth >= 0 && eighth < 8 ? Int(saturating: eighth) : 0]
  }
}

extension SpotMemory {
  fileprivate var sentences: [String] {
    [
      anniversary?.text ?? sinceLatest?.text,
      camera,
    ].compactMap { $0 }
  }

  /// `The camera faced south at 28 mm`, on 35 mm film, as lenses are spoken of; where that is not known
  /// `The camera faced south with a 5.7 mm lens`.
  private var camera: String? {
    let faced = headingDegrees.map { "faced \(CompassPoint.name(of: $0))" }
    return switch (faced, lens) {
    case (let faced?, let lens?): "The camera \(faced) \(lens)"
    case (let faced?, nil): "The camera \(faced)"
    case (nil, let lens?): "Taken \(lens)"
    case (nil, nil): nil
    }
  }

  private var lens: String? {
    if let film = focalLength?.millimetersOn35mmFilm { return "at \(film) mm" }
    guard let millimeters = focalLength?.millimeters else { return nil }
    // Those of phones are some millimetres long, and a tenth of one tells them apart.
    let digits = millimeters < 9.95 ? 10.0 : 1
    let rounded = (max(millimeters, 0.1) * digits).rounded() / digits
    let text = rounded == rounded.rounded() ? "\(Int(saturating: rounded))" : "\(rounded)"
    return "with \(Self.article(before: text)) \(text) mm lens"
  }

  /// `an` where a number begins with a vowel when it is spoken: eight, eighty-five, eleven and
  /// eighteen.
  private static func article(before number: String) -> String {
    let whole = number.prefix { $0 != "." }
    return whole.hasPrefix("8") || whole == "11" || whole == "18" ? "an" : "a"
  }
}

extension SpotMemory.Anniversary {
  /// `9 years ago today`, or `this week`.
  fileprivate var text: String {
    "\(years) \(years == 1 ? "year" : "years") ago \(daysAway == 0 ? "today" : "this week")"
  }
}

extension SpotMemory.Elapsed {
  /// `The last 2 years and 111 days ago`.
  fileprivate var text: String {
    let parts = [(years, "year"), (days, "day")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return parts.isEmpty ? "The last today" : "The last \(parts.joined(separator: " and ")) ago"
  }
}

extension NotifiedSpot {
  /// Whether the id is as those of spots are: a journal that was tampered with may hold any text.
  fileprivate var hasPlainID: Bool {
    (1...32).contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

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
