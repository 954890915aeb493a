internal import CivilTime

extension Walk {
  /// The walk as NMEA 0183, version 4.10: the sentences GGA, GSA and RMC of a multi-system receiver
  /// (`GN`) for each epoch, with lines terminated by CR LF.
  ///
  /// Without a fix GGA has quality 0, GSA fix type 1 and RMC status V.
  package var nmea: [UInt8] {
    var bytes: [UInt8] = []
    for epoch in epochs {
      let stamp = Stamp(epoch.time)
      for sentence in Self.sentences(epoch.reading, stamp: stamp) {
        bytes += Self.line(sentence)
      }
    }
    return bytes
  }

  /// An epoch's time and date in the format of the sentences.
  private struct Stamp {
    /// `hhmmss.ss`.
    let time: String
    /// `ddmmyy`.
    let date: String

    init(_ instant: Instant) {
      let text = Array(instant.iso8601)
      time = String(text[11..<13] + text[14..<16] + text[17..<22])
      date = String(text[8..<10] + text[5..<7] + text[2..<4])
    }
  }

  private static func sentences(_ reading: Reading?, stamp: Stamp) -> [String] {
    guard let reading else {
      return [
        "GNGGA,\(stamp.time),,,,,0,00,99.99,,,,,,", "GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
        "GNRMC,\(stamp.time),V,,,,,,,\(stamp.date),,,N",
      ]
    }
    let latitude = angle(reading.latitude, digits: 2) + (reading.latitude < 0 ? ",S" : ",N")
    let longitude = angle(reading.longitude, digits: 3) + (reading.longitude < 0 ? ",W" : ",E")
    let dilution = decimal(reading.dilution, places: 2)
    let altitude = decimal(reading.altitude, places: 1)
    // Thousandths of a knot, which is 1852 m per hour.
    let knots = decimal((reading.speed * 36_000 + 926) / 1852, places: 3)
    let course = reading.course.map { decimal($0, places: 1) } ?? ""
    let count = padded(reading.satelliteCount, digits: 2)
    return [
      "GNGGA,\(stamp.time),\(latitude),\(longitude),1,\(count),\(dilution),\(altitude),M,44.6,M,,",
      satellites(reading, dilution: dilution),
      "GNRMC,\(stamp.time),A,\(latitude),\(longitude),\(knots),\(course),\(stamp.date),,,A",
    ]
  }

  private static func satellites(_ reading: Reading, dilution: String) -> String {
    let inView = ["02", "05", "07", "11", "13", "15", "18", "20", "24", "27", "29", "30"]
    let used = inView.prefix(reading.satelliteCount)
    let fields = used + repeatElement("", count: 12 - used.count)
    let position = decimal(reading.dilution * 17 / 10, places: 2)
    let vertical = decimal(reading.dilution * 137 / 100, places: 2)
    return "GNGSA,A,3,\(fields.joined(separator: ",")),\(position),\(dilution),\(vertical)"
  }

  /// Returns an angle in ten-millionths of a degree as `dddmm.mmmmm`, rounded to the nearest value.
  private static func angle(_ angle: Int, digits: Int) -> String {
    // One hundred-thousandth of a minute is 10⁷ / (60 × 10⁵) = 5/3 of the unit.
    let parts = (Int(angle.magnitude) * 6 + 5) / 10
    let (degrees, minutes) = parts.quotientAndRemainder(dividingBy: 6_000_000)
    return padded(degrees, digits: digits) + padded(minutes / 100_000, digits: 2) + "."
      + padded(minutes % 100_000, digits: 5)
  }

  private static func decimal(_ number: Int, places: Int) -> String {
    let digits = padded(Int(number.magnitude), digits: places + 1)
    return (number < 0 ? "-" : "") + digits.dropLast(places) + "." + digits.suffix(places)
  }

  private static func padded(_ number: Int, digits: Int) -> String {
    let written = String(number)
    return String(repeating: "0", count: max(0, digits - written.utf8.count)) + written
  }

  /// Returns the sentence with its checksum: the exclusive or of the bytes between `$` and `*`.
  private static func line(_ sentence: String) -> [UInt8] {
    let sum = sentence.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(sentence)*\(sum < 16 ? "0" : "")\(digits)\r\n".utf8)
  }
}
