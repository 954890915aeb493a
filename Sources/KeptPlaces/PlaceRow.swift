import Interchange
import PhotoLibrary
import Spatial
import Storage

extension KeptPlace {
  /// The kind that is not written.
  static let usualKind = OwnPlace.unnamedKind

  /// Reads a place as it stands in the document.
  init(_ reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    var row = PlaceRow()
    try row.read(&reader)
    guard let place = row.place else {
      throw JSONError(
        offset: start, reason: "a place has no id or no position, or a time that is none")
    }
    self = place
  }
}

/// The members of a place in the document, as they come.
private struct PlaceRow {
  /// The members in the order in which they are written.
  enum Member: String, CaseIterable {
    case id, created, latitude, longitude, name, kind, radius, spot, notes, photos, collections
    case removed, times
  }

  /// The keys with their quotes and colons.
  private static let members = Member.allCases.map {
    (member: $0, written: Array("\"\($0.rawValue)\":".utf8))
  }

  private var id: PlaceID?
  private var created: Int64 = 0
  private var (latitude, longitude) = (Double?.none, Double?.none)
  private var (name, kind, spot) = ("", usualKind, "")
  private var radius = 0.0
  // Their times are offsets at first.
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
    // As they were written.
    for (member, written) in Self.members where reader.skipKey(written) {
      try read(member, &reader)
    }
    // In any other way.
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

  private static let (noteID, noteDate, noteText) = (
    Array("\"id\":".utf8), Array("\"date\":".utf8), Array("\"text\":".utf8)
  )

  private mutating func readNotes(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      let start = reader.offset
      var (id, text) = ("", "")
      var (date, time): (Int64, Int64) = (0, 0)
      var isRemoved = false
      try reader.beginObject()
      if reader.skipKey(Self.noteID) { id = try reader.string() }
      if reader.skipKey(Self.noteDate) { date = try reader.integer() }
      if reader.skipKey(Self.noteText) { text = try reader.string() }
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
        throw JSONError(offset: start, reason: "a note has no id, or a date that is none")
      }
      let content =
        isRemoved
        ? .absent : NoteContent(date: date, text: ByteText(text), isPresent: true)
      notes.append(.init(key: ByteText(id), register: Register(value: content, time: time)))
    }
  }

  private mutating func readPhotos(_ reader: inout JSONReader) throws(JSONError) {
    let rows = try Self.elements(&reader, "path") { reader throws(JSONError) in
      try reader.withStringBytes { bytes in
        // Mostly nothing in it stands for something else.
        bytes.allSatisfy { $0 < 0x80 } ? Array(bytes) : NameText.name(of: bytes)
      }
    }
    for (path, register) in rows {
      guard path.first == UInt8(ascii: "/"), !path.contains(0) else {
        throw JSONError(offset: reader.offset, reason: "the path of a photo is not absolute")
      }
      photos.append(.init(key: PathBytes(bytes: path), register: register))
    }
  }

  private mutating func readCollections(_ reader: inout JSONReader) throws(JSONError) {
    let rows = try Self.elements(&reader, "name") { reader throws(JSONError) in
      try reader.string()
    }
    for (name, register) in rows where !name.isEmpty {
      collections.append(.init(key: ByteText(name), register: register))
    }
  }

  /// Reads elements that are a key, or an object with the key, a time and whether they were
  /// removed.
  private static func elements<Key>(
    _ reader: inout JSONReader, _ member: String,
    _ readKey: (inout JSONReader) throws(JSONError) -> Key
  ) throws(JSONError) -> [(Key, Register<Bool>)] {
    var elements: [(Key, Register<Bool>)] = []
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.peek() == .object else {
        elements.append((try readKey(&reader), Register(value: true, time: 0)))
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
      elements.append((key, register))
    }
    return elements
  }

  // MARK: - The place

  /// The place that the members are of; `nil` where they are of none.
  var place: KeptPlace? {
    guard let id, PlaceTime.range.contains(created), let removed = time(times.removed) else {
      return nil
    }
    var place = KeptPlace(
      id: id, created: created, removal: Register(value: isRemoved, time: removed))
    if latitude == nil, longitude == nil { return place }
    guard let contents else { return nil }
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
    var contents = KeptPlace.Contents(
      position: Register(value: Position(coordinate), time: positionTime),
      name: Register(value: ByteText(name), time: nameTime),
      kind: Register(value: ByteText(kind), time: kindTime),
      radius: Register(value: radius > 0 ? PlaceLimits.clamped(radius) : 0, time: radiusTime),
      spot: Register(value: ByteText(spot), time: spotTime))
    guard let notes = timed(notes), let photos = timed(photos), let names = timed(collections)
    else { return nil }
    if !notes.isEmpty { contents.notes = ElementSet(notes) }
    if !photos.isEmpty { contents.photos = ElementSet(photos) }
    if !names.isEmpty { contents.collections = ElementSet(names) }
    return contents
  }

  /// The time at an offset; `nil` where it is out of range.
  private func time(_ offset: Int64) -> Int64? {
    let (time, isOutOfRange) = created.addingReportingOverflow(offset)
    return !isOutOfRange && PlaceTime.range.contains(time) ? time : nil
  }

  /// Elements with times in place of offsets; `nil` where one is out of range.
  private func timed<Key, Value>(
    _ elements: [ElementSet<Key, Value>.Element]
  ) -> [ElementSet<Key, Value>.Element]? {
    var elements = elements
    for place in elements.indices {
      guard let time = time(elements[place].register.time) else { return nil }
      elements[place].register.time = time
    }
    return elements
  }
}
