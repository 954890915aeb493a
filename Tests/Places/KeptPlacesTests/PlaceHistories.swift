import CivilTime
import Spatial
import SystemPackage
import TestSupport

@testable import KeptPlaces

/// Random histories of several machines that edit the same places, with clocks up to a year wrong.
struct PlaceHistories {
  static let start = Instant(secondsSince1970: 1_795_176_000)

  private(set) var machines: [PlaceDocument]
  private var generator: SeededGenerator
  /// The errors of the machines' clocks in seconds.
  private let clockErrors: [Double]
  private(set) var seconds = 0.0
  private let ids: [PlaceID]

  init(seed: UInt64, machineCount: Int = 3) {
    generator = SeededGenerator(seed: seed)
    machines = Array(repeating: PlaceDocument(), count: machineCount)
    let year = 365.25 * 86_400
    clockErrors = (0..<machineCount).map { [0, -year, year, 0][$0 % 4] }
    var generator = generator
    ids = (0..<4).map { _ in PlaceID.random(using: &generator) }
  }

  /// Returns the time of a machine's clock.
  func now(_ machine: Int) -> Instant {
    Self.start.advanced(bySeconds: seconds + clockErrors[machine])
  }

  /// Makes a random change on a random machine, or merges the document of another one into its own.
  ///
  /// - Returns: The machine.
  @discardableResult
  mutating func step() throws -> Int {
    // Often zero, so that times are equal.
    seconds += [0, 0, 0.001, 60, 86_400, 10 * 86_400][Int.random(in: 0..<6, using: &generator)]
    let machine = Int.random(in: machines.indices, using: &generator)
    if Int.random(in: 0..<5, using: &generator) == 0 {
      let other = Int.random(in: machines.indices, using: &generator)
      machines[machine].merge(machines[other])
      return machine
    }
    let id = ids[Int.random(in: ids.indices, using: &generator)]
    try change(machine, id)
    return machine
  }

  private mutating func change(_ machine: Int, _ id: PlaceID) throws {
    let now = now(machine)
    guard machines[machine][id] != nil else {
      if machines[machine].removedPlace(id, now: now) != nil {
        try machines[machine].restore(id, now: now)
      } else {
        // Two machines create the same place at the same time.
        let fields = randomFields()
        _ = try? machines[machine].add(fields, id: id, now: now)
      }
      return
    }
    if Int.random(in: 0..<6, using: &generator) == 0 {
      return try machines[machine].remove(id, now: now)
    }
    let new = randomFields()
    let part = Int.random(in: 0..<7, using: &generator)
    try machines[machine].change(id, now: now) { fields throws(PlaceError) in
      switch part {
      case 0: fields.coordinate = new.coordinate
      case 1: fields.name = new.name
      case 2: fields.kind = new.kind
      case 3: fields.alertRadiusMeters = new.alertRadiusMeters
      case 4: fields.notes = new.notes
      case 5: fields.photos = new.photos
      default: fields.collections = new.collections
      }
    }
  }

  private mutating func randomFields() -> PlaceFields {
    func some<Element>(_ elements: [Element]) -> [Element] {
      elements.filter { _ in Bool.random(using: &generator) }
    }
    let latitude = Double(Int.random(in: 0..<3, using: &generator))
    var note = PlaceNote(text: "first", time: Self.start)
    note.text = Bool.random(using: &generator) ? "first" : "second"
    return PlaceFields(
      // On the globe.
      coordinate: Coordinate(latitude: latitude, longitude: 12.3456789)!,
      // Canonically equivalent texts that differ in bytes.
      name: ["", "Été", "E\u{301}te\u{301}"].randomElement(using: &generator)!,
      kind: ["place", "bench"].randomElement(using: &generator)!,
      alertRadiusMeters: [nil, 50, 500].randomElement(using: &generator)!,
      notes: some([note, PlaceNote(text: "other", time: Self.start)]),
      photos: some(["/a.jpg", "/b.jpg"]), collections: some(["One", "Two"]))
  }
}
