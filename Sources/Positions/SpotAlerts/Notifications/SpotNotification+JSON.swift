import CivilTime
public import Encodings
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
public import SpotWatcher
import Storage
import SystemPackage

extension SpotNotification {
  /// Writes the notification as a JSON object: `id`, `type`, `time`, `device`, `distance`,
  /// `bearing`, `spot`, `alsoNear`, `memory`, `fix`; unknown values are omitted.
  public func write(to writer: inout JSONWriter) { write(links: [], to: &writer) }

  /// Writes the notification with its links, if any, as `links`, an object keyed by purpose.
  func write(links: [AlertLink], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("type", kind.rawValue)
      writer.member("time", time.iso8601)
      writer.member("device", device)
      writer.member("distance", distanceMeters)
      writer.member("bearing", bearingDegrees)
      writer.key("spot")
      spot.write(to: &writer)
      writer.array("alsoNear") { writer in
        for other in alsoNear { other.write(to: &writer) }
      }
      if let memory {
        writer.key("memory")
        memory.write(to: &writer)
      }
      writer.key("fix")
      fix.write(to: &writer)
      guard !links.isEmpty else { return }
      writer.object("links") { writer in
        for link in links { writer.member(link.purpose.rawValue, link.address) }
      }
    }
  }

  /// The notification as a line of NDJSON, with its line feed.
  public var ndjson: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.newline()
    return writer.takeBytes()
  }

  /// Reads the format that ``write(to:)`` writes; unknown members are skipped.
  ///
  /// - Throws: `JSONError` if the text is not a notification.
  public init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var id: String?
    var kind: Kind?
    var time: Instant?
    var device: String?
    var distance: Double?
    var bearing: Double?
    var spot: NotifiedSpot?
    var alsoNear: [NotifiedSpot] = []
    var memory: SpotMemory?
    var fix: LocationFix?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "id": id = try reader.string()
      case "type": kind = Kind(rawValue: try reader.string())
      case "time": time = try reader.instant()
      case "device": device = DeviceName.cleaned(try reader.string())
      case "distance": distance = try reader.double()
      case "bearing": bearing = try reader.double()
      case "spot": spot = try NotifiedSpot(from: &reader)
      case "alsoNear":
        try reader.beginArray()
        while try reader.nextElement() { alsoNear.append(try NotifiedSpot(from: &reader)) }
      case "memory": memory = try SpotMemory(from: &reader)
      case "fix": fix = try LocationFix(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let id, let kind, let time, let distance, let bearing, let spot, let fix else {
      throw JSONError(offset: start, reason: "a member of the notification is missing")
    }
    self.init(
      id: id, kind: kind, time: time, device: device, distanceMeters: distance,
      bearingDegrees: bearing, spot: spot, alsoNear: alsoNear, fix: fix, memory: memory)
  }
}

extension NotifiedSpot {
  /// The URL of the cover on the server of a remote library; `nil` for a file.
  package var coverAddress: String? { cover.flatMap { RemotePhoto(path: $0)?.webAddress } }

  /// Writes the spot as a JSON object: `id`, `latitude`, `longitude`, `distance`, `photoCount`,
  /// `firstCaptured`, `lastCaptured`, `cover`, `url`, `place`; unknown values are omitted.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("latitude", degrees: coordinate.latitude)
      writer.member("longitude", degrees: coordinate.longitude)
      writer.member("distance", distanceMeters)
      writer.member("photoCount", photoCount)
      writer.member("firstCaptured", firstCaptured?.localISO8601)
      writer.member("lastCaptured", lastCaptured?.localISO8601)
      if let cover { writer.member("cover", name: cover.shown) }
      writer.member("url", coverAddress)
      if let place {
        writer.key("place")
        place.write(to: &writer)
      }
    }
  }

  init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var id: String?
    var latitude = Double.nan
    var longitude = Double.nan
    var distance: Double?
    var photoCount: Int?
    var firstCaptured: CaptureTime?
    var lastCaptured: CaptureTime?
    var cover: FilePath?
    var place: NotifiedPlace?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "id": id = try reader.string()
      case "latitude": latitude = try reader.double()
      case "longitude": longitude = try reader.double()
      case "distance": distance = try reader.double()
      case "photoCount": photoCount = Int(exactly: try reader.integer())
      case "firstCaptured": firstCaptured = try CaptureTime(from: &reader)
      case "lastCaptured": lastCaptured = try CaptureTime(from: &reader)
      case "cover": cover = FilePath(shown: try reader.nameBytes())
      case "place": place = try NotifiedPlace(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let id, let distance, let photoCount, cover != nil || place != nil,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { throw JSONError(offset: start, reason: "a member of the spot is missing") }
    self.init(
      id: id, coordinate: coordinate, distanceMeters: distance, photoCount: photoCount,
      firstCaptured: firstCaptured, lastCaptured: lastCaptured, cover: cover, place: place)
  }
}

extension NotifiedPlace {
  /// Writes the place as a JSON object: `id`, `name`, `kind`, `notes` (objects of `time` and
  /// `text`, newest first), `collections`.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("kind", kind)
      writer.array("notes") { writer in
        for note in notes {
          writer.object { writer in
            writer.member("time", note.time.iso8601)
            writer.member("text", note.text)
          }
        }
      }
      writer.array("collections") { writer in
        for name in collections { writer.string(name) }
      }
    }
  }

  /// Reads the format that ``write(to:)`` writes; unknown members are skipped.
  init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var (id, name, kind) = (String?.none, "", OwnPlace.unnamedKind)
    var notes: [OwnPlace.Note] = []
    var collections: [String] = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "id": id = try reader.string()
      case "name": name = try reader.string()
      case "kind": kind = try reader.string()
      case "notes":
        try reader.beginArray()
        while try reader.nextElement() { notes.append(try OwnPlace.Note(from: &reader)) }
      case "collections":
        try reader.beginArray()
        while try reader.nextElement() { collections.append(try reader.string()) }
      default: try reader.skipValue()
      }
    }
    guard let id else { throw JSONError(offset: start, reason: "the place has no id") }
    self.init(id: id, name: name, kind: kind, notes: notes, collections: collections)
  }
}

extension OwnPlace.Note {
  fileprivate init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var (time, text) = (Instant?.none, "")
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "time": time = try reader.instant()
      case "text": text = try reader.string()
      default: try reader.skipValue()
      }
    }
    guard let time else { throw JSONError(offset: start, reason: "the note has no time") }
    self.init(time: time, text: text)
  }
}

extension LocationFix {
  /// Reads the format that `write(to:)` writes.
  init(from reader: inout JSONReader) throws(JSONError) {
    self.init(time: nil, latitude: .nan, longitude: .nan)
    let start = reader.offset
    var (event, region) = (Cause.Event?.none, String?.none)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "time": time = try reader.instant()
      case "latitude": latitude = try reader.double()
      case "longitude": longitude = try reader.double()
      case "altitude": altitudeMeters = try reader.double()
      case "horizontalAccuracy": horizontalAccuracyMeters = try reader.double()
      case "speed": speedMetersPerSecond = try reader.double()
      case "course": courseDegrees = try reader.double()
      case "device": device = try reader.string()
      case "battery": battery = try reader.double()
      // An event of a later version is left out.
      case "cause": event = Cause.Event(rawValue: try reader.string())
      case "region": region = try reader.string()
      default: try reader.skipValue()
      }
    }
    cause = event.map { Cause($0, region: region) }
    guard coordinate != nil else {
      throw JSONError(offset: start, reason: "the fix has no position")
    }
  }
}

extension CaptureTime {
  /// Reads a capture time; no offset, or `Z` in records of earlier versions, represents an unknown
  /// one, and a date alone a day.
  fileprivate init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    let text = try reader.string()
    guard let (dateTime, offset) = CivilDateTime.parse(iso8601: Array(text.utf8)) else {
      throw JSONError(offset: start, reason: "a capture time is expected")
    }
    if text.utf8.count == 10 {
      self.init(day: dateTime, isFromName: false)
      return
    }
    self.init(
      instant: dateTime.instant(utcOffsetMinutes: offset ?? 0),
      utcOffsetMinutes: text.hasSuffix("Z") ? nil : offset)
  }
}

extension JSONReader {
  /// Reads a string with an instant in ISO 8601.
  mutating func instant() throws(JSONError) -> Instant {
    let start = offset
    guard let instant = Instant(iso8601: try string()) else {
      throw JSONError(offset: start, reason: "a time in ISO 8601 is expected")
    }
    return instant
  }
}
