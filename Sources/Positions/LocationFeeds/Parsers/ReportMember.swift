import CivilTime
import Encodings

/// The meaning of a member of a report, recognised by the names that programs give it.
///
/// This is the only table of names, aliases and units: parsers of queries, JSON, tables and
/// extensions of GPX and KML look their members up here.
enum ReportMember: Sendable {
  case time, date, latitude, longitude, altitude, accuracy, hdop, speed, course, device, battery
  /// An accuracy in metres that a stated one replaces.
  case estimate
  /// A latitude and a longitude in one text.
  case position
  /// The hemisphere of a latitude or longitude: N or S, E or W.
  case hemisphere
  /// The offset from UTC of a time without one.
  case offset

  /// A format in which some names have another unit than elsewhere.
  enum Dialect: Sendable {
    /// Tables, properties of features, and extensions of tracks.
    case common
    /// The query of OsmAnd's protocol: `speed` is in knots, and `hdop` in metres (Traccar, "OsmAnd"
    /// protocol; OsmAnd sends the accuracy under that name).
    case query
    /// The query or form of μlogger, which has an `action`: `speed` is in m/s.
    case action
    /// The messages of OwnTracks: `vel` is in km/h (Booklet, "JSON").
    case ownTracks
    /// Objects in objects (``NestedReports``), in which a time may be that of receiving.
    case nested
    /// The program's own form: `battery` is a fraction.
    case own
  }

  /// The kind of a member of ``NestedReports`` that is an object or array.
  enum Nested {
    case device, battery, pair
  }

  /// Returns the meaning of a member that is an object or array; `nil` for others.
  static func nested(_ name: String) -> Nested? {
    switch Column.letters(of: name.utf8) {
    // Traccar's server, ChirpStack, The Things Network.
    case "device", "deviceinfo", "enddeviceids": .device
    case "battery": .battery
    // Home Assistant: an array of latitude and longitude.
    case "gps", "latlng", "latlon": .pair
    default: nil
    }
  }

  /// Returns whether a member may hold the positions of the device. Others may hold those of
  /// gateways (`rx_metadata`, `hotspots`), regions and places.
  static func isContainer(_ name: String) -> Bool {
    containers.contains(Column.letters(of: name.utf8))
  }

  private static let containers = Set(
    """
    location locations coords coord point points position positions pos gps geo geolocation latlng \
    currentlocation data payload decoded decodedpayload uplinkmessage object fields fix fixes \
    report reports record records entry entries events items message messages response \
    feedmessageresponse result results body value values attributes state reported sample samples \
    timelineitems track
    """.split(separator: " ").map(String.init))

  /// Looks up the place of a name in the order in which names of devices count.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - isInside: Whether the member is in the object of the device, where its number in a
  ///     database counts less than its name.
  /// - Returns: The place; `nil` for another name.
  static func deviceRank(of name: String, isInside: Bool) -> Int? {
    let letters = Column.letters(of: name.utf8)
    return (isInside ? deviceMembers : deviceNames).firstIndex(of: letters)
  }

  /// Returns whether a name of a device may also be that of something else.
  static func isAmbiguous(device rank: Int) -> Bool { deviceNames[rank] == "id" }

  private static let deviceNames = [
    "deviceid", "devid", "device", "uniqueid", "devicename", "imei", "ident", "trackerid", "tid",
    "from", "messengerid", "entityid", "deveui", "username", "name", "id",
  ]
  /// A number greater than every place.
  static let maximumRank = deviceNames.count

  /// Returns whether the arrays in a member are rows of numbers: `points` of PhoneTrack.
  static func isRows(_ name: String) -> Bool { name == "points" }

  /// Returns whether a member's text is the name of a sensor, not that of the device that has it:
  /// Sensor Logger writes `"name": "location"` beside the values, and `deviceId` around them.
  static func isSensor(_ text: String, device rank: Int) -> Bool {
    deviceNames[rank] == "name" && sensors.contains(Column.letters(of: text.utf8))
  }

  private static let sensors: Set = ["location", "locationgps", "position", "geolocation"]

  private static let deviceMembers = [
    "deviceid", "uniqueid", "devicename", "name", "deveui", "id",
  ]

  /// Returns whether a member tells that the position is not valid where it is false or 0: of
  /// Traccar, and of inReach (IPC Outbound, `gpsFix`; KML, `Valid GPS Fix`).
  static func isValidity(_ name: String) -> Bool {
    ["valid", "gpsFix", "Valid GPS Fix"].contains(name)
  }

  /// Returns whether an entity of Home Assistant is a device or a person by its domain.
  static func isDevice(entity name: some Collection<UInt8>) -> Bool {
    ["device_tracker.", "person."].contains { name.starts(with: $0.utf8) }
  }

  /// Returns whether a pair of a query is the `action` of μlogger.
  static func isAction(_ pair: some Collection<UInt8>) -> Bool {
    pair.starts(with: Array("action=".utf8))
  }

  /// Returns the factor to metres per second of the member `speed` beside a member that only one
  /// program has: knots for Traccar's server (API, "Position"), km/h for inReach (IPC Outbound) and
  /// aprs.fi (API, "Location queries"); `nil` for other members.
  static func speedFactor(besides name: String) -> Double? {
    switch name {
    case "fixTime": PositionReport.metersPerSecondPerKnot
    case "gpsFix", "lasttime": 1 / 3.6
    default: nil
    }
  }

  /// The meaning of a name in a header, and the conversion of its values to degrees, metres, metres
  /// per second or a fraction of 1.
  struct Column: Sendable {
    var member: ReportMember
    /// The place of a time among others of a report, smallest first: that of the position, that of
    /// its sending, that of its receiving. The odd places are those of times without an offset.
    private(set) var rank = 0
    static let rankOfDate = 2
    /// The minutes by which times without an offset are ahead of UTC; `nil` if the name of the
    /// column does not tell.
    private(set) var utcOffsetMinutes: Int?
    private var factor = 1.0
    /// Separate from the factor, since 0.0000001 is not exact in binary and 10000000 is.
    private var divisor = 1.0

    /// Looks up a name; returns `nil` for an unknown one.
    ///
    /// Case, spaces and punctuation are ignored: `Speed (km/h)` is the same as `speed_kmh`. Without
    /// a unit, values are in degrees, metres or metres per second. `id` is not recognised as a
    /// device, since it is as often the number of the row.
    init?(name: some Collection<UInt8>, in dialect: Dialect = .common) {
      guard name.count <= 64 else { return nil }
      let letters = Self.letters(of: name)
      let names =
        switch dialect {
        case .common, .action: Self.known
        case .query: Self.queryNames
        case .ownTracks: Self.ownTracksNames
        case .nested: Self.nestedNames
        case .own: Self.ownNames
        }
      guard let column = names[letters] else { return nil }
      self = column
    }

    /// Looks up a name in the first line of a table, where that of a time or date may end in an
    /// offset from UTC: `Time (UTC+2)`, `local time [GMT-05:30]`.
    init?(header name: ArraySlice<UInt8>) {
      if let column = Self(name: name) {
        self = column
        return
      }
      let isSign: (UInt8) -> Bool = { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      guard name.count <= 64, let sign = name.lastIndex(where: isSign),
        let minutes = Self.utcOffsetMinutes(of: name[sign...])
      else { return nil }
      let letters = Self.letters(of: name[..<sign])
      guard letters.hasSuffix("utc") || letters.hasSuffix("gmt") else { return nil }
      let stem = letters.dropLast(3).replacing("local", with: "")
      guard let column = Self.known[stem.isEmpty ? "time" : String(stem)],
        column.member == .time || column.member == .date
      else { return nil }
      self = column
      utcOffsetMinutes = minutes
    }

    /// Returns the minutes of a sign with hours, and with or without minutes: `+2`, `-05:30)`.
    static func utcOffsetMinutes(of text: ArraySlice<UInt8>) -> Int? {
      let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
      let isLetter: (UInt8) -> Bool = { (0x61...0x7A).contains($0 | 0x20) }
      var offset = text.prefix(1 + text.dropFirst().prefix { isDigit($0) || $0 == 0x3A }.count)
      guard !text[offset.endIndex...].contains(where: { isLetter($0) || isDigit($0) }) else {
        return nil
      }
      if offset.dropFirst().prefix(while: isDigit).count == 1 {
        offset.insert(0x30, at: offset.index(after: offset.startIndex))
      }
      return CivilDateTime.utcOffsetMinutes(iso8601: offset).flatMap {
        (-12 * 60...14 * 60).contains($0) ? $0 : nil
      }
    }

    private init(_ member: ReportMember, _ factor: Double, _ divisor: Double) {
      self.member = member
      self.factor = factor
      self.divisor = divisor
    }

    /// Creates a column of a member whose values are in the unit of a ``PositionReport``.
    init(ofBaseUnit member: ReportMember) { self.init(member, 1, 1) }

    private static func time(rank: Int) -> Column {
      var column = Column(.time, 1, 1)
      column.rank = rank
      return column
    }

    /// Whether the values are in the unit of a ``PositionReport``.
    var isOfBaseUnit: Bool { factor == 1 && divisor == 1 }

    /// Converts a value of the column to the unit of a ``PositionReport``.
    func scaled(_ value: Double) -> Double {
      // Some exports of Google wrote negative degrees × 10⁷ as unsigned 32-bit numbers.
      let isWrapped = divisor == Self.e7 && value > 1.8e9
      return (isWrapped ? value - 4_294_967_296 : value) * factor / divisor
    }

    private static let e7 = 1e7

    /// Returns the letters and digits of a name, in lower case.
    static func letters(of name: some Collection<UInt8>) -> String {
      var letters: [UInt8] = []
      letters.reserveCapacity(name.count)
      for byte in name {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: letters.append(byte)
        case 0x41...0x5A: letters.append(byte + 0x20)
        default: break
        }
      }
      return String(decoding: letters, as: UTF8.self)
    }

    private static let queryNames = names(except: [
      "id": Column(.device, 1, 1),
      "speed": Column(.speed, PositionReport.metersPerSecondPerKnot, 1),
      "s": Column(.speed, 1, 1), "hdop": Column(.estimate, 1, 1),
    ])
    private static let ownTracksNames = names(except: ["vel": Column(.speed, 1, 3.6)])
    private static let nestedNames = names(except: [
      "receivedat": time(rank: 4), "reportedat": time(rank: 4), "lastupdated": time(rank: 4),
      "date": time(rank: rankOfDate),
      // Teltonika's JSON (Codec JSON): km/h, degrees.
      "sp": Column(.speed, 1, 3.6), "ang": Column(.course, 1, 1),
    ])
    private static let ownNames = names(except: ["battery": Column(.battery, 1, 1)])

    /// The names of a dialect in which some have another meaning.
    private static func names(except special: [String: Column]) -> [String: Column] {
      known.merging(special) { _, special in special }
    }

    private static let known: [String: Column] = {
      var known: [String: Column] = [:]
      func add(
        _ member: ReportMember, _ names: String, times factor: Double = 1, by divisor: Double = 1,
        utcOffsetMinutes: Int? = nil
      ) {
        var column = Column(member, factor, divisor)
        column.utcOffsetMinutes = utcOffsetMinutes
        for name in names.split(separator: " ") { known[String(name)] = column }
      }
      add(
        .time,
        """
        time timestamp datetime dateandtime gpstime fixtime recordedat isotime timestampms timems \
        timelong tst ts unixtime epoch when locationtime basedatetime
        """)
      // Another column of offsets is not theirs.
      add(
        .time, "datetimeutc utc utctime timeutc utcdatetime timegmt gmttime datetimegmt gmt",
        utcOffsetMinutes: 0)
      add(.offset, "utcoffset gmtoffset timezoneoffset tzoffset timezone tz")
      // Traccar's server: of the last known position, it is newer than `fixTime`.
      known["devicetime"] = time(rank: rankOfDate)
      add(.date, "date gpsdate")
      add(.date, "utcdate dateutc dategmt gmtdate", utcOffsetMinutes: 0)
      // Garmin's Training Center Database.
      add(.latitude, "latitudedegrees")
      add(.longitude, "longitudedegrees")
      add(.latitude, "lat latitude latdeg latitudedeg gpslat gpslatitude latitudewgs84")
      // Torque (wiki.torque-bhp.com, "Plugin Documentation": PIDs of the phone's GPS).
      add(.latitude, "kff1006")
      add(.longitude, "kff1005")
      add(.altitude, "kff1010")
      add(.course, "kff1007")
      add(.accuracy, "kff1239")
      add(.speed, "kff1001", by: 3.6)
      // Letters of their own, as i-Blue, Holux and Qstarz loggers write them.
      add(
        .hemisphere,
        """
        ns ew nsindicator ewindicator northsouth eastwest northorsouth eastorwest latns lonew longew \
        latdir londir latitudedirection longitudedirection lathemisphere lonhemisphere \
        latitudehemisphere longitudehemisphere latref lonref latituderef longituderef \
        gpslatituderef gpslongituderef
        """)
      // The values end in a letter for their hemisphere.
      add(.latitude, "latitudens")
      add(.longitude, "longitudeew")
      // Meshtastic's integers, and flespi's `position.latitude`.
      add(.latitude, "late7 latitudee7 latitudei", by: e7)
      add(.latitude, "positionlatitude")
      add(.longitude, "positionlongitude")
      add(
        .longitude, "lon lng long longitude londeg longitudedeg gpslon gpslongitude longitudewgs84")
      add(.longitude, "lone7 lnge7 longitudee7 longitudei", by: e7)
      add(.position, "location latlng latlong latlon loc ll gps geo position")
      add(
        .altitude,
        """
        alt altitude ele elevation height altm altitudem elem elevationm heightm altitudemeters \
        positionaltitude altitudemeter altitudeabovesealevelmeters
        """)
      add(
        .altitude,
        """
        altft altitudeft eleft elevft elevationft heightft altfeet altitudefeet elevfeet \
        elevationfeet heightfeet altitudeabovesealevelfeet
        """, times: 0.3048)
      add(
        .accuracy,
        """
        acc accuracy accuracym hacc haccm horizontalaccuracy horizontalaccuracym \
        accuracyhorizontal accuracyh horaccur accuracymeters gpsaccuracy
        """)
      add(.accuracy, "accuracymm", by: 1000)
      add(
        .accuracy, "accft accfeet accuracyft accuracyfeet haccft horizontalaccuracyft",
        times: 0.3048)
      add(.hdop, "hdop")
      add(
        .speed,
        "speed velocity vel spd speedms speedmps velocityms velocitymps speedmeterspersecond")
      add(.speed, "groundspeed")
      add(.speed, "speedkmh speedkmhr speedkph velocitykmh velocitykph positionspeed", by: 3.6)
      add(.speed, "speedmph velocitymph", times: 1609.344 / 3600)
      add(
        .speed, "speedkn speedkt speedkts speedknots sog",
        times: PositionReport.metersPerSecondPerKnot)
      add(.course, "course bearing bear heading track direction dir cog azimuth")
      add(.course, "positiondirection")
      add(.course, "coursedeg bearingdeg headingdeg trackdeg")
      add(.device, "device deviceid devicename devicetag tid trackerid imei mmsi mapdisplayname")
      add(.battery, "battery batt bat batterypercent batterypct batterypercentage", by: 100)
      // Overland's is a fraction, Traccar's a percentage.
      add(.battery, "batterylevel", by: 100)
      return known
    }()
  }
}

extension PositionReport {
  /// Reads or skips the value of a member of JSON by its name.
  mutating func readMember(
    _ key: String, in dialect: ReportMember.Dialect = .common, from reader: inout JSONReader
  ) throws(JSONError) {
    guard let column = ReportMember.Column(name: key.utf8, in: dialect) else {
      return try reader.skipValue()
    }
    switch column.member {
    case .time: try readTime(column, from: &reader)
    case .device:
      let name = try reader.looseText()
      device = device ?? name
    case .date:
      // Some programs put date and time here; a date alone says too little.
      let read = try reader.reportedTime()
      if let instant = read.instant, instant >= FeedReader.earliestTime, time == .missing {
        set(time: read, rank: ReportMember.Column.rankOfDate)
      }
    case .position: set(position: try reader.looseText())
    case .hemisphere: set(hemisphere: try reader.looseText() ?? "")
    case .offset: set(offset: Array((try reader.looseText() ?? "").utf8)[...])
    case .latitude, .longitude: try readCoordinate(column, from: &reader)
    default: try readNumber(column, from: &reader)
    }
  }

  /// Reads a time, as text or as a number.
  mutating func readTime(
    _ column: ReportMember.Column, from reader: inout JSONReader
  ) throws(JSONError) {
    if try reader.peek() == .string {
      set(time: try reader.stringBytes()[...], column)
    } else {
      set(time: try reader.reportedTime(), rank: column.rank)
    }
  }

  /// Reads another number, which may be text with a unit. A value that is not one sets nothing.
  mutating func readNumber(
    _ column: ReportMember.Column, from reader: inout JSONReader
  ) throws(JSONError) {
    if try reader.peek() == .string {
      set(column, text: try reader.stringBytes()[...])
    } else {
      set(column, try reader.looseNumber())
    }
  }

  /// Reads a latitude or longitude; text may have a decimal comma. `null` and empty text are those
  /// of a device without a position, other values cannot be read.
  mutating func readCoordinate(
    _ column: ReportMember.Column, from reader: inout JSONReader
  ) throws(JSONError) {
    switch try reader.peek() {
    case .number: set(column, try reader.double())
    case .null: try reader.skipValue()
    case .string: set(coordinate: column, text: try reader.stringBytes()[...])
    default:
      try reader.skipValue()
      hasUnreadableCoordinate = true
    }
  }

  /// Sets a latitude or longitude from text with a point or a comma.
  mutating func set(coordinate column: ReportMember.Column, text: ArraySlice<UInt8>) {
    let number = Double(pointOrComma: text)
    if number == nil, !text.trimmed.isEmpty { hasUnreadableCoordinate = true }
    set(column, number)
  }

  /// Sets latitude and longitude from one text, such as `48.8584,2.2945`; other text sets nothing.
  mutating func set(position text: String?) {
    guard let found = text.flatMap(LatLngText.init) else { return }
    latitude = latitude ?? found.latitude
    longitude = longitude ?? found.longitude
  }

  /// Sets a member that is not set yet to a value of a column, converted to its unit; `nil` sets
  /// nothing.
  ///
  /// In a column of percentages, a battery of at most 1 is taken as a fraction: many programs write
  /// it that way, and 1 % is rarer than a full battery.
  mutating func set(_ column: ReportMember.Column, _ value: Double?) {
    guard let value else { return }
    let scaled = column.scaled(value)
    switch column.member {
    case .latitude: latitude = latitude ?? scaled
    case .longitude: longitude = longitude ?? scaled
    case .altitude: altitude = altitude ?? scaled
    case .accuracy: accuracy = scaled
    // An estimate must not replace a stated accuracy.
    case .hdop: if value > 0 { accuracy = accuracy ?? value * NMEAEpoch.metersPerHDOP }
    case .estimate: accuracy = accuracy ?? scaled
    case .speed: speed = speed ?? scaled
    case .course: course = course ?? scaled
    case .battery: battery = battery ?? (value <= 1 ? value : scaled)
    case .time, .date, .device, .position, .hemisphere, .offset: break
    }
  }

  /// Sets a member from text: a number with a point or a comma, which a unit may follow.
  mutating func set(_ column: ReportMember.Column, text: ArraySlice<UInt8>) {
    if let number = Double(pointOrComma: text) { return set(column, number) }
    guard let (number, column) = column.measured(text) else { return }
    set(column, number)
  }

  /// Sets the offset of a time without one: `+02:00`, `UTC-5`, `Z`. Others, such as the name of a
  /// time zone or a number without a sign, are not an offset.
  mutating func set(offset text: ArraySlice<UInt8>) {
    let text = text.trimmed
    let names = ["UTC", "GMT"].map { Array($0.utf8) }
    let sign = names.contains { text.starts(with: $0) } ? text.dropFirst(3).trimmed : text
    switch sign.first {
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      utcOffsetMinutes = ReportMember.Column.utcOffsetMinutes(of: sign)
    default: break
    }
  }

  /// Sets the time to one that is written in a column. One of which neither the text nor the column
  /// has an offset, so that it may be local, ranks behind others of its kind.
  mutating func set(time text: ArraySlice<UInt8>, _ column: ReportMember.Column) {
    let isLocal = !ReportedTime.hasOffset(text)
    var time = ReportedTime(text: text)
    if isLocal { time = time.utc(from: column.utcOffsetMinutes) }
    set(time: time, rank: column.rank + (isLocal && column.utcOffsetMinutes == nil ? 1 : 0))
  }

  /// Sets the time, unless one of the same or a smaller rank is known. An unreadable time counts
  /// only where no other is known, and so do the digits of a time of day, which are an instant in
  /// 1970.
  mutating func set(time read: ReportedTime, rank: Int) {
    let isKnown = time.instant.map { $0 >= FeedReader.earliestTime } ?? false
    if isKnown, let instant = read.instant, instant < FeedReader.earliestTime { return }
    let isBetter = !isKnown || rank < timeRank
    guard read != .missing, read.instant != nil && isBetter || time.instant == nil else { return }
    (time, timeRank) = (read, rank)
  }
}
