import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotExport
import Storage
import SystemPackage

/// Spots as lines that people read: bytes, since the names of files are.
enum SpotText {
  /// A row a spot, and below it the lines of its photos where they are known.
  ///
  /// Columns are as wide as their widest cell. Where a row would be wider than the terminal, dates
  /// are cut to months, then to years, then positions are left out, then names of places are cut.
  /// Paths of photos are whole, however long.
  static func lines(_ listings: [SpotListing], columns: Int) -> [UInt8] {
    var rows: [[Cell]] = []
    var widths: [Int] = []
    for detail in Detail.allCases {
      rows = listings.map { cells($0, detail) }
      widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
      // An empty column of what is muted takes no room.
      if widths.reduce(-2, { $0 + ($1 > 0 ? 2 + $1 : 0) }) <= columns { break }
    }
    return zip(listings, rows).flatMap { listing, cells in
      let row = zip(cells, widths).filter { $0.1 > 0 }.map { $0.padded(to: $1) }
        .joined(separator: "  ")
        .trimmedAtEnd
      return Array((row + "\n").utf8) + (listing.photos ?? []).flatMap { lines($0) }
    }
  }

  /// How much of a spot a row shows, the most first.
  private enum Detail: CaseIterable {
    case days, months, years, yearsAlone, shortNames

    /// How many characters of a date are shown.
    var dateLength: Int { self == .days ? 10 : self == .months ? 7 : 4 }
    /// How many characters of a place's name are shown.
    var nameLength: Int { self == .shortNames ? 16 : 32 }
    /// Whether the position is shown.
    var hasPosition: Bool { self != .yearsAlone && self != .shortNames }
  }

  /// A cell of a row.
  private struct Cell {
    let text: String
    var isNumber = false
    var style: Style?
    let width: Int

    init(_ text: String, isNumber: Bool = false, style: Style? = nil) {
      (self.text, self.isNumber, self.style) = (text, isNumber, style)
      width = text.count
    }

    /// Styled, with its spaces before or behind.
    func padded(to width: Int) -> String {
      let spaces = String(repeating: " ", count: max(0, width - self.width))
      let text = style?.of(text) ?? text
      return isNumber ? spaces + text : text + spaces
    }
  }

  private static func cells(_ listing: SpotListing, _ detail: Detail) -> [Cell] {
    let name = listing.spot.placeName?.escaped ?? ""
    let length = detail.nameLength
    var cells = [
      Cell(name.count > length ? name.prefix(length - 1).trimmed + "…" : name, style: .bold)
    ]
    if let approach = listing.approach {
      let bearing = CompassPoint.name(approach.bearingDegrees).padded(to: 2)
      let distance = "\(Distance.text(approach.distanceMeters)) \(bearing)"
      cells.append(Cell(distance, isNumber: true))
    }
    let count = listing.spot.photoCount
    if count == 0, let kind = listing.spot.place?.kind.escaped {
      cells.append(Cell(kind.count > length ? kind.prefix(length - 1).trimmed + "…" : kind))
      cells.append(Cell(""))
    } else {
      cells.append(Cell("\(count) photo\(count == 1 ? " " : "s")", isNumber: true))
      cells.append(Cell(dates(listing.spot, detail.dateLength)))
    }
    if detail.hasPosition { cells.append(Cell(position(listing.spot.coordinate))) }
    cells.append(Cell(listing.spot.id, style: .faint))
    switch listing.muting {
    case .unlimited: cells.append(Cell("muted"))
    case .until(let end):
      cells.append(Cell("muted until \(CivilTimeText.bareMinute(end).prefix(10))"))
    case nil: cells.append(Cell(""))
    }
    return cells
  }

  /// The line of a photo, below it the origin of a position that is not its own, and the lines of
  /// its further files; on a terminal paths are escaped, elsewhere they are what opens the files.
  private static func lines(_ shot: PhotoShot) -> [UInt8] {
    let date = shot.photo.captured.map { String($0.iso8601.prefix(10)) } ?? "undated   "
    return line("    \(date)  ", shot.photo.path) + origin(of: shot.photo)
      + shot.otherFiles.flatMap { line("              + ", $0) }
  }

  /// A line that says that a position was inferred or imported; nothing for a photo's own.
  private static func origin(of photo: PhotoLocation) -> [UInt8] {
    let text: String
    switch photo.positionSource {
    case .inferred: text = "position inferred from a track"
    case .imported: text = "position from another program"
    default: return []
    }
    let accuracy = photo.horizontalAccuracyMeters.map { ", within \(Distance.text($0))" } ?? ""
    return Array("                \(text)\(accuracy)\n".utf8)
  }

  private static func line(_ text: String, _ path: FilePath) -> [UInt8] {
    let path = StandardOutput.isTerminal ? Array(path.escaped.utf8) : path.shown
    return Array(text.utf8) + path + [UInt8(ascii: "\n")]
  }

  /// The dates on the cameras' clocks, cut to days, months or years.
  static func dates(_ spot: PhotoSpot, _ length: Int = 10) -> String {
    guard let first = spot.firstCaptured?.iso8601.prefix(length),
      let last = spot.lastCaptured?.iso8601.prefix(length)
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

extension Substring {
  /// The text without the spaces at its end.
  fileprivate var trimmed: String { String(self).trimmedAtEnd }
}

extension String {
  /// The text without the spaces at its end.
  var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func leftPadded(to width: Int, with character: Character = " ") -> String {
    String(repeating: character, count: max(0, width - count)) + self
  }
}
