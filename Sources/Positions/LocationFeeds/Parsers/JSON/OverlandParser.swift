import CivilTime
import Encodings

/// Reads the features in the batches that the Overland app sends, `{"locations": […]}`.
///
/// A feature without a geometry describes the app itself, and a feature with the action `visit`
/// describes a place where the phone stayed; neither is a current position. Speed is in m/s,
/// `battery_level` is 0–1, and negative values are unknown (Overland, README, "API"). The app
/// repeats a batch until it gets an answer, so a report with the device and time of an earlier one
/// is skipped, as far back as ``RecentReports`` remembers.
struct OverlandParser: ReportParser {
  private var skipped = ReportOutcomes()
  private var recent = RecentReports()

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    var reader = JSONReader(report: bytes, range: line)
    var feature = Feature()
    do throws(JSONError) {
      try reader.members { reader, key throws(JSONError) in try feature.read(key, from: &reader) }
      try reader.end()
    } catch {
      return .json(error, inLine: line)
    }
    guard feature.hasGeometry, !feature.isVisit else {
      skipped.add(.withoutPosition, of: feature.report.device)
      return nil
    }
    do throws(LineFault) {
      let fix = try feature.report.fix()
      if recent.insert(device: fix.device, time: fix.time) {
        fixes.append(fix)
      } else {
        skipped.add(.refused(.repeated), of: fix.device)
      }
      return nil
    } catch {
      return error
    }
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  /// The parts of a feature that are read.
  private struct Feature {
    var report = PositionReport()
    var hasGeometry = false
    var isVisit = false

    mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "geometry": try readGeometry(&reader)
      case "properties":
        try reader.members { reader, key throws(JSONError) in
          try readProperty(key, from: &reader)
        }
      default: try reader.skipValue()
      }
    }

    private mutating func readGeometry(_ reader: inout JSONReader) throws(JSONError) {
      hasGeometry = try reader.peek() == .object
      try reader.members { reader, key throws(JSONError) in
        guard key == "coordinates" else { return try reader.skipValue() }
        let position = try GeoJSONCoordinates(&reader).positions.first
        report.latitude = position?.latitude
        report.longitude = position?.longitude
      }
    }

    private mutating func readProperty(
      _ key: String, from reader: inout JSONReader
    ) throws(JSONError) {
      switch key {
      case "action": isVisit = try reader.looseText() == "visit"
      default: try report.readMember(key, from: &reader)
      }
    }
  }
}

/// A bounded memory of the reports returned last, by which repeated ones are detected.
struct RecentReports: Sendable {
  private struct Key: Hashable {
    var device: String?
    var time: Instant
  }

  /// The number of remembered reports: four batches of the largest size that the Overland app
  /// offers.
  static let capacity = 4000

  private var keys: Set<Key> = []
  private var order: [Key] = []
  private var oldest = 0

  /// Remembers a report and returns whether it is new; a report without a time always is.
  mutating func insert(device: String?, time: Instant?) -> Bool {
    guard let time else { return true }
    let key = Key(device: device, time: time)
    guard keys.insert(key).inserted else { return false }
    if order.count < Self.capacity {
      order.append(key)
    } else {
      keys.remove(order[oldest])
      order[oldest] = key
      oldest = (oldest + 1) % Self.capacity
    }
    return true
  }

  /// Forgets a report.
  mutating func remove(device: String?, time: Instant?) {
    guard let time else { return }
    keys.remove(Key(device: device, time: time))
  }
}
