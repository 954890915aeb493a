extension UInt8 {
  /// How many bytes the UTF-8 sequence has that begins with this byte (RFC 3629, section 3); 1 for
  /// a byte that none begins with.
  package var utf8SequenceLength: Int {
    switch self {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
