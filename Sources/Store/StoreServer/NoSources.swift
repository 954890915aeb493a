import LocationFeeds
import SpotAlerts
import SpotService
import SpotWatcher

/// The data for requests without a valid key: each source refuses with a problem.
struct NoSources: ServiceSources {
  private static var refusal: Problem { Problem(.noKey, "A key is needed.") }

  func library() throws(Problem) -> ServedLibrary { throw Self.refusal }
  func devices() throws(Problem) -> [LocationFix] { throw Self.refusal }
  func trail(of device: String?) throws(Problem) -> [LocationFix]? { throw Self.refusal }
  func history() throws(Problem) -> [HistoryEntry] { throw Self.refusal }
  func mutes() throws(Problem) -> [MutedSpot] { throw Self.refusal }
  func settings() throws(Problem) -> [ServedSetting] { throw Self.refusal }
  func recreations() throws(Problem) -> [Recreation] { throw Self.refusal }
  func generations() -> ServiceGenerations {
    ServiceGenerations(mutes: "", settings: "", history: "", recreations: "")
  }
}
