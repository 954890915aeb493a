import Encodings

/// The positions in JSON that other programs send in objects of their own: Traccar Client and its
/// server, Home Assistant, The Things Network, ChirpStack, Meshtastic, aprs.fi, SPOT, inReach,
/// Teltonika, flespi, browsers, and scripts.
///
/// A position is an object with a latitude and a longitude under names that ``ReportMember`` knows,
/// or a member with both. It is looked for at the top, in arrays, and in the members that
/// ``ReportMember/containers`` names, since others hold positions of something else, such as a
/// gateway or a zone. What it lacks, such as its time and its device, comes from the objects
/// around it. An object with a `_type` is a message of OwnTracks, one with a `class` of gpsd, one
/// with the object `spot` an alert of this program, and none of these.
struct NestedReports {
  /// The reports with a position, or with a part of one, in the order of the text.
  private(set) var reports: [PositionReport] = []
  /// The device of each position that is marked as not valid.
  private(set) var invalid: [String?] = []
  /// The device that the text names outside of positions.
  private(set) var device: String?

  /// The maximum nesting of the objects in which a position is looked for.
  private static let maximumDepth = 12

  /// Whether there is a whole position.
  var hasPosition: Bool {
    !invalid.isEmpty || reports.contains { $0.latitude != nil && $0.longitude != nil }
  }

  /// Reads the value that follows in a reader.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  init(_ reader: inout JSONReader) throws(JSONError) {
    let found = try Self.read(&reader, depth: 0)
    (reports, invalid, device) = (found.reports, found.invalid, found.device)
  }

  private struct Found {
    var reports: [PositionReport] = []
    var invalid: [String?] = []
    var device: String?
  }

  /// Reads a value; `isRows` if its arrays are rows of PhoneTrack: latitude, longitude, time.
  private static func read(
    _ reader: inout JSONReader, depth: Int, isRows: Bool = false
  ) throws(JSONError) -> Found {
    var found = Found()
    guard depth < maximumDepth else {
      try reader.skipValue()
      return found
    }
    switch try reader.peek() {
    case .object: return try readObject(&reader, depth: depth)
    case .array:
      try reader.elements { reader throws(JSONError) in
        if isRows, try reader.peek() == .array {
          if let row = PositionReport(row: try reader.leadingNumbers()) {
            found.reports.append(row)
          }
          return
        }
        let element = try read(&reader, depth: depth + 1)
        found.reports += element.reports
        found.invalid += element.invalid
        found.device = found.device ?? element.device
      }
    default: try reader.skipValue()
    }
    return found
  }

  private static func readObject(
    _ reader: inout JSONReader, depth: Int
  ) throws(JSONError) -> Found {
    var object = ReportObject()
    var found = Found()
    try reader.members { reader, key throws(JSONError) in
      let kind = try reader.peek()
      let isNested = kind == .object || kind == .array
      if key == "spot", kind == .object { object.isTyped = true }
      if isNested, let list = try object.readNested(key, from: &reader) {
        found.reports += list
      } else if isNested, ReportMember.isContainer(key) {
        let inner = try read(&reader, depth: depth + 1, isRows: ReportMember.isRows(key))
        found.reports += inner.reports
        found.invalid += inner.invalid
        found.device = found.device ?? inner.device
      } else {
        try object.read(key, from: &reader)
      }
    }
    guard !object.isTyped else { return Found() }
    let own = object.finished
    // Only trackers say how accurate their position is.
    if object.isOtherEntity, own.accuracy == nil,
      found.reports.allSatisfy({ $0.accuracy == nil })
    {
      return Found()
    }
    found.device = own.device ?? found.device
    found.invalid = found.invalid.map { $0 ?? own.device }
    if own.hasCoordinate {
      if object.isValid {
        found.reports.insert(own, at: 0)
      } else {
        found.invalid.append(own.device)
      }
    } else if !object.isValid {
      found.invalid += found.reports.map { $0.device ?? own.device }
      found.reports = []
    } else {
      let isSingle = found.reports.count == 1
      for index in found.reports.indices { found.reports[index].complete(by: own, isSingle) }
    }
    return found
  }
}

/// The members of an object that may be a report.
private struct ReportObject {
  private var report = PositionReport()
  /// The place of the device's name in ``ReportMember/deviceNames``.
  private var rank = Int.max
  private var speedFactor = 1.0
  private(set) var isValid = true
  /// Whether it is a message of OwnTracks or gpsd, or an alert of this program.
  var isTyped = false
  /// Whether it is an entity of Home Assistant that may be something else than a device: a zone, an
  /// earthquake.
  private(set) var isOtherEntity = false

  /// The report, with its speed in metres per second.
  var finished: PositionReport {
    var finished = report
    finished.speed = report.speed.map { $0 * speedFactor }
    return finished
  }

  /// Reads a member that is an object or array with a meaning of its own; returns `nil` for others,
  /// which are not read.
  mutating func readNested(
    _ key: String, from reader: inout JSONReader
  ) throws(JSONError) -> [PositionReport]? {
    switch ReportMember.nested(key) {
    case .device?:
      try reader.members { reader, key throws(JSONError) in
        let rank = ReportMember.deviceRank(of: key, isInside: true)
        let name = try reader.looseText()
        if let rank, let name { set(device: name, rank) }
      }
      return []
    case .battery?:
      try reader.members { reader, key throws(JSONError) in
        guard key == "level" else { return try reader.skipValue() }
        report.battery = try reader.looseNumber()
      }
      return []
    case .pair? where try reader.peek() == .array:
      let numbers = try reader.leadingNumbers()
      if numbers.count >= 2 { (report.latitude, report.longitude) = (numbers[0], numbers[1]) }
      return []
    case .pair?, nil: return nil
    }
  }

  /// Reads or skips a member that is neither.
  mutating func read(_ key: String, from reader: inout JSONReader) throws(JSONError) {
    if key == "_type" { isTyped = true }
    // gpsd's classes have several letters, those of aprs.fi one.
    if key == "class", try reader.peek() == .string {
      var copy = reader
      if try copy.stringBytes().count > 1 { isTyped = true }
    }
    if key == "entity_id", try reader.peek() == .string {
      var copy = reader
      isOtherEntity = !ReportMember.isDevice(entity: try copy.stringBytes())
    }
    // The bits that Meshtastic leaves of a position in 10^-7 degrees: for none of them, half a cell
    // is 2^31 · 10^-7 degrees (Meshtastic, "Channel configuration", position precision).
    if key == "precision_bits" {
      if let bits = try reader.looseNumber(), (1..<32).contains(bits) {
        let radius = Double(sign: .plus, exponent: -Int(saturating: bits), significand: 23_905_787)
        report.accuracy = report.accuracy ?? radius
      }
      return
    }
    if let factor = ReportMember.speedFactor(besides: key) { speedFactor = factor }
    if let rank = ReportMember.deviceRank(of: key, isInside: false) {
      let isNumber = try reader.peek() == .number
      // A numeric `id` is that of the message, and other numbers are often those of a database.
      if let name = try reader.looseText(), !isNumber || !ReportMember.isAmbiguous(device: rank),
        !ReportMember.isSensor(name, device: rank)
      {
        set(device: name, isNumber ? rank + ReportMember.maximumRank : rank)
      }
      return
    }
    if ReportMember.isValidity(key) {
      switch try reader.peek() {
      case .boolean: isValid = try reader.boolean()
      default: isValid = try !["false", "0"].contains(reader.looseText() ?? "")
      }
      return
    }
    try report.readMember(key, in: .nested, from: &reader)
  }

  private mutating func set(device: String, _ rank: Int) {
    guard !device.isEmpty, rank < self.rank else { return }
    (report.device, self.rank) = (device, rank)
  }
}

extension JSONReader {
  /// Reads an array and returns its first three numbers.
  fileprivate mutating func leadingNumbers() throws(JSONError) -> [Double] {
    var numbers: [Double] = []
    try elements { reader throws(JSONError) in
      let number = try reader.looseNumber()
      if let number, numbers.count < 3 { numbers.append(number) }
    }
    return numbers
  }
}

extension PositionReport {
  /// Creates a report from latitude, longitude and time; `nil` unless the third is a time.
  fileprivate init?(row: [Double]) {
    guard row.count == 3, row[2] >= 1e9 else { return nil }
    self.init()
    (latitude, longitude, time) = (row[0], row[1], ReportedTime(since1970: row[2]))
  }

  /// Whether there is at least a part of a position.
  fileprivate var hasCoordinate: Bool {
    latitude != nil || longitude != nil || hasUnreadableCoordinate
  }

  /// Sets what is missing from the object around it; several positions in it share only their
  /// device and battery.
  fileprivate mutating func complete(by outer: PositionReport, _ isSingle: Bool) {
    device = device ?? outer.device
    battery = battery ?? outer.battery
    guard isSingle else { return }
    if time.instant == nil, outer.time != .missing { time = outer.time }
    altitude = altitude ?? outer.altitude
    accuracy = accuracy ?? outer.accuracy
    speed = speed ?? outer.speed
    course = course ?? outer.course
  }
}
