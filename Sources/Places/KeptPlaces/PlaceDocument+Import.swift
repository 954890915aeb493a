public import CivilTime
import PhotoLibrary

/// The rules for taking fields of a place in a file that differ from those in the document.
package struct PlaceTaking: Sendable {
  /// The side that is kept where a field differs.
  package enum Preference: String, CaseIterable, Sendable {
    /// The value of the file, as an edit made now.
    case file
    /// The value of the document; the file completes what is missing.
    case mine
    /// The value that was written last.
    case newest
  }

  /// The side that is kept.
  package var preference = Preference.newest
  /// Whether a removed place is restored.
  package var restoresRemoved = false
  /// Whether this program wrote the place, so that a note of the same time is the same note.
  package var isOwn = false
  /// Whether the collections of the file are all of the place, so that others were removed in it.
  package var hasAllCollections = false

  /// Creates the rules of a merge: the latest value is kept.
  package init() {}
}

extension PlaceDocument {
  /// The outcome of importing a place.
  public enum Upsert: Sendable {
    /// The place is new.
    case added
    /// The place existed, and at least one of its fields changed.
    case changed
    /// The place existed, and had the imported values or later ones, which were kept.
    case unchanged
    /// The place existed and was removed; it remains removed.
    case removed
  }

  /// Imports a place from a file, as of the time of its record. Fields that were changed later are
  /// kept, and importing the same file again changes nothing.
  ///
  /// A field that was last written at the time of the record, but differs from it, was edited in
  /// the file since: the file's value is written as of now. No order of values decides.
  ///
  /// - Parameters:
  ///   - fields: The place. Texts that are too long are cut. A field without a value leaves that of
  ///     an existing place unchanged.
  ///   - id: The id, always the same for the same record: ``PlaceID/init(hashing:)``.
  ///   - time: The time of the record; `nil` for the epoch, so that every other write is later. A
  ///     time that ``isPlausible(_:now:)`` rejects counts as unknown too: reduced to the current
  ///     time, it would grow with each import, and undo what was changed in between.
  ///   - now: The current time.
  /// - Returns: The change to the document.
  /// - Throws: ``PlaceError`` where the id of a spot or the path of a photo is invalid.
  @discardableResult
  public mutating func upsert(
    _ fields: PlaceFields, id: PlaceID, time: Instant?, now: Instant
  ) throws(PlaceError) -> Upsert {
    try upsert(fields, id: id, time: time, by: PlaceTaking(), now: now)
  }

  /// Imports a place like ``upsert(_:id:time:now:)``, by rules.
  @discardableResult
  package mutating func upsert(
    _ fields: PlaceFields, id: PlaceID, time: Instant?, by rules: PlaceTaking, now: Instant
  ) throws(PlaceError) -> Upsert {
    let time = time.map { Self.isPlausible($0, now: now) ? Self.time($0) : 0 } ?? 0
    var fields = try fields.checked(cutsTexts: true)
    let known = table[id]
    if rules.isOwn, let known { fields.notes = Self.notes(fields.notes, namedAsIn: known) }
    var place = KeptPlace(id: id, fields, time: time)
    // An unknown time is not the earliest one.
    if time == 0, let known { place.created = known.created }
    if let contents = known?.contents {
      // Fields for which the record has no value keep theirs.
      if fields.name.isEmpty { place.contents?.name = contents.name }
      if fields.kind == OwnPlace.unnamedKind { place.contents?.kind = contents.kind }
      if fields.alertRadiusMeters == nil { place.contents?.radius = contents.radius }
      if fields.spotID == nil { place.contents?.spot = contents.spot }
      if rules.hasAllCollections, rules.preference != .mine {
        place.contents?.collections.removeOthers(
          of: contents.collections, until: rules.preference == .file ? .max : time,
          now: Self.time(now))
      }
    }
    // A record says nothing about removals.
    place.removal = known?.removal ?? place.removal
    return take(place, isPresent: true, by: rules, now: now)
  }

  /// Imports a place with the times of its fields, by rules.
  ///
  /// Unlike in a merge, no order of values decides between equal times: a field of the file that
  /// has the time of the known one, but another value, was edited in the file.
  @discardableResult
  package mutating func take(
    _ place: KeptPlace, by rules: PlaceTaking, now: Instant
  ) -> Upsert {
    take(place, isPresent: place.isPresent, by: rules, now: now)
  }

  private mutating func take(
    _ place: KeptPlace, isPresent: Bool, by rules: PlaceTaking, now: Instant
  ) -> Upsert {
    guard let row = table.index(of: place.id) else {
      table.append(place)
      return place.isPresent ? .added : .removed
    }
    let known = table.rows[row]
    let isRestored = !known.isPresent && isPresent && rules.restoresRemoved
    if isPresent, !known.isPresent, !isRestored, place.removal == known.removal { return .removed }
    let now = Self.time(now)
    var place = place
    if let contents = known.contents {
      place.contents?.dateEdits(since: contents, rules.preference, now: now)
    }
    let hasChanged = table.change(at: row) { kept in
      kept.merge(place)
      if isRestored, kept.contents != nil {
        kept.removal.write(false, now: PlaceTime.after(kept.latest, now: now))
      }
    }
    guard table.rows[row].isPresent else { return .removed }
    return hasChanged ? .changed : .unchanged
  }

  /// Returns notes of a file of this program with the ids of the known notes that they are: those
  /// with their id, else those with their time and text, else the only other one with their time,
  /// whose text was edited.
  private static func notes(
    _ notes: [PlaceNote], namedAsIn place: KeptPlace
  ) -> [PlaceNote] {
    var known = Dictionary(place.notes.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    var named = notes
    var open: [Int] = []
    for (index, note) in notes.enumerated() {
      if known.removeValue(forKey: note.id) == nil { open.append(index) }
    }
    let same = Dictionary(grouping: known.values) { "\($0.time.millisecondsSince1970) \($0.text)" }
    open.removeAll { index in
      let key = "\(notes[index].time.millisecondsSince1970) \(notes[index].text)"
      guard let note = same[key]?.first(where: { known[$0.id] != nil }) else { return false }
      known[note.id] = nil
      named[index] = note
      return true
    }
    let byTime = Dictionary(grouping: known.values, by: \.time)
    let openByTime = Dictionary(grouping: open) { notes[$0].time }
    for (time, indices) in openByTime {
      guard let others = byTime[time], others.count == 1, indices.count == 1 else { continue }
      let index = indices[0]
      named[index] = PlaceNote(id: others[0].id, time: time, text: notes[index].text)
    }
    return named
  }
}

extension ElementSet {
  /// Adds the removal of the elements of another set that this one lacks, as far as they were last
  /// written until a time.
  fileprivate mutating func removeOthers(of other: ElementSet, until time: Int64, now: Int64) {
    let keys = elements.map(\.key)
    let removed = other.present.filter { element in
      element.register.time <= time && !keys.contains(element.key)
    }
    guard !removed.isEmpty else { return }
    self = ElementSet(
      elements
        + removed.map { element in
          var register = element.register
          register.write(.absent, now: now)
          return Element(key: element.key, register: register)
        })
  }

  /// Dates each element that differs from a known one by the preference.
  fileprivate mutating func dateEdits(
    since known: ElementSet, _ preference: PlaceTaking.Preference, now: Int64
  ) {
    guard self != known else { return }
    var others = known.elements[...]
    self = ElementSet(
      elements.map { element in
        while let next = others.first, next.key < element.key { others.removeFirst() }
        guard let next = others.first, next.key == element.key else { return element }
        var element = element
        element.register.dateEdit(since: next.register, preference, isMissing: false, now: now)
        return element
      })
  }
}

extension Register {
  /// Dates a value that differs from a known one as of now where it is taken: by the preference, or
  /// since both have the same time and the value was thus edited in the file.
  fileprivate mutating func dateEdit(
    since known: Self, _ preference: PlaceTaking.Preference, isMissing: Bool, now: Int64
  ) {
    guard value != known.value else { return }
    switch preference {
    case .newest where time != known.time: break
    case .mine where !isMissing: self = known
    default: time = PlaceTime.after(known.time, now: now)
    }
  }
}

extension KeptPlace.Contents {
  /// Dates each field that differs from the known one by the preference.
  fileprivate mutating func dateEdits(
    since known: Self, _ preference: PlaceTaking.Preference, now: Int64
  ) {
    if position.value.isWrittenOtherwise(than: known.position.value) {
      position.value = known.position.value
    }
    position.dateEdit(since: known.position, preference, isMissing: false, now: now)
    name.dateEdit(
      since: known.name, preference, isMissing: known.name.value.text.isEmpty, now: now)
    let kind = known.kind.value.text
    self.kind.dateEdit(
      since: known.kind, preference, isMissing: kind.isEmpty || kind == OwnPlace.unnamedKind,
      now: now)
    radius.dateEdit(since: known.radius, preference, isMissing: known.radius.value == 0, now: now)
    spot.dateEdit(
      since: known.spot, preference, isMissing: known.spot.value.text.isEmpty, now: now)
    notes.dateEdits(since: known.notes, preference, now: now)
    photos.dateEdits(since: known.photos, preference, now: now)
    collections.dateEdits(since: known.collections, preference, now: now)
  }
}
