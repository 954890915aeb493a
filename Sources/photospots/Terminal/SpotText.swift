import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotExport
import Storage
import SystemPackage

/// Spots as lines that people read: bytes, since the names of files are.
enum SpotText {
  /// The line of a spot, and below it the lines of its photos where they are known.
  static func lines(_ listing: SpotListing) -> [UInt8] {
    var fields: [String] = []
    if let approach = listing.approach {
      fields.append(
        Distance.text(approach.distanceMeters).leftPadded(to: 8) + " "
          + CompassPoint.name(approach.bearingDegrees).padded(to: 2))
    }
    let count = listing.spot.photoCount
    fields.append("\(count) photo\(count == 1 ? "" : "s")".leftPadded(to: 10))
    fields.append(dates(listing.spot).padded(to: 24))
    fields.append(position(listing.spot.coordinate).padded(to: 22))
    fields.append(listing.spot.id)
    switch listing.muting {
    case .unlimited: fields.append("muted")
    case .until(let end): fields.append("muted until \(CivilTimeText.minute(end))")
    case nil: break
    }
    return Array((fields.joined(separator: "  ") + "\n").utf8)
      + (listing.photos ?? []).flatMap { lines($0) }
  }

  /// The line of a photo, and below it those of its further files; on a terminal paths are escaped,
  /// elsewhere they are what opens the files.
  private static func lines(_ shot: PhotoShot) -> [UInt8] {
    let date = shot.photo.captured.map { String($0.iso8601.prefix(10)) } ?? "undated   "
    return line("    \(date)  ", shot.photo.path)
      + shot.otherFiles.flatMap { line("              + ", $0) }
  }

  private static func line(_ text: String, _ path: FilePath) -> [UInt8] {
    let path = StandardOutput.isTerminal ? Array(path.escaped.utf8) : path.bytes
    return Array(text.utf8) + path + [UInt8(ascii: "\n")]
  }

  /// The days of the first and the last photo.
  static func dates(_ spot: PhotoSpot) -> String {
    guard let first = spot.firstCaptured?.iso8601.prefix(10),
      let last = spot.lastCaptured?.iso8601.prefix(10)
    else { return "undated" }
    return first == last ? String(first) : "\(first) – \(last)"
  }

  /// Degrees to a hundred-thousandth, about a metre.
  static func position(_ coordinate: Coordinate) -> String {
    "\(Fixed.text(coordinate.latitude, decimals: 5)), \(Fixed.text(coordinate.longitude, decimals: 5))"
  }
}

/// Distances as people say them.
enum Distance {
  /// `12 m`, `1.2 km`, `1234 km`.
  static func text(_ meters: Double) -> String {
    switch meters {
    case ..<999.5: "\(Int(saturating: meters.rounded())) m"
    case ..<99_950: "\(Fixed.text(meters / 1000, decimals: 1)) km"
    case ..<Double(Int32.max): "\(Int(saturating: (meters / 1000).rounded())) km"
    default: "the whole globe"
    }
  }
}

/// The eight points of the compass.
enum CompassPoint {
  /// The point nearest to a bearing in degrees clockwise from north.
  static func name(_ degrees: Double) -> String {
    ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Int(saturating: (degrees / 45).rounded()) & 7]
  }
}

/// Numbers with a fixed number of decimals.
enum Fixed {
  /// A number of moderate size, rounded to so many decimals.
  static func text(_ number: Double, decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int(
      saturating: (abs(number) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return "\(sign)\(scaled / scale)"
      + (decimals > 0 ? "." + fraction.leftPadded(to: decimals, with: "0") : "")
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func leftPadded(to width: Int, with character: Character = " ") -> String {
    String(repeating: character, count: max(0, width - count)) + self
  }
}
