import CivilTime
import Encodings
import PhotoMetadata

/// Numbers that identify path components. Components that differ only in case or in the composition
/// of characters (Unicode's canonical equivalence) have the same number.
struct ComponentTable {
  /// The number that represents a component that is not in the table.
  static let none: Int32 = -1

  private var numbers: [String: Int32] = [:]

  /// The number of a component; `nil` if it was not added.
  subscript(component: [UInt8]) -> Int32? { numbers[Self.key(component)] }

  /// Adds a component. Its number is greater than 0.
  mutating func add(_ component: [UInt8]) -> Int32 {
    let next = Int32(numbers.count + 1)
    let key = Self.key(component)
    if let known = numbers[key] { return known }
    numbers[key] = next
    return next
  }

  private static func key(_ component: [UInt8]) -> String {
    // Bytes that are not valid UTF-8 equal only the same bytes.
    guard let text = String(validating: component, as: UTF8.self) else {
      return "/" + Hexadecimal.text(component)
    }
    return text.lowercased()
  }
}

/// An index of photos by name and time, and by name and size.
struct CandidateTable {
  private enum Kind: UInt8 { case clock, instant, size }

  private struct Key: Hashable {
    let name: Int32
    let kind: Kind
    let value: Int64
  }

  /// The last photo of each key.
  private var heads: [Key: Int32] = [:]
  /// For each photo, by kind, the previous photo with the same key; -1 for none.
  private var previous: [[Int32]] = [[], [], []]

  /// The maximum number of photos with one key that a lookup returns.
  private static let maximumCount = 256

  /// Adds a photo. Photos must be added in the order of their numbers, from 0.
  mutating func add(_ photo: PhotoMatching.Photo, _ place: Int32) {
    add(photo.name, .clock, photo.captured?.clockTime.secondsDown, place)
    let instant = photo.captured.flatMap { $0.utcOffsetMinutes == nil ? nil : $0.instant }
    add(photo.name, .instant, instant?.secondsDown, place)
    add(photo.name, .size, photo.size, place)
  }

  private mutating func add(_ name: Int32, _ kind: Kind, _ value: Int64?, _ place: Int32) {
    var before: Int32 = -1
    if let value {
      let key = Key(name: name, kind: kind, value: value)
      before = heads[key] ?? -1
      heads[key] = place
    }
    previous[Int(kind.rawValue)].append(before)
  }

  /// Returns the photos with a name that were taken within about two seconds of a time; `nil` if
  /// there are too many.
  func photos(_ name: Int32, at time: CaptureTime) -> [Int32]? {
    var times = [(Kind.clock, time.clockTime.secondsDown)]
    if time.utcOffsetMinutes != nil { times.append((.instant, time.instant.secondsDown)) }
    var all: [Int32] = []
    for (kind, second) in times {
      for offset in -2...2 as ClosedRange<Int64> {
        guard let some = chain(Key(name: name, kind: kind, value: second + offset)) else {
          return nil
        }
        all += some
      }
    }
    return all
  }

  /// Returns the photos with a name and a size; `nil` if there are too many.
  func photos(_ name: Int32, size: Int64) -> [Int32]? {
    chain(Key(name: name, kind: .size, value: size))
  }

  /// Returns all photos with a key, the last one first; `nil` if there are too many.
  private func chain(_ key: Key) -> [Int32]? {
    var all: [Int32] = []
    var next = heads[key] ?? -1
    while next >= 0 {
      guard all.count < Self.maximumCount else { return nil }
      all.append(next)
      next = previous[Int(key.kind.rawValue)][Int(next)]
    }
    return all
  }
}

extension Instant {
  /// The whole seconds since 1970, rounded down.
  var secondsDown: Int64 {
    let milliseconds = millisecondsSince1970
    return milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000)
  }
}
