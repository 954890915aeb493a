import Encodings

/// The cached verdicts about the photos of a spot, which are reused by later searches.
///
/// A file consists of the line `photospots-pairs 2`; a record per pair; and the FNV-1a hash of all
/// that. A record has the names of the earlier and the later photo, sixteen bytes each; a byte of
/// flags (1: same view, 2: has a score); and five little-endian 64-bit floating-point numbers:
/// score, dx, dy, rotation, scale. A photo's name changes with its file, so a verdict stays valid
/// forever.
package struct KnownVerdicts {
  /// The names of two photos.
  package struct Key: Hashable {
    package let earlier: String
    package let later: String

    /// Creates the key of a pair.
    package init(earlier: String, later: String) { (self.earlier, self.later) = (earlier, later) }
  }

  /// The verdicts; at most ``maximumKept`` of them are written.
  package var verdicts: [Key: PairVerdict] = [:]

  /// The maximum number of written verdicts.
  package static let maximumKept = 2048
  /// The maximum size of a file in bytes.
  package static let longestFile = header.count + maximumKept * recordLength + hashLength

  // The version number must change when the alignment algorithm gives different results.
  private static let header = Array("photospots-pairs 2\n".utf8)
  private static let nameLength = 16
  private static let recordLength = 2 * nameLength + 1 + 5 * 8
  private static let hashLength = 8

  /// Creates a cache without verdicts.
  package init() {}

  /// Decodes a file; `nil` if it has another format or is damaged. An invalid record is ignored.
  package init?(_ bytes: [UInt8]) {
    let end = bytes.count - Self.hashLength
    guard end >= Self.header.count, bytes.count <= Self.longestFile,
      bytes.starts(with: Self.header), (end - Self.header.count) % Self.recordLength == 0,
      Self.number(bytes[end...]) == Self.hash(of: bytes[..<end])
    else { return nil }
    for start in stride(from: Self.header.count, to: end, by: Self.recordLength) {
      let record = bytes[start..<start + Self.recordLength]
      guard let (key, verdict) = Self.entry(record) else { continue }
      verdicts[key] = verdict
    }
  }

  /// The encoded file; equal verdicts give equal bytes.
  package var bytes: [UInt8] {
    let entries = verdicts.sorted { one, other in
      (one.key.later, one.key.earlier) < (other.key.later, other.key.earlier)
    }
    var bytes = Self.header
    for (key, verdict) in entries.prefix(Self.maximumKept) {
      guard Self.isName(key.earlier.utf8), Self.isName(key.later.utf8) else { continue }
      bytes += Array(key.earlier.utf8) + Array(key.later.utf8)
      bytes.append((verdict.isLocked ? 1 : 0) | (verdict.score != nil ? 2 : 0))
      for number in [
        verdict.score ?? 0, verdict.dx, verdict.dy, verdict.turnDegrees, verdict.zoom,
      ] { bytes += Self.bytes(of: number.bitPattern) }
    }
    return bytes + Self.bytes(of: Self.hash(of: bytes[...]))
  }

  private static func entry(_ record: ArraySlice<UInt8>) -> (Key, PairVerdict)? {
    let names = record.prefix(2 * nameLength)
    let (earlier, later) = (names.prefix(nameLength), names.suffix(nameLength))
    guard isName(earlier), isName(later) else { return nil }
    let flags = record[names.endIndex]
    let numbers = (0..<5).map { place in
      let start = names.endIndex + 1 + 8 * place
      return Double(bitPattern: number(record[start..<start + 8]))
    }
    let verdict = PairVerdict(
      score: flags & 2 != 0 ? numbers[0] : nil, isLocked: flags & 1 != 0, dx: numbers[1],
      dy: numbers[2], turnDegrees: numbers[3], zoom: numbers[4])
    guard flags <= 3, let verdict else { return nil }
    let key = Key(
      earlier: String(decoding: earlier, as: UTF8.self),
      later: String(decoding: later, as: UTF8.self))
    return (key, verdict)
  }

  /// Returns whether bytes are a valid name: sixteen digits of base32.
  private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count == nameLength
      && bytes.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
      }
  }

  private static func hash(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.combine(bytes)
    return hash.mixed
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
