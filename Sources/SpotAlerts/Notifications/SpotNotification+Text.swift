import CivilTime
import PhotoMetadata
public import SpotWatcher

extension SpotNotification {
  /// No text is longer, in Unicode scalars.
  public static let maximumTextLength = 120

  /// What helps to take the picture again, in a line of at most ``maximumTextLength`` characters:
  /// `Arezzo, 95 m south-east: 3 photos, 2019–2024. Face north-west, 26 mm.`
  ///
  /// The place's name comes first, where it has one; it is shortened, and then what helps least is
  /// left out, where the line would be too long. It holds no character that cannot be seen.
  public var text: String {
    let name = memory?.place.map { Array($0.unicodeScalars) } ?? []
    for count in stride(from: details.count, through: 0, by: -1) {
      let rest = text(with: Array(details.prefix(count)))
      for length in [name.count, 40, 28, 20] where length <= name.count {
        var text = name.isEmpty ? "" : Self.shortened(name, to: length) + ", "
        text += distanceMeters < 5 ? "right here" : "\(distanceText) \(compassPoint)"
        if name.isEmpty, distanceMeters < 5 { text = "Right here" }
        text += ": \(spot.photoCount == 1 ? "1 photo" : "\(spot.photoCount) photos")" + rest
        if text.unicodeScalars.count <= Self.maximumTextLength { return text }
      }
    }
    return "\(distanceText) \(compassPoint)"
  }

  /// What is said behind the number of photos.
  private enum Detail: Hashable {
    /// Behind a comma.
    case clause(String)
    /// A sentence of its own.
    case camera(String)
  }

  /// What helps most first.
  private var details: [Detail] {
    let more = alsoNear.count == 1 ? "1 more spot" : "\(alsoNear.count) more spots"
    let details: [Detail?] = [
      spot.years.map { .clause($0) },
      memory?.camera.map { .camera($0) },
      (memory?.anniversary?.text ?? memory?.sinceLatest?.text).map { .clause($0) },
      alsoNear.isEmpty ? nil : .clause("and \(more)"),
    ]
    return details.compactMap(\.self)
  }

  /// `, 2019–2024, 7 years ago this week. Face north-west, 26 mm.`
  private func text(with details: [Detail]) -> String {
    var (clauses, camera) = ("", "")
    for detail in details {
      switch detail {
      case .clause(let words): clauses += ", \(words)"
      case .camera(let words): camera = " \(words)."
      }
    }
    return clauses + "." + camera
  }

  private static func shortened(_ name: [Unicode.Scalar], to length: Int) -> String {
    guard name.count > length else { return String(String.UnicodeScalarView(name)) }
    return String(String.UnicodeScalarView(name.prefix(length - 1))) + "…"
  }

  /// What comes first in a notification that has a title: `9 years ago this week`, or that it is a
  /// spot.
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
  /// How to hold the camera: `Face north-west, 26 mm`. A focal length stands for what it shows on
  /// 35 mm film, as lenses are spoken of, or is left out.
  fileprivate var camera: String? {
    let lens = focalLength?.millimetersOn35mmFilm.map { "\($0) mm" }
    guard let headingDegrees else { return lens.map { "Taken at \($0)" } }
    return "Face \(CompassPoint.name(of: headingDegrees))" + (lens.map { ", \($0)" } ?? "")
  }
}

extension SpotMemory.Anniversary {
  /// `9 years ago today`, or `this week`.
  fileprivate var text: String {
    "\(years) \(years == 1 ? "year" : "years") ago \(daysAway == 0 ? "today" : "this week")"
  }
}

extension SpotMemory.Elapsed {
  /// `the last 2 years ago`, or 111 days.
  fileprivate var text: String {
    if years > 0 { return "the last \(years) \(years == 1 ? "year" : "years") ago" }
    return days == 0 ? "the last today" : "the last \(days) \(days == 1 ? "day" : "days") ago"
  }
}

extension NotifiedSpot {
  /// ` [47xjsbmtz9sp]`, which mutes the spot; nothing where the id is not as those of spots are: a
  /// journal that was tampered with may hold any text.
  public var label: String {
    let isPlain =
      (1...32).contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    return isPlain ? " [\(id)]" : ""
  }

  /// The years of the first and the last capture, `2016–2024`, or the one year; `nil` where none
  /// is dated.
  public var years: String? {
    guard let firstCaptured, let lastCaptured else { return nil }
    let years = [firstCaptured, lastCaptured].compactMap {
      CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year
    }
    guard let first = years.first, let last = years.last else { return nil }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }
}
