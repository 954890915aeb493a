import Encodings

/// Reads the track points of Garmin's Training Center Database (TrainingCenterDatabasev2.xsd).
///
/// `Time`, `AltitudeMeters` and the `Position` are elements of a `Trackpoint`; the speed in m/s is
/// in its extension TPX (ActivityExtensionv2.xsd). A point without a position was recorded without
/// a fix, such as indoors.
struct TCXParser: XMLTrackParser {
  /// The depth of the open track point.
  private var pointDepth: Int?
  private var report = PositionReport()
  /// The member that the open element holds; `nil` for other elements.
  private var member: ReportMember.Column?
  private var text = ""

  /// The greatest length of an element's text in bytes; no number or time is longer.
  private static let maximumTextLength = 256

  init() {}

  /// Discards a point that is cut off, since its position may be missing.
  mutating func finish(into output: inout DocumentOutput) {}

  mutating func begin(_ name: String, _ attributes: [XMLAttribute], depth: Int) {
    member = nil
    if name == "Trackpoint" {
      pointDepth = depth
      report = PositionReport()
    } else if let pointDepth, let column = ReportMember.Column(name: name.utf8) {
      text = ""
      switch column.member {
      case .time, .altitude: member = depth == pointDepth + 1 ? column : nil
      case .latitude, .longitude, .speed: member = column
      default: break
      }
    }
  }

  mutating func append(_ part: String, into output: inout DocumentOutput) {
    if member != nil, text.utf8.count + part.utf8.count <= Self.maximumTextLength { text += part }
  }

  mutating func end(depth: Int, into output: inout DocumentOutput) {
    if let member {
      set(member)
      self.member = nil
    }
    guard pointDepth == depth else { return }
    pointDepth = nil
    guard !report.isWithoutPosition else {
      output.ends.add(.withoutPosition)
      return output.count()
    }
    do throws(LineFault) {
      output.fixes.append(try report.fix())
      output.count()
    } catch {
      output.count(error)
    }
  }

  private mutating func set(_ column: ReportMember.Column) {
    let bytes = Array(text.utf8)[...]
    switch column.member {
    case .time: report.time = ReportedTime(text: bytes)
    case .latitude, .longitude: report.set(coordinate: column, text: bytes)
    default: report.set(column, text: bytes)
    }
  }
}
