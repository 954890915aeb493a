/// A writer of animated GIF files (GIF89a, CompuServe 1990).
///
/// Each frame has its own palette and remains visible where the next one does not cover it.
struct GIFFile: Sendable {
  private var bytes: [UInt8]

  /// Creates a file that repeats forever.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, at most 65,535.
  ///   - height: The height in pixels, at most 65,535.
  init(width: Int, height: Int) {
    // The logical screen descriptor (section 18), without a global palette.
    bytes = Array("GIF89a".utf8)
    append(UInt16(truncatingIfNeeded: width))
    append(UInt16(truncatingIfNeeded: height))
    bytes += [0x70, 0, 0]
    // Netscape's application extension: repeat forever.
    bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
  }

  /// Appends a frame.
  ///
  /// - Parameters:
  ///   - rgb: The colours of its pixels, three bytes each.
  ///   - box: The position and size of the frame.
  ///   - hundredths: The duration of the frame in hundredths of a second.
  ///   - colors: The maximum number of colours: a power of two, 4–256.
  mutating func append(_ rgb: [UInt8], at box: Box, hundredths: Int, colors: Int) {
    // The graphic control extension (section 23): do not dispose.
    bytes += [0x21, 0xF9, 4, 0x04]
    append(UInt16(truncatingIfNeeded: hundredths))
    bytes += [0, 0, 0x2C]
    for number in [box.x, box.y, box.width, box.height] {
      append(UInt16(truncatingIfNeeded: number))
    }
    let table = ColorTable(rgb, maximumColors: colors)
    let bits = max(2, colors.trailingZeroBitCount)
    // The size of the local palette is 2 to the power of the low bits plus one (section 20).
    bytes.append(0x80 | UInt8(truncatingIfNeeded: bits - 1))
    bytes += table.colors.flatMap { [$0.red, $0.green, $0.blue] }
    bytes += Array(repeating: 0, count: 3 * ((1 << bits) - table.colors.count))
    bytes.append(UInt8(truncatingIfNeeded: bits))
    let data = LZWCoder.bytes(of: table.indices, bits: bits)
    for start in stride(from: 0, to: data.count, by: 255) {
      let block = data[start..<min(start + 255, data.count)]
      bytes.append(UInt8(truncatingIfNeeded: block.count))
      bytes += block
    }
    bytes.append(0)
  }

  /// Returns the complete file.
  consuming func finished() -> [UInt8] { bytes + [0x3B] }

  private mutating func append(_ number: UInt16) {
    bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}

/// The LZW compression of GIF, with variable-length codes for repeated sequences (GIF89a, appendix
/// F).
enum LZWCoder {
  /// The maximum number of codes, which have at most 12 bits.
  private static let codeCount = 4096

  /// Compresses palette indices.
  ///
  /// - Parameters:
  ///   - values: The indices.
  ///   - bits: The number of bits of an index, 2–8.
  /// - Returns: The codes, beginning at the lowest bit of the first byte.
  static func bytes(of values: [UInt8], bits: Int) -> [UInt8] {
    let (clear, end) = (1 << bits, 1 << bits + 1)
    var output = BitOutput()
    var codes = SequenceTable()
    var (next, width) = (end + 1, bits + 1)
    output.append(clear, bits: width)
    guard var last = values.first.map(Int.init) else {
      output.append(end, bits: width)
      return output.finished()
    }
    for value in values.dropFirst() {
      if let known = codes.code(of: last, value) {
        last = known
        continue
      }
      output.append(last, bits: width)
      if next == codeCount {
        output.append(clear, bits: width)
        codes.removeAll()
        (next, width) = (end + 1, bits + 1)
      } else {
        codes.insert(next, of: last, value)
        // The decoder learns a code only after it has read the next one.
        if next == 1 << width, width < 12 { width += 1 }
        next += 1
      }
      last = Int(value)
    }
    output.append(last, bits: width)
    // The decoder derives one more code from the last one it read.
    if next == 1 << width, width < 12 { width += 1 }
    output.append(end, bits: width)
    return output.finished()
  }

  /// A hash table of the codes of sequences; a sequence is given as the code of its beginning and
  /// its last value.
  private struct SequenceTable {
    private static let count = 1 << 14
    private var keys = Array(repeating: Int32(-1), count: count)
    private var codes = Array(repeating: Int16(0), count: count)

    func code(of sequence: Int, _ value: UInt8) -> Int? {
      let place = place(of: sequence, value)
      return keys[place] < 0 ? nil : Int(codes[place])
    }

    mutating func insert(_ code: Int, of sequence: Int, _ value: UInt8) {
      let place = place(of: sequence, value)
      keys[place] = Self.key(sequence, value)
      codes[place] = Int16(truncatingIfNeeded: code)
    }

    mutating func removeAll() {
      for place in keys.indices { keys[place] = -1 }
    }

    /// Returns the slot of a sequence, or a free slot for it; at most a quarter of the slots are in
    /// use.
    private func place(of sequence: Int, _ value: UInt8) -> Int {
      let key = Self.key(sequence, value)
      // Multiplicative hashing (Knuth, volume 3, section 6.4), to 14 bits.
      var place = Int((UInt32(bitPattern: key) &* 2_654_435_761) >> 18)
      while keys[place] >= 0, keys[place] != key { place = (place + 1) % Self.count }
      return place
    }

    private static func key(_ sequence: Int, _ value: UInt8) -> Int32 {
      Int32(truncatingIfNeeded: sequence << 8 | Int(value))
    }
  }

  /// A bit stream, least significant bit first.
  private struct BitOutput {
    private var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    mutating func append(_ code: Int, bits: Int) {
      pending |= code << count
      count += bits
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }

    consuming func finished() -> [UInt8] {
      count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes
    }
  }
}
