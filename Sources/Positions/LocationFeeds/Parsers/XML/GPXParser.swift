import Encodings

/// Reads the track points of GPX 1.0 and 1.1.
///
/// Waypoints are places and route points are plans; neither is a fix. A time without an offset is
/// UTC. Speed (m/s) and course are read from the elements of GPX 1.0 and from Garmin's
/// `TrackPointExtension`. The accuracy in metres is from an extension with a name in
/// ``ReportMember``, else HDOP × 5 m, an estimate; `hdop` of OsmAnd and Locus is in metres.
struct GPXParser: XMLTrackParser {
  /// The depth of the open track point.
  private var pointDepth: Int?
  private var report = PositionReport()
  /// The member that the open element holds; `nil` for other elements.
  private var member: ReportMember.Column?
  private var text = ""
  private var isDilutionInMeters = false

  /// The greatest length of an element's text in bytes; no number or time is longer.
  private static let maximumTextLength = 256

  init() {}

  /// Discards a point that is cut off, since its time may be missing.
  mutating func finish(into output: inout DocumentOutput) {}

  mutating func append(_ part: String, into output: inout DocumentOutput) {
    if member != nil, text.utf8.count + part.utf8.count <= Self.maximumTextLength { text += part }
  }

  mutating func begin(_ name: String, _ attributes: [XMLAttribute], depth: Int) {
    member = nil
    if name == "trkpt" {
      pointDepth = depth
      report = PositionReport()
      for attribute in attributes {
        guard ["lat", "lon"].contains(attribute.name.local),
          let column = ReportMember.Column(name: attribute.name.local.utf8)
        else { continue }
        report.set(coordinate: column, text: Array(attribute.value.utf8)[...])
      }
    } else if let pointDepth {
      member = Self.member(name, isDirect: depth == pointDepth + 1)
      text = ""
    } else if name == "gpx" {
      let creator = attributes.first { $0.name.local == "creator" }?.value ?? ""
      isDilutionInMeters = creator.hasPrefix("OsmAnd") || creator.hasPrefix("Locus")
    }
  }

  /// Returns the member that an element in a track point holds. Time and elevation must be direct
  /// children of the point.
  private static func member(_ name: String, isDirect: Bool) -> ReportMember.Column? {
    guard let column = ReportMember.Column(name: name.utf8) else { return nil }
    return switch column.member {
    case .time, .altitude: isDirect ? column : nil
    case .speed, .course, .hdop, .accuracy, .battery: column
    default: nil
    }
  }

  mutating func end(depth: Int, into output: inout DocumentOutput) {
    if let member {
      set(member)
      self.member = nil
    }
    guard pointDepth == depth else { return }
    pointDepth = nil
    do throws(LineFault) {
      output.fixes.append(try report.fix())
      output.count()
    } catch {
      output.count(error)
    }
  }

  private mutating func set(_ column: ReportMember.Column) {
    let bytes = Array(text.utf8)[...]
    let number = Double(pointOrComma: bytes)
    switch column.member {
    case .time: report.time = ReportedTime(text: bytes)
    case .hdop where isDilutionInMeters:
      report.accuracy = report.accuracy ?? number.flatMap { $0 > 0 ? $0 : nil }
    default: report.set(column, text: bytes)
    }
  }
}
