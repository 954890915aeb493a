public import CivilTime
import Encodings
import KeptPlaces
public import LocationFeeds
public import SpotAlerts
public import SpotWatcher

/// The data from which requests are answered, except for files: read on demand.
///
/// A source that cannot be read throws the problem with which the request is answered.
public protocol ServiceSources: Sendable {
  /// Returns the current index; throws a problem where it cannot be read.
  func library() throws(Problem) -> ServedLibrary
  /// Returns the last position of each known device, the latest first.
  func devices() throws(Problem) -> [LocationFix]
  /// Returns the states of devices as the watch recorded them, with the numbers of their reports.
  func deviceReports() throws(Problem) -> [DeviceReport]
  /// Returns the trail of a device, the oldest position first; `nil` where there is no such device.
  func trail(of device: String?) throws(Problem) -> [LocationFix]?
  /// Returns the events at spots, the oldest first.
  func history() throws(Problem) -> [HistoryEntry]
  /// Returns the muted spots.
  func mutes() throws(Problem) -> [MutedSpot]
  /// Returns the settings, in the order in which they are shown.
  func settings() throws(Problem) -> [ServedSetting]
  /// Returns the recreations, the latest first.
  func recreations() throws(Problem) -> [Recreation]
  /// Returns the times of the latest recreations of spots, by spot id.
  func recreatedSpots() throws(Problem) -> [String: Instant]
  /// Returns the places of the user's own, combined with the spots of the index.
  func places() throws(Problem) -> ServedPlaces
  /// Returns identifiers of the current states of mutes, settings, history, recreations and places.
  func generations() -> ServiceGenerations
}

extension ServiceSources {
  /// Returns no states.
  public func deviceReports() throws(Problem) -> [DeviceReport] { [] }

  /// Returns no recreations.
  public func recreatedSpots() throws(Problem) -> [String: Instant] { [:] }

  /// Returns no places.
  public func places() throws(Problem) -> ServedPlaces {
    ServedPlaces(PlaceDocument(), spots: try library().spots, clusterRadius: 15)
  }
}

/// Identifiers of the states of served data, each of which changes whenever its data does, and what
/// of it cannot be read.
public struct ServiceGenerations: Hashable, Sendable {
  /// The state of the muted spots.
  public var mutes: String
  /// The state of the settings.
  public var settings: String
  /// The state of the events at spots.
  public var history: String
  /// The state of the recreations.
  public var recreations: String
  /// The state of the places of the user's own.
  public var places: String
  /// The state of the phones that may report their position.
  public var phones: String
  /// The names of what cannot be read at the moment, so that what was read last is served: of
  /// `history`, `mutes`, `places`, `recreations` and `settings`, in this order.
  public var outages: [String]

  /// Creates a set of identifiers.
  public init(
    mutes: String, settings: String, history: String, recreations: String, places: String = "",
    phones: String = "", outages: [String] = []
  ) {
    self.mutes = mutes
    self.settings = settings
    self.history = history
    self.recreations = recreations
    self.places = places
    self.phones = phones
    self.outages = outages
  }
}

/// A setting and its current value.
public struct ServedSetting: Hashable, Sendable {
  /// The access of the page to a setting.
  public enum Access: Hashable, Sendable {
    /// The setting is shown and can be changed.
    case changeable
    /// The setting is neither shown nor changed: secrets, addresses, and settings reserved for the
    /// file.
    case fileOnly
  }

  /// The name in the settings file.
  public let name: String
  /// The value as written by `config`; `nil` where there is no valid one.
  public let value: String?
  /// The origin of the value, as written by `config`.
  public let origin: String?
  /// The reason why the value is invalid; `nil` for a valid one.
  public let problem: String?
  /// A description of the setting in one line.
  public let summary: String
  /// The access of the page.
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

/// A new picture of the scene of an old photo.
public struct Recreation: Hashable, Sendable {
  /// The id.
  public let id: String
  /// The name of the old photo, as in `photos`; `nil` where the photo no longer exists.
  public let photoName: String?
  /// The id of the spot; `nil` where it is unknown.
  public let spotID: String?
  /// The time of capture.
  public let time: Instant
  /// The quality of the alignment with the old photo, 0–1; `nil` where it is unknown.
  public let score: Double?
  /// The name of the file as text, without its folder.
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
