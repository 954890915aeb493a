/// Decompresses a zlib stream: RFC 1950, and RFC 1951 (deflate).
///
/// Made for the few kilobytes of a text chunk: codes are decoded bit by bit, without tables that
/// would first have to be filled. The checksum is not looked at.
struct Inflate {
  private struct DamagedError: Error {}

  private let input: ArraySlice<UInt8>
  private var offset: Int
  private var pending: UInt32 = 0
  private var pendingCount = 0
  private var output: [UInt8] = []
  private let limit: Int

  /// Decompresses a stream, which begins with its header of two bytes, as far as it is sound and
  /// whole, up to a number of bytes.
  static func decompress(_ stream: ArraySlice<UInt8>, upTo limit: Int) -> [UInt8] {
    // Method 8 is deflate; with bit 5 of the flags a dictionary is needed that nobody has.
    guard let method = stream.first, method & 0x0F == 8, let flags = stream.dropFirst().first,
      flags & 0x20 == 0
    else { return [] }
    var inflate = Inflate(stream.dropFirst(2), limit)
    try? inflate.run()
    return inflate.output
  }

  private init(_ input: ArraySlice<UInt8>, _ limit: Int) {
    (self.input, self.limit, offset) = (input, limit, input.startIndex)
  }

  private mutating func run() throws(DamagedError) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try decode(.fixedLiterals, .fixedDistances)
      case 2:
        let (literals, distances) = try codes()
        try decode(literals, distances)
      default: throw DamagedError()
      }
    }
  }

  private mutating func bits(_ count: Int) throws(DamagedError) -> Int {
    while pendingCount < count {
      guard offset < input.endIndex else { throw DamagedError() }
      pending |= UInt32(input[offset]) << UInt32(pendingCount)
      offset += 1
      pendingCount += 8
    }
    let value = pending & (1 << UInt32(count) - 1)
    pending >>= UInt32(count)
    pendingCount -= count
    return Int(value)
  }

  private mutating func append(_ byte: UInt8) throws(DamagedError) {
    guard output.count < limit else { throw DamagedError() }
    output.append(byte)
  }

  /// RFC 1951, section 3.2.4.
  private mutating func copyStored() throws(DamagedError) {
    // The rest of the byte that has been begun; whole bytes are never pending here.
    (pending, pendingCount) = (0, 0)
    let length = try bits(16)
    guard try bits(16) == ~length & 0xFFFF else { throw DamagedError() }
    for _ in 0..<length { try append(UInt8(try bits(8))) }
  }

  /// RFC 1951, section 3.2.5.
  private mutating func decode(
    _ literals: HuffmanCode, _ distances: HuffmanCode
  ) throws(DamagedError) {
    while true {
      let symbol = try self.symbol(of: literals)
      if symbol < 256 {
        try append(UInt8(symbol))
        continue
      }
      guard symbol > 256 else { return }
      guard symbol <= 285 else { throw DamagedError() }
      let length =
        symbol == 285 ? 258 : try value(of: symbol - 257, perDoubling: 4, directly: 8) + 3
      let distanceSymbol = try self.symbol(of: distances)
      guard distanceSymbol < 30 else { throw DamagedError() }
      let distance = try value(of: distanceSymbol, perDoubling: 2, directly: 4) + 1
      guard distance <= output.count else { throw DamagedError() }
      for _ in 0..<length { try append(output[output.count - distance]) }
    }
  }

  /// The value that a length's or distance's symbol and the extra bits behind it stand for, from 0
  /// on: the first symbols are values themselves, then each group of symbols covers twice as many
  /// as the last one.
  private mutating func value(
    of symbol: Int, perDoubling group: Int, directly: Int
  ) throws(DamagedError) -> Int {
    guard symbol >= directly else { return symbol }
    let extra = symbol / group - 1
    return try (group + symbol % group) << extra + bits(extra)
  }

  /// The order in which the lengths of the code of lengths stand.
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// RFC 1951, section 3.2.7.
  private mutating func codes() throws(DamagedError) -> (HuffmanCode, HuffmanCode) {
    let literalCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let lengthCount = try bits(4) + 4
    var lengthLengths = [Int](repeating: 0, count: 19)
    for index in Self.lengthOrder.prefix(lengthCount) { lengthLengths[index] = try bits(3) }
    let lengthCode = HuffmanCode(lengthLengths)
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try self.symbol(of: lengthCode)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw DamagedError() }
        lengths += repeatElement(last, count: try bits(2) + 3)
      case 17: lengths += repeatElement(0, count: try bits(3) + 3)
      case 18: lengths += repeatElement(0, count: try bits(7) + 11)
      default: lengths.append(symbol)
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw DamagedError() }
    return (
      HuffmanCode(lengths.prefix(literalCount)), HuffmanCode(lengths.dropFirst(literalCount))
    )
  }

  private mutating func symbol(of code: HuffmanCode) throws(DamagedError) -> Int {
    var word = 0
    var first = 0
    var index = 0
    for count in code.counts.dropFirst() {
      word |= try bits(1)
      if word - first < count {
        // A code of more words than there are bits for leads nowhere.
        guard word >= first else { throw DamagedError() }
        return code.symbols[index + word - first]
      }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    throw DamagedError()
  }
}

/// A canonical Huffman code, which the lengths of its words define: RFC 1951, section 3.2.2.
private struct HuffmanCode {
  /// How many words there are of each length, from 0 to 15 bits.
  private(set) var counts = [Int](repeating: 0, count: 16)
  /// The symbols in the order of their words.
  private(set) var symbols: [Int] = []

  static let fixedLiterals = HuffmanCode(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = HuffmanCode([Int](repeating: 5, count: 30))

  /// Creates a code of words whose lengths are in 0...15; 0 is for a symbol without a word.
  init(_ lengths: some Collection<Int>) {
    for length in lengths { counts[length] += 1 }
    counts[0] = 0
    // A hostile stream is codes and nothing else, so that a pass for each length would be felt.
    var places = [Int](repeating: 0, count: 16)
    for length in 1..<15 { places[length + 1] = places[length] + counts[length] }
    symbols = [Int](repeating: 0, count: places[15] + counts[15])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[length]] = symbol
      places[length] += 1
    }
  }
}
