import CTowns

/// A reader of the binary table that `make-towns.py` writes; the head of that script describes the
/// format.
///
/// The table is embedded in the program, so its contents are trusted; only bounds are checked.
struct TownData: Sendable {
  /// The embedded towns of 15,000 inhabitants or more.
  static let ofProgram = TownData(photospots_towns(), count: photospots_towns_size())
  /// The embedded smaller places. Countries have the same numbers as in ``ofProgram``.
  static let villages = TownData(photospots_villages(), count: photospots_villages_size())

  /// The number of towns.
  let count: Int
  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let countryCount: Int
  private let nameLength: Int
  // The offset of each part.
  private let positions: Int
  private let populations: Int
  private let countries: Int
  private let nameStarts: Int
  private let codeEnds: Int
  private let codeTexts: Int
  private let letters: Int
  private let nations: Int
  private let names: Int

  static let codeCount = 255

  private init(_ start: UnsafeRawPointer?, count size: Int) {
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    self.bytes = bytes
    func number(_ place: Int) -> Int { Int(Self.read(bytes, place, UInt32.self)) }
    precondition(bytes.starts(with: "towns  1".utf8), "the towns are of another version")
    count = number(8)
    countryCount = number(12)
    nameLength = number(20)
    positions = 24 + 181 * 4
    populations = positions + count * 4
    countries = populations + count * 2
    nameStarts = countries + count
    let ends = nameStarts + (count + 15) / 16 * 4
    codeEnds = ends
    codeTexts = ends + Self.codeCount * 4
    func tableEnd(_ table: Int) -> Int {
      Int(Self.read(bytes, ends + (table + 1) * Self.codeCount * 2 - 2, UInt16.self))
    }
    letters = codeTexts + tableEnd(0) + tableEnd(1)
    nations = letters + Self.letterCount * 2
    names = nations + number(16)
    precondition(names + nameLength == bytes.count, "the towns are cut off")
  }

  @inline(__always)
  private static func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, _ type: Number.Type
  ) -> Number {
    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: type))
  }

  /// Returns the towns in one degree of latitude, in the order of their longitudes; band 0 begins
  /// at −90°.
  func towns(inBand band: Int) -> Range<Int> {
    let place = 24 + band * 4
    return Int(Self.read(bytes, place, UInt32.self))..<Int(Self.read(bytes, place + 4, UInt32.self))
  }

  /// Returns a town's packed position: in the low 12 bits the latitude within its band, in units of
  /// 1/4096°; above them the longitude from −180°, in units of 360°/2^20.
  @inline(__always)
  func position(_ town: Int) -> UInt32 { Self.read(bytes, positions + town * 4, UInt32.self) }

  /// Returns the number of inhabitants of a town.
  @inline(__always)
  func population(_ town: Int) -> Int {
    let code = Self.read(bytes, populations + town * 2, UInt16.self)
    return Int(code >> 5) << Int(code & 31)
  }

  /// Returns the number of a town's country.
  @inline(__always)
  func countryNumber(_ town: Int) -> UInt8 { bytes[countries + town] }

  /// Returns the code and the name of a town's country.
  func country(_ town: Int) -> (code: String, name: String) {
    var place = nations
    for _ in 0..<bytes[countries + town] { place = end(place + 2) + 1 }
    return (text(place..<place + 2), text(place + 2..<end(place + 2)))
  }

  /// Calls a closure with the encoded name of each town, in order.
  func forEachName(_ body: (_ town: Int, _ codes: UnsafeRawBufferPointer) -> Void) {
    var place = names
    for town in 0..<count {
      let end = end(ofName: place)
      body(town, UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
      place = end + 1
    }
  }

  /// Returns the name of a town.
  func name(_ town: Int) -> String {
    var place = names + Int(Self.read(bytes, nameStarts + town / 16 * 4, UInt32.self))
    for _ in 0..<town % 16 { place = end(ofName: place) + 1 }
    var name: [UInt8] = []
    var rest = bytes[place..<end(ofName: place)]
    while let code = rest.popFirst() {
      if code == Self.rare, let high = rest.popFirst(), let low = rest.popFirst() {
        name += String(Self.rareScalar(high, low)).utf8
      } else {
        name += bytes[range(ofCode: code, isFolded: false)]
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The code that precedes the two bytes of a character without a code of its own.
  static let rare: UInt8 = 1

  static func rareScalar(_ high: UInt8, _ low: UInt8) -> Unicode.Scalar {
    Unicode.Scalar((UInt32(high) - 1) * 255 + UInt32(low) - 1) ?? "?"
  }

  /// Returns the folded text of each code.
  func foldedTexts() -> [[UInt8]] {
    (0...UInt8.max).map { $0 == 0 ? [] : Array(bytes[range(ofCode: $0, isFolded: true)]) }
  }

  private func range(ofCode code: UInt8, isFolded: Bool) -> Range<Int> {
    func end(_ table: Int, _ code: Int) -> Int {
      guard code > 0 else { return 0 }
      let place = codeEnds + (table * Self.codeCount + code - 1) * 2
      return Int(Self.read(bytes, place, UInt16.self))
    }
    let table = isFolded ? 1 : 0
    let start = codeTexts + (isFolded ? end(0, Self.codeCount) : 0)
    return start + end(table, Int(code) - 1)..<start + end(table, Int(code))
  }

  private func end(_ place: Int) -> Int {
    bytes[place...].firstIndex(of: 0) ?? bytes.count
  }

  /// Returns the end of a name; the bytes of a rare character are never zero.
  private func end(ofName place: Int) -> Int { end(place) }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  // MARK: - Folded letters

  private static let letterCount = 0x250 - 0xC0 + 0x100

  /// Returns the ASCII letters that replace a character; `nil` if it is not in the table.
  func foldedLetters(_ scalar: Unicode.Scalar) -> [UInt8]? {
    let place =
      switch scalar.value {
      case 0xC0..<0x250: Int(scalar.value - 0xC0)
      case 0x1E00..<0x1F00: Int(scalar.value - 0x1E00) + 0x250 - 0xC0
      default: -1
      }
    guard place >= 0 else { return nil }
    return bytes[letters + place * 2..<letters + place * 2 + 2].filter { $0 != 0 }
  }
}
