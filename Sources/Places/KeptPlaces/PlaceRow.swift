import Encodings
import PhotoLibrary
import Spatial
import Storage

extension KeptPlace {
  /// The default kind, which is not written.
  static let usualKind = OwnPlace.unnamedKind

  /// Reads a place from the document.
  init(_ reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var row = PlaceRow()
    try row.read(&reader)
    guard let place = row.makePlace() else {
      throw JSONError(
        offset: start, reason: "a place has no id, no position, or an invalid time")
    }
    self = place
  }
}

/// The members of a place, as read from the document.
private struct PlaceRow {
  /// The members in the order in which they are written.
  enum Member: String, CaseIterable {
    case id, created, latitude, longitude, name, kind, radius, spot, notes, photos, collections
    case removed, times

    /// The key with its quotes and colon, as written in the document.
    var key: StaticString {
      switch self {
      case .id: "\"id\":"
      case .created: "\"created\":"
      case .latitude: "\"latitude\":"
      case .longitude: "\"longitude\":"
      case .name: "\"name\":"
      case .kind: "\"kind\":"
      case .radius: "\"radius\":"
      case .spot: "\"spot\":"
      case .notes: "\"notes\":"
      case .photos: "\"photos\":"
      case .collections: "\"collections\":"
      case .removed: "\"removed\":"
      case .times: "\"times\":"
      }
    }
  }

  private var id: PlaceID?
  private var created: Int64 = 0
  private var (latitude, longitude) = (Double?.none, Double?.none)
  private var (name, kind, spot) = ("", usualKind, "")
  private var radius = 0.0
  // The times in these elements are offsets until `makePlace()`.
  private var notes: [ElementSet<ByteText, NoteContent>.Element] = []
  private var photos: [ElementSet<PathBytes, Bool>.Element] = []
  private var collections: [ElementSet<ByteText, Bool>.Element] = []
  private var isRemoved = false
  private var times = Times()

  private static let usualKind = KeptPlace.usualKind

  /// The offsets of the fields' times.
  struct Times {
    var (position, name, kind): (Int64, Int64, Int64) = (0, 0, 0)
    var (radius, spot, removed): (Int64, Int64, Int64) = (0, 0, 0)
  }

  init() {}

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    // A fast path for members in the order in which they are written.
    for member in Member.allCases where reader.skipKey(member.key) {
      try read(member, &reader)
    }
    // Members in any other order.
    while let key = try reader.nextKey() {
      if let member = Member(rawValue: key) {
        try read(member, &reader)
      } else {
        try reader.skipValue()
      }
    }
  }

  private mutating func read(_ member: Member, _ reader: inout JSONReader) throws(JSONError) {
    switch member {
    case .id: id = try reader.withStringBytes { PlaceID($0) }
    case .created: created = try reader.integer()
    case .latitude: latitude = try reader.double()
    case .longitude: longitude = try reader.double()
    case .name: name = try reader.string()
    case .kind: kind = try reader.string()
    case .radius: radius = try reader.double()
    case .spot: spot = try reader.string()
    case .notes: try readNotes(&reader)
    case .photos: try readPhotos(&reader)
    case .collections: try readCollections(&reader)
    case .removed: isRemoved = try reader.boolean()
    case .times: try readTimes(&reader)
    }
  }

  private mutating func readTimes(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "position": times.position = try reader.integer()
      case "name": times.name = try reader.integer()
      case "kind": times.kind = try reader.integer()
      case "radius": times.radius = try reader.integer()
      case "spot": times.spot = try reader.integer()
      case "removed": times.removed = try reader.integer()
      default: try reader.skipValue()
      }
    }
  }

  // MARK: - Elements

  private mutating func readNotes(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      let start = reader.offset
      var (id, text) = ("", "")
      var (date, time): (Int64, Int64) = (0, 0)
      var isRemoved = false
      try reader.beginObject()
      if reader.skipKey("\"id\":") { id = try reader.string() }
      if reader.skipKey("\"date\":") { date = try reader.integer() }
      if reader.skipKey("\"text\":") { text = try reader.string() }
      while let key = try reader.nextKey() {
        switch key {
        case "id": id = try reader.string()
        case "date": date = try reader.integer()
        case "text": text = try reader.string()
        case "time": time = try reader.integer()
        case "removed": isRemoved = try reader.boolean()
        default: try reader.skipValue()
        }
      }
      guard !id.isEmpty, PlaceTime.range.contains(date) else {
        throw JSONError(offset: start, reason: "a note has no id or an invalid date")
      }
      let content =
        isRemoved
        ? .absent : NoteContent(date: date, text: ByteText(text), isPresent: true)
      notes.append(.init(key: ByteText(id), register: Register(value: content, time: time)))
    }
  }

  private mutating func readPhotos(_ reader: inout JSONReader) throws(JSONError) {
    try Self.readElements(&reader, "path", into: &photos) { reader throws(JSONError) in
      let start = reader.offset
      let path = try reader.withStringBytes { bytes in
        // ASCII needs no decoding.
        bytes.allSatisfy { $0 < 0x80 } ? Array(bytes) : NameText.name(of: bytes)
      }
      guard path.first == UInt8(ascii: "/"), !path.contains(0) else {
        throw JSONError(offset: start, reason: "the path of a photo is not absolute")
      }
      return PathBytes(bytes: path)
    }
  }

  private mutating func readCollections(_ reader: inout JSONReader) throws(JSONError) {
    try Self.readElements(&reader, "name", into: &collections) { reader throws(JSONError) in
      ByteText(try reader.string())
    }
  }

  /// Reads elements, each a key, or an object with a key, a time and a mark of its removal.
  private static func readElements<Key>(
    _ reader: inout JSONReader, _ member: String,
    into elements: inout [ElementSet<Key, Bool>.Element],
    _ readKey: (inout JSONReader) throws(JSONError) -> Key
  ) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.peek() == .object else {
        elements.append(
          .init(key: try readKey(&reader), register: Register(value: true, time: 0)))
        continue
      }
      var key: Key?
      var register = Register(value: true, time: 0)
      let start = reader.offset
      try reader.beginObject()
      while let name = try reader.nextKey() {
        switch name {
        case member: key = try readKey(&reader)
        case "removed": register.value = try !reader.boolean()
        case "time": register.time = try reader.integer()
        default: try reader.skipValue()
        }
      }
      guard let key else {
        throw JSONError(offset: start, reason: "an element of a place has no \(member)")
      }
      elements.append(.init(key: key, register: register))
    }
  }

  // MARK: - The place

  /// Returns the place; `nil` where a required member is missing or invalid.
  mutating func makePlace() -> KeptPlace? {
    guard let id, PlaceTime.range.contains(created), let removed = time(times.removed) else {
      return nil
    }
    var place = KeptPlace(
      id: id, created: created, removal: Register(value: isRemoved, time: removed))
    if latitude == nil, longitude == nil { return place }
    guard Self.addTimes(&notes, since: created), Self.addTimes(&photos, since: created),
      Self.addTimes(&collections, since: created), let contents
    else {
      return nil
    }
    place.contents = contents
    return place
  }

  private var contents: KeptPlace.Contents? {
    guard let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let positionTime = time(times.position), let nameTime = time(times.name),
      let kindTime = time(times.kind), let radiusTime = time(times.radius),
      let spotTime = time(times.spot)
    else { return nil }
    return KeptPlace.Contents(
      position: Register(value: Position(coordinate), time: positionTime),
      name: Register(value: ByteText(name), time: nameTime),
      kind: Register(value: ByteText(kind), time: kindTime),
      radius: Register(value: radius > 0 ? PlaceLimits.clamped(radius) : 0, time: radiusTime),
      spot: Register(value: ByteText(spot), time: spotTime), notes: ElementSet(notes),
      photos: ElementSet(photos), collections: ElementSet(collections))
  }

  /// Returns the time at an offset; `nil` where it is out of range.
  private func time(_ offset: Int64) -> Int64? { Self.time(offset, since: created) }

  private static func time(_ offset: Int64, since created: Int64) -> Int64? {
    let (time, isOutOfRange) = created.addingReportingOverflow(offset)
    return !isOutOfRange && PlaceTime.range.contains(time) ? time : nil
  }

  /// Converts the offsets of elements to times; returns false where one is out of range.
  private static func addTimes<Key, Value>(
    _ elements: inout [ElementSet<Key, Value>.Element], since created: Int64
  ) -> Bool {
    for place in elements.indices {
      guard let time = time(elements[place].register.time, since: created) else { return false }
      elements[place].register.time = time
    }
    return true
  }
}
