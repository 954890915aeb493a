public import CivilTime
import Encodings
public import PhotoLibrary
import PhotoMetadata
public import Spatial
import SystemPackage

/// A modelled situation: spots, the true movements of devices, and the alerts that a user would
/// want.
///
/// The labels follow only from the promise: *tell me once per visit, when I could really take the
/// picture again, never nag*. They were written before any rule was evaluated on them. An alert
/// without a label is a false alert.
public struct Trace: Sendable {
  /// The kind of situation.
  public enum Kind: String, CaseIterable, Sendable {
    case walk, canyon, cafe, home, office, train, car, bus, bike, tunnel, flight, subway, coldStart
    case frozen, wireless, sparse, devices, restart, town, travel, holiday, commute, offline, future
  }

  /// An alert that a user would want or tolerate.
  public struct Want: Sendable {
    /// The names of the spots, any of which suffices.
    public let spots: Set<String>
    /// The device; `nil` for any.
    public let device: String?
    /// The earliest time, in seconds of the trace.
    public let start: Double
    /// The latest time.
    public let end: Double
    /// Whether its absence is a miss. If `false`, its presence and absence do not count.
    public let isRequired: Bool
  }

  /// The name of the situation.
  public let name: String
  /// The kind of situation.
  public let kind: Kind
  /// The origin of the plane.
  public var origin = Coordinate(latitude: 43.4633, longitude: 11.8796)!
  /// The start of the trace: a Monday, at midnight.
  public var start = Instant(millisecondsSince1970: 1_778_457_600_000)
  /// Whether the clock is that of the feed, as for a recorded file.
  public var isRecorded = false
  /// The movements of the devices.
  public private(set) var journeys: [Journey] = []
  /// The alerts wanted.
  public private(set) var wants: [Want] = []
  /// The times at which the program is restarted, in seconds of the trace.
  public var restarts: [Double] = []
  private var places: [String: (place: Ground, photos: Int)] = [:]

  /// Creates a trace.
  public init(_ name: String, _ kind: Kind, _ describe: (inout Trace) -> Void) {
    self.name = name
    self.kind = kind
    describe(&self)
  }

  /// Adds a spot.
  public mutating func spot(_ name: String, _ north: Double, _ east: Double, photos: Int = 5) {
    places[name] = (Ground(north, east), photos)
  }

  /// Adds the movements of a device.
  public mutating func add(_ journey: Journey) { journeys.append(journey) }

  mutating func changeReceivers(_ change: (inout Receiver) -> Void) {
    for index in journeys.indices { change(&journeys[index].receiver) }
  }

  /// Labels an alert as wanted in a period.
  public mutating func want(
    _ spots: String..., device: String? = "phone", from start: Double, until end: Double
  ) {
    wants.append(
      Want(spots: Set(spots), device: device, start: start, end: end, isRequired: true))
  }

  /// Labels an alert for any of several spots as wanted in a period.
  public mutating func want(
    anyOf spots: [String], device: String? = "phone", from start: Double, until end: Double
  ) {
    wants.append(
      Want(spots: Set(spots), device: device, start: start, end: end, isRequired: true))
  }

  /// Labels an alert as tolerated.
  public mutating func tolerate(
    anyOf spots: [String], device: String? = "phone", from start: Double, until end: Double
  ) {
    wants.append(
      Want(spots: Set(spots), device: device, start: start, end: end, isRequired: false))
  }

  /// Labels an alert for a visit as wanted, while the device is truly within 140 m of the spot.
  public mutating func want(visit number: Int, of spot: String, by journey: Journey) {
    let visit = visits(of: spot, by: journey)[number]
    want(spot, device: journey.device, from: visit.start, until: visit.end)
  }

  /// Labels an alert for a visit as tolerated.
  public mutating func tolerate(visit number: Int, of spot: String, by journey: Journey) {
    let visit = visits(of: spot, by: journey)[number]
    tolerate(anyOf: [spot], device: journey.device, from: visit.start, until: visit.end)
  }

  private func visits(of spot: String, by journey: Journey) -> [(start: Double, end: Double)] {
    guard let place = places[spot]?.place else { return [] }
    // The radius of 100 m plus the error of a receiver.
    return journey.visits(of: place, within: 140)
  }

  /// The names of the spots.
  public var spotNames: [String] { places.keys.sorted() }

  /// The spots in the program's representation.
  public var spots: [PhotoSpot] {
    places.sorted { $0.key < $1.key }.map { name, entry in
      let coordinate = entry.place.coordinate(from: origin)
      let captured = CaptureTime(instant: start.advanced(bySeconds: -4 * 365 * 86_400))
      return PhotoSpot(
        id: name, coordinate: coordinate, anchor: coordinate, radiusMeters: 0,
        photoCount: entry.photos, firstCaptured: captured, lastCaptured: captured,
        cover: "/photos/cover.jpg")
    }
  }

  /// The duration of the trace in days.
  public var days: Double {
    ((journeys.map(\.now).max() ?? 0) - (journeys.map(\.start).min() ?? 0)) / 86_400
  }

  /// Returns the fixes of all devices in order of arrival, with noise from a seed.
  public func arrivals(seed: UInt64) -> [Arrival] {
    // Each trace has its own noise, independent of other traces.
    let salt = name.utf8.reduce(UInt64(14_695_981_039_346_656_037)) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    var arrivals: [Arrival] = []
    for (number, journey) in journeys.enumerated() {
      var reception = Reception(journey, seed: salt &+ seed &* 1000 &+ UInt64(number))
      arrivals += reception.arrivals(from: start, self)
    }
    return arrivals.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }
}

extension Trace {
  /// A half of the traces, so that rules tuned on one can be judged on the other.
  public enum Half: String, Sendable, CaseIterable {
    case first = "A"
    case second = "B"
  }

  /// The half to which the trace belongs, by a hash of its name.
  public var half: Half {
    var hash = FNV1a()
    hash.combine(name)
    return hash.mixed % 2 == 0 ? .first : .second
  }
}
