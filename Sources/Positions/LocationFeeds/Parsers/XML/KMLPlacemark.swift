/// A placemark of KML that may be a fix: a point with a time and values of a device, as trackers
/// such as Garmin's inReach report them. A point with only a time is a place.
///
/// The values of `ExtendedData` are recognised by the names in ``ReportMember``. They may have
/// units: `4.8 km/h`, `120.39 m from MSL`, `292.50 ° True`.
struct KMLPlacemark: Sendable {
  private var report = PositionReport()
  private var isValid = true
  private var hasDeviceValue = false

  /// Whether the placemark is a point with a time.
  var isTimed: Bool {
    report.time != .missing && (report.latitude != nil || report.hasUnreadableCoordinate)
  }
  /// Whether the placemark is a report of a device.
  var isReport: Bool { isTimed && hasDeviceValue }

  /// Takes the time of the placemark.
  mutating func add(when text: String) {
    if report.time == .missing { report.time = ReportedTime(text: text) }
  }

  /// Takes the position of a point: `longitude,latitude[,altitude]`.
  mutating func add(point text: String) {
    let fields = Array(text.utf8)[...].trimmed
      .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard let position = GeoJSONPosition(fields) else {
      report.hasUnreadableCoordinate = true
      return
    }
    (report.latitude, report.longitude) = (position.latitude, position.longitude)
    report.altitude = report.altitude ?? position.altitude
  }

  /// Takes a value of the extended data.
  mutating func add(_ name: String, value: String) {
    if ReportMember.isValidity(name) {
      hasDeviceValue = true
      isValid = !["false", "0"].contains(value.lowercased())
      return
    }
    guard let column = ReportMember.Column(name: name.utf8) else { return }
    let bytes = Array(value.utf8)[...].trimmed
    switch column.member {
    case .device, .latitude, .longitude, .accuracy, .course, .battery, .speed:
      hasDeviceValue = hasDeviceValue || !bytes.isEmpty
    default: break
    }
    switch column.member {
    case .device:
      if !bytes.isEmpty { report.device = report.device ?? String(decoding: bytes, as: UTF8.self) }
    case .altitude, .accuracy, .course, .battery, .speed: report.set(column, text: bytes)
    default: break
    }
  }

  /// Creates the fix; `nil` for a report that is marked as not valid.
  ///
  /// - Throws: A ``LineFault`` where the position or the time cannot be read.
  func fix() throws(LineFault) -> LocationFix? { isValid ? try report.fix() : nil }
}
