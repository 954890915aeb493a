/// Returns an NMEA sentence with a given text: `$`, the text, and its checksum.
public func sentence(_ text: String) -> String {
  let sum = text.utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(text)*\(digits.utf8.count == 1 ? "0" : "")\(digits)\r\n"
}
