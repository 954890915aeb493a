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

  @Test func `without a time of its own a picture has that of the machine`() {
    #expect(facts().captured == CaptureTime(instant: now, utcOffsetMinutes: 60))
  }

  @Test func `a picture keeps its own time, and the zone of its camera`() {
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: now.advanced(bySeconds: -7200), utcOffsetMinutes: 330)
    #expect(facts(own: own).captured == own.captured)
    // A photo of last year that is sent now.
    own.captured = CaptureTime(instant: now.advanced(bySeconds: -31_536_000))
    #expect(facts(own: own).captured == own.captured)
  }

  @Test func `a local time of this day is one of the machine's zone`() {
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: now.advanced(bySeconds: 3600 - 30))
    #expect(
      facts(own: own).captured
        == CaptureTime(instant: now.advanced(bySeconds: -30), utcOffsetMinutes: 60))
  }

  @Test func `a clock that was never set gives no time`() {
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: Instant(secondsSince1970: 946_684_800))
    #expect(facts(own: own).captured == CaptureTime(instant: now, utcOffsetMinutes: 60))
    let unset = Instant(secondsSince1970: 100)
    #expect(facts(own: own, now: unset).captured == nil)
    var undated = OldPhoto.arezzo
    undated.captured = nil
    #expect(facts(own: own, old: undated, now: unset).captured == nil)
  }

  @Test func `a photo is not taken again before it was taken`() {
    var old = OldPhoto.arezzo
    old.captured = CaptureTime(instant: now.advanced(bySeconds: 60))
    #expect(facts(old: old).captured == nil)
  }

  @Test func `a picture that is sent later has the time when it was taken`() {
    let taken = CaptureTime(instant: now.advanced(bySeconds: -200_000), utcOffsetMinutes: -210)
    #expect(facts(sent: taken).captured == taken)
    // A clock of an unknown zone is the machine's.
    let inUTC = CaptureTime(instant: taken.instant)
    #expect(
      facts(sent: inUTC).captured == CaptureTime(instant: taken.instant, utcOffsetMinutes: 60))
    // What the camera says comes first.
    var own = PhotoProperties()
    own.captured = CaptureTime(instant: now.advanced(bySeconds: -7200), utcOffsetMinutes: 330)
    #expect(facts(own: own, sent: taken).captured == own.captured)
    // A device that is there now was not there then.
    #expect(facts(sent: taken, devices: [fix(.arezzo.north(5))]).coordinate == .arezzo)
  }

  @Test func `a sent time of the future or before the old photo is not believed`() {
    let machine = CaptureTime(instant: now, utcOffsetMinutes: 60)
    for seconds in [61, 1e9, -6e8, -1e12] {
      let sent = CaptureTime(instant: now.advanced(bySeconds: seconds), utcOffsetMinutes: 60)
      #expect(facts(sent: sent).captured == machine, "\(seconds)")
    }
    let ahead = CaptureTime(instant: now.advanced(bySeconds: 60), utcOffsetMinutes: 60)
    #expect(facts(sent: ahead).captured == ahead)
    // A machine that does not know the time takes the sender's.
    let unset = Instant(secondsSince1970: 100)
    #expect(facts(sent: machine, now: unset).captured == machine)
  }

  // MARK: - Position

  @Test func `a picture joins the old photo's spot, even where its own position would not`() {
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

  @Test func `a device that is there tells the position, else the old photo does`() {
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

  @Test func `of several devices the most accurate one tells the position`() {
    let devices = [
      fix(.arezzo.north(1), accuracy: nil), fix(.arezzo.north(2), accuracy: 30),
      fix(.arezzo.north(3), accuracy: 5), fix(.arezzo.north(4), accuracy: 5),
    ]
    #expect(facts(devices: devices).coordinate == devices[2].coordinate)
  }

  @Test func `the position of the picture itself comes first, unless it is of somewhere else`() {
    var own = PhotoProperties()
    own.coordinate = .arezzo.north(20)
    own.altitudeMeters = 299
    #expect(facts(own: own, devices: [fix(.arezzo)]).coordinate == own.coordinate)
    #expect(facts(own: own, devices: [fix(.arezzo)]).altitudeMeters == 299)
    own.coordinate = .arezzo.north(1000)
    #expect(facts(own: own, devices: [fix(.arezzo.north(2))]).coordinate == .arezzo.north(2))
    #expect(facts(own: own).coordinate == .arezzo)
  }

  @Test func `a photo without a position lends none`() {
    var old = OldPhoto.arezzo
    (old.coordinate, old.altitudeMeters) = (nil, nil)
    #expect(facts(old: old, devices: [fix(.arezzo)]).coordinate == nil)
    var own = PhotoProperties()
    own.coordinate = .arezzo
    #expect(facts(own: own, old: old).coordinate == .arezzo)
  }

  // MARK: - The rest

  @Test func `a picture that lies on the old one faces where that faced`() {
    #expect(facts(score: 0.75).heading == OldPhoto.arezzo.heading)
    #expect(facts(score: 0.74).heading == nil && facts(score: nil).heading == nil)
    var own = PhotoProperties()
    own.heading = Heading(degrees: 7, isMagnetic: true)
    #expect(facts(own: own).heading == own.heading)
  }

  @Test func `camera, lens and orientation are kept, and nothing else`() {
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
