public import CivilTime
import Interchange
import KeptPlaces
public import LocationFeeds
public import SpotAlerts
public import SpotWatcher

/// What a request is answered from, but the index and the files: read when it is asked for.
///
/// A source that cannot be read throws the problem that is then the answer.
public protocol ServiceSources: Sendable {
  /// The index as it is served; a problem where it cannot be read.
  func library() throws(Problem) -> ServedLibrary
  /// The last position of each device that was heard of, the latest first.
  func devices() throws(Problem) -> [LocationFix]
  /// The trail of a device, the oldest first; `nil` where there is no such device.
  func trail(of device: String?) throws(Problem) -> [LocationFix]?
  /// What happened at spots, the oldest first.
  func history() throws(Problem) -> [HistoryEntry]
  /// The muted spots.
  func mutes() throws(Problem) -> [MutedSpot]
  /// The settings that a person may see, in the order in which they are shown.
  func settings() throws(Problem) -> [ServedSetting]
  /// The pictures that were taken again, the latest first.
  func recreations() throws(Problem) -> [Recreation]
  /// When spots of the index were taken again last, by their ids.
  func recreatedSpots() throws(Problem) -> [String: Instant]
  /// The places of one's own, joined with the spots of the index.
  func places() throws(Problem) -> ServedPlaces
  /// What changes with each change of mutes, settings, history, recreations and
  /// places, as text.
  func generations() -> ServiceGenerations
}

extension ServiceSources {
  /// No spot was taken again.
  public func recreatedSpots() throws(Problem) -> [String: Instant] { [:] }

  /// There are no places.
  public func places() throws(Problem) -> ServedPlaces {
    ServedPlaces(PlaceDocument(), spots: try library().spots, clusterRadius: 15)
  }
}

/// What tells states of what is served from one another.
public struct ServiceGenerations: Hashable, Sendable {
  /// Of the muted spots.
  public var mutes: String
  /// Of the settings.
  public var settings: String
  /// Of what happened at spots.
  public var history: String
  /// Of the pictures that were taken again.
  public var recreations: String
  /// Of the places of one's own.
  public var places: String

  /// Creates generations.
  public init(
    mutes: String, settings: String, history: String, recreations: String, places: String = ""
  ) {
    self.mutes = mutes
    self.settings = settings
    self.history = history
    self.recreations = recreations
    self.places = places
  }
}

/// A setting as it is in force.
public struct ServedSetting: Hashable, Sendable {
  /// Who may see and change a setting by the page.
  public enum Access: Hashable, Sendable {
    /// It is shown, and may be changed.
    case changeable
    /// It is neither shown nor changed: secrets, addresses, and what only the file may say.
    case fileOnly
  }

  /// Its name in the settings file.
  public let name: String
  /// Its value as `config` writes it; `nil` where it has none that can be used.
  public let value: String?
  /// Where that is from, as `config` writes it.
  public let origin: String?
  /// Why the value cannot be used.
  public let problem: String?
  /// What the setting does, in a line.
  public let summary: String
  /// Who may see and change it.
  public let access: Access

  /// Creates a setting.
  public init(
    name: String, value: String?, origin: String?, problem: String? = nil, summary: String = "",
    access: Access = .changeable
  ) {
    self.name = name
    self.value = value
    self.origin = origin
    self.problem = problem
    self.summary = summary
    self.access = access
  }
}

/// A picture that was taken again of an old one.
public struct Recreation: Hashable, Sendable {
  /// Its id.
  public let id: String
  /// The name of the old photo, as `photos` has it; `nil` where that is gone.
  public let photoName: String?
  /// The id of the spot.
  public let spotID: String?
  /// When it was taken.
  public let time: Instant
  /// How well it lies on the old one, 0–1.
  public let score: Double?
  /// The name of the file, without its folder, as text.
  public let fileName: String

  /// Creates a recreation.
  public init(
    id: String, photoName: String?, spotID: String?, time: Instant, score: Double?,
    fileName: String
  ) {
    self.id = id
    self.photoName = photoName
    self.spotID = spotID
    self.time = time
    self.score = score
    self.fileName = fileName
  }
}
