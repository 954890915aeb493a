import CivilTime
import FeedSources
import LocationFeeds

/// The readings about which lanes decide, and those that repeat a fix of them.
///
/// A sender that repeats a fix while the first report of it is being decided gets the answer of the
/// first. An earlier positive answer would be wrong if the program ended before the decision is
/// stored: the sender would not send the fix again.
struct UndecidedReadings {
  private struct Reading {
    let item: FeedInbox.Item?
    let feed: OpenFeed
    let fixes: [LocationFix]
    /// The number of results that are awaited: its own, and those of the readings that it repeats.
    var awaitedCount: Int
    var isTaken = true
    /// The readings that repeat fixes of this one.
    var repeats: [Int] = []
  }

  private struct Key: Hashable {
    let feed: ObjectIdentifier
    let device: String?
    let time: Instant

    init?(_ fix: LocationFix, of feed: OpenFeed) {
      guard let time = fix.time else { return nil }
      (self.feed, device, self.time) = (ObjectIdentifier(feed), fix.device, time)
    }
  }

  private var readings: [Int: Reading] = [:]
  /// The reading of each fix that is being decided.
  private var numbers: [Key: Int] = [:]

  /// Whether all readings are decided.
  var isEmpty: Bool { readings.isEmpty }

  /// Adds a reading if it must wait for an answer.
  ///
  /// - Parameters:
  ///   - number: The number of the reading.
  ///   - item: The item to answer; `nil` for none.
  ///   - feed: The feed that was read.
  ///   - reading: The fixes, and those that repeat earlier ones.
  ///   - isDecided: Whether its own fixes are decided already.
  /// - Returns: Whether it must wait.
  mutating func add(
    _ number: Int, _ item: FeedInbox.Item?, of feed: OpenFeed, _ reading: SourceReader.Reading,
    isDecided: Bool
  ) -> Bool {
    let originals = Set(
      reading.repeated.compactMap { Key($0, of: feed) }.compactMap { numbers[$0] })
    let awaitedCount = originals.count + (isDecided ? 0 : 1)
    guard awaitedCount > 0 else { return false }
    for original in originals { readings[original]?.repeats.append(number) }
    let fixes = isDecided ? [] : reading.fixes
    for fix in fixes { if let key = Key(fix, of: feed) { numbers[key] = number } }
    readings[number] = Reading(item: item, feed: feed, fixes: fixes, awaitedCount: awaitedCount)
    return true
  }

  /// Notes the result of a reading. The feed's reader forgets the fixes of a refused one, so that
  /// they are not repetitions when they are sent again.
  ///
  /// - Returns: The items to answer, of this reading and of those that repeat it.
  mutating func finish(
    _ number: Int, isTaken: Bool
  ) -> [(item: FeedInbox.Item, isTaken: Bool)] {
    guard let reading = readings[number] else { return [] }
    for fix in reading.fixes {
      if let key = Key(fix, of: reading.feed), numbers[key] == number { numbers[key] = nil }
    }
    if !isTaken { reading.feed.reader.forget(reading.fixes) }
    readings[number]?.repeats = []
    return ([number] + reading.repeats).compactMap { settle($0, isTaken: isTaken) }
  }

  /// Notes one of the results that a reading awaits; returns its item after the last of them.
  private mutating func settle(
    _ number: Int, isTaken: Bool
  ) -> (item: FeedInbox.Item, isTaken: Bool)? {
    guard var reading = readings.removeValue(forKey: number) else { return nil }
    reading.awaitedCount -= 1
    if !isTaken { reading.isTaken = false }
    guard reading.awaitedCount == 0 else {
      readings[number] = reading
      return nil
    }
    guard let item = reading.item, item.awaitsAnswer else { return nil }
    return (item, reading.isTaken)
  }
}
