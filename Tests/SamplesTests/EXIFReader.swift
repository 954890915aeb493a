import Testing

/// Parses an EXIF block according to TIFF 6.0, independently of its writer.
struct EXIFReader {
  /// A value: integers, rationals, or bytes.
  enum Value: Equatable {
    case text(String)
    case bytes([UInt8])
    case numbers([Int])
    case rationals([Double])
  }

  let isBigEndian: Bool
  private(set) var image: [Int: Value] = [:]
  private(set) var exif: [Int: Value] = [:]
  private(set) var gps: [Int: Value]?

  private let tiff: [UInt8]

  init(_ block: [UInt8]) throws {
    try #require(block.starts(with: Array("Exif\0\0".utf8)))
    tiff = Array(block.dropFirst(6))
    isBigEndian = tiff.starts(with: Array("MM".utf8))
    if !isBigEndian { try #require(tiff.starts(with: Array("II".utf8))) }
    try #require(number(at: 2, size: 2) == 42)
    image = try directory(at: number(at: 4, size: 4))
    if case .numbers(let offsets) = image[0x8769] { exif = try directory(at: offsets[0]) }
    if case .numbers(let offsets) = image[0x8825] { gps = try directory(at: offsets[0]) }
  }

  private func number(at offset: Int, size: Int) throws -> Int {
    try #require(offset >= 0 && offset + size <= tiff.count)
    let bytes = tiff[offset..<offset + size]
    return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  private func directory(at offset: Int) throws -> [Int: Value] {
    var entries: [Int: Value] = [:]
    for entry in 0..<(try number(at: offset, size: 2)) {
      let start = offset + 2 + entry * 12
      let tag = try number(at: start, size: 2)
      try #require(entries[tag] == nil, "tag \(tag) twice")
      entries[tag] = try value(at: start)
    }
    return entries
  }

  private func value(at entry: Int) throws -> Value {
    let type = try number(at: entry + 2, size: 2)
    let count = try number(at: entry + 4, size: 4)
    let size = try #require([1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1][type])
    let start = count * size <= 4 ? entry + 8 : try number(at: entry + 8, size: 4)
    try #require(start + count * size <= tiff.count)
    let places = stride(from: start, to: start + count * size, by: size)
    switch type {
    case 2:
      try #require(tiff[start + count - 1] == 0)
      return .text(String(decoding: tiff[start..<start + count - 1], as: UTF8.self))
    case 1, 7: return .bytes(Array(tiff[start..<start + count]))
    case 5:
      return .rationals(
        try places.map { try Double(number(at: $0, size: 4)) / Double(number(at: $0 + 4, size: 4)) }
      )
    default: return .numbers(try places.map { try number(at: $0, size: size) })
    }
  }

  func text(_ tag: Int, in directory: [Int: Value]?) -> String? {
    if case .text(let text) = directory?[tag] { text } else { nil }
  }

  func number(_ tag: Int, in directory: [Int: Value]?) -> Double? {
    switch directory?[tag] {
    case .numbers(let numbers): numbers.first.map(Double.init)
    case .rationals(let rationals): rationals.first
    case .bytes(let bytes): bytes.first.map(Double.init)
    default: nil
    }
  }

  /// Degrees from three rationals, negative for the given reference.
  func degrees(_ tag: Int, reference: Int, negative: String, positive: String) throws -> Double {
    guard case .rationals(let parts) = gps?[tag] else {
      throw MissingTag(tag: tag)
    }
    try #require(parts.count == 3)
    let letter = text(reference, in: gps)
    try #require(letter == negative || letter == positive)
    let size = parts[0] + parts[1] / 60 + parts[2] / 3600
    return letter == negative ? -size : size
  }

  struct MissingTag: Error { let tag: Int }
}
