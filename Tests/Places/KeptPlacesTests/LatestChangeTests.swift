import CivilTime
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import KeptPlaces

/// Random histories of three machines with right clocks, beside a list of what each machine knows:
/// the latest change of each field, by the true time.
private struct KnownChanges {
  /// A value and the true time at which it was written.
  private struct Change: Equatable {
    var value: String
    var step: Int
  }
  /// A field, note, photo or collection of a place.
  private struct Field: Hashable {
    let place: PlaceID
    let name: String
  }

  private(set) var machines = Array(repeating: PlaceDocument(), count: 3)
  private var known = Array(repeating: [Field: Change](), count: 3)
  private var generator: SeededGenerator
  private var step = 0
  private var ids: [PlaceID] = []

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The time of the present step; each is later than the one before.
  private var now: Instant {
    PlaceHistories.start.advanced(bySeconds: Double(step) * 1.7)
  }

  private mutating func number(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// Makes a random change on a random machine, or takes over the places of another one.
  ///
  /// - Returns: The machine.
  mutating func advance() throws -> Int {
    step += 1
    let machine = number(0..<3)
    if number(0..<4) == 0 {
      try take(from: number(0..<3), into: machine)
    } else if ids.count < 3 || number(0..<12) == 0 {
      let id = PlaceID.random(using: &generator)
      ids.append(id)
      try machines[machine].add(randomFields(), id: id, now: now)
      try note(id, on: machine, before: [:])
    } else {
      let id = ids[number(0..<ids.count)]
      let before = values(id, on: machine)
      try change(id, on: machine)
      try note(id, on: machine, before: before)
    }
    return machine
  }

  /// Takes over the places of another machine in one of the ways of the program.
  mutating func take(from other: Int, into machine: Int) throws {
    let file = try PlaceDocument(json: machines[other].json)
    if number(0..<2) == 0 {
      machines[machine].merge(file)
    } else {
      let rules = PlaceTaking()
      for place in file.allPlaces { machines[machine].take(place, by: rules, now: now) }
    }
    known[machine].merge(known[other]) { $0.step > $1.step ? $0 : $1 }
  }

  private mutating func change(_ id: PlaceID, on machine: Int) throws {
    if machines[machine].removedPlace(id, now: now) != nil {
      if Bool.random(using: &generator) { try machines[machine].restore(id, now: now) }
      return
    }
    guard machines[machine][id] != nil else { return }
    if number(0..<8) == 0 { return try machines[machine].remove(id, now: now) }
    let new = randomFields()
    let parts = Set((0..<2).map { _ in number(0..<9) })
    let note = PlaceNote(id: "n\(step)", time: now, text: "note \(step)")
    try machines[machine].change(id, now: now) { fields throws(PlaceError) in
      for part in parts {
        switch part {
        case 0: fields.coordinate = new.coordinate
        case 1: fields.name = new.name
        case 2: fields.kind = new.kind
        case 3: fields.alertRadiusMeters = new.alertRadiusMeters
        case 4: fields.notes.append(note)
        case 5: if !fields.notes.isEmpty { fields.notes[0].text = "edited \(note.text)" }
        case 6: if !fields.notes.isEmpty { fields.notes.removeLast() }
        case 7: fields.photos = new.photos
        default: fields.collections = new.collections
        }
      }
    }
  }

  private mutating func randomFields() -> PlaceFields {
    PlaceFields(
      // On the globe.
      coordinate: Coordinate(latitude: Double(number(0..<80)), longitude: 12.3456789)!,
      name: ["", "Abbey", "Mill", "Windmill"][number(0..<4)],
      kind: ["place", "bench"][number(0..<2)],
      alertRadiusMeters: [nil, 50, 500][number(0..<3)],
      photos: ["/a.jpg", "/b.jpg"].filter { _ in Bool.random(using: &generator) },
      collections: ["One", "Two", "Three"].filter { _ in Bool.random(using: &generator) })
  }

  /// Returns the values of all fields of a place by name; none where it never existed here.
  private func values(_ id: PlaceID, on machine: Int) -> [String: String] {
    let document = machines[machine]
    guard let place = document[id] ?? document.removedPlace(id, now: now) else { return [:] }
    var values = [
      "removed": "\(place.removedTime != nil)", "name": place.name, "kind": place.kind,
      "position": "\(place.coordinate.latitude)", "radius": "\(place.alertRadiusMeters ?? 0)",
    ]
    for note in place.notes { values["note \(note.id)"] = note.text }
    for photo in place.photos { values["photo \(photo)"] = "yes" }
    for name in place.collections { values["collection \(name)"] = "yes" }
    return values
  }

  /// Notes the fields of a place that differ from what they were.
  private mutating func note(_ id: PlaceID, on machine: Int, before: [String: String]) throws {
    let after = values(id, on: machine)
    for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
      known[machine][Field(place: id, name: name)] = Change(value: after[name] ?? "", step: step)
    }
  }

  /// Returns the fields in which a machine's places differ from the latest changes that it knows.
  func faults(of machine: Int) -> [String] {
    var faults: [String] = []
    for id in ids {
      let found = values(id, on: machine)
      let wanted = known[machine].filter { $0.key.place == id }
        .map { (name: $0.key.name, value: $0.value.value) }
      let names = Set(found.keys).union(wanted.map(\.name))
      let values = Dictionary(wanted.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      for name in names where found[name] ?? "" != values[name] ?? "" {
        faults.append("\(id) \(name): \(found[name] ?? "none"), not \(values[name] ?? "none")")
      }
    }
    return faults
  }

  /// Takes over the places of all machines into all, in an order.
  mutating func exchangeAll(in order: [Int]) throws {
    step += 1
    // After the first round the last machine knows all.
    for machine in order + order {
      for other in order where other != machine { try take(from: other, into: machine) }
    }
  }
}

@Suite struct LatestChangeTests {
  static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  @Test func `of each field the latest change wins on three machines, which end equal`() throws {
    let count = Effort.isThorough ? 10_000 : 300
    for seed in 1...UInt64(count) {
      var histories = KnownChanges(seed: seed)
      for step in 0..<40 {
        let machine = try histories.advance()
        let faults = histories.faults(of: machine)
        #expect(faults.isEmpty, "seed \(seed), step \(step), machine \(machine): \(faults)")
      }
      try histories.exchangeAll(in: Self.orders[Int(seed) % Self.orders.count])
      let ends = histories.machines
      #expect(ends[0] == ends[1] && ends[1] == ends[2], "seed \(seed)")
      #expect(ends[0].json == ends[2].json, "seed \(seed)")
      for machine in 0..<3 {
        let faults = histories.faults(of: machine)
        #expect(faults.isEmpty, "seed \(seed), machine \(machine): \(faults)")
      }
    }
    if Effort.isThorough { print("histories: \(count) of three machines, all equal at the end") }
  }
}
