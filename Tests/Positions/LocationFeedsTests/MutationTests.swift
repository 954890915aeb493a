import LocationFeeds
import TestSupport
import Testing

@Suite struct MutationTests {
  @Test(arguments: [1, 2, 3, 4])
  func `damaged feeds do not trap, nor give non-finite numbers`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<1000 {
      let feed = damaged(round % 2 == 0 ? nmea : ndjson, using: &generator)
      let format = [nil, FeedFormat.nmea, .ndjson].randomElement(using: &generator) ?? nil
      var reader = FeedReader(format: format)
      var found: [LocationFix] = []
      var rest = feed[...]
      while !rest.isEmpty {
        let chunk = rest.prefix(Int.random(in: 1...100, using: &generator))
        rest = rest.dropFirst(chunk.count)
        found += reader.consume(Array(chunk))
        if Bool.random(using: &generator) { found += reader.flush() }
      }
      found += reader.finish()
      #expect(found.allSatisfy(isFinite), "seed \(seed), round \(round)")
      #expect(reader.statistics.fixes == found.count)
    }
  }

  private func isFinite(_ fix: LocationFix) -> Bool {
    let optional = [
      fix.altitudeMeters, fix.horizontalAccuracyMeters, fix.speedMetersPerSecond, fix.courseDegrees,
      fix.battery,
    ]
    return fix.latitude.isFinite && fix.longitude.isFinite
      && optional.allSatisfy { $0?.isFinite ?? true }
  }

  private func damaged(_ feed: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var feed = feed
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !feed.isEmpty {
      let place = Int.random(in: 0..<feed.count, using: &generator)
      let end = min(feed.count, place + Int.random(in: 0...12, using: &generator))
      let pieces = [
        "99999999999999999999", "-", "", ",,", "1e400", "$", "*", "\n", "0.", "\u{0}", "{", "\"",
      ]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: feed[place] = UInt8.random(in: 0...255, using: &generator)
      case 1:
        feed.replaceSubrange(
          place..<end, with: (pieces.randomElement(using: &generator) ?? "").utf8)
      case 2: feed.removeSubrange(place..<end)
      default:
        feed = damagedField(
          of: feed, near: place, with: pieces.randomElement(using: &generator) ?? "")
      }
    }
    return feed
  }

  /// Replaces a whole field and removes its sentence's checksum, so that the sentence is read.
  private func damagedField(of feed: [UInt8], near place: Int, with text: String) -> [UInt8] {
    let comma = UInt8(ascii: ",")
    guard let start = feed[..<place].lastIndex(of: comma),
      let end = feed[place...].firstIndex(of: comma),
      let star = feed[end...].firstIndex(of: UInt8(ascii: "*")), star + 3 <= feed.count
    else { return feed }
    return feed[...start] + Array(text.utf8) + feed[end..<star] + feed[(star + 3)...]
  }

  private let nmea = Array(
    [
      "GPGGA,120000,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,",
      "GPGST,120000,1.0,,,,3.0,4.0,6.0",
      "GPGBS,120000,6.0,8.0,1.0,,,,", "GPRMC,120000,A,4851.510,N,00217.680,E,10.0,270.5,201126,,,A",
      "GPVTG,90.0,T,89.0,M,20.0,N,37.0,K,A", "GPZDA,120001.00,20,11,2026,00,00",
      "GNGNS,120001,4851.504,N,00217.670,E,NA,08,1.2,35.0,47.0,,,V",
      "GPGLL,4851.504,N,00217.670,E,120002,A,A",
    ].map(sentence).joined().utf8)

  private let ndjson = Array(
    String(
      repeating:
        #"{"time":"2026-11-20T12:00:00.000Z","latitude":48.8584,"longitude":2.2945,"speed":1.4}"#
        + "\n",
      count: 4
    ).utf8)
}
