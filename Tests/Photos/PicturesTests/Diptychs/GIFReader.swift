import Pictures

/// A parser of animated GIF files according to GIF89a, independent of the encoder.
struct GIFReader {
  struct Frame {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var hundredths: Int
    var colors: [[UInt8]]
    var indices: [UInt8]
  }

  struct Malformed: Error {
    let reason: String
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var frames: [Frame] = []
  /// The number of repetitions; 0 for an endless loop.
  private(set) var repetitions: Int?
  private var bytes: ArraySlice<UInt8>

  init(_ file: [UInt8]) throws {
    bytes = file[...]
    guard try Array(take(6)) == Array("GIF89a".utf8) else { throw Malformed(reason: "header") }
    width = try number()
    height = try number()
    let flags = try byte()
    _ = try take(2)
    if flags & 0x80 != 0 { _ = try take(3 << (Int(flags & 7) + 1)) }
    var hundredths = 0
    while true {
      switch try byte() {
      case 0x3B:
        guard bytes.isEmpty else { throw Malformed(reason: "something behind the end") }
        return
      case 0x21:
        let label = try byte()
        let blocks = try blocks()
        if label == 0xF9 { hundredths = Int(blocks[1]) | Int(blocks[2]) << 8 }
        if label == 0xFF, blocks.starts(with: Array("NETSCAPE2.0".utf8)) {
          repetitions = Int(blocks[12]) | Int(blocks[13]) << 8
        }
      case 0x2C: frames.append(try frame(hundredths))
      default: throw Malformed(reason: "no block")
      }
    }
  }

  private mutating func frame(_ hundredths: Int) throws -> Frame {
    let box = try (0..<4).map { _ in try number() }
    let flags = try byte()
    guard flags & 0x80 != 0 else { throw Malformed(reason: "no colours") }
    let table = Array(try take(3 << (Int(flags & 7) + 1)))
    let colors = stride(from: 0, to: table.count, by: 3).map { Array(table[$0..<$0 + 3]) }
    let bits = Int(try byte())
    let indices = try Self.decoded(try blocks(), bits: bits)
    guard indices.count == box[2] * box[3], box[0] + box[2] <= width, box[1] + box[3] <= height,
      indices.allSatisfy({ Int($0) < colors.count })
    else { throw Malformed(reason: "\(indices.count) pixels of \(box)") }
    return Frame(
      x: box[0], y: box[1], width: box[2], height: box[3], hundredths: hundredths, colors: colors,
      indices: indices)
  }

  private mutating func byte() throws -> UInt8 { try take(1).first ?? 0 }
  private mutating func number() throws -> Int { Int(try byte()) | Int(try byte()) << 8 }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard bytes.count >= count else { throw Malformed(reason: "cut off") }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }

  private mutating func blocks() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let count = Int(try byte())
      if count == 0 { return all }
      all += try take(count)
    }
  }

  /// Decodes LZW, with the code table one step behind the encoder's.
  static func decoded(_ data: [UInt8], bits: Int) throws -> [UInt8] {
    let (clear, end) = (1 << bits, (1 << bits) + 1)
    var (table, width, last): ([[UInt8]], Int, [UInt8]?) = ([], bits + 1, nil)
    func reset() {
      table = (0..<clear).map { [UInt8(truncatingIfNeeded: $0)] } + [[], []]
      (width, last) = (bits + 1, nil)
    }
    reset()
    var (result, at): ([UInt8], Int) = ([], 0)
    while true {
      var code = 0
      for bit in 0..<width {
        guard at / 8 < data.count else { throw Malformed(reason: "codes are cut off") }
        code |= Int(data[at / 8] >> UInt8(at % 8) & 1) << bit
        at += 1
      }
      if code == end {
        guard (at + 7) / 8 == data.count else { throw Malformed(reason: "codes behind the end") }
        return result
      }
      if code == clear {
        reset()
        continue
      }
      let entry: [UInt8]
      if code < table.count {
        entry = table[code]
      } else if let last, code == table.count {
        entry = last + last.prefix(1)
      } else {
        throw Malformed(reason: "an unknown code")
      }
      result += entry
      if let last, table.count < 4096 { table.append(last + entry.prefix(1)) }
      if table.count == 1 << width, width < 12 { width += 1 }
      last = entry
    }
  }

  /// The displayed picture after each frame, as rows of colors.
  var canvases: [[[UInt8]]] {
    var canvas = Array(repeating: [UInt8](), count: width * height)
    return frames.map { frame in
      for (place, index) in frame.indices.enumerated() {
        let x = frame.x + place % frame.width
        let y = frame.y + place / frame.width
        canvas[y * width + x] = frame.colors[Int(index)]
      }
      return canvas
    }
  }
}
