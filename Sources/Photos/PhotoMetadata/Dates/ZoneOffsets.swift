import Spatial

/// The UTC offsets that time zones have had since 1980, when GPS time began (IANA time zone
/// database, 2025b).
enum ZoneOffsets {
  /// All offsets, in minutes: ships keep −12:00, Kiribati +14:00.
  static let range = -12 * 60...14 * 60

  /// An offset that is not a whole number of hours, and the places and years that had it.
  private struct Odd {
    let minutes: Int
    let longitudes: ClosedRange<Double>
    let years: ClosedRange<Int>

    init(_ minutes: Int, _ longitudes: ClosedRange<Double>, _ years: ClosedRange<Int>) {
      (self.minutes, self.longitudes, self.years) = (minutes, longitudes, years)
    }
  }

  private static let always = 1980...9999
  private static let odd = [
    Odd(-570, -141.5 ... -138, always),  // Marquesas
    Odd(-570, -166.5 ... -157, 1980...1991),  // Cook Islands, summer
    Odd(-270, -73.5 ... -59.5, 2007...2016),  // Venezuela
    Odd(-225, -61.5 ... -56, 1980...1992),  // Guyana
    Odd(-210, -60 ... -52, always),  // Newfoundland
    Odd(-210, -58.5 ... -53.5, 1980...1984),  // Surinam
    Odd(-150, -60 ... -52, always),  // Newfoundland, summer
    Odd(-90, -60 ... -52, 1988...1988),  // Newfoundland, double summer
    Odd(210, 44...63.5, always),  // Iran
    Odd(270, 44...63.5, 1980...2022),  // Iran, summer
    Odd(270, 60...75.5, always),  // Afghanistan
    Odd(330, 68...97.5, always),  // India, Sri Lanka
    Odd(330, 80...88.5, 1980...1986),  // Nepal
    Odd(345, 79.5...88.5, always),  // Nepal
    Odd(390, 92...101.5, always),  // Myanmar, Cocos Islands
    Odd(390, 79...82.5, 1996...1996),  // Sri Lanka
    Odd(450, 99...119.5, 1980...1982),  // Malaysia, Singapore
    Odd(510, 124...131, 2015...2018),  // North Korea
    Odd(525, 124.5...129.5, always),  // Eucla
    Odd(570, 128.5...141.5, always),  // central Australia
    Odd(585, 124.5...129.5, 1980...2009),  // Eucla, summer
    Odd(630, 128.5...141.5, always),  // central Australia, summer
    Odd(630, 158...160, always),  // Lord Howe Island
    Odd(690, 158...160, 1981...1985),  // Lord Howe Island, summer
    Odd(690, 167...169, 1980...2015),  // Norfolk Island
    Odd(765, -178 ... -175, always),  // Chatham Islands
    Odd(825, -178 ... -175, always),  // Chatham Islands, summer
  ]

  /// Returns whether some time zone had an offset in a year, at a place if it is known.
  ///
  /// For whole hours a place counts as in a zone if the zone's time is between 1½ hours behind and
  /// 4 hours ahead of the sun's, which holds for all zones: western China is 3, Greenland's west
  /// in summer nearly 4 hours ahead.
  static func isPossible(_ minutes: Int, at place: Coordinate?, year: Int) -> Bool {
    guard range.contains(minutes) else { return false }
    guard minutes % 60 == 0 else {
      return odd.contains { odd in
        odd.minutes == minutes && odd.years.contains(year)
          && place.map { odd.longitudes.contains($0.longitude) } ?? true
      }
    }
    guard let place else { return true }
    let ahead = Double(minutes) / 60 - place.longitude / 15
    if (-1.5...4).contains(ahead) { return true }
    // The date line is not at 180°: Kiribati, Samoa, Tonga, Chukotka; the Aleutian Islands.
    if place.longitude < -145, minutes >= 12 * 60 { return (-1.5...4).contains(ahead - 24) }
    return place.longitude > 170 && place.latitude > 50 && minutes <= -9 * 60
      && (-1.5...4).contains(ahead + 24)
  }
}
