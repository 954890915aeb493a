import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// Returns a user's place at an offset in metres from the tower.
private func place(
  _ id: String, name: String = "Old oak", kind: String = OwnPlace.unnamedKind, north: Double = 0,
  east: Double = 0, radius: Double? = nil, notes: [OwnPlace.Note] = [],
  collections: [String] = [], pinned: String? = nil
) -> OwnPlace {
  OwnPlace(
    id: id, name: name, kind: kind, coordinate: .tower.offset(north: north, east: east),
    alertRadiusMeters: radius, notes: notes, collections: collections, pinnedSpotID: pinned)
}

private func note(_ seconds: Double, _ text: String) -> OwnPlace.Note {
  OwnPlace.Note(time: noon.advanced(bySeconds: seconds), text: text)
}

@Suite struct PlaceAlertTests {
  @Test func `a place without photos fires regardless of filters on photos`() {
    var scene = Scene([spot("s", at: .tower.offset(north: 5000, east: 0))], places: [place("p")]) {
      $0.isFavoritesOnly = true
      $0.minimumPhotoAgeSeconds = 86_400
    }
    #expect(scene.fix(0, north: 300) == ["clear"])
    #expect(scene.fix(100, north: 90) == ["notify p"])
    #expect(scene.notifications.first?.spot.cover == nil)
    #expect(scene.fix(400, north: 4990) == ["filtered s"])
  }

  @Test func `a place is entered and left by its own radius`() {
    for (radius, exit) in [(10.0, 30.0), (50, 70), (800, 1120), (5000, 7000)] {
      var scene = Scene([], places: [place("p", radius: radius)]) {
        $0.distanceFilterMeters = 0
        $0.jumpQuarantineSeconds = 0
      }
      #expect(scene.fix(0, north: radius + 2) == ["clear"], "\(radius)")
      #expect(scene.fix(10, north: radius - 1) == ["notify p"], "\(radius)")
      #expect(scene.fix(20, north: radius + 2) == ["leaving p"], "\(radius)")
      #expect(scene.last.first?.limit == exit, "\(radius)")
      #expect(scene.fix(30, north: exit + 2) == ["leaving p"], "\(radius)")
      #expect(scene.fix(40, north: exit + 3) == ["exit p"], "\(radius)")
    }
  }

  @Test func `a spot alerts by the radius of the place pinned to it`() {
    var scene = Scene(
      [spot("s"), spot("t", at: .tower.offset(north: 0, east: 3000))],
      places: [place("p", radius: 1000, pinned: "s")])
    #expect(scene.fix(0, north: 1100) == ["clear"])
    #expect(scene.fix(300, north: 900) == ["notify s"])
    #expect(scene.notifications.first?.spot.place?.id == "p")
    #expect(scene.notifications.first?.spot.photoCount == 14)
  }

  @Test func `cooldowns, siblings and mutes apply to places by position`() {
    var scene = Scene([spot("s")], places: [place("p", north: 4)]) { $0.cooldownSeconds = 86_400 }
    #expect(scene.fix(0) == ["notify s", "alsoNear p"])
    for (second, north) in [(600.0, 400.0), (660, 420), (1200, 0)] {
      _ = scene.fix(second, north: north)
    }
    #expect(scene.last.map(\.kind) == [.cooldown, .cooldown])
    var muted = Scene([], places: [place("p")]) {
      $0.mutedSpots = [MutedSpot(spotID: "p", center: .tower)]
    }
    #expect(muted.fix(0) == ["muted p"])
  }

  @Test func `a muted place stays muted where its owner moves it, as does what was there`() {
    let mute = MutedSpot(spotID: "p", center: .tower)
    var moved = Scene([], places: [place("p", north: 400)]) { $0.mutedSpots = [mute] }
    #expect(moved.fix(0, north: 400) == ["muted p"])
    var successor = Scene([], places: [place("q", north: 5)]) { $0.mutedSpots = [mute] }
    #expect(successor.fix(0) == ["muted q"])
    var other = Scene([], places: [place("q", north: 400)]) { $0.mutedSpots = [mute] }
    #expect(other.fix(0, north: 400) == ["notify q"])
  }

  @Test func `replacing places changes the radius of a current visit, and keeps cooldowns`() {
    var scene = Scene([], places: [place("p", radius: 500)]) { $0.distanceFilterMeters = 0 }
    #expect(scene.fix(0, north: 400) == ["notify p"])
    scene.watcher.replace(
      spots: SpotIndex(spots: []).joined(with: [place("p", radius: 50)], clusterRadius: 15))
    #expect(scene.fix(10, north: 400) == ["leaving p"])
    #expect(scene.fix(20, north: 401) == ["exit p"])
    // Without its place, the position is clear.
    scene.watcher.replace(spots: SpotIndex(spots: []))
    #expect(scene.fix(30, north: 0) == ["clear"])
    scene.watcher.replace(
      spots: SpotIndex(spots: []).joined(with: [place("p", radius: 50)], clusterRadius: 15))
    #expect(scene.fix(1000, north: 1) == ["cooldown p"])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a random walk enters and exits places of any radius like a full scan`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let places = (0..<120).map { number in
      place(
        "p\(number)", north: .random(in: -3000...3000, using: &generator),
        east: .random(in: -3000...3000, using: &generator),
        radius: number % 4 == 0 ? nil : .random(in: 10...2000, using: &generator))
    }
    let joined = SpotIndex(spots: []).joined(with: places, clusterRadius: 15)
    var settings = WatcherSettings.withoutRules
    settings.distanceFilterMeters = 0
    settings.cooldownSeconds = 0
    settings.minimumIntervalSeconds = 0
    settings.areNotificationsEnabled = false
    var watcher = LocationWatcher(spots: joined, settings: settings)
    var twin = watcher
    twin.rules.slackMeters = 0
    var inside: [String: Int] = [:]
    var (north, east) = (0.0, 0.0)
    for step in 0..<300 {
      let reach = step % 9 == 0 ? 900.0 : 40
      north = min(max(north + .random(in: -reach...reach, using: &generator), -3000), 3000)
      east = min(max(east + .random(in: -reach...reach, using: &generator), -3000), 3000)
      let (here, time) = (
        Coordinate.tower.offset(north: north, east: east),
        noon.advanced(bySeconds: Double(step) * 60)
      )
      let fix = LocationFix(time: time, latitude: here.latitude, longitude: here.longitude)
      let decisions = watcher.evaluate(fix, now: time, isLive: false)
      #expect(decisions == twin.evaluate(fix, now: time, isLive: false), "seed \(seed), \(step)")
      var expected: Set<String> = []
      for place in places {
        let radius = place.alertRadiusMeters ?? settings.proximityRadiusMeters
        let distance = here.distance(to: place.coordinate)
        let isBeyond = distance > radius + max(20, 0.4 * radius)
        if let beyond = inside[place.id] {
          inside[place.id] = isBeyond ? (beyond == 1 ? nil : 1) : 0
        } else if distance <= radius {
          inside[place.id] = 0
        }
        if inside[place.id] != nil { expected.insert(place.id) }
      }
      #expect(Set(watcher.state.visits.map(\.spotID)) == expected, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `distant places change no decision about spots`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let spots = (0..<80).map { number in
      spot(
        "s\(number)",
        at: .tower.offset(
          north: .random(in: -1500...1500, using: &generator),
          east: .random(in: -1500...1500, using: &generator)))
    }
    // Their ids sort before, between and after those of the spots.
    let places = (0..<60).map { number in
      place(
        "\(["a", "s\(number)x", "z"][number % 3])\(number)", north: 100_000, east: Double(number),
        radius: number % 2 == 0 ? 500 : nil)
    }
    var (alone, joined) = (Scene(spots), Scene(spots, places: places))
    var (north, east) = (0.0, 0.0)
    for step in 0..<400 {
      north = min(max(north + .random(in: -90...90, using: &generator), -1500), 1500)
      east = min(max(east + .random(in: -90...90, using: &generator), -1500), 1500)
      let seconds = Double(step) * 60
      #expect(
        alone.fix(seconds, north: north, east: east)
          == joined.fix(seconds, north: north, east: east))
      #expect(alone.last == joined.last, "seed \(seed), step \(step)")
    }
    #expect(alone.notifications.count > 3)
  }
}

@Suite struct PlaceNotificationTests {
  private func notification(of place: OwnPlace, spots: [PhotoSpot] = []) throws -> SpotNotification
  {
    var scene = Scene(spots, places: [place])
    _ = scene.fix(0, north: -85)
    return try #require(scene.notifications.first)
  }

  @Test func `an alert has the place's name, kind and newest notes in both languages`() throws {
    let sent = try notification(
      of: place(
        "p", kind: "tree",
        notes: [note(-9, "Older\nnote"), note(0, "Nest in \u{202E}the hollow.")]))
    #expect(
      sent.text == "Old oak (tree), 85 m north. Nest in the hollow. · Older note")
    #expect(sent.title(in: .english) == "One of your places")
    #expect(
      sent.text(in: .spanish)
        == "Old oak (tree), 85 m al norte. Nest in the hollow. · Older note")
    #expect(sent.title(in: .spanish) == "Un lugar tuyo")
    let pinned = try notification(of: place("p", pinned: "s"), spots: [spot("s")])
    #expect(pinned.text.hasPrefix("Old oak, 85 m north: 14 photos, 2016–2024"))
  }

  @Test func `a place's notes, name, kind and collections are limited in length and number`() throws
  {
    let notes = (0..<40).map { note(-Double($0), String(repeating: "é", count: 80)) }
    let sent = try notification(
      of: place(
        "p", name: String(repeating: "n", count: 5000), kind: String(repeating: "k", count: 5000),
        notes: notes, collections: (0..<900).map { "c\($0)" }))
    #expect(
      sent.text.unicodeScalars.count <= SpotNotification.maximumTextLength + 1
        + NotifiedPlace.maximumNotesLength)
    let place = try #require(sent.spot.place)
    #expect(place.notes.reduce(0) { $0 + $1.text.unicodeScalars.count } == 500)
    #expect(place.notes.count == 7 && place.notes.last?.text.last == "…")
    #expect(place.notes.first?.time == noon)
    #expect(place.collections.count == 20 && place.name.unicodeScalars.count == 200)
    #expect(sent.ndjson.count < 20_000)
  }

  @Test func `a place's notification can be written to JSON and read, with or without a cover`()
    throws
  {
    let sent = try notification(
      of: place(
        "p", kind: "tree", notes: [note(0, "A \"nest\"\nabove")], collections: ["Trees", "Córdoba"])
    )
    var reader = JSONReader(sent.ndjson)
    let read = try SpotNotification(from: &reader)
    #expect(read.spot.place == sent.spot.place && read.spot.place != nil)
    #expect(read.spot.cover == nil && read.spot.photoCount == 0)
    #expect(
      String(decoding: sent.ndjson, as: UTF8.self).contains(
        #""place":{"id":"p","name":"Old oak","kind":"tree","notes":[{"time":""#))
    // A spot of photos without a place must have a cover.
    var bare = JSONReader(
      Array(
        #"{"id":"a","latitude":1,"longitude":2,"distance":1,"photoCount":1}"#.utf8))
    #expect(throws: JSONError.self) { try NotifiedSpot(from: &bare) }
  }

  @Test func `other places in a notification have a name but no notes`() throws {
    var scene = Scene(
      [],
      places: [place("p", notes: [note(0, "one")]), place("q", north: 20, notes: [note(0, "two")])])
    _ = scene.fix(0)
    let sent = try #require(scene.notifications.first)
    #expect(sent.spot.place?.notes.count == 1)
    #expect(sent.alsoNear.map { $0.place?.name } == ["Old oak"])
    #expect(sent.alsoNear.first?.place?.notes == [])
  }

  @Test func `hooks get the place in their environment`() throws {
    let sent = try notification(
      of: place(
        "p", kind: "tree", notes: [note(-9, "older"), note(0, "newer")],
        collections: ["Trees", "Parks"]))
    let variables = HookEnvironment.variables(of: Alert(.spot(sent)), inherited: []).map {
      String(decoding: $0.dropLast(), as: UTF8.self)
    }
    for expected in [
      "PHOTOSPOTS_PLACE_ID=p", "PHOTOSPOTS_PLACE_NAME=Old oak", "PHOTOSPOTS_PLACE_KIND=tree",
      "PHOTOSPOTS_PLACE_NOTES=newer\nolder", "PHOTOSPOTS_PLACE_COLLECTIONS=Parks\nTrees",
    ] {
      #expect(variables.contains(expected), "\(expected)")
    }
    #expect(!variables.contains { $0.hasPrefix("PHOTOSPOTS_SPOT_COVER=") })
  }
}
