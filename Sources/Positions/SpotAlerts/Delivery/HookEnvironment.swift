@preconcurrency import CLibrary
import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotWatcher
import Storage
import SystemPackage

/// The environment of a hook: that of this process, and variables with the notification's values.
enum HookEnvironment {
  /// The names of the notification's variables; a variable is unset if its value is unknown.
  enum Name: String, CaseIterable {
    case id = "PHOTOSPOTS_ID"
    case type = "PHOTOSPOTS_TYPE"
    case time = "PHOTOSPOTS_TIME"
    case device = "PHOTOSPOTS_DEVICE"
    /// The distance in metres.
    case distance = "PHOTOSPOTS_DISTANCE"
    /// The bearing in degrees clockwise from true north.
    case bearing = "PHOTOSPOTS_BEARING"
    case spotID = "PHOTOSPOTS_SPOT_ID"
    case spotLatitude = "PHOTOSPOTS_SPOT_LATITUDE"
    case spotLongitude = "PHOTOSPOTS_SPOT_LONGITUDE"
    case spotPhotoCount = "PHOTOSPOTS_SPOT_PHOTO_COUNT"
    case spotFirstCaptured = "PHOTOSPOTS_SPOT_FIRST_CAPTURED"
    case spotLastCaptured = "PHOTOSPOTS_SPOT_LAST_CAPTURED"
    case spotCover = "PHOTOSPOTS_SPOT_COVER"
    case text = "PHOTOSPOTS_TEXT"
    case title = "PHOTOSPOTS_TITLE"
    /// The direction to the spot: `north-east`.
    case compass = "PHOTOSPOTS_COMPASS"
    /// The whole years since the latest photo, and the remaining days.
    case years = "PHOTOSPOTS_YEARS"
    case days = "PHOTOSPOTS_DAYS"
    /// The number of years since a photo was taken around this day of the year.
    case anniversaryYears = "PHOTOSPOTS_ANNIVERSARY_YEARS"
    /// The number of years with photos.
    case yearCount = "PHOTOSPOTS_YEAR_COUNT"
    /// The direction that the camera faced, in degrees clockwise from north.
    case heading = "PHOTOSPOTS_HEADING"
    /// The focal length and its 35 mm equivalent in millimetres.
    case focalLength = "PHOTOSPOTS_FOCAL_LENGTH"
    case focalLength35mm = "PHOTOSPOTS_FOCAL_LENGTH_35MM"
    case place = "PHOTOSPOTS_PLACE"
    /// The user's place: its newest notes, one or more lines each, and its collections, one line
    /// each.
    case placeID = "PHOTOSPOTS_PLACE_ID"
    case placeName = "PHOTOSPOTS_PLACE_NAME"
    case placeKind = "PHOTOSPOTS_PLACE_KIND"
    case placeNotes = "PHOTOSPOTS_PLACE_NOTES"
    case placeCollections = "PHOTOSPOTS_PLACE_COLLECTIONS"
    /// The links of the alert.
    case takeAgainLink = "PHOTOSPOTS_TAKE_AGAIN_LINK"
    case muteLink = "PHOTOSPOTS_MUTE_LINK"
    case notNowLink = "PHOTOSPOTS_NOT_NOW_LINK"
  }

  /// Returns the variables of this process as bytes, `NAME=value` and a zero each, without those of
  /// a notification and those to be withheld.
  ///
  /// A variable whose name is empty or begins with a digit cannot be passed on.
  static func inherited(without withheld: [String] = []) -> [[UInt8]] {
    let own = Set((Name.allCases.map(\.rawValue) + withheld).map { Array($0.utf8) })
    var variables: [[UInt8]] = []
    var next = environ
    while let variable = next.pointee {
      next += 1
      let bytes = bytes(of: variable)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0,
        !(0x30...0x39).contains(bytes[0]), !own.contains(Array(bytes[..<equals]))
      else { continue }
      variables.append(bytes + [0])
    }
    return variables
  }

  /// Returns the variables of a run.
  static func variables(of alert: Alert, inherited: [[UInt8]]) -> [[UInt8]] {
    var variables = Variables(list: inherited)
    variables.add(.id, alert.id)
    variables.add(.title, alert.title)
    variables.add(.text, alert.text)
    variables.add(.takeAgainLink, alert.address(.takeAgain))
    variables.add(.muteLink, alert.address(.mute))
    variables.add(.notNowLink, alert.address(.notNow))
    switch alert.content {
    case .spot(let notification): variables.add(notification)
    case .digest(let digest):
      variables.add(.type, "digest")
      variables.add(.time, digest.end.iso8601)
    }
    return variables.list
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }
}

/// A list of a run's variables that is being built.
private struct Variables {
  private(set) var list: [[UInt8]]

  init(list: [[UInt8]]) { self.list = list }

  mutating func add(_ name: HookEnvironment.Name, _ value: [UInt8]?) {
    // A zero byte would end the variable.
    guard let value else { return }
    list.append(Array("\(name.rawValue)=".utf8) + value.filter { $0 != 0 } + [0])
  }

  mutating func add(_ name: HookEnvironment.Name, _ value: String?) {
    add(name, value.map { Array($0.utf8) })
  }

  /// Adds the known values of a notification.
  mutating func add(_ notification: SpotNotification) {
    let spot = notification.spot
    add(.type, notification.kind.rawValue)
    add(.time, notification.time.iso8601)
    add(.device, notification.device)
    add(.distance, Self.number(notification.distanceMeters))
    add(.bearing, Self.number(notification.bearingDegrees))
    add(.spotID, spot.id)
    add(.spotLatitude, Degrees.text(spot.coordinate.latitude))
    add(.spotLongitude, Degrees.text(spot.coordinate.longitude))
    add(.spotPhotoCount, "\(spot.photoCount)")
    add(.spotFirstCaptured, spot.firstCaptured?.localISO8601)
    add(.spotLastCaptured, spot.lastCaptured?.localISO8601)
    add(.spotCover, spot.cover?.shown)
    if let place = spot.place {
      add(.placeID, place.id)
      add(.placeName, place.name)
      add(.placeKind, place.kind)
      if !place.notes.isEmpty {
        add(.placeNotes, place.notes.map(\.text).joined(separator: "\n"))
      }
      if !place.collections.isEmpty {
        add(.placeCollections, place.collections.joined(separator: "\n"))
      }
    }
    add(.compass, notification.compassPoint)
    if let memory = notification.memory {
      add(.years, memory.sinceLatest.map { "\($0.years)" })
      add(.days, memory.sinceLatest.map { "\($0.days)" })
      add(.anniversaryYears, memory.anniversary.map { "\($0.years)" })
      add(.yearCount, "\(memory.yearCount)")
      add(.heading, memory.headingDegrees.map(Self.number))
      add(.focalLength, memory.focalLength?.millimeters.map(Self.number))
      add(.focalLength35mm, memory.focalLength?.millimetersOn35mmFilm.map { "\($0)" })
      add(.place, memory.place)
    }
  }

  /// Returns a number formatted as in the JSON.
  private static func number(_ value: Double) -> String {
    var writer = JSONWriter()
    writer.number(value)
    return writer.text
  }
}
