import CivilTime
package import PhotoMetadata
package import Spatial
import Storage
import SystemPackage

/// Spots of photos without an index, in two blocks of memory rather than several objects each.
///
/// A watch over a store holds some dozens of spots for each of thousands of devices.
package final class PackedSpots: Sendable {
  /// A spot, without the paths, which are in the bytes.
  private struct Row: BitwiseCopyable {
    let id: UInt64
    let coordinate: Coordinate
    let anchor: Coordinate
    let radiusMeters: Double
    let firstCaptured: Int64
    let lastCaptured: Int64
    let photoCount: Int32
    let favoriteCount: Int32
    let undatedCount: Int32
    /// The ends of the paths of the cover and the album; they begin at the end of the row before.
    let coverEnd: Int32
    let albumEnd: Int32
    let firstOffset: Int16
    let lastOffset: Int16
  }

  /// A spot to be packed, without its paths.
  package struct Spot: Sendable {
    package var id: SpotID
    package var coordinate: Coordinate
    package var anchor: Coordinate
    package var radiusMeters: Double
    package var photoCount: Int32
    package var favoriteCount: Int32
    package var undatedCount: Int32
    package var firstCaptured: CaptureTime?
    package var lastCaptured: CaptureTime?

    package init(
      id: SpotID, coordinate: Coordinate, anchor: Coordinate, radiusMeters: Double,
      photoCount: Int32, favoriteCount: Int32, undatedCount: Int32, firstCaptured: CaptureTime?,
      lastCaptured: CaptureTime?
    ) {
      self.id = id
      self.coordinate = coordinate
      self.anchor = anchor
      self.radiusMeters = radiusMeters
      self.photoCount = photoCount
      self.favoriteCount = favoriteCount
      self.undatedCount = undatedCount
      self.firstCaptured = firstCaptured
      self.lastCaptured = lastCaptured
    }
  }

  private let rows: [Row]
  /// The paths of all spots, one after the other.
  private let paths: [UInt8]

  private static let noTime = Int64.min
  private static let noOffset = Int16.min

  /// Packs spots.
  ///
  /// - Parameters:
  ///   - count: The number of spots.
  ///   - pack: Returns the spot with a number and appends the paths of its cover and its album to
  ///     bytes; an empty album is the folder of the cover. The spots are in the order of their ids.
  /// - Throws: As `pack`.
  package init<Failure: Error>(
    count: Int,
    _ pack: (_ number: Int, _ paths: inout [UInt8], _ coverEnd: inout Int) throws(Failure) -> Spot
  ) throws(Failure) {
    var (rows, paths): ([Row], [UInt8]) = ([], [])
    rows.reserveCapacity(count)
    paths.reserveCapacity(count * 40)
    for number in 0..<count {
      var coverEnd = 0
      let spot = try pack(number, &paths, &coverEnd)
      precondition(paths.count < Int(Int32.max))
      let (first, last) = (Self.stored(spot.firstCaptured), Self.stored(spot.lastCaptured))
      rows.append(
        Row(
          id: spot.id.bits, coordinate: spot.coordinate, anchor: spot.anchor,
          radiusMeters: spot.radiusMeters, firstCaptured: first.milliseconds,
          lastCaptured: last.milliseconds, photoCount: spot.photoCount,
          favoriteCount: spot.favoriteCount, undatedCount: spot.undatedCount,
          coverEnd: Int32(coverEnd), albumEnd: Int32(paths.count), firstOffset: first.offset,
          lastOffset: last.offset))
    }
    self.rows = rows
    // Without the spare capacity.
    self.paths = Array(paths[...])
  }

  private static func stored(_ time: CaptureTime?) -> (milliseconds: Int64, offset: Int16) {
    guard let time else { return (noTime, noOffset) }
    let offset = time.storedOffset.map { Int16(clamping: $0) } ?? noOffset
    return (time.instant.millisecondsSince1970, offset)
  }

  private static func time(_ milliseconds: Int64, _ offset: Int16) -> CaptureTime? {
    guard milliseconds != noTime else { return nil }
    return CaptureTime(
      instant: Instant(millisecondsSince1970: milliseconds),
      storedOffset: offset == noOffset ? nil : Int(offset))
  }

  // MARK: - Properties

  var count: Int { rows.count }
  var coordinates: [Coordinate] { rows.map(\.coordinate) }

  func id(of row: Int) -> String { SpotID(bits: rows[row].id).text }
  func coordinate(of row: Int) -> Coordinate { rows[row].coordinate }
  func anchor(of row: Int) -> Coordinate { rows[row].anchor }
  func radius(of row: Int) -> Double { rows[row].radiusMeters }
  func photoCount(of row: Int) -> Int { Int(rows[row].photoCount) }
  func favoriteCount(of row: Int) -> Int { Int(rows[row].favoriteCount) }
  func undatedCount(of row: Int) -> Int { Int(rows[row].undatedCount) }

  func firstCaptured(of row: Int) -> CaptureTime? {
    Self.time(rows[row].firstCaptured, rows[row].firstOffset)
  }

  func lastCaptured(of row: Int) -> CaptureTime? {
    Self.time(rows[row].lastCaptured, rows[row].lastOffset)
  }

  func cover(of row: Int) -> FilePath? {
    let bytes = coverBytes(of: row)
    return bytes.isEmpty ? nil : FilePath(bytes: Array(bytes))
  }

  func album(of row: Int) -> FilePath? {
    let album = paths[Int(rows[row].coverEnd)..<Int(rows[row].albumEnd)]
    guard album.isEmpty else { return FilePath(bytes: Array(album)) }
    let cover = coverBytes(of: row)
    guard let slash = cover.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return FilePath(bytes: Array(cover[..<max(slash, cover.startIndex + 1)]))
  }

  private func coverBytes(of row: Int) -> ArraySlice<UInt8> {
    let start = row > 0 ? Int(rows[row - 1].albumEnd) : 0
    return paths[start..<Int(rows[row].coverEnd)]
  }
}
