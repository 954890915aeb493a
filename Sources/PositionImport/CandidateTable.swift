import CivilTime
import Codecs
import PhotoMetadata

/// Numbers for the components of paths: the same for names that differ only in case or in the form
/// of composed characters (Unicode's canonical equivalence).
struct ComponentTable {
  /// The number of no component of the table.
  static let none: Int32 = -1

  private var numbers: [String: Int32] = [:]

  /// The number of a component; `nil` for one that was not added.
  subscript(component: [UInt8]) -> Int32? { numbers[Self.key(component)] }

  /// Adds a component; its number is above 0.
  mutating func add(_ component: [UInt8]) -> Int32 {
    let next = Int32(numbers.count + 1)
    let key = Self.key(component)
    if let known = numbers[key] { return known }
    numbers[key] = next
    return next
  }

  private static func key(_ component: [UInt8]) -> String {
    // Bytes that are not text are equal to the same bytes only.
    guard let text = String(validating: component, as: UTF8.self) else {
      return "/" + Hexadecimal.text(component)
    }
    return text.lowercased()
  }
}

/// Photos by their names and times, and by their names and sizes.
struct CandidateTable {
  private enum Kind: UInt8 { case clock, instant, size }

  private struct Key: Hashable {
    let name: Int32
    let kind: Kind
    let value: Int64
  }

  /// The last photo of each key.
  private var heads: [Key: Int32] = [:]
  /// For each photo the one before with the same key, by kind; -1 for none.
  private var previous: [[Int32]] = [[], [], []]

  /// More photos with one key are not looked at.
  private static let maximumCount = 256

  /// Adds a photo; photos are added in the order of their numbers, from 0.
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

  /// The photos with a name that were taken at a time, give or take two seconds or so; `nil` where
  /// they are too many.
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

  /// The photos with a name and a size; `nil` where they are too many.
  func photos(_ name: Int32, size: Int64) -> [Int32]? {
    chain(Key(name: name, kind: .size, value: size))
  }

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
