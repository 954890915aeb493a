import CivilTime

extension CaptureTimeSource {
  /// The meanings of dates, the most telling first: Metadata Working Group, Guidelines 2.0, section
  /// 5.2. A date of a better meaning takes precedence, in whatever container it is.
  enum Meaning: Int, Comparable {
    /// The picture was taken. Nothing read from the photo replaces what a server says.
    case original
    /// The picture was digitized: taken by a digital camera, or scanned.
    case digitized
    /// The file was created.
    case created
    /// A photo service's idea of the time.
    case service
    /// The receiver had a position.
    case fix
    /// The file was named.
    case named

    static func < (first: Meaning, second: Meaning) -> Bool { first.rawValue < second.rawValue }
  }

  /// The meaning of the date.
  var meaning: Meaning {
    switch self {
    case .dateTimeOriginal, .xmp, .iptc, .quickTime, .server: .original
    case .dateTimeDigitized, .xmpDigitized, .iptcDigitized: .digitized
    case .xmpCreated, .quickTimeHeader: .created
    case .takeout: .service
    case .gps: .fix
    case .name: .named
    }
  }

  /// Whether the date is on the camera's clock if it has no UTC offset; otherwise it is in UTC, or
  /// a server has weighed it.
  fileprivate var isLocal: Bool {
    switch self {
    case .dateTimeOriginal, .dateTimeDigitized, .xmp, .xmpDigitized, .xmpCreated, .iptc,
      .iptcDigitized, .quickTime:
      true
    case .quickTimeHeader, .takeout, .gps, .server, .name: false
    }
  }

  /// Whether the date was written by a device at the time of capture, never by a person or a
  /// scanner.
  fileprivate var isExact: Bool { self == .gps || self == .quickTimeHeader }
}

extension PartialDate {
  /// Returns whether a time is in that year or month.
  fileprivate func contains(_ time: CaptureTime) -> Bool {
    let local = CivilDateTime(
      nearestTo: time.instant, utcOffsetMinutes: time.utcOffsetMinutes ?? 0)
    return local.year == year && month.map { $0 == local.month } ?? true
  }
}

extension PhotoProperties {
  /// A partial date, and its source.
  public struct PartialCapture: Hashable, Sendable {
    /// The known part of the date.
    public let date: PartialDate
    /// The source of the date.
    public let source: CaptureTimeSource
  }

  /// Takes a date as the capture time, if it says more than the present one does.
  ///
  /// Of dates with the same meaning, the first counts, but a whole one goes before a partial one. A
  /// partial date puts aside dates with lesser meanings: the day of scanning is not that of a
  /// picture of which only the year is known.
  ///
  /// - Parameters:
  ///   - date: The date; `nil` is ignored.
  ///   - source: Its source.
  mutating func offer(_ date: WrittenDate?, from source: CaptureTimeSource) {
    guard let date, !putsAside(source) else { return }
    guard let partial = date.partial else {
      if let time = date.captureTime { offer(time, from: source) }
      return
    }
    guard captureTimeSource.map({ source.meaning < $0.meaning }) ?? true,
      partialCapture.map({ isBetter(partial, source, than: $0) }) ?? true
    else { return }
    // The exact time of a fix or of a movie may lie in that year.
    if let captured, let captureTimeSource, captureTimeSource.isExact, partial.contains(captured) {
      return
    }
    partialCapture = PartialCapture(date: partial, source: source)
    (captured, captureTimeSource) = (nil, nil)
  }

  /// Takes a written date as the capture time if it says more than the present one does, and notes
  /// an unreadable one.
  ///
  /// An unreadable original date in words, such as `spring 1965`, was written by a person. Like a
  /// partial date, it puts aside dates with lesser meanings. An unreadable date without words is
  /// damaged and puts aside nothing.
  ///
  /// - Parameters:
  ///   - text: The text of the date; `nil` is ignored.
  ///   - source: Its source.
  ///   - read: Reads the date.
  mutating func offer(
    text: String?, from source: CaptureTimeSource,
    read: (String) -> WrittenDate? = { WrittenDate($0) }
  ) {
    guard let text else { return }
    if let date = read(text) { return offer(date, from: source) }
    let isInWords = Self.hasWord(text)
    // An unknown date is blank, or zeros.
    guard isInWords || text.utf8.contains(where: { (0x31...0x39).contains($0) }) else { return }
    skip(source.rawValue, "\(text.prefix(40)) is not a date")
    guard isInWords, source.meaning == .original else { return }
    hasDateInWords = true
    guard let meaning, meaning > .original, captureTimeSource?.isExact != true else { return }
    (captured, captureTimeSource, partialCapture) = (nil, nil, nil)
  }

  /// Returns whether a text has three Latin letters in a row, or a letter of another script.
  private static func hasWord(_ text: String) -> Bool {
    var run = 0
    for scalar in text.unicodeScalars {
      guard scalar.isASCII else {
        if scalar.properties.isAlphabetic { return true }
        run = 0
        continue
      }
      run = (0x61...0x7A).contains(scalar.value | 0x20) ? run + 1 : 0
      if run == 3 { return true }
    }
    return false
  }

  /// Whether an original date in words puts aside a date from the source.
  private func putsAside(_ source: CaptureTimeSource) -> Bool {
    hasDateInWords && source.meaning > .original && !source.isExact
  }

  private func isBetter(
    _ date: PartialDate, _ source: CaptureTimeSource, than other: PartialCapture
  ) -> Bool {
    source.meaning < other.source.meaning
      || source.meaning == other.source.meaning && other.date.month == nil && date.month != nil
  }

  /// Takes a time as the capture time, if it says more than the present one does; a time without a
  /// UTC offset is combined with that of the receiver.
  ///
  /// A time on the same day says more than a day, also where it is that of digitization.
  mutating func offer(_ time: CaptureTime, from source: CaptureTimeSource) {
    guard !putsAside(source), isBetter(time, source),
      partialCapture.map({
        source.meaning <= $0.source.meaning || source.isExact && $0.date.contains(time)
      }) ?? true
    else { return }
    (captured, captureTimeSource, partialCapture) = (time, source, nil)
    guard let satelliteTime, time.utcOffsetMinutes == nil, !time.isDayOnly, source.isLocal
    else { return }
    let weighed = CaptureTime(local: time.instant, fix: satelliteTime, at: coordinate)
    captured = weighed
    // Where the receiver overrules the camera, its time remains as little telling as before.
    if weighed.instant == satelliteTime, weighed.utcOffsetMinutes == nil {
      captureTimeSource = .gps
    }
  }

  /// The time in seconds by which a picture of a scan must be older than the scan, so that no time
  /// zone explains the difference.
  private static let scanDelay = 172_800.0

  /// Returns whether a time says more than the present one.
  ///
  /// A service takes the date of the file; where its date is days before that of digitization, a
  /// person told it when the picture was taken.
  private func isBetter(_ time: CaptureTime, _ source: CaptureTimeSource) -> Bool {
    guard let captured, let present = captureTimeSource else { return true }
    if source == .takeout, !present.isExact, present.meaning > .original,
      time.instant.millisecondsSince1970 != 0,
      captured.instant.seconds(since: time.instant) > Self.scanDelay
    {
      return true
    }
    let isSameDay = captured.day == time.day
    return switch (captured.isDayOnly, time.isDayOnly) {
    case (true, false):
      source.meaning <= present.meaning
        || isSameDay && (source.meaning <= .created || source.isExact)
    case (false, true): source.meaning < present.meaning && !isSameDay
    default: source.meaning < present.meaning
    }
  }

  /// Takes the capture time of another EXIF block of the same photo if it says more.
  mutating func completeTime(with other: PhotoProperties) {
    if satelliteTime != nil, other.satelliteTime == nil, let time = other.captured,
      let source = other.captureTimeSource
    {
      offer(time, from: source)
      return
    }
    satelliteTime = satelliteTime ?? other.satelliteTime
    hasDateInWords = hasDateInWords || other.hasDateInWords
    if let captureTimeSource, putsAside(captureTimeSource) {
      (captured, self.captureTimeSource) = (nil, nil)
    }
    let (own, others) = (meaning, other.meaning)
    guard let others, own.map({ others < $0 }) ?? true,
      other.captureTimeSource.map({ !putsAside($0) }) ?? true
    else { return }
    (captured, captureTimeSource) = (other.captured, other.captureTimeSource)
    partialCapture = other.partialCapture
  }

  /// Whether the date of the picture itself is missing. The date of digitization may be known.
  var lacksOriginalDate: Bool { meaning.map { $0 > .original } ?? true }

  private var meaning: CaptureTimeSource.Meaning? {
    (captureTimeSource ?? partialCapture?.source)?.meaning
  }
}
