import CivilTime

extension Instant {
  /// Parses a time in the forms found in files of places.
  ///
  /// ISO 8601, also with slashes instead of dashes, a space instead of the `T`, or a date alone; a
  /// time without an offset is UTC. A number is in seconds since 1970, or in milliseconds from
  /// 10^11 on. Returns `nil` for years outside of 1–9999 and for other text.
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
