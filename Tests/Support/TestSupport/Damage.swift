/// Random damage to bytes, as caused by broken disks or hostile writers.
public enum Damage {
  /// Returns a copy in which some bytes are changed, removed, duplicated or replaced by numbers at
  /// the limits of arithmetic, or which is truncated.
  public static func apply(
    to bytes: [UInt8], using generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 0...16, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 3...4:
        let width = [1, 2, 4, 8].randomElement(using: &generator) ?? 4
        let edge: UInt8 = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
        for index in place..<min(bytes.count, place + width) { bytes[index] = edge }
      case 5: bytes.removeSubrange(place..<end)
      case 6: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      default:
        if Bool.random(using: &generator) { bytes.removeLast(bytes.count - place) }
      }
    }
    return bytes
  }
}
