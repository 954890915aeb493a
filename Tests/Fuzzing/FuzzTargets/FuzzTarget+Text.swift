import CivilTime
import Encodings
import FeedSources
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import SystemPackage
import TestSupport

extension FuzzTarget {
  /// The targets for each kind of sidecar.
  static let sidecars = [
    sidecar("xmp", .xmp, Seeds.xmp), sidecar("takeout", .takeout, Seeds.takeout),
  ]

  private static func sidecar(
    _ name: String, _ kind: Sidecar.Kind, _ seeds: [[UInt8]]
  ) -> FuzzTarget {
    FuzzTarget(name, seeds: seeds) { content in
      var properties = PhotoProperties()
      properties.complete(kind, content)
      var again = PhotoProperties()
      again.complete(kind, content)
      guard again == properties else { return "another answer the second time" }
      return properties.fault
    }
  }

  // MARK: - The index

  /// The index file.
  static let index = FuzzTarget("index", seeds: Seeds.index) { content in
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try folder.write(content, to: cache.path)
    let index: PhotoIndex
    do throws(PhotoIndexCacheError) {
      guard let loaded = try cache.load() else { return "no file" }
      index = loaded
    } catch {
      switch error {
      case .damaged, .newer, .foreign: break
      default: throw error
      }
      let asked = try? cache.loadForQuestions()
      return asked == nil ? nil : "an index that is damaged only for scans"
    }
    // A loaded index can be used, and a round trip through writing and reading does not change it.
    let spots = index.spots(clusterRadius: 15)
    guard spots.allSatisfy({ $0.members.allSatisfy { (0..<index.photoCount).contains(Int($0)) } })
    else { return "a spot of photos that are not there" }
    guard let asked = try cache.loadForQuestions(), asked.fileCount == index.fileCount,
      asked.photos == index.photos, asked.spots(clusterRadius: 15) == spots
    else { return "another index for questions" }
    try cache.save(index)
    guard let again = try cache.load() else { return "no file" }
    guard again.fileCount == index.fileCount, again.photos == index.photos,
      again.spots(clusterRadius: 15) == spots
    else { return "another index after writing it" }
    return nil
  }

  // MARK: - Feeds

  /// The targets for each format of feeds.
  static let feeds = FeedFormat.allCases.map { format in
    FuzzTarget(format.rawValue, seeds: Seeds.feed(format)) { content in
      // For every other input the format must be detected.
      faultOfFeed(content, content.count % 2 == 0 ? format : nil)
    }
  }

  /// The target for compressed recordings: what is unpacked is bounded, and read as it arrives.
  static let gzip = FuzzTarget(
    "gzip", magic: Magic([0x1F, 0x8B]), seeds: Seeds.gzip
  ) { content in
    let folder = TemporaryFolder()
    let path = folder.path("track.gpx.gz")
    try folder.write(content, to: path)
    var source = try FeedSource(file: path)
    var length = 0
    do throws(FeedSourceError) {
      while true {
        guard case .bytes(let bytes) = try source.read(upTo: .seconds(60)) else { break }
        guard !bytes.isEmpty else { return "a piece without bytes" }
        length += bytes.count
      }
    } catch {
      guard error == .damagedCompression || error == .tooLongUnpacked else {
        return "another error: \(error)"
      }
    }
    // Deflate shrinks to a 1032nd at most.
    return length <= content.count * 1040 + 65_536 ? nil : "more than can be in it"
  }

  private static func faultOfFeed(_ content: [UInt8], _ format: FeedFormat?) -> String? {
    var whole = FeedReader(format: format)
    let fixes = whole.consume(content) + whole.finish()
    var inPieces = FeedReader(format: format)
    var restless = FeedReader(format: format)
    var pieces: [LocationFix] = []
    var early: [LocationFix] = []
    var rest = content[...]
    // The input determines the lengths of the pieces.
    while let first = rest.first {
      let piece = Array(rest.prefix(Int(first % 61) + 1))
      rest = rest.dropFirst(piece.count)
      pieces += inPieces.consume(piece)
      early += restless.consume(piece) + restless.flush()
    }
    pieces += inPieces.finish()
    early += restless.finish()
    guard pieces == fixes, inPieces.statistics == whole.statistics else {
      return "another answer in pieces"
    }
    guard whole.statistics.fixes == fixes.count, restless.statistics.fixes == early.count else {
      return "fixes are miscounted"
    }
    return (fixes + early).lazy.compactMap(\.fault).first
  }
}

extension PhotoIndex {
  fileprivate var photos: [PhotoLocation] { (0..<photoCount).map(photo) }
}

extension LocationFix {
  /// The value that violates its type's invariants; `nil` if there is none and a round trip through
  /// writing and reading does not change the fix.
  fileprivate var fault: String? {
    guard latitude.isFinite, longitude.isFinite else { return "position" }
    guard altitudeMeters?.isFinite ?? true else { return "altitude" }
    let accuracy = horizontalAccuracyMeters ?? 1
    guard accuracy.isFinite, accuracy > 0 else { return "accuracy" }
    let speed = speedMetersPerSecond ?? 0
    guard speed.isFinite, speed >= 0 else { return "speed" }
    guard (0...360).contains(courseDegrees ?? 0) else { return "course" }
    guard (0...1).contains(battery ?? 0) else { return "battery" }
    guard device?.isEmpty != true else { return "device" }
    guard time?.isWritable ?? true else { return "time" }
    var writer = JSONWriter()
    write(to: &writer)
    let line = writer.takeBytes()
    var reader = FeedReader(format: .ndjson)
    let again = reader.consume(line) + reader.finish()
    // Degrees are rounded on writing.
    guard again.count == 1, var other = again.first else { return "no fix after writing it" }
    var second = JSONWriter()
    other.write(to: &second)
    guard second.takeBytes() == line else { return "another fix after writing it twice" }
    (other.latitude, other.longitude) = (latitude, longitude)
    return other == self ? nil : "another fix after writing it"
  }
}

extension Instant {
  /// Whether the time is in the years 0000–9999 in at least one time zone.
  var isWritable: Bool {
    (-62_167_219_200_000 - 86_400_000...253_402_300_799_999 + 86_400_000)
      .contains(millisecondsSince1970)
  }
}
