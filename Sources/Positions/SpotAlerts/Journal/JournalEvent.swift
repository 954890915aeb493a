package import CivilTime
package import Encodings
import LocationFeeds
package import Spatial
package import SpotWatcher

/// A record of the journal: an event and the time of recording.
package struct JournalRecord: Hashable, Sendable {
  /// The time of recording, by the machine's clock.
  package var recorded: Instant
  /// The event.
  package var event: JournalEvent

  /// Creates a record.
  package init(recorded: Instant, event: JournalEvent) {
    self.recorded = recorded
    self.event = event
  }
}

/// An event that the journal records.
package enum JournalEvent: Hashable, Sendable {
  /// A notification was decided, for some notifiers; the cooldown of its spots begins at its time.
  case fired(SpotNotification, notifiers: [String])
  /// A digest was made, for some notifiers.
  case digested(AlertDigest, notifiers: [String])
  /// A device came back to a place within its cooldown.
  case returned(PlaceEvent, Figures = Figures())
  /// A device left a place that had fired, in this visit or before.
  case left(PlaceEvent)
  /// A device left a place while its notification waited, because of a decision.
  case lapsed(PlaceEvent, by: WatcherDecision.Kind? = nil, Figures = Figures())
  /// A device entered a place that would have fired but for a setting of the user.
  case suppressed(PlaceEvent, by: WatcherDecision.Kind, Figures = Figures())
  /// A device entered a place that a rule refuses or delays; once for each rule and visit.
  case held(PlaceEvent, by: WatcherDecision.Kind, Figures = Figures())
  /// A device was present and slow at positions, each the first on its stretch of ground and day.
  case present(device: String?, [Presence])
  /// An attempt to deliver begins. If no record of its end follows, the program ended during it.
  case begun(DeliveryEvent)
  /// An attempt failed, and the next follows at a time; or it was interrupted and does not count.
  case attempt(DeliveryEvent, next: Instant?)
  /// A delivery is done.
  case delivered(DeliveryEvent)
  /// A delivery was given up.
  case expired(DeliveryEvent)
  /// A delivery was given up because the program ended during two attempts.
  case setAside(DeliveryEvent)

  /// Whether the event may be lost in a crash: it only explains what happened, or says where a
  /// device was.
  package var isExplanation: Bool {
    switch self {
    case .held(_, let kind, _): kind != .shared
    case .present: true
    default: false
    }
  }

  /// A place that a device was at.
  package struct PlaceEvent: Hashable, Sendable {
    /// The device.
    package var device: String?
    /// The spot's id.
    package var spotID: String
    /// The spot's centre.
    package var center: Coordinate
    /// The feed's time: for `left`, of the device's last presence; for `lapsed`, of its entry; for
    /// all other events, of the decision.
    package var time: Instant
  }

  /// The values that explain why a place did not fire; `nil` where not known.
  package struct Figures: Hashable, Sendable {
    /// The measured value, in the unit of ``WatcherDecision/Kind/figureNames``.
    package var figure: Double?
    /// The limit for the measured value.
    package var limit: Double?
    /// The least distance of the device in metres.
    package var meters: Double?
    /// The number of recent days on which the device was there.
    package var days: Int?
    /// The feed's time at which the device left.
    package var left: Instant?
    /// The centre of the muted zone that decided.
    package var mutedZone: Coordinate?
  }

  /// The state of a delivery.
  package struct DeliveryEvent: Hashable, Sendable {
    /// The alert's id.
    package var notification: String
    /// The notifier's name.
    package var notifier: String
    /// The number of attempts.
    package var tries: Int
    /// The reason of the last failure; `nil` where no attempt failed.
    package var failure: String?

    /// Creates the state of a delivery.
    package init(notification: String, notifier: String, tries: Int, failure: String? = nil) {
      self.notification = notification
      self.notifier = notifier
      self.tries = tries
      self.failure = failure
    }
  }
}

extension JournalRecord {
  /// The record as a line of NDJSON, with its line feed.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      switch event {
      case .fired(let notification, let notifiers):
        writeHead("fired", to: &writer)
        writer.array("notifiers") { writer in notifiers.forEach { writer.string($0) } }
        writer.key("notification")
        notification.write(to: &writer)
      case .digested(let digest, let notifiers):
        writeHead("digest", to: &writer)
        writer.array("notifiers") { writer in notifiers.forEach { writer.string($0) } }
        writer.key("digest")
        digest.write(to: &writer)
      case .returned(let place, let figures):
        writeHead("returned", to: &writer)
        place.writeMembers(to: &writer)
        figures.writeMembers(to: &writer)
      case .left(let place):
        writeHead("left", to: &writer)
        place.writeMembers(to: &writer)
      case .lapsed(let place, let kind, let figures):
        writeHead("lapsed", to: &writer)
        place.writeMembers(to: &writer)
        writer.member("by", kind?.rawValue)
        figures.writeMembers(to: &writer)
      case .suppressed(let place, let kind, let figures):
        writeHead("suppressed", to: &writer)
        place.writeMembers(to: &writer)
        writer.member("by", kind.rawValue)
        figures.writeMembers(to: &writer)
      case .held(let place, let kind, let figures):
        writeHead("held", to: &writer)
        place.writeMembers(to: &writer)
        writer.member("by", kind.rawValue)
        figures.writeMembers(to: &writer)
      case .present(let device, let presences):
        writeHead("present", to: &writer)
        writer.member("device", device)
        writer.array("positions") { writer in
          for presence in presences { presence.write(to: &writer) }
        }
      case .begun(let delivery):
        writeHead("begun", to: &writer)
        delivery.writeMembers(to: &writer)
      case .attempt(let delivery, let next):
        writeHead("attempt", to: &writer)
        delivery.writeMembers(to: &writer)
        writer.member("next", next?.iso8601)
      case .delivered(let delivery):
        writeHead("delivered", to: &writer)
        delivery.writeMembers(to: &writer)
      case .expired(let delivery):
        writeHead("expired", to: &writer)
        delivery.writeMembers(to: &writer)
      case .setAside(let delivery):
        writeHead("setAside", to: &writer)
        delivery.writeMembers(to: &writer)
      }
    }
    writer.newline()
    return writer.takeBytes()
  }

  private func writeHead(_ name: String, to writer: inout JSONWriter) {
    writer.member("event", name)
    writer.member("recorded", recorded.iso8601)
  }

  /// Reads a record from a line.
  ///
  /// - Throws: `JSONError` where the line is not a record.
  package init(line bytes: [UInt8], range: Range<Int>) throws(JSONError) {
    var reader = JSONReader(bytes, range: range)
    var fields = Fields()
    try fields.read(from: &reader)
    try reader.end()
    guard let recorded = fields.recorded, let event = fields.event() else {
      throw JSONError(offset: range.lowerBound, reason: "a member of the record is missing")
    }
    self.init(recorded: recorded, event: event)
  }
}

extension JournalEvent.PlaceEvent {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("device", device)
    writer.member("spot", spotID)
    writer.member("latitude", degrees: center.latitude)
    writer.member("longitude", degrees: center.longitude)
    writer.member("time", time.iso8601)
  }
}

extension JournalEvent.Figures {
  /// Creates the figures of a decision, with the distance of the device.
  init(_ decision: WatcherDecision) {
    self.init(
      figure: decision.figure, limit: decision.limit,
      meters: decision.distanceMeters, days: decision.days, mutedZone: decision.mutedZone)
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("figure", figure.map(Self.rounded))
    writer.member("limit", limit.map(Self.rounded))
    writer.member("meters", meters.map(Self.rounded))
    writer.member("days", days)
    writer.member("left", left?.iso8601)
    guard let mutedZone else { return }
    writer.member("zoneLatitude", degrees: mutedZone.latitude)
    writer.member("zoneLongitude", degrees: mutedZone.longitude)
  }

  /// Rounds to thousandths, which is precise enough for explanations.
  private static func rounded(_ figure: Double) -> Double { (figure * 1000).rounded() / 1000 }
}

extension Presence {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("latitude", degrees: coordinate.latitude)
      writer.member("longitude", degrees: coordinate.longitude)
      writer.member("time", time.iso8601)
      writer.member("day", day)
    }
  }

  /// Reads a presence; `nil` where a member is missing or out of range.
  fileprivate static func read(from reader: inout JSONReader) throws(JSONError) -> Presence? {
    var (latitude, longitude) = (Double.nan, Double.nan)
    var time: Instant?
    var day: Int?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "latitude": latitude = try reader.double()
      case "longitude": longitude = try reader.double()
      case "time": time = try reader.instant()
      case "day": day = Int(exactly: try reader.integer())
      default: try reader.skipValue()
      }
    }
    guard let time, let day, abs(day) <= greatestDay,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return Presence(coordinate: coordinate, time: time, day: day)
  }

  /// More days than from 1970 to any time that is read.
  private static let greatestDay = 1 << 30
}

extension JournalEvent.DeliveryEvent {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", notification)
    writer.member("notifier", notifier)
    writer.member("tries", tries)
    writer.member("failure", failure)
  }
}

/// The members of a record, which may be in any order.
private struct Fields {
  var recorded: Instant?
  private var name: String?
  private var notification: SpotNotification?
  private var digest: AlertDigest?
  private var notifiers: [String]?
  private var device: String?
  private var spotID: String?
  private var latitude = Double.nan
  private var longitude = Double.nan
  private var time: Instant?
  private var id: String?
  private var notifier: String?
  private var tries: Int?
  private var failure: String?
  private var next: Instant?
  private var kind: WatcherDecision.Kind?
  private var figures = JournalEvent.Figures()
  private var (zoneLatitude, zoneLongitude) = (Double.nan, Double.nan)
  private var presences: [Presence]?

  mutating func read(from reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "event": name = try reader.string()
      case "recorded": recorded = try reader.instant()
      case "notification": notification = try SpotNotification(from: &reader)
      case "digest": digest = try AlertDigest(from: &reader)
      case "notifiers":
        notifiers = []
        try reader.beginArray()
        while try reader.nextElement() { notifiers?.append(try reader.string()) }
      case "device": device = DeviceName.cleaned(try reader.string())
      case "spot": spotID = try reader.string()
      case "latitude": latitude = try reader.double()
      case "longitude": longitude = try reader.double()
      case "time": time = try reader.instant()
      case "id": id = try reader.string()
      case "notifier": notifier = try reader.string()
      case "tries": tries = Int(exactly: try reader.integer())
      case "failure": failure = try reader.string()
      case "next": next = try reader.instant()
      case "figure": figures.figure = try reader.double()
      case "limit": figures.limit = try reader.double()
      case "meters": figures.meters = try reader.double()
      case "days": figures.days = Int(exactly: try reader.integer())
      case "positions":
        presences = []
        try reader.beginArray()
        while try reader.nextElement() {
          if let presence = try Presence.read(from: &reader) { presences?.append(presence) }
        }
      case "left": figures.left = try reader.instant()
      case "zoneLatitude": zoneLatitude = try reader.double()
      case "zoneLongitude": zoneLongitude = try reader.double()
      case "by": kind = WatcherDecision.Kind(rawValue: try reader.string())
      default: try reader.skipValue()
      }
    }
    figures.mutedZone = Coordinate(latitude: zoneLatitude, longitude: zoneLongitude)
  }

  func event() -> JournalEvent? {
    switch name {
    case "fired":
      guard let notification, let notifiers else { return nil }
      return .fired(notification, notifiers: notifiers)
    case "digest":
      guard let digest, let notifiers else { return nil }
      return .digested(digest, notifiers: notifiers)
    case "returned": return place.map { .returned($0, figures) }
    case "left": return place.map { .left($0) }
    case "lapsed": return place.map { .lapsed($0, by: kind, figures) }
    case "suppressed", "held":
      guard let place, let kind else { return nil }
      return name == "held"
        ? .held(place, by: kind, figures) : .suppressed(place, by: kind, figures)
    case "present": return presences.map { .present(device: device, $0) }
    case "begun": return delivery.map { .begun($0) }
    case "attempt":
      return delivery.map { .attempt($0, next: next) }
    case "delivered": return delivery.map { .delivered($0) }
    case "expired": return delivery.map { .expired($0) }
    case "setAside": return delivery.map { .setAside($0) }
    default: return nil
    }
  }

  private var place: JournalEvent.PlaceEvent? {
    guard let spotID, let time,
      let center = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return JournalEvent.PlaceEvent(device: device, spotID: spotID, center: center, time: time)
  }

  private var delivery: JournalEvent.DeliveryEvent? {
    guard let id, let notifier, let tries, (0...1_000_000).contains(tries) else { return nil }
    return JournalEvent.DeliveryEvent(
      notification: id, notifier: notifier, tries: tries, failure: failure)
  }
}
