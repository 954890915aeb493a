import CivilTime
import Interchange
import KeptPlaces
import LocationFeeds
import PhotoLibrary
import SpotService
import SpotWatcher

@testable import SpotAlerts

/// The sources of a service in tests, as values.
struct TestSources: ServiceSources {
  var libraryProblem: Problem?
  var served: ServedLibrary
  var positions: [LocationFix] = []
  var trails: [String?: [LocationFix]] = [:]
  var entries: [HistoryEntry] = []
  var muted: [MutedSpot] = []
  var shown: [ServedSetting] = [
    ServedSetting(name: "proximityRadius", value: "120 m", origin: "default"),
    ServedSetting(name: "clusterRadius", value: "15 m", origin: "default"),
    ServedSetting(name: "dwell", value: "0 s", origin: "default"),
    ServedSetting(name: "ntfyURL", value: "https://ntfy.sh/x", origin: "f", access: .fileOnly),
    ServedSetting(name: "listenTokens", value: "secret", origin: "f", access: .fileOnly),
    ServedSetting(name: "recreationsFolder", value: "/r", origin: "f", access: .fileOnly),
  ]
  var kept: [Recreation] = []
  var recreated: [String: Instant] = [:]
  var document = PlaceDocument()
  var placesProblem: Problem?
  var state = ServiceGenerations(mutes: "1", settings: "1", history: "1", recreations: "1")

  init(_ photos: [TestPhoto] = TestSources.photos, generation: String = "1") {
    let index = PhotoIndex(made: photos)
    served = ServedLibrary(
      index: index, spots: SpotIndex(index, clusterRadius: 15), generation: generation)
  }

  static let photos = [
    TestPhoto("/home/me/Siena/a.jpg", 43.3180, 11.3310, "2008-05-01T10:00:00+02:00"),
    TestPhoto(
      "/home/me/Siena/b.jpg", 43.31801, 11.3310, "2015-12-31T23:30:00-05:00", isFavorite: true,
      headingDegrees: 350),
    TestPhoto(
      "/home/me/DCIM/c.jpg", 43.31802, 11.3310, "2024-01-03T10:00:00Z", headingDegrees: 30),
    TestPhoto(
      "/home/me/DCIM/d.jpg", 43.4665, 11.8823, "2008-02-29T10:00:00Z", isFavorite: true),
    TestPhoto("/home/me/DCIM/<img onerror=x>.jpg", -30, -130, nil),
  ]

  func library() throws(Problem) -> ServedLibrary {
    if let libraryProblem { throw libraryProblem }
    return served
  }
  func devices() throws(Problem) -> [LocationFix] { positions }
  func trail(of device: String?) throws(Problem) -> [LocationFix]? { trails[device] }
  func history() throws(Problem) -> [HistoryEntry] { entries }
  func mutes() throws(Problem) -> [MutedSpot] { muted }
  func settings() throws(Problem) -> [ServedSetting] { shown }
  func recreations() throws(Problem) -> [Recreation] { kept }
  func recreatedSpots() throws(Problem) -> [String: Instant] { recreated }
  func places() throws(Problem) -> ServedPlaces {
    if let placesProblem { throw placesProblem }
    return ServedPlaces(document, spots: try library().spots, clusterRadius: 15)
  }
  func generations() -> ServiceGenerations { state }
}
