import CivilTime
import LocationFeeds
import PhotoMetadata
import Spatial
import Testing

@testable import Recreations

@Suite struct RecreationFactsTests {
  private func facts(
    own: PhotoProperties = .init(), old: OldPhoto = .arezzo, score: Double? = 0.9,
    sent: CaptureTime? = nil,
    devices: [LocationFix] = [], now: Instant = now
  ) -> PhotoProperties {
    RecreationFacts(
      own: own, old: old, score: score, sent: sent, devices: devices, now: now, localClock: clock
    ).properties
  }

  private func fix(
    _ position: Coordinate, age seconds: Double = 10, accuracy: Double? = 8
  ) -> LocationFix {
    LocationFix(
      time: now.advanced(bySeconds: -seconds), latitude: position.latitude,
      longitude: position.longitude, altitudeMeters: 301, horizontalAccuracyMeters: accuracy)
  }

  // MARK: - Time

  @Test func `a picture without a time gets the machine's time`() {
    #expect(facts().captured == CaptureTime(instant: now, utcOffsetMinutes: 60))
  }

  @Test func `a picture keeps its own time and its camera's offset`() {
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: now.advanced(bySeconds: -7200), utcOffsetMinutes: 330)
    #expect(facts(own: own).captured == own.captured)
    // A photo of last year that is sent now.
    own.captured = CaptureTime(instant: now.advanced(bySeconds: -31_536_000))
    #expect(facts(own: own).captured == own.captured)
  }

  @Test func `a recent time without an offset is taken as local time`() {
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: now.advanced(bySeconds: 3600 - 30))
    #expect(
      facts(own: own).captured
        == CaptureTime(instant: now.advanced(bySeconds: -30), utcOffsetMinutes: 60))
  }

  @Test func `the time of a clock that was never set is ignored`() {
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: Instant(secondsSince1970: 946_684_800))
    #expect(facts(own: own).captured == CaptureTime(instant: now, utcOffsetMinutes: 60))
    let unset = Instant(secondsSince1970: 100)
    #expect(facts(own: own, now: unset).captured == nil)
    var undated = OldPhoto.arezzo
    undated.captured = nil
    #expect(facts(own: own, old: undated, now: unset).captured == nil)
  }

  @Test func `a picture is not dated before the original photo`() {
    var old = OldPhoto.arezzo
    old.captured = CaptureTime(instant: now.advanced(bySeconds: 60))
    #expect(facts(old: old).captured == nil)
  }

  @Test func `a picture sent later keeps its capture time`() {
    let taken = CaptureTime(instant: now.advanced(bySeconds: -200_000), utcOffsetMinutes: -210)
    #expect(facts(sent: taken).captured == taken)
    // A time without an offset is in the machine's zone.
    let inUTC = CaptureTime(instant: taken.instant)
    #expect(
      facts(sent: inUTC).captured == CaptureTime(instant: taken.instant, utcOffsetMinutes: 60))
    // The camera's own time takes precedence.
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: now.advanced(bySeconds: -7200), utcOffsetMinutes: 330)
    #expect(facts(own: own, sent: taken).captured == own.captured)
    // A device's position now does not apply to an earlier time.
    #expect(facts(sent: taken, devices: [fix(.arezzo.north(5))]).coordinate == .arezzo)
  }

  @Test func `a sent time in the future or before the original photo is ignored`() {
    let machine = CaptureTime(instant: now, utcOffsetMinutes: 60)
    for seconds in [61, 1e9, -6e8, -1e12] {
      let sent = CaptureTime(instant: now.advanced(bySeconds: seconds), utcOffsetMinutes: 60)
      #expect(facts(sent: sent).captured == machine, "\(seconds)")
    }
    let ahead = CaptureTime(instant: now.advanced(bySeconds: 60), utcOffsetMinutes: 60)
    #expect(facts(sent: ahead).captured == ahead)
    // A machine with an unset clock uses the sender's time.
    let unset = Instant(secondsSince1970: 100)
    #expect(facts(sent: machine, now: unset).captured == machine)
  }

  // MARK: - Position

  @Test func `a position outside the original photo's spot is replaced`() {
    var old = OldPhoto.arezzo
    old.spotArea = .init(center: .arezzo.north(-10), radiusMeters: 15)
    let inSpot = fix(.arezzo.north(4.9))
    #expect(facts(old: old, devices: [inSpot]).coordinate == inSpot.coordinate)
    let beside = fix(.arezzo.north(5.1))
    #expect(facts(old: old, devices: [beside]).coordinate == .arezzo)
    var own = PhotoProperties()
    own.coordinate = .arezzo.north(5.1)
    #expect(facts(own: own, old: old).coordinate == .arezzo)
    own.coordinate = .arezzo.north(4.9)
    #expect(facts(own: own, old: old).coordinate == own.coordinate)
  }

  @Test func `a nearby device gives the position, otherwise the original photo does`() {
    let near = fix(.arezzo.north(190))
    let there = facts(devices: [near])
    #expect(there.coordinate == near.coordinate)
    #expect(there.altitudeMeters == 301 && there.horizontalAccuracyMeters == 8)
    for other in [
      fix(.arezzo.north(210)), fix(.arezzo, age: 301), fix(.arezzo, age: -301),
      LocationFix(time: nil, latitude: 43.466448, longitude: 11.885126),
      LocationFix(time: now, latitude: 95, longitude: 11.885126),
    ] {
      let facts = facts(devices: [other])
      #expect(facts.coordinate == .arezzo)
      #expect(facts.altitudeMeters == 296 && facts.horizontalAccuracyMeters == nil)
    }
  }

  @Test func `the most accurate of several devices gives the position`() {
    let devices = [
      fix(.arezzo.north(1), accuracy: nil), fix(.arezzo.north(2), accuracy: 30),
      fix(.arezzo.north(3), accuracy: 5), fix(.arezzo.north(4), accuracy: 5),
    ]
    #expect(facts(devices: devices).coordinate == devices[2].coordinate)
  }

  @Test func `the picture's own position takes precedence, unless it is far away`() {
    var own = PhotoProperties()
    own.coordinate = .arezzo.north(20)
    own.altitudeMeters = 299
    #expect(facts(own: own, devices: [fix(.arezzo)]).coordinate == own.coordinate)
    #expect(facts(own: own, devices: [fix(.arezzo)]).altitudeMeters == 299)
    own.coordinate = .arezzo.north(1000)
    #expect(facts(own: own, devices: [fix(.arezzo.north(2))]).coordinate == .arezzo.north(2))
    #expect(facts(own: own).coordinate == .arezzo)
  }

  @Test func `an original photo without a position gives none`() {
    var old = OldPhoto.arezzo
    (old.coordinate, old.altitudeMeters) = (nil, nil)
    #expect(facts(old: old, devices: [fix(.arezzo)]).coordinate == nil)
    var own = PhotoProperties()
    own.coordinate = .arezzo
    #expect(facts(own: own, old: old).coordinate == .arezzo)
  }

  // MARK: - Other values

  @Test func `a well aligned picture has the original photo's heading`() {
    #expect(facts(score: 0.75).heading == OldPhoto.arezzo.heading)
    #expect(facts(score: 0.74).heading == nil && facts(score: nil).heading == nil)
    var own = PhotoProperties()
    own.heading = Heading(degrees: 7, isMagnetic: true)
    #expect(facts(own: own).heading == own.heading)
  }

  @Test func `camera, lens and orientation are kept, but not ratings`() {
    var own = PhotoProperties()
    own.make = "Google"
    own.model = "Pixel 6"
    own.focalLength = FocalLength(millimeters: 6.8, millimetersOn35mmFilm: 25)
    own.orientation = 6
    (own.rating, own.isFavorite) = (5, true)
    let kept = facts(own: own)
    #expect(kept.make == "Google" && kept.model == "Pixel 6" && kept.orientation == 6)
    #expect(kept.focalLength == own.focalLength && kept.rating == nil && !kept.isFavorite)
    #expect(facts().make == nil && facts().orientation == 1)
  }
}
