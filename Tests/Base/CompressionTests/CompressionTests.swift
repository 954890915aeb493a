import Compression
import TestSupport
import Testing

/// Compressed bytes in each form, also damaged and cut off.
@Suite struct CompressionTests {
  private static let forms: [CompressedForm] = [.raw, .zlib, .gzip]

  /// Compressible bytes, more than two pieces of output.
  private static let text = Array(
    (0..<30_000).map { "line \($0 % 977)\n" }.joined().utf8)

  private static func packed(_ bytes: [UInt8], _ form: CompressedForm) throws -> [UInt8] {
    try #require(Deflate.packed(bytes, as: form, upTo: bytes.count))
  }

  private struct NoMemory: Error {}

  private static func inflater(_ form: CompressedForm) throws -> Inflater {
    guard let inflater = Inflater(form) else { throw NoMemory() }
    return inflater
  }

  @Test(arguments: forms) func `bytes are the same after compression, in pieces of any size`(
    _ form: CompressedForm
  ) throws {
    let packed = try Self.packed(Self.text, form)
    for size in [1, 7, 4096, packed.count] {
      var inflater = try Self.inflater(form)
      var bytes: [UInt8] = []
      for start in stride(from: 0, to: packed.count, by: size) {
        let piece = packed[start..<min(start + size, packed.count)]
        let used = inflater.inflate(piece) { output in
          bytes += output
          return true
        }
        #expect(used == piece.count)
      }
      let isFinished = inflater.isFinished
      #expect(isFinished && bytes == Self.text, "\(size)")
    }
  }

  @Test(arguments: forms) func `bytes after the end of a stream are not used`(
    _ form: CompressedForm
  ) throws {
    let packed = try Self.packed(Self.text, form)
    var inflater = try Self.inflater(form)
    let used = inflater.inflate((packed + [1, 2, 3])[...]) { _ in true }
    let isFinished = inflater.isFinished
    #expect(used == packed.count && isFinished)
  }

  @Test(arguments: forms) func `a receiver stops decompression`(_ form: CompressedForm) throws {
    let packed = try Self.packed(Self.text, form)
    var inflater = try Self.inflater(form)
    var count = 0
    let used = inflater.inflate(packed[...]) { piece in
      count += piece.count
      return false
    }
    #expect(used == nil && count == 1 << 16)
  }

  @Test func `damage is found, and what precedes it is kept`() throws {
    let packed = try Self.packed(Self.text, .zlib)
    let half = Inflater.prefix(of: packed.prefix(packed.count / 2), as: .zlib, upTo: 1 << 20)
    #expect(!half.isEmpty && Self.text.starts(with: half))
    var damaged = packed
    damaged[packed.count - 1] ^= 1
    var inflater = try Self.inflater(.zlib)
    let used = inflater.inflate(damaged[...]) { _ in true }
    #expect(used == nil)
    // Only the checksum is wrong.
    #expect(Inflater.prefix(of: damaged[...], as: .zlib, upTo: 1 << 20) == Self.text)
    #expect(Inflater.prefix(of: [1, 2, 3], as: .zlib, upTo: 1 << 20) == [])
    #expect(Inflater.prefix(of: [], as: .zlib, upTo: 1 << 20) == [])
  }

  @Test func `decompression stops at the limit`() throws {
    let bomb = try Self.packed([UInt8](repeating: UInt8(ascii: "A"), count: 1 << 24), .zlib)
    #expect(bomb.count < 1 << 15)
    for limit in [0, 1, 257, 259, 1 << 16, 512 * 1024] {
      let bytes = Inflater.prefix(of: bomb[...], as: .zlib, upTo: limit)
      #expect(bytes == [UInt8](repeating: UInt8(ascii: "A"), count: limit))
    }
  }

  @Test(arguments: forms) func `bytes that do not become shorter are not compressed`(
    _ form: CompressedForm
  ) {
    var generator = SeededGenerator(seed: 1)
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(Deflate.packed(noise, as: form, upTo: noise.count - 1) == nil)
    #expect(Deflate.packed([], as: form, upTo: -1) == nil)
    #expect(Deflate.packed([1], as: form, upTo: 0) == nil)
  }

  @Test func `the checksum is that of zip archives`() {
    var sum = CRC32()
    #expect(sum.value == 0)
    sum.combine(Array("12345".utf8))
    sum.combine("6789".utf8)
    // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
    #expect(sum.value == 0xCBF4_3926)
  }
}
