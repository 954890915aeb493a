public import CivilTime
import Spatial

/// The time at which a photo was taken.
public struct CaptureTime: Hashable, Sendable {
  /// The instant. If the UTC offset is unknown, the local time interpreted as UTC; if only the day
  /// is known, its midnight in the same way.
  public let instant: Instant
  /// The camera clock's offset from UTC in minutes; `nil` if the photo does not contain it.
  public let utcOffsetMinutes: Int?
  /// Whether only the day is known: a date in metadata without a time, or in the name of a file.
  public let isDayOnly: Bool
  /// Whether the day was read from the file's name.
  public let isFromName: Bool

  /// Creates a capture time.
  public init(instant: Instant, utcOffsetMinutes: Int? = nil) {
    self.instant = instant
    self.utcOffsetMinutes = utcOffsetMinutes
    (isDayOnly, isFromName) = (false, false)
  }

  /// Creates the capture time of a photo of which only the day is known.
  ///
  /// - Parameters:
  ///   - day: The local day; its time of day is ignored.
  ///   - isFromName: Whether it was read from the file's name.
  package init(day: CivilDateTime, isFromName: Bool) {
    let time = CivilDateTime(year: day.year, month: day.month, day: day.day) ?? day
    (instant, utcOffsetMinutes) = (time.instant(), nil)
    (isDayOnly, self.isFromName) = (true, isFromName)
  }

  /// The offset that tables store for a day from the name of a file. No zone has it.
  package static let dayInNameOffset = 1440
  /// The offset that tables store for a day from metadata. No zone has it.
  package static let dayInMetadataOffset = -1440

  /// Creates a capture time from its form in tables.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - offset: The offset in minutes, one of the two marks of a day, or `nil` if it is unknown.
  package init(instant: Instant, storedOffset offset: Int?) {
    isFromName = offset == Self.dayInNameOffset
    isDayOnly = isFromName || offset == Self.dayInMetadataOffset
    self.instant = instant
    utcOffsetMinutes = isDayOnly ? nil : offset
  }

  /// The offset in the form of tables.
  package var storedOffset: Int? {
    guard isDayOnly else { return utcOffsetMinutes }
    return isFromName ? Self.dayInNameOffset : Self.dayInMetadataOffset
  }

  /// The time as evidence of what is the same moment; `nil` if only the day is known.
  package var exact: CaptureTime? { isDayOnly ? nil : self }

  /// The time that metadata state; `nil` for a day from the file's name.
  package var stated: CaptureTime? { isFromName ? nil : self }

  /// Whether only the day may be known: software writes a date without a time, such as that of a
  /// scan, as its midnight.
  package var mayBeDayOnly: Bool {
    isDayOnly || utcOffsetMinutes == nil && instant.millisecondsSince1970 % 86_400_000 == 0
  }

  /// Creates the capture time of a photo that has both a local time and a time from GPS satellites.
  ///
  /// The time of a receiver is that of its last fix (EXIF 2.32, section 4.6.6), which may be older
  /// than the photo, but never younger. So the receiver decides in two cases only:
  /// - The difference is an offset that a time zone had at that place. The receiver then gives the
  ///   instant, and the difference the offset, if they agree within 5 minutes, because receivers
  ///   may repeat an old time. The same holds after correcting one of two known errors: the
  ///   receiver's date is 1024 or 2048 weeks behind or ahead (the number of a week has ten bits;
  ///   IS-GPS-200, section 20.3.3.3.1.1), or it is the local date although its time is in UTC.
  /// - The receiver is ahead of the camera wherever it was: the camera's date is wrong.
  ///
  /// Otherwise the fix is old, and the camera's time counts, with an unknown offset.
  ///
  /// - Parameters:
  ///   - local: The time on the camera's clock, interpreted as UTC.
  ///   - fix: The time from the satellites.
  ///   - place: The position, if it is known.
  init(local: Instant, fix: Instant, at place: Coordinate?) {
    if let found = Self.agreed(local, fix, at: place) {
      self = found
    } else if fix.seconds(since: local) > (Double(-ZoneOffsets.range.lowerBound) + 5) * 60 {
      self.init(instant: fix)
    } else {
      self.init(instant: local)
    }
  }

  /// The seconds to add to a receiver's time, for each of its known errors.
  private static let corrections: [Double] = {
    let day = 86_400.0
    let weeks = 1024 * 7 * day
    return [0, -day, day, weeks, 2 * weeks, -weeks, -2 * weeks]
  }()

  /// Returns the capture time on which a camera and a receiver agree, once the receiver's known
  /// errors are corrected; `nil` if they do not.
  static func agreed(_ local: Instant, _ fix: Instant, at place: Coordinate?) -> CaptureTime? {
    let day = 86_400.0
    let isSameDate =
      CivilDateTime(nearestTo: local, utcOffsetMinutes: 0).day
      == CivilDateTime(nearestTo: fix, utcOffsetMinutes: 0).day
    for correction in Self.corrections {
      if abs(correction) == day, !isSameDate { continue }
      let corrected = fix.advanced(bySeconds: correction)
      let minutes = local.seconds(since: corrected) / 60
      let offset = Int(saturating: (minutes / 15).rounded()) * 15
      let year = CivilDateTime(nearestTo: corrected, utcOffsetMinutes: 0).year
      guard abs(minutes - Double(offset)) < 5,
        ZoneOffsets.isPossible(offset, at: place, year: year)
      else { continue }
      return CaptureTime(instant: corrected, utcOffsetMinutes: offset)
    }
    return nil
  }

  /// The day on the camera's clock.
  package var day: CivilDay { CivilDay(instant, utcOffsetMinutes: utcOffsetMinutes ?? 0) }

  /// The time in ISO 8601 as local time with its UTC offset, or in UTC if the offset is unknown;
  /// the date if only that is known.
  public var iso8601: String {
    let text = instant.iso8601(utcOffsetMinutes: utcOffsetMinutes)
    return isDayOnly ? String(text.prefix { $0 != "T" }) : text
  }

  /// The time in ISO 8601 for other programs: local time with its UTC offset, or without one if the
  /// offset is unknown.
  package var localISO8601: String {
    utcOffsetMinutes == nil ? String(iso8601.prefix { $0 != "Z" }) : iso8601
  }

  /// Returns two times in the order of the cameras' clocks, by which they are shown as dates.
  ///
  /// A photo with a UTC offset may be later than one without by its clock and earlier by its
  /// instant, or the reverse.
  package static func shown(
    _ first: CaptureTime, _ last: CaptureTime
  ) -> (first: CaptureTime, last: CaptureTime) {
    first.clock <= last.clock ? (first, last) : (last, first)
  }

  /// The time on the camera's clock, as if in UTC.
  private var clock: Instant {
    instant.advanced(bySeconds: Double(utcOffsetMinutes ?? 0) * 60)
  }
}
