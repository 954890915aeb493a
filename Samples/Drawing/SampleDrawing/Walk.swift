internal import CivilTime
internal import Encodings
internal import LocationFeeds

/// A synthetic walk as recorded by a receiver, available as NMEA 0183 and as NDJSON.
///
/// It leads from the Avenue Georges-Mandel past the terrace of the Trocadéro, over the river and
/// under the Eiffel Tower to the far end of the lawn. The receiver loses its fix once on the way.
/// The walk is generated from a fixed seed, and is identical to the byte each time.
package struct Walk: Sendable {
  /// The state of the receiver at one time.
  struct Epoch: Sendable {
    let time: Instant
    /// The state of the fix; `nil` without one.
    let reading: Reading?
  }

  /// A position fix, rounded to the precision of both formats.
  struct Reading: Sendable {
    /// Ten-millionths of a degree north.
    let latitude: Int
    /// Ten-millionths of a degree east.
    let longitude: Int
    /// Tenths of a metre above sea level.
    let altitude: Int
    /// Hundredths of a metre per second.
    let speed: Int
    /// Tenths of a degree from true north; `nil` when standing.
    let course: Int?
    /// Hundredths of the horizontal dilution of precision.
    let dilution: Int
    let satelliteCount: Int
  }

  let epochs: [Epoch]

  /// The sample walk: 16 May 2026 from 10:30 in Paris, a reading every two seconds.
  package static let recorded = Walk(
    epochs: WalkRecorder(
      route: .trocaderoToLawn, seed: 20_260_516,
      start: Instant(secondsSince1970: 1_778_920_200)
    ).epochs())

  /// The walk as NDJSON in the format of location fixes, one line per fix; epochs without a fix
  /// have no line. As for NMEA, the accuracy is the dilution times 5 m.
  package var ndjson: [UInt8] {
    var writer = JSONWriter()
    for (number, epoch) in epochs.enumerated() {
      guard let reading = epoch.reading else { continue }
      let fix = LocationFix(
        time: epoch.time, latitude: Double(reading.latitude) / 1e7,
        longitude: Double(reading.longitude) / 1e7, altitudeMeters: Double(reading.altitude) / 10,
        horizontalAccuracyMeters: Double(reading.dilution * 5) / 100,
        speedMetersPerSecond: Double(reading.speed) / 100,
        courseDegrees: reading.course.map { Double($0) / 10 }, device: "phone",
        battery: Double(81 - number / 120) / 100)
      fix.write(to: &writer)
      writer.newline()
    }
    return writer.bytes
  }
}
