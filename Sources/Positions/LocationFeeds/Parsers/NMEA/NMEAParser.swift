import CivilTime

/// Reads the NMEA 0183 sentences of a receiver and merges those of one time of day into one fix.
///
/// Sentences of any talker are read. The position is from RMC, GGA, GNS and GLL; the date from RMC
/// and ZDA; speed and course from RMC, or from VTG where there is no RMC; the altitude (metres
/// above mean sea level) from GGA and GNS. The accuracy is from GST (the root of the sum of squares
/// of the standard deviations of latitude and longitude), else from GBS (the same of the expected
/// errors), else HDOP × 5 m, an estimate. A void sentence (status V, quality 0, mode N) gives no
/// position. Proprietary sentences, AIS and comments (`#`) are skipped.
///
/// A sentence with a wrong checksum is dropped. A sentence without a checksum is read only if it
/// continues after the last field that is used, so that a cut-off line never gives a cut-off value.
///
/// A fix is returned when a sentence of another time arrives, or by ``flush(into:)``. In a recorded
/// file, fixes whose day is unknown wait for the first sentence with a date, from which theirs are
/// inferred. Format: NMEA 0183, versions 2.0 to 4.11, as described by E. Raymond, "NMEA Revealed".
struct NMEAParser: LineParser {
  private var skipped = ReportOutcomes()
  private var sentence = NMEASentence()
  private var calendar = NMEACalendar()
  /// The epoch whose sentences are arriving.
  private var epoch: NMEAEpoch?
  /// The epoch whose fix was returned last and is not returned again.
  private var returned: (timeOfDay: Int, recommendedDate: Instant?)?

  /// Whether positions wait for a later date.
  private let waitsForDate: Bool
  /// The waiting fixes, with their times of day in milliseconds.
  private var undated: [(fix: LocationFix, timeOfDay: Int)] = []
  /// The greatest number of waiting fixes: four days at one per second. If the first date comes
  /// later still, they are returned without a date.
  private static let maximumUndatedCount = 345_600

  /// The sentences that are read, by the three letters after the talker as ASCII.
  private enum Formatter: UInt32 {
    case gbs = 0x47_42_53
    case gga = 0x47_47_41
    case gll = 0x47_4C_4C
    case gns = 0x47_4E_53
    case gst = 0x47_53_54
    case rmc = 0x52_4D_43
    case vtg = 0x56_54_47
    case zda = 0x5A_44_41
  }

  /// Creates a parser.
  ///
  /// - Parameter waitsForDate: Whether the feed is a recorded file, in which positions may wait for
  ///   a later date.
  init(waitsForDate: Bool = false) {
    self.waitsForDate = waitsForDate
  }

  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool {
    var sentence = NMEASentence()
    var start = line.lowerBound
    while start < line.upperBound {
      if NMEASentence.isStart(bytes[start]) {
        sentence.scan(bytes, in: start..<line.upperBound)
        let isSentence = sentence.count > 0 && isAddress(sentence.field(0, of: bytes), of: bytes)
        if isSentence, sentence.checksum == .right { return true }
        if isSentence, formatter(of: sentence, bytes) != nil { return true }
        start = sentence.end
      } else {
        start += 1
      }
    }
    return false
  }

  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault? {
    if bytes[line.lowerBound] == UInt8(ascii: "#") { return nil }
    guard var start = bytes[line].firstIndex(where: NMEASentence.isStart) else {
      return .noSentence
    }
    var fault: LineFault?
    while start < line.upperBound {
      sentence.scan(bytes, in: start..<line.upperBound)
      if bytes[start] == UInt8(ascii: "$"), let found = read(bytes, into: &fixes) {
        fault = fault ?? found
      }
      start = sentence.end
    }
    return fault
  }

  mutating func flush(into fixes: inout [LocationFix]) {
    endEpoch(into: &fixes)
    fixes += undated.map(\.fix)
    undated = []
  }

  mutating func takeSkipped(into ends: inout ReportOutcomes) { ends.add(skipped.take()) }

  /// Ends the open epoch if it has a position. Its fix is appended, or waits for a date.
  private mutating func endEpoch(into fixes: inout [LocationFix]) {
    // An epoch without a position may still get one.
    guard let epoch, let fix = epoch.fix(on: calendar) else { return }
    if waitsForDate, fix.time == nil, undated.count < Self.maximumUndatedCount {
      undated.append((fix, epoch.timeOfDay))
    } else {
      fixes += undated.map(\.fix)
      undated = []
      fixes.append(fix)
    }
    returned = (epoch.timeOfDay, epoch.recommendedDate)
    self.epoch = nil
  }

  /// Sets the date from a sentence, and dates the waiting fixes by it.
  private mutating func setDate(
    _ midnight: Instant, _ timeOfDay: Int, isTrusted: Bool, into fixes: inout [LocationFix]
  ) {
    calendar.set(midnight: midnight, timeOfDay: timeOfDay, isTrusted: isTrusted)
    guard !undated.isEmpty else { return }
    let times = calendar.instants(atTimesOfDay: undated.map(\.timeOfDay), before: timeOfDay)
    for (entry, time) in zip(undated, times) {
      var fix = entry.fix
      fix.time = time
      fixes.append(fix)
    }
    undated = []
  }

  // MARK: - Sentences

  private mutating func read(_ bytes: [UInt8], into fixes: inout [LocationFix]) -> LineFault? {
    guard sentence.checksum != .wrong else { return .wrongChecksum }
    guard Self.isAddress(sentence.field(0, of: bytes), of: bytes) else { return .noSentence }
    guard let formatter = Self.formatter(of: sentence, bytes) else { return nil }
    let isWhole = sentence.checksum == .right || sentence.count >= Self.neededFields(of: formatter)
    guard isWhole else { return .cutOff }
    if formatter == .vtg { return readVTG(bytes) }
    let timeField = formatter == .gll ? 5 : 1
    if sentence.isEmpty(timeField, of: bytes) { return nil }
    guard let timeOfDay = sentence.timeOfDay(timeField, of: bytes) else {
      return .unreadableField("time of day")
    }
    switch formatter {
    case .rmc: return readRMC(bytes, timeOfDay, into: &fixes)
    case .zda: return readZDA(bytes, timeOfDay, into: &fixes)
    case .gga, .gns: return readGGAOrGNS(bytes, formatter, timeOfDay, into: &fixes)
    case .gll: return readGLL(bytes, timeOfDay, into: &fixes)
    case .gst, .gbs: return readErrors(bytes, formatter, timeOfDay, into: &fixes)
    case .vtg: return nil
    }
  }

  /// Returns the number of fields that a sentence without a checksum must have: one more than are
  /// used, so that none of them is cut off. Status letters and four-digit years are known to be
  /// whole by their length.
  private static func neededFields(of formatter: Formatter) -> Int {
    switch formatter {
    case .gll: 6
    case .rmc, .gga, .gns: 10
    case .gst: 8
    case .gbs: 4
    case .vtg: 6
    case .zda: 4
    }
  }

  private static func isAddress(_ field: Range<Int>, of bytes: [UInt8]) -> Bool {
    guard (3...10).contains(field.count) else { return false }
    return bytes[field].allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (0x30...0x39).contains(byte)
    }
  }

  private static func formatter(of sentence: NMEASentence, _ bytes: [UInt8]) -> Formatter? {
    let address = sentence.field(0, of: bytes)
    // Garmin's proprietary PGRMC is not an RMC sentence.
    guard address.count == 5, bytes[address.lowerBound] != UInt8(ascii: "P") else { return nil }
    return Formatter(
      rawValue: bytes[address.suffix(3)].reduce(0) { $0 << 8 | UInt32($1) })
  }

  private mutating func readRMC(
    _ bytes: [UInt8], _ timeOfDay: Int, into fixes: inout [LocationFix]
  ) -> LineFault? {
    let isValid =
      sentence.letter(2, of: bytes) == "A" && sentence.letter(12, of: bytes) != "N"
    let date = sentence.shortDate(9, of: bytes)
    let isOpen = open(timeOfDay, recommendedDate: date, into: &fixes)
    if let date { setDate(date, timeOfDay, isTrusted: isValid, into: &fixes) }
    guard isValid else { return noteVoid() }
    guard let position = sentence.position(atField: 3, of: bytes) else {
      return .unreadableField("position")
    }
    if isOpen {
      epoch?.recommendedDate = date
      epoch?.position = position
      let speed = sentence.number(7, of: bytes)
      let course = sentence.number(8, of: bytes)
      if speed != nil || course != nil { setMotion(knots: speed, course: course) }
      epoch?.hasRecommendedMotion = speed != nil
    }
    return date == nil && !sentence.isEmpty(9, of: bytes) ? .unreadableField("date") : nil
  }

  private mutating func readZDA(
    _ bytes: [UInt8], _ timeOfDay: Int, into fixes: inout [LocationFix]
  ) -> LineFault? {
    let date = sentence.longDate(atField: 2, of: bytes)
    _ = open(timeOfDay, into: &fixes)
    guard let date else {
      return sentence.isEmpty(2, of: bytes) ? nil : .unreadableField("date")
    }
    setDate(date, timeOfDay, isTrusted: true, into: &fixes)
    return nil
  }

  private mutating func readGGAOrGNS(
    _ bytes: [UInt8], _ formatter: Formatter, _ timeOfDay: Int, into fixes: inout [LocationFix]
  ) -> LineFault? {
    let isOpen = open(timeOfDay, into: &fixes)
    guard formatter == .gga ? isGGAValid(bytes) : isGNSValid(bytes) else { return noteVoid() }
    guard let position = sentence.position(atField: 2, of: bytes) else {
      return .unreadableField("position")
    }
    if isOpen {
      epoch?.position = position
      if let altitude = sentence.number(9, of: bytes) { epoch?.altitudeMeters = altitude }
      if let dilution = sentence.number(8, of: bytes), dilution > 0 {
        epoch?.horizontalDilution = dilution
      }
    }
    return nil
  }

  private func isGGAValid(_ bytes: [UInt8]) -> Bool {
    sentence.letter(6, of: bytes).map { ("1"..."9").contains($0) } ?? false
  }

  /// Returns whether at least one of the satellite systems, each with a letter for its mode, gives
  /// a position.
  private func isGNSValid(_ bytes: [UInt8]) -> Bool {
    bytes[sentence.field(6, of: bytes)].contains { $0 != UInt8(ascii: "N") }
  }

  private mutating func readGLL(
    _ bytes: [UInt8], _ timeOfDay: Int, into fixes: inout [LocationFix]
  ) -> LineFault? {
    let isOpen = open(timeOfDay, into: &fixes)
    guard sentence.letter(6, of: bytes) == "A", sentence.letter(7, of: bytes) != "N" else {
      return noteVoid()
    }
    guard let position = sentence.position(atField: 1, of: bytes) else {
      return .unreadableField("position")
    }
    if isOpen { epoch?.position = position }
    return nil
  }

  private mutating func readErrors(
    _ bytes: [UInt8], _ formatter: Formatter, _ timeOfDay: Int, into fixes: inout [LocationFix]
  ) -> LineFault? {
    guard open(timeOfDay, into: &fixes) else { return nil }
    let first = formatter == .gst ? 6 : 2
    guard let north = sentence.number(first, of: bytes),
      let east = sentence.number(first + 1, of: bytes)
    else { return nil }
    let error = (north * north + east * east).squareRoot()
    guard error > 0 else { return nil }
    if formatter == .gst {
      epoch?.statedErrorMeters = error
    } else {
      epoch?.expectedErrorMeters = error
    }
    return nil
  }

  /// Reads a VTG sentence. It has no time and is assigned to the epoch of the sentences before it.
  private mutating func readVTG(_ bytes: [UInt8]) -> LineFault? {
    guard let epoch, !epoch.hasRecommendedMotion, sentence.letter(2, of: bytes) == "T",
      sentence.letter(9, of: bytes) != "N"
    else { return nil }
    setMotion(knots: sentence.number(5, of: bytes), course: sentence.number(1, of: bytes))
    return nil
  }

  private mutating func setMotion(knots: Double?, course: Double?) {
    epoch?.speedMetersPerSecond = knots.flatMap {
      $0 >= 0 ? $0 * PositionReport.metersPerSecondPerKnot : nil
    }
    epoch?.courseDegrees = course.flatMap { (0...360).contains($0) ? $0 : nil }
  }

  // MARK: - Epochs

  /// Notes that a sentence says that the receiver has no position, which is no fault.
  private mutating func noteVoid() -> LineFault? {
    epoch?.isVoid = true
    return nil
  }

  /// Begins an epoch at a time of day and ends the one before, unless the epoch of that time is
  /// open or its fix was returned already.
  ///
  /// - Returns: Whether values can be added to the epoch; false if its fix was returned already.
  private mutating func open(
    _ timeOfDay: Int, recommendedDate: Instant? = nil, into fixes: inout [LocationFix]
  ) -> Bool {
    if let epoch, epoch.timeOfDay == timeOfDay,
      Self.isSameDay(epoch.recommendedDate, recommendedDate)
    {
      return true
    }
    if let returned, returned.timeOfDay == timeOfDay,
      Self.isSameDay(returned.recommendedDate, recommendedDate)
    {
      return false
    }
    endEpoch(into: &fixes)
    if epoch?.isVoid == true { skipped.add(.withoutPosition) }
    calendar.advance(toTimeOfDay: timeOfDay)
    epoch = NMEAEpoch(timeOfDay: timeOfDay)
    return true
  }

  /// Returns whether two dates are equal or at least one of them is unknown.
  private static func isSameDay(_ one: Instant?, _ other: Instant?) -> Bool {
    one == nil || other == nil || one == other
  }
}
