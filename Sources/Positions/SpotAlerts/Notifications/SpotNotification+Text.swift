import CivilTime
import PhotoLibrary
import PhotoMetadata
package import Spatial
public import SpotWatcher

extension SpotNotification {
  /// The maximum length of the text in Unicode scalars, without the notes of a kept place.
  public static let maximumTextLength = 120

  /// The text in English, for the history; see ``text(in:)``.
  public var text: String { text(in: .english) }

  /// Returns a line of at most ``maximumTextLength`` characters with the facts that help to take
  /// the picture again: `Arezzo, 95 m south-east: 3 photos, 2019–2024. Face north-west, 26 mm.`
  ///
  /// The place's name comes first if there is one. If the line would be too long, the name is
  /// shortened and then the least helpful facts are omitted. The line contains no invisible
  /// characters.
  ///
  /// For a kept place the text has its name, its kind and, at the end, its newest notes: `Old oak
  /// (tree), 95 m south-east: 3 photos, 2019–2024. Nest in the hollow`. The notes have at most
  /// ``SpotWatcher/NotifiedPlace/maximumNotesLength`` characters.
  public func text(in language: AlertLanguage) -> String { text(in: language, units: .metric) }

  /// Returns the text with distances in given units.
  package func text(in language: AlertLanguage, units: LengthUnits) -> String {
    let line = line(language.words, units)
    guard let notes = spot.place?.notesLine else { return line }
    return "\(line) \(notes)"
  }

  /// Returns the text in English with the name of a place that the spot belongs to now, unless the
  /// alert was about such a place.
  package func text(named place: String?) -> String {
    spot.place == nil ? line(.english, .metric, named: place) : text
  }

  /// The text without notes.
  private func line(
    _ words: AlertWords, _ units: LengthUnits, named place: String? = nil
  ) -> String {
    // The name of another spot is the first to be left out.
    let counted = details(words, others: alsoNear.isEmpty ? nil : words.moreSpots(alsoNear.count))
    let choices: [[Detail]] =
      (alsoNamed(words).map { [details(words, others: $0)] } ?? [])
      + stride(from: counted.count, through: 0, by: -1).map { Array(counted.prefix($0)) }
    let way =
      distanceMeters < 5
      ? words.rightHere
      : words.away(words.distance(distanceMeters, units), words.compassPoint(bearingDegrees))
    let name = place ?? spot.place?.title ?? memory?.place
    let scalars = name.map { Array($0.unicodeScalars) } ?? []
    let photos = spot.photoCount > 0 ? ": \(words.photos(spot.photoCount))" : ""
    for details in choices {
      let rest = text(with: details)
      for length in [scalars.count, 40, 28, 20] where length <= scalars.count {
        let start =
          scalars.isEmpty
          ? way.capitalizedFirst : "\(Self.shortened(scalars, to: length)), \(way)"
        let text = "\(start)\(photos)\(rest)"
        if text.unicodeScalars.count <= Self.maximumTextLength { return text }
      }
    }
    return way
  }

  /// A fact after the number of photos.
  private enum Detail: Hashable {
    /// A clause preceded by a comma.
    case clause(String)
    /// A separate sentence.
    case camera(String)
  }

  /// The maximum length of the name of another spot in the text, in Unicode scalars.
  private static let maximumOtherNameLength = 28

  /// Returns the other spots by the name of the first one that has its own: `also Bench, and 2 more
  /// spots`; `nil` if none has.
  private func alsoNamed(_ words: AlertWords) -> String? {
    alsoNear.lazy.compactMap { $0.place?.title }.first.map { name in
      words.alsoSpot(
        Self.shortened(Array(name.unicodeScalars), to: Self.maximumOtherNameLength),
        alsoNear.count - 1)
    }
  }

  /// Returns the facts, the most helpful first, with the other spots in words; `nil` for none.
  private func details(_ words: AlertWords, others: String?) -> [Detail] {
    let time = memory?.anniversary?.text(words) ?? memory?.sinceLatest?.text(words)
    let details: [Detail?] = [
      spot.years.map { .clause($0) },
      memory?.camera(words).map { .camera($0) },
      time.map { .clause($0) },
      others.map { .clause($0) },
    ]
    return details.compactMap(\.self)
  }

  /// Returns the facts as text: `, 2019–2024, 7 years ago this week. Face north-west, 26 mm.`
  private func text(with details: [Detail]) -> String {
    var (clauses, camera) = ("", "")
    for detail in details {
      switch detail {
      case .clause(let words): clauses += ", \(words)"
      case .camera(let words): camera = " \(words)."
      }
    }
    return clauses + "." + camera
  }

  private static func shortened(_ name: [Unicode.Scalar], to length: Int) -> String {
    guard name.count > length else { return String(String.UnicodeScalarView(name)) }
    return String(String.UnicodeScalarView(name.prefix(length - 1))) + "…"
  }

  /// Returns the title for receivers that show one: `9 years ago this week`, or a general title for
  /// a spot or a kept place.
  public func title(in language: AlertLanguage) -> String {
    let words = language.words
    return memory?.anniversary?.text(words).capitalizedFirst
      ?? (spot.place == nil ? words.title : words.placeTitle)
  }

  /// The direction to the spot as one of eight compass points in English.
  public var compassPoint: String { AlertWords.english.compassPoint(bearingDegrees) }
}

extension SpotMemory {
  /// Returns the direction and focal length of the camera: `Face north-west, 26 mm`. The focal
  /// length is the 35 mm equivalent. Unknown values are omitted; `nil` if both are unknown.
  fileprivate func camera(_ words: AlertWords) -> String? {
    let lens = focalLength?.millimetersOn35mmFilm.map { "\($0) mm" }
    guard let headingDegrees else { return lens.map { words.taken($0) } }
    return words.face(words.compassPoint(headingDegrees)) + (lens.map { ", \($0)" } ?? "")
  }
}

extension SpotMemory.Anniversary {
  /// Returns `9 years ago today`, or `this week`.
  fileprivate func text(_ words: AlertWords) -> String {
    words.anniversary(years, daysAway == 0)
  }
}

extension SpotMemory.Elapsed {
  /// Returns the time since the latest photo: `the last one 2 years ago`, or in days.
  fileprivate func text(_ words: AlertWords) -> String {
    years > 0 ? words.lastYearsAgo(years) : words.lastDaysAgo(days)
  }
}

extension NotifiedPlace {
  /// The name on one line, with the kind if there is one: `Old oak (tree)`; `nil` if the name has
  /// no visible characters.
  package var title: String? {
    guard let name = PlaceName.line(name) else { return nil }
    guard kind != OwnPlace.unnamedKind, let kind = PlaceName.line(kind) else { return name }
    return "\(name) (\(kind))"
  }

  /// The notes on one line; `nil` if there are none.
  fileprivate var notesLine: String? {
    let notes = notes.compactMap { note in
      PlaceName.line(note.text.unicodeScalars, maximumLength: Self.maximumNotesLength)
    }
    guard !notes.isEmpty else { return nil }
    return PlaceName.line(
      notes.joined(separator: " · ").unicodeScalars, maximumLength: Self.maximumNotesLength)
  }
}

extension NotifiedSpot {
  /// The id as a suffix, ` [47xjsbmtz9sp]`, with which the user can mute the spot. Empty if the id
  /// is not valid, since a manipulated journal may contain any text.
  public var label: String { Self.isPlain(id: id) ? " [\(id)]" : "" }

  /// Returns whether a text is valid as a spot's id: up to 32 letters and digits.
  static func isPlain(id: String) -> Bool {
    (1...32).contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// The years of the first and last capture, `2016–2024`, or a single year; `nil` if no photo is
  /// dated.
  public var years: String? {
    guard let firstCaptured, let lastCaptured else { return nil }
    let shown = CaptureTime.shown(firstCaptured, lastCaptured)
    let years = [shown.first, shown.last].compactMap {
      CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year
    }
    guard let first = years.first, let last = years.last else { return nil }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }
}
