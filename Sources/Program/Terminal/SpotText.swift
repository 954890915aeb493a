import CivilTime
import Encodings
package import PhotoLibrary
import PhotoMetadata
package import Spatial
package import SpotExport
import Storage
import Synchronization
import SystemPackage

/// The text form of spots, as bytes, since file names are bytes.
package enum SpotText {
  /// Returns a row for each spot, followed by the lines of its photos if they are known.
  ///
  /// Columns are as wide as their widest cell. If the rows are wider than the terminal, dates are
  /// cut to months, then to years, then names of places are cut, but not what tells places of one
  /// name apart. If they are wider still, as on a phone, each row becomes two or three lines on a
  /// terminal. Positions are never omitted, and paths of photos never cut.
  ///
  /// - Parameters:
  ///   - listings: The spots.
  ///   - columns: The width of the terminal.
  ///   - stacksRows: Whether a row may become several lines. It must not for line-based tools.
  /// - Returns: The lines.
  package static func lines(
    _ listings: [SpotListing], columns: Int, stacksRows: Bool = StandardOutput.isTerminal
  ) -> [UInt8] {
    var rows: [[Cell]] = []
    var widths: [Int] = []
    for detail in Detail.allCases {
      rows = listings.map { cells($0, detail) }
      widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
      // An empty column for muting takes no space.
      if widths.reduce(-2, { $0 + ($1 > 0 ? 2 + $1 : 0) }) <= columns { break }
      if detail == .shortNames, stacksRows {
        return listings.flatMap { stacked($0, columns) + ($0.photos ?? []).flatMap { lines($0) } }
      }
    }
    return zip(listings, rows).flatMap { listing, cells in
      let row = zip(cells, widths).filter { $0.1 > 0 }.map { $0.padded(to: $1) }
        .joined(separator: "  ")
        .trimmedAtEnd
      return Array((row + "\n").utf8) + (listing.photos ?? []).flatMap { lines($0) }
    }
  }

  /// Returns a row as lines: the name and the distance, then as many other cells as fit on each
  /// line, indented. A spot without a name has its next cell in the first line.
  private static func stacked(_ listing: SpotListing, _ columns: Int) -> [UInt8] {
    var cells = cells(listing, .shortNames)
    let distance = listing.approach == nil ? nil : cells.remove(at: 1)
    let room = max(columns - (distance.map { $0.width + 2 } ?? 0), 4)
    let title = listing.name?.escaped ?? ""
    cells[0] = Cell(shortened(title, to: room), style: .bold)
    if !title.isEmpty, let distinction = listing.distinction {
      cells.insert(Cell(shortened("\(distinction)".escaped, to: columns - 2)), at: 1)
    }
    cells.removeAll { $0.width == 0 }
    let name = cells.removeFirst()
    var lines = [name.padded(to: 0).trimmedAtEnd + (distance.map { "  " + $0.text } ?? "")]
    var (line, width) = ("", 0)
    for cell in cells {
      if width > 0, width + 2 + cell.width > columns {
        lines.append(line)
        width = 0
      }
      line = width == 0 ? "  " : line + "  "
      line += cell.padded(to: 0)
      width += 2 + cell.width
    }
    if width > 0 { lines.append(line) }
    return lines.flatMap { Array("\($0.trimmedAtEnd)\n".utf8) }
  }

  /// Returns the name of a spot with what tells it apart; the name is cut to a number of columns in
  /// total, but not to fewer than eight.
  private static func name(of listing: SpotListing, length: Int) -> String {
    guard let name = listing.name?.escaped else { return "" }
    let ending = (listing.distinction?.added(to: "") ?? "").escaped
    return shortened(name, to: max(length - ending.columns, min(length, 8))) + ending
  }

  /// Returns a text cut to a number of columns, with an ellipsis at its end if it was longer.
  private static func shortened(_ text: String, to length: Int) -> String {
    text.columns > length ? text.prefix(columns: length - 1).trimmed + "…" : text
  }

  /// The level of detail of a row, most detailed first.
  private enum Detail: CaseIterable {
    case days, months, years, shortNames

    /// The number of characters of a date.
    var dateLength: Int { self == .days ? 10 : self == .months ? 7 : 4 }
    /// The maximum number of characters of a place name.
    var nameLength: Int { self == .shortNames ? 16 : 32 }
  }

  /// A cell of a row.
  private struct Cell {
    let text: String
    var isNumber = false
    var style: Style?
    let width: Int

    init(_ text: String, isNumber: Bool = false, style: Style? = nil) {
      (self.text, self.isNumber, self.style) = (text, isNumber, style)
      width = text.columns
    }

    /// Returns the styled text, padded with spaces.
    func padded(to width: Int) -> String {
      let spaces = String(repeating: " ", count: max(0, width - self.width))
      let text = style?.of(text) ?? text
      return isNumber ? spaces + text : text + spaces
    }
  }

  private static func cells(_ listing: SpotListing, _ detail: Detail) -> [Cell] {
    let length = detail.nameLength
    var cells = [Cell(name(of: listing, length: length), style: .bold)]
    if let approach = listing.approach {
      let walk = Distance.text(approach.distanceMeters, bearing: approach.bearingDegrees)
      cells.append(Cell(walk, isNumber: true))
    }
    let count = listing.spot.photoCount
    if count == 0, let kind = listing.spot.place?.kind.escaped {
      cells.append(Cell(shortened(kind, to: length)))
      cells.append(Cell(""))
    } else {
      cells.append(Cell("\(count) photo\(count == 1 ? " " : "s")", isNumber: true))
      cells.append(Cell(dates(listing.spot, detail.dateLength)))
    }
    cells.append(Cell(position(listing.spot.coordinate)))
    cells.append(Cell(listing.spot.id, style: .faint))
    switch listing.muting {
    case .unlimited: cells.append(Cell("muted"))
    case .until(let end):
      cells.append(Cell("muted until \(CivilTimeText.bareMinute(end).prefix(10))"))
    case nil: cells.append(Cell(""))
    }
    return cells
  }

  /// Returns the line of a photo, followed by the origin of an assigned position and the lines of
  /// its other files. On a terminal paths are escaped; otherwise they are the exact bytes of the
  /// file names.
  private static func lines(_ shot: PhotoShot) -> [UInt8] {
    let date = shot.photo.captured.map { String($0.iso8601.prefix(10)) } ?? "undated   "
    return line("    \(date)  ", shot.photo.path) + origin(ofDate: shot.photo)
      + origin(of: shot.photo)
      + shot.otherFiles.flatMap { line("              + ", $0) }
  }

  /// Returns a line that says that the date is that of the file's name; empty for another one.
  private static func origin(ofDate photo: PhotoLocation) -> [UInt8] {
    photo.captured?.isFromName == true ? Array("                date from its name\n".utf8) : []
  }

  /// Returns a line that says that a position was inferred or imported; empty for the photo's own
  /// position.
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

  /// Returns the range of dates in the cameras' local time, cut to days, months or years.
  package static func dates(_ spot: PhotoSpot, _ length: Int = 10) -> String {
    guard let earliest = spot.firstCaptured, let latest = spot.lastCaptured else {
      return "undated"
    }
    let shown = CaptureTime.shown(earliest, latest)
    let first = shown.first.iso8601.prefix(length)
    let last = shown.last.iso8601.prefix(length)
    return first == last ? String(first) : "\(first) – \(last)"
  }

  /// Formats a position in degrees with five decimals, about one metre.
  package static func position(_ coordinate: Coordinate) -> String {
    "\(Fixed.text(coordinate.latitude, decimals: 5)), \(Fixed.text(coordinate.longitude, decimals: 5))"
  }
}

/// Distances for display.
package enum Distance {
  private static let isImperial = Atomic(false)

  /// The units of all distances that the process writes.
  package static var units: LengthUnits {
    get { isImperial.load(ordering: .relaxed) ? .imperial : .metric }
    set { isImperial.store(newValue == .imperial, ordering: .relaxed) }
  }

  /// Returns a distance, for example `12 m`, `1.2 km` or `1234 km`; in imperial units `40 ft` or
  /// `0.7 mi`.
  package static func text(_ meters: Double) -> String {
    if units == .imperial, meters < Double(Int32.max) { return imperialText(meters) }
    return switch meters {
    case ..<999.5: "\(Int(saturating: meters.rounded())) m"
    case ..<99_950: "\(Fixed.text(meters / 1000, decimals: 1)) km"
    case ..<Double(Int32.max): "\(Int(saturating: (meters / 1000).rounded())) km"
    default: "the whole globe"
    }
  }

  private static func imperialText(_ meters: Double) -> String {
    let feet = meters / LengthUnits.metersPerFoot
    let miles = meters / LengthUnits.metersPerMile
    return switch feet {
    case ..<(LengthUnits.feetBeforeMiles - 0.5): "\(Int(saturating: feet.rounded())) ft"
    default:
      miles < 99.95
        ? "\(Fixed.text(miles, decimals: 1)) mi" : "\(Int(saturating: miles.rounded())) mi"
    }
  }
}

extension Distance {
  /// Returns a distance and its direction: `151 m SE`; `here` for a distance shown as 0 m, which
  /// has no direction.
  package static func text(_ meters: Double, bearing degrees: Double) -> String {
    guard meters >= 0.5 else { return "here" }
    return "\(text(meters)) \(CompassPoint.name(degrees).padded(to: 2))"
  }
}

/// The eight points of the compass.
package enum CompassPoint {
  /// Returns the point nearest to a bearing in degrees clockwise from north.
  package static func name(_ degrees: Double) -> String {
    ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Int(saturating: (degrees / 45).rounded()) & 7]
  }
}

/// Numbers with a fixed number of decimals.
package enum Fixed {
  /// Returns a number rounded to a number of decimals. The number must be of moderate size.
  package static func text(_ number: Double, decimals: Int) -> String {
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
  /// The text without trailing spaces.
  fileprivate var trimmed: String { String(self).trimmedAtEnd }
}

extension String {
  /// The text without trailing spaces.
  package var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  package func leftPadded(to width: Int, with character: Character = " ") -> String {
    String(repeating: character, count: max(0, width - columns)) + self
  }
}
