import Encodings

/// The meaning of a member of a report, recognised by the names that programs give it.
///
/// This is the only table of names, aliases and units: parsers of queries, JSON, tables and
/// extensions of GPX and KML look their members up here.
enum ReportMember: Sendable {
  case time, date, latitude, longitude, altitude, accuracy, hdop, speed, course, device, battery
  /// An accuracy in metres that a stated one replaces.
  case estimate

  /// A format in which some names have another unit than elsewhere.
  enum Dialect: Sendable {
    /// Tables, properties of features, and extensions of tracks.
    case common
    /// The query of OsmAnd's protocol: `speed` is in knots, and `hdop` in metres (Traccar, "OsmAnd"
    /// protocol; OsmAnd sends the accuracy under that name).
    case query
    /// The messages of OwnTracks: `vel` is in km/h (Booklet, "JSON").
    case ownTracks
    /// The program's own form: `battery` is a fraction.
    case own
  }

  /// The meaning of a name in a header, and the conversion of its values to degrees, metres, metres
  /// per second or a fraction of 1.
  struct Column: Sendable {
    var member: ReportMember
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
      guard let column = Self.special[dialect]?[letters] ?? Self.known[letters] else { return nil }
      self = column
    }

    private init(_ member: ReportMember, _ factor: Double, _ divisor: Double) {
      self.member = member
      self.factor = factor
      self.divisor = divisor
    }

    /// Converts a value of the column to the unit of a ``PositionReport``.
    func scaled(_ value: Double) -> Double {
      // Some exports of Google wrote negative degrees × 10⁷ as unsigned 32-bit numbers.
      let isWrapped = divisor == Self.e7 && value > 1.8e9
      return (isWrapped ? value - 4_294_967_296 : value) * factor / divisor
    }

    private static let e7 = 1e7

    /// Returns the letters and digits of a name, in lower case.
    private static func letters(of name: some Collection<UInt8>) -> String {
      var letters = ""
      for byte in name {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: letters.unicodeScalars.append(Unicode.Scalar(byte))
        case 0x41...0x5A: letters.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
        default: break
        }
      }
      return letters
    }

    /// The names that have another meaning in a dialect.
    private static let special: [Dialect: [String: Column]] = [
      .query: [
        "id": Column(.device, 1, 1),
        "speed": Column(.speed, PositionReport.metersPerSecondPerKnot, 1),
        "s": Column(.speed, 1, 1), "hdop": Column(.estimate, 1, 1),
      ],
      .ownTracks: ["vel": Column(.speed, 1, 3.6)],
      .own: ["battery": Column(.battery, 1, 1)],
    ]

    private static let known: [String: Column] = {
      var known: [String: Column] = [:]
      func add(
        _ member: ReportMember, _ names: String, times factor: Double = 1, by divisor: Double = 1
      ) {
        for name in names.split(separator: " ") {
          known[String(name)] = Column(member, factor, divisor)
        }
      }
      add(
        .time,
        """
        time timestamp datetime dateandtime datetimeutc utc utctime timeutc utcdatetime gpstime \
        fixtime recordedat isotime timestampms timems timelong tst ts unixtime epoch when \
        locationtime devicetime
        """)
      add(.date, "date utcdate dateutc gpsdate")
      add(.latitude, "lat latitude latdeg latitudedeg gpslat gpslatitude latitudewgs84")
      // The values end in a letter for their hemisphere.
      add(.latitude, "latitudens")
      add(.longitude, "longitudeew")
      add(.latitude, "late7 latitudee7", by: e7)
      add(
        .longitude, "lon lng long longitude londeg longitudedeg gpslon gpslongitude longitudewgs84")
      add(.longitude, "lone7 lnge7 longitudee7", by: e7)
      add(
        .altitude,
        """
        alt altitude ele elevation height altm altitudem elem elevationm heightm altitudemeters
        """)
      add(.altitude, "altft altitudeft eleft elevationft heightft", times: 0.3048)
      add(
        .accuracy,
        """
        acc accuracy accuracym hacc haccm horizontalaccuracy horizontalaccuracym \
        accuracyhorizontal horaccur accuracymeters
        """)
      add(.accuracy, "accuracymm", by: 1000)
      add(.hdop, "hdop")
      add(
        .speed,
        "speed velocity vel spd speedms speedmps velocityms velocitymps speedmeterspersecond")
      add(.speed, "speedkmh speedkph velocitykmh velocitykph", by: 3.6)
      add(.speed, "speedmph velocitymph", times: 1609.344 / 3600)
      add(
        .speed, "speedkn speedkt speedkts speedknots", times: PositionReport.metersPerSecondPerKnot)
      add(.course, "course bearing bear heading track direction dir cog azimuth")
      add(.course, "coursedeg bearingdeg headingdeg trackdeg")
      add(.device, "device deviceid devicename devicetag tid trackerid imei")
      add(.battery, "batterylevel")
      add(.battery, "battery batt bat batterypercent batterypct batterypercentage", by: 100)
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
    case .time:
      let read = try reader.reportedTime()
      if time.instant == nil, read != .missing { time = read }
    case .device:
      let name = try reader.looseText()
      device = device ?? name
    case .date: try reader.skipValue()
    default: set(column, try reader.looseNumber())
    }
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
    case .time, .date, .device: break
    }
  }
}
