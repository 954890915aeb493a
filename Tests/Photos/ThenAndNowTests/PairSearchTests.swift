import CivilTime
import PhotoLibrary
import Pictures
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ThenAndNow

/// Searches over real files and a real index.
@Suite struct PairSearchTests {
  private let folder = TemporaryFolder()

  private func add(
    _ name: String, _ date: String, _ view: DrawnView, latitude: Double = 43.4674
  ) throws {
    try folder.write(
      view.jpeg(date: date, latitude: latitude, longitude: 11.8851), to: "photos/" + name)
  }

  private func search(
    minimumYears: Double = 5, monitor: PairMonitor = PairMonitor(),
    isWanted: @escaping @Sendable (Int32) -> Bool = { _ in true }
  ) throws -> [(String, String, FoundPair)] {
    let now = try #require(Instant(iso8601: "2026-11-22T12:00:00Z"))
    let index = try PhotoIndexer().update(
      PhotoIndex(), with: [folder.path("photos")], now: now
    ).index
    let spots = SpotIndex(index, clusterRadius: 15)
    let search = try #require(
      PairSearch(
        index, spots: spots, folder: folder.path("kept"), minimumYears: minimumYears,
        isWanted: isWanted, monitor: monitor
      ) { Issue.record("nothing can be kept: \($0)") })
    let pairs = search.pairs(ofSpotsAt: Array(spots.spots.indices), threads: 1)
    return FoundPair.listed(of: pairs).map { pair in
      let names = [pair.earlier, pair.later].map {
        index.photo(at: Int($0)).path.lastComponent?.string ?? ""
      }
      return (names[0], names[1], pair)
    }
  }

  @Test func `a photo aligned with an old one is found, whatever its camera`() throws {
    try add("old.jpg", "1994:05:01 12:00:00", DrawnView(seed: 1))
    try add("new.jpg", "2024:05:03 09:00:00", DrawnView(seed: 1, x: 1, isDarker: true, width: 320))
    try add("other.jpg", "2024:05:03 09:01:00", DrawnView(seed: 2))
    try add("aside.jpg", "2023:05:03 09:01:00", DrawnView(seed: 1, x: 20))
    let found = try search()
    #expect(found.map(\.0) == ["old.jpg", "old.jpg"])
    #expect(found.map(\.1) == ["new.jpg", "aside.jpg"])
    #expect(found[0].2.isRecreation && !found[1].2.isRecreation)
    #expect(found[0].2.view == 1 && found[1].2.view == 1)
    #expect(found[0].2.years > 30 && found[0].2.years < 30.01)
  }

  @Test func `known comparisons are reused, and only new photos are compared`() throws {
    try add("a.jpg", "1994:05:01 12:00:00", DrawnView(seed: 1))
    try add("b.jpg", "2024:05:03 09:00:00", DrawnView(seed: 1, x: 2))
    let monitors = [PairMonitor(), PairMonitor(), PairMonitor()]
    let first = try search(monitor: monitors[0])
    let second = try search(monitor: monitors[1])
    #expect(first.map(\.2) == second.map(\.2) && first.count == 1)
    #expect(monitors[0].progress.compared == 1 && monitors[0].progress.known == 0)
    #expect(monitors[1].progress.compared == 0 && monitors[1].progress.known == 1)
    try add("c.jpg", "2025:05:03 09:00:00", DrawnView(seed: 1))
    #expect(try search(monitor: monitors[2]).map(\.1) == ["c.jpg", "b.jpg"])
    #expect(monitors[2].progress.compared == 1 && monitors[2].progress.known == 1)
  }

  @Test func `a cancelled search resumes where it stopped`() throws {
    for (place, latitude) in [43.4674, 44.4674].enumerated() {
      let seed = UInt64(place + 1)
      try add("old\(place).jpg", "1994:05:01 12:00:00", DrawnView(seed: seed), latitude: latitude)
      try add("new\(place).jpg", "2024:05:01 12:00:00", DrawnView(seed: seed), latitude: latitude)
    }
    let monitor = PairMonitor()
    let asked = Atomic(0)
    // Cancelled when the second spot begins.
    let found = try search(monitor: monitor) { _ in
      if asked.add(1, ordering: .relaxed).newValue == 3 { monitor.cancel() }
      return true
    }
    #expect(found.count == 1 && monitor.progress.compared == 1)
    let rest = PairMonitor()
    #expect(try search(monitor: rest).count == 2)
    #expect(rest.progress.compared == 1 && rest.progress.known == 1)
  }

  @Test func `damaged cache files are created again`() throws {
    try add("a.jpg", "1994:05:01 12:00:00", DrawnView(seed: 1))
    try add("b.jpg", "2024:05:03 09:00:00", DrawnView(seed: 1, x: 2))
    let first = try search()
    let kept = Corpus.paths(under: folder.path("kept"))
    #expect(kept.count == 3)
    for path in kept {
      var bytes = try Corpus.contents(of: path)
      bytes[bytes.count / 2] ^= 0xFF
      try folder.write(bytes, to: path)
    }
    let monitor = PairMonitor()
    #expect(try search(monitor: monitor).map(\.2) == first.map(\.2))
    #expect(monitor.progress.compared == 1)
  }

  @Test func `photos that are cut off or plain make no pair, and are counted`() throws {
    // Decoders fill the rest of such photos with grey, so that they resemble each other.
    func cutOff(_ name: String, _ date: String, _ seed: UInt64, endsProperly: Bool) throws {
      let whole = DrawnView(seed: seed).jpeg(date: date, latitude: 43.4674, longitude: 11.8851)
      let part = Array(whole[..<(whole.count * 3 / 10)])
      try folder.write(part + (endsProperly ? [0xFF, 0xD9] : []), to: "photos/" + name)
    }
    try cutOff("a.jpg", "1994:05:01 12:00:00", 1, endsProperly: false)
    try cutOff("b.jpg", "2024:05:03 09:00:00", 2, endsProperly: true)
    try cutOff("c.jpg", "2024:05:04 09:00:00", 1, endsProperly: false)
    for (name, date) in [("d", "1995:05:01 12:00:00"), ("e", "2023:05:01 12:00:00")] {
      let plain = Pixels(
        width: 320, height: 240, rgb: (0..<320 * 240 * 3).map { 90 + UInt8($0 / 3 % 320 / 160) })
      let jpeg = try #require(Thumbnail.jpeg(of: plain))
      let block = DrawnView.exif(date: date, latitude: 43.4674, longitude: 11.8851)
      try folder.write(
        JPEGFile(block).bytes.dropLast(14) + jpeg.dropFirst(2), to: "photos/\(name).jpg")
    }
    try add("f.jpg", "1994:06:01 12:00:00", DrawnView(seed: 1))
    let monitor = PairMonitor()
    #expect(try search(monitor: monitor).isEmpty)
    #expect(monitor.progress.damaged == 5 && monitor.progress.compared == 0)
  }

  @Test func `a file without a picture is counted, and the others are compared`() throws {
    try add("a.jpg", "1994:05:01 12:00:00", DrawnView(seed: 1))
    try add("b.jpg", "2024:05:03 09:00:00", DrawnView(seed: 1))
    let block = DrawnView.exif(date: "2023:05:03 09:00:00", latitude: 43.4674, longitude: 11.8851)
    try folder.write(JPEGFile(block).bytes, to: "photos/c.jpg")
    let monitor = PairMonitor()
    #expect(try search(monitor: monitor).map(\.1) == ["b.jpg"])
    #expect(monitor.progress.withoutPicture == 1 && monitor.progress.unreadable == 0)
  }
}
