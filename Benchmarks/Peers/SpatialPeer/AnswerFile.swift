import Spatial

/// A file of an index's answers, one line per query, as in `Benchmarks/Peers/peer.hpp`: their
/// number, a sum over the ids, and the sum of the distances.
struct AnswerFile {
  private(set) var text = ""

  /// If the number of answers is limited, any of those at the greatest distance may be included, so
  /// these are left out of the sum of the ids.
  mutating func write(
    _ work: String, _ query: Int, _ found: [SpatialIndex.Neighbor], isCut: Bool
  ) {
    var (ids, meters): (UInt64, Double) = (0, 0)
    let below = isCut ? (found.last?.distanceMeters ?? 0) - 1e-6 : .infinity
    for neighbor in found {
      meters += neighbor.distanceMeters
      if neighbor.distanceMeters < below { ids &+= Self.mix(UInt64(neighbor.index)) }
    }
    let hexadecimal = String(ids, radix: 16)
    let zeros = String(repeating: "0", count: 16 - hexadecimal.count)
    text += "\(work)\t\(query)\t\(found.count)\t\(zeros)\(hexadecimal)\t\(meters)\n"
  }

  /// The mixing function of SplitMix64.
  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
