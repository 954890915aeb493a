/// What a column of a table or a property of a feature says, by the names that programs give it.
enum ReportMember: Sendable {
  case time, date, latitude, longitude, altitude, accuracy, hdop, speed, course, device, battery

  /// A name in a header: what it means, and how its values become degrees, metres, metres per
  /// second or a share of 1.
  struct Column: Sendable {
    var member: ReportMember
    private var factor = 1.0
    /// Apart from the factor, since 0.0000001 is no exact number and 10000000 is.
    private var divisor = 1.0

    /// Reads a name; `nil` where it is none that is known.
    ///
    /// Case, spaces and signs make no difference: `Speed (km/h)` is `speed_kmh`. A unit that is not
    /// told is degrees, metres or metres per second. An `id` is no device: it is the number of the
    /// row as often.
    init?(name: ArraySlice<UInt8>) {
      guard name.count <= 64, let column = Self.known[Self.letters(of: name)] else { return nil }
      self = column
    }

    private init(_ member: ReportMember, _ factor: Double, _ divisor: Double) {
      self.member = member
      self.factor = factor
      self.divisor = divisor
    }

    /// A value of the column in the unit of a ``PositionReport``.
    func scaled(_ value: Double) -> Double { value * factor / divisor }

    /// The letters and digits of a name, in lower case.
    private static func letters(of name: ArraySlice<UInt8>) -> String {
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
        fixtime recordedat isotime timestampms timems timelong tst unixtime epoch when locationtime
        """)
      add(.date, "date utcdate dateutc gpsdate")
      add(.latitude, "lat latitude latdeg latitudedeg gpslat gpslatitude latitudewgs84")
      // The values have a letter for their hemisphere.
      add(.latitude, "latitudens")
      add(.longitude, "longitudeew")
      add(.latitude, "late7 latitudee7", by: 1e7)
      add(
        .longitude, "lon lng long longitude londeg longitudedeg gpslon gpslongitude longitudewgs84")
      add(.longitude, "lone7 lnge7 longitudee7", by: 1e7)
      add(.altitude, "alt altitude ele elevation height altm altitudem elem elevationm heightm")
      add(.altitude, "altft altitudeft eleft elevationft heightft", times: 0.3048)
      add(.accuracy, "acc accuracy accuracym hacc haccm horizontalaccuracy horizontalaccuracym")
      add(.hdop, "hdop")
      add(.speed, "speed velocity vel speedms speedmps velocityms velocitymps")
      add(.speed, "speedkmh speedkph velocitykmh velocitykph", by: 3.6)
      add(.speed, "speedmph velocitymph", times: 1609.344 / 3600)
      add(
        .speed, "speedkn speedkt speedkts speedknots", times: PositionReport.metersPerSecondPerKnot)
      add(.course, "course bearing heading track direction cog azimuth")
      add(.course, "coursedeg bearingdeg headingdeg trackdeg")
      add(.device, "device deviceid devicename tid trackerid imei")
      add(.battery, "batterylevel")
      add(.battery, "battery batt batterypercent batterypct batterypercentage", by: 100)
      return known
    }()
  }
}

extension PositionReport {
  /// Sets a member to a value in the unit of its column, unless it has one; `nil` sets nothing.
  ///
  /// A battery that is not above 1 is taken as a share of 1 in a column of percentages too: as many
  /// programs write it so, and 1 % is rarer than a full battery.
  mutating func set(_ column: ReportMember.Column, _ value: Double?) {
    guard let value else { return }
    let scaled = column.scaled(value)
    switch column.member {
    case .latitude: latitude = latitude ?? scaled
    case .longitude: longitude = longitude ?? scaled
    case .altitude: altitude = altitude ?? scaled
    case .accuracy: accuracy = scaled
    // An estimate gives way to what is stated.
    case .hdop: if value > 0 { accuracy = accuracy ?? value * NMEAEpoch.metersPerHDOP }
    case .speed: speed = speed ?? scaled
    case .course: course = course ?? scaled
    case .battery: battery = battery ?? (value <= 1 ? value : scaled)
    case .time, .date, .device: break
    }
  }
}
