import CivilTime
import PhotoLibrary
import PhotoMetadata
public import SpotWatcher

extension SpotNotification {
  /// No text is longer, in Unicode scalars, without the notes of a place of one's own.
  public static let maximumTextLength = 120

  /// The text in English, as the history shows it; see ``text(in:)``.
  public var text: String { text(in: .english) }

  /// What helps to take the picture again, in a line of at most ``maximumTextLength`` characters:
  /// `Arezzo, 95 m south-east: 3 photos, 2019–2024. Face north-west, 26 mm.`
  ///
  /// The place's name comes first, where it has one; it is shortened, and then what helps least is
  /// left out, where the line would be too long. It holds no character that cannot be seen.
  ///
  /// Of a place of one's own it has the name, the kind and, behind all else, the newest notes:
  /// `Old oak (tree), 95 m south-east: 3 photos, 2019–2024. Nest in the hollow`. These are at most
  /// ``SpotWatcher/NotifiedPlace/maximumNotesLength`` characters.
  public func text(in language: AlertLanguage) -> String {
    let line = line(language.words)
    guard let notes = spot.place?.notesLine else { return line }
    return "\(line) \(notes)"
  }

  /// The text without notes.
  private func line(_ words: AlertWords) -> String {
    let details = details(words)
    let way =
      distanceMeters < 5
      ? words.rightHere
      : words.away(words.distance(distanceMeters), words.compassPoint(bearingDegrees))
    let name = (spot.place?.title ?? memory?.place).map { Array($0.unicodeScalars) } ?? []
    let photos = spot.photoCount > 0 ? ": \(words.photos(spot.photoCount))" : ""
    for count in stride(from: details.count, through: 0, by: -1) {
      let rest = text(with: Array(details.prefix(count)))
      for length in [name.count, 40, 28, 20] where length <= name.count {
        let place =
          name.isEmpty
          ? way.capitalizedFirst : "\(Self.shortened(name, to: length)), \(way)"
        let text = "\(place)\(photos)\(rest)"
        if text.unicodeScalars.count <= Self.maximumTextLength { return text }
      }
    }
    return way
  }

  /// What is said behind the number of photos.
  private enum Detail: Hashable {
    /// Behind a comma.
    case clause(String)
    /// A sentence of its own.
    case camera(String)
  }

  /// What helps most first.
  private func details(_ words: AlertWords) -> [Detail] {
    let time = memory?.anniversary?.text(words) ?? memory?.sinceLatest?.text(words)
    let details: [Detail?] = [
      spot.years.map { .clause($0) },
      memory?.camera(words).map { .camera($0) },
      time.map { .clause($0) },
      alsoNear.isEmpty ? nil : .clause(words.moreSpots(alsoNear.count)),
    ]
    return details.compactMap(\.self)
  }

  /// `, 2019–2024, 7 years ago this week. Face north-west, 26 mm.`
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

  /// What comes first in a notification that has a title: `9 years ago this week`, or that it is a
  /// spot or a place of one's own.
  public func title(in language: AlertLanguage) -> String {
    let words = language.words
    return memory?.anniversary?.text(words).capitalizedFirst
      ?? (spot.place == nil ? words.title : words.placeTitle)
  }

  /// The direction to walk, as one of eight points of the compass in English.
  public var compassPoint: String { AlertWords.english.compassPoint(bearingDegrees) }
}

extension SpotMemory {
  /// How to hold the camera: `Face north-west, 26 mm`. A focal length stands for what it shows on
  /// 35 mm film, as lenses are spoken of, or is left out.
  fileprivate func camera(_ words: AlertWords) -> String? {
    let lens = focalLength?.millimetersOn35mmFilm.map { "\($0) mm" }
    guard let headingDegrees else { return lens.map { words.taken($0) } }
    return words.face(words.compassPoint(headingDegrees)) + (lens.map { ", \($0)" } ?? "")
  }
}

extension SpotMemory.Anniversary {
  /// `9 years ago today`, or `this week`.
  fileprivate func text(_ words: AlertWords) -> String {
    words.anniversary(years, daysAway == 0)
  }
}

extension SpotMemory.Elapsed {
  /// `the last 2 years ago`, or 111 days.
  fileprivate func text(_ words: AlertWords) -> String {
    years > 0 ? words.lastYearsAgo(years) : words.lastDaysAgo(days)
  }
}

extension NotifiedPlace {
  /// The name on one line, with the kind where it has one: `Old oak (tree)`; `nil` where the name
  /// has nothing that can be seen.
  package var title: String? {
    guard let name = PlaceName.line(name) else { return nil }
    guard kind != OwnPlace.unnamedKind, let kind = PlaceName.line(kind) else { return name }
    return "\(name) (\(kind))"
  }

  /// The notes on one line; `nil` where there are none.
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
  /// ` [47xjsbmtz9sp]`, which mutes the spot; nothing where the id is not as those of spots are: a
  /// journal that was tampered with may hold any text.
  public var label: String { Self.isPlain(id: id) ? " [\(id)]" : "" }

  /// Whether a text may be the id of a spot: up to 32 letters and digits.
  static func isPlain(id: String) -> Bool {
    (1...32).contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// The years of the first and the last capture, `2016–2024`, or the one year; `nil` where none
  /// is dated.
  public var years: String? {
    guard let firstCaptured, let lastCaptured else { return nil }
    let years = [firstCaptured, lastCaptured].compactMap {
      CivilDateTime($0.instant, utcOffsetMinutes: $0.utcOffsetMinutes ?? 0)?.year
    }
    guard let first = years.first, let last = years.last else { return nil }
    return first == last ? "\(first)" : "\(first)–\(last)"
  }
}
