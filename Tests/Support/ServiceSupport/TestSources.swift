package import CivilTime
package import KeptPlaces
package import LocationFeeds
import PhotoLibrary
package import SpotAlerts
package import SpotService
package import SpotWatcher
package import TestSupport

/// The sources of a service in tests, as values.
package struct TestSources: ServiceSources {
  package var libraryProblem: Problem?
  package var served: ServedLibrary
  package var positions: [LocationFix] = []
  package var trails: [String?: [LocationFix]] = [:]
  package var entries: [HistoryEntry] = []
  package var muted: [MutedSpot] = []
  package var shown: [ServedSetting] = [
    ServedSetting(name: "proximityRadius", value: "120 m", origin: "default"),
    ServedSetting(name: "clusterRadius", value: "15 m", origin: "default"),
    ServedSetting(name: "dwell", value: "0 s", origin: "default"),
    ServedSetting(name: "ntfyURL", value: "https://ntfy.sh/x", origin: "f", access: .fileOnly),
    ServedSetting(name: "listenTokens", value: "secret", origin: "f", access: .fileOnly),
    ServedSetting(name: "recreationsFolder", value: "/r", origin: "f", access: .fileOnly),
  ]
  /// Settings that may differ at each reading, instead of those shown.
  package var changingSettings: (@Sendable () -> [ServedSetting])?
  package var kept: [Recreation] = []
  package var recreated: [String: Instant] = [:]
  package var document = PlaceDocument()
  package var placesProblem: Problem?
  package var state = ServiceGenerations(mutes: "1", settings: "1", history: "1", recreations: "1")

  package init(_ photos: [TestPhoto] = TestSources.photos, generation: String = "1") {
    let index = PhotoIndex(made: photos)
    served = ServedLibrary(
      index: index, spots: SpotIndex(index, clusterRadius: 15), generation: generation)
  }

  package static let photos = [
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

  package func library() throws(Problem) -> ServedLibrary {
    if let libraryProblem { throw libraryProblem }
    return served
  }
  package func devices() throws(Problem) -> [LocationFix] { positions }
  package func trail(of device: String?) throws(Problem) -> [LocationFix]? { trails[device] }
  package func history() throws(Problem) -> [HistoryEntry] { entries }
  package func mutes() throws(Problem) -> [MutedSpot] { muted }
  package func settings() throws(Problem) -> [ServedSetting] { changingSettings?() ?? shown }
  package func recreations() throws(Problem) -> [Recreation] { kept }
  package func recreatedSpots() throws(Problem) -> [String: Instant] { recreated }
  package func places() throws(Problem) -> ServedPlaces {
    if let placesProblem { throw placesProblem }
    return ServedPlaces(document, spots: try library().spots, clusterRadius: 15)
  }
  package func generations() -> ServiceGenerations { state }
}
