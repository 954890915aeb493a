public import CivilTime
public import PhotoLibrary
import PhotoMetadata
public import Spatial
import SystemPackage

/// A modelled situation: spots, what devices truly did, and the alerts that a person would want
/// there.
///
/// The labels come from the promise alone: *tell me once per visit, when I could really take the
/// picture again, never nag*. They were written before any rule ran over them. An alert that no
/// label asks for annoys.
public struct Trace: Sendable {
  /// What is modelled.
  public enum Kind: String, CaseIterable, Sendable {
    case walk, canyon, cafe, home, office, train, car, bus, bike, tunnel, flight, subway, coldStart
    case frozen, wireless, sparse, devices, restart, town, travel, holiday, commute, offline, future
  }

  /// An alert that a person would want, or would not mind.
  public struct Want: Sendable {
    /// The spots, any of which will do, by name.
    public let spots: Set<String>
    /// The device; `nil` for whichever.
    public let device: String?
    /// From when on, in seconds of the story.
    public let start: Double
    /// Until when.
    public let end: Double
    /// Whether its absence is missed. Else it is neither missed nor counted.
    public let isRequired: Bool
  }

  /// What happens.
  public let name: String
  /// What is modelled.
  public let kind: Kind
  /// The middle of the plane.
  public var origin = Coordinate(latitude: 43.4633, longitude: 11.8796)!
  /// When the story begins: a Monday, at midnight.
  public var start = Instant(millisecondsSince1970: 1_778_457_600_000)
  /// Whether it is played by the feed's own clock, as a recorded file is.
  public var isRecorded = false
  /// The devices' ways.
  public private(set) var journeys: [Journey] = []
  /// The alerts wanted.
  public private(set) var wants: [Want] = []
  /// When the program is stopped and started again, in seconds of the story.
  public var restarts: [Double] = []
  private var places: [String: (place: Ground, photos: Int)] = [:]

  /// Tells a trace.
  public init(_ name: String, _ kind: Kind, _ tell: (inout Trace) -> Void) {
    self.name = name
    self.kind = kind
    tell(&self)
  }

  /// Puts a spot on the map.
  public mutating func spot(_ name: String, _ north: Double, _ east: Double, photos: Int = 5) {
    places[name] = (Ground(north, east), photos)
  }

  /// Adds what a device did.
  public mutating func add(_ journey: Journey) { journeys.append(journey) }

  mutating func changeReceivers(_ change: (inout Receiver) -> Void) {
    for index in journeys.indices { change(&journeys[index].receiver) }
  }

  /// Labels an alert as wanted in a span of time.
  public mutating func want(
    _ spots: String..., device: String? = "phone", from start: Double, until end: Double
  ) {
    wants.append(
      Want(spots: Set(spots), device: device, start: start, end: end, isRequired: true))
  }

  /// The same for any of many spots.
  public mutating func want(
    anyOf spots: [String], device: String? = "phone", from start: Double, until end: Double
  ) {
    wants.append(
      Want(spots: Set(spots), device: device, start: start, end: end, isRequired: true))
  }

  /// Labels an alert that nobody would miss or mind.
  public mutating func tolerate(
    anyOf spots: [String], device: String? = "phone", from start: Double, until end: Double
  ) {
    wants.append(
      Want(spots: Set(spots), device: device, start: start, end: end, isRequired: false))
  }

  /// Labels one visit as wanted: an alert while the device truly is within 140 m of the spot.
  public mutating func want(visit number: Int, of spot: String, by journey: Journey) {
    let visit = visits(of: spot, by: journey)[number]
    want(spot, device: journey.device, from: visit.start, until: visit.end)
  }

  /// Labels one visit as tolerated.
  public mutating func tolerate(visit number: Int, of spot: String, by journey: Journey) {
    let visit = visits(of: spot, by: journey)[number]
    tolerate(anyOf: [spot], device: journey.device, from: visit.start, until: visit.end)
  }

  private func visits(of spot: String, by journey: Journey) -> [(start: Double, end: Double)] {
    guard let place = places[spot]?.place else { return [] }
    // The radius of 100 m, and what a receiver may be wrong.
    return journey.visits(of: place, within: 140)
  }

  /// The names of the spots.
  public var spotNames: [String] { places.keys.sorted() }

  /// The spots as the program knows them.
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

  /// How long the story takes, in days.
  public var days: Double {
    ((journeys.map(\.now).max() ?? 0) - (journeys.map(\.start).min() ?? 0)) / 86_400
  }

  /// The fixes of all devices in the order of their arrival, with the noise of a seed.
  public func arrivals(seed: UInt64) -> [Arrival] {
    // Each trace its own noise, the same whatever traces are added before it.
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
