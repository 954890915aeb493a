import Spatial

/// A region in which clocks differ from UTC by a part of an hour (tz database 2025b).
///
/// Elsewhere such offsets are as improbable as those of any foreign country. In the core of a
/// region, where no other zone is near, so are whole hours.
struct OffsetRegion {
  /// Degrees: south, west, north, east.
  private typealias Box = (Double, Double, Double, Double)

  /// The offsets in use there, in minutes, with and without daylight saving time.
  private let minutes: [Int]
  /// A box that contains the region, and parts of neighbouring ones.
  private let outer: Box
  /// Boxes with nothing but the region.
  private let core: [Box]

  /// Returns the greatest weight that an offset has at a place (``ClockRule``).
  static func weight(ofMinutes minutes: Int, at place: Coordinate) -> Double {
    let around = all.filter { contains($0.outer, place) }
    if around.contains(where: { $0.minutes.contains(minutes) }) { return 1 }
    if minutes % 60 != 0 { return unusual }
    return around.contains { region in region.core.contains { contains($0, place) } } ? rare : 1
  }

  /// The weights of parts of an hour outside of their regions, and of whole hours within the core
  /// of one.
  private static let unusual = 0.01
  private static let rare = 0.05

  private static func contains(_ box: Box, _ place: Coordinate) -> Bool {
    let (south, west, north, east) = box
    return place.latitude >= south && place.latitude <= north && place.longitude >= west
      && place.longitude <= east
  }

  private static let all = [
    // Iran, until 2022 with daylight saving time.
    OffsetRegion(minutes: [210, 270], outer: (25, 44, 40, 63.5), core: [(28, 48.5, 37, 60)]),
    // Afghanistan.
    OffsetRegion(minutes: [270], outer: (29, 60, 39, 75), core: [(31.5, 62, 34.5, 69)]),
    // India and Sri Lanka.
    OffsetRegion(
      minutes: [330], outer: (5, 68, 37.5, 97.5),
      core: [(8, 73, 23.5, 87.5), (5, 79, 10, 82), (23.5, 75, 30, 80)]),
    // Nepal.
    OffsetRegion(
      minutes: [345], outer: (26, 80, 30.5, 88.3),
      core: [(27.4, 83.5, 27.95, 86), (27.6, 82, 28.9, 84.6)]),
    // Myanmar, and the Cocos Islands.
    OffsetRegion(minutes: [390], outer: (9, 92, 28.6, 101.2), core: [(16, 94.5, 25, 97)]),
    OffsetRegion(minutes: [390], outer: (-13, 96, -11, 98), core: []),
    // North Korea, from 2015 to 2018.
    OffsetRegion(minutes: [510, 540], outer: (37.5, 124, 43, 131), core: []),
    // Eucla.
    OffsetRegion(minutes: [525, 585], outer: (-33, 125, -31, 129.1), core: []),
    // South Australia and the Northern Territory.
    OffsetRegion(
      minutes: [570, 630], outer: (-38.2, 128.5, -10.5, 142),
      core: [(-38.1, 129.1, -11, 137.9), (-38.1, 137.9, -29, 140.9)]),
    // Lord Howe Island.
    OffsetRegion(minutes: [630, 660], outer: (-32, 158.5, -31, 159.5), core: []),
    // Norfolk Island, until 2015.
    OffsetRegion(minutes: [690, 660, 720], outer: (-29.5, 167.5, -28.5, 168.5), core: []),
    // The Chatham Islands.
    OffsetRegion(
      minutes: [765, 825], outer: (-45, -178, -43, -175), core: [(-44.7, -177.2, -43.5, -175.5)]),
    // The Marquesas.
    OffsetRegion(minutes: [-570], outer: (-11, -141.5, -7, -138), core: []),
    // Venezuela, from 2007 to 2016.
    OffsetRegion(minutes: [-270, -240], outer: (0.5, -73.5, 13, -59.5), core: []),
    // Newfoundland.
    OffsetRegion(
      minutes: [-210, -150], outer: (46, -60, 54, -52), core: [(46.5, -59.5, 51.7, -52.5)]),
  ]
}
