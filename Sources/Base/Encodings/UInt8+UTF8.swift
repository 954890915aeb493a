extension UInt8 {
  /// The length in bytes of the UTF-8 sequence that begins with this byte (RFC 3629, section 3); 1
  /// if no sequence begins with it.
  package var utf8SequenceLength: Int {
    switch self {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
