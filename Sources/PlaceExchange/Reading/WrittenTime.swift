import CivilTime

extension Instant {
  /// Reads a time as files of places write it.
  ///
  /// ISO 8601, with slashes for the dashes, a space for the `T` and a date alone too; a time
  /// without an offset is UTC. A number is seconds since 1970, or milliseconds from 10^11 on.
  /// Years outside of 1–9999 and other texts give `nil`.
  init?(written text: String) {
    var bytes = Array(text.utf8.prefix(64))
    while let last = bytes.last, last == 0x20 || (0x09...0x0D).contains(last) { bytes.removeLast() }
    while let first = bytes.first, first == 0x20 || (0x09...0x0D).contains(first) {
      bytes.removeFirst()
    }
    if bytes.allSatisfy({ (0x30...0x39).contains($0) }), (9...14).contains(bytes.count),
      let number = Int64(String(decoding: bytes, as: UTF8.self))
    {
      self.init(millisecondsSince1970: number >= 100_000_000_000 ? number : number * 1000)
      return
    }
    for place in [4, 7] where place < bytes.count && bytes[place] == UInt8(ascii: "/") {
      bytes[place] = UInt8(ascii: "-")
    }
    if bytes.suffix(4).elementsEqual(" UTC".utf8) { bytes.removeLast(4) }
    guard let (dateTime, offset) = CivilDateTime.parse(iso8601: bytes), dateTime.year > 0 else {
      return nil
    }
    self = dateTime.instant(utcOffsetMinutes: offset ?? 0)
  }
}
