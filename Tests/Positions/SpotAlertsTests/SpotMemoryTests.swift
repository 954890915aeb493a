import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct SpotMemoryTests {
  private func day(_ text: String) -> CivilDay { CivilDay(Instant(iso8601: "\(text)T12:00:00Z")!) }

  private func memory(_ days: String..., on today: String = "2026-11-20", heading: Double? = nil)
    -> SpotMemory
  {
    let past = SpotPast(days: days.map(day), coverHeading: heading.flatMap { Heading(degrees: $0) })
    return SpotMemory(of: past, on: day(today))
  }

  @Test func `the nearest anniversary is chosen, and the oldest of equally near ones`() {
    #expect(memory("2017-11-18").anniversary == .init(years: 9, daysAway: 2))
    #expect(memory("2017-11-18", "2020-11-22").anniversary == .init(years: 9, daysAway: 2))
    #expect(memory("2017-11-18", "2020-11-20").anniversary == .init(years: 6, daysAway: 0))
    #expect(memory("2017-11-14").anniversary == .init(years: 9, daysAway: 6))
    #expect(memory("2017-11-13", "2017-11-27").anniversary == nil)
  }

  @Test func `photos of the current year have no anniversary, and one may span New Year`() {
    #expect(memory("2026-11-19").anniversary == nil)
    #expect(
      memory("2019-12-30", on: "2026-01-02").anniversary == .init(years: 6, daysAway: 3))
    #expect(
      memory("2020-01-02", on: "2025-12-30").anniversary == .init(years: 6, daysAway: 3))
    #expect(memory("2025-01-02", on: "2025-12-30").anniversary == .init(years: 1, daysAway: 3))
    #expect(memory("2024-02-29", on: "2026-03-01").anniversary == .init(years: 2, daysAway: 0))
  }

  @Test func `counts the years with photos and the time since the latest photo`() {
    let memory = memory("2024-08-01", "2016-05-01", "2016-06-01", "2020-01-01", heading: 187)
    #expect(memory.yearCount == 3)
    #expect(memory.sinceLatest == .init(years: 2, days: 111))
    #expect(memory.headingDegrees == 187)
    #expect(self.memory("2027-01-01").sinceLatest == nil)
    #expect(self.memory() == SpotMemory(of: SpotPast(days: []), on: day("2026-11-20")))
  }

  @Test func `a notification's text has the anniversary or age, and the heading`() {
    func text(_ memory: SpotMemory) -> String {
      var notification = notification(also: ["b"])
      notification.memory = memory
      return notification.text
    }
    #expect(
      text(memory("2017-11-18", "2024-08-01", heading: 187))
        == "120 m north-east: 14 photos, 2016–2024, 9 years ago this week, and 1 more spot. Face south."
    )
    #expect(
      text(memory("2024-08-01"))
        == "120 m north-east: 14 photos, 2016–2024, the last one 2 years ago, and 1 more spot.")
    #expect(text(memory("2025-11-20")).hasSuffix(", 1 year ago today, and 1 more spot."))
    #expect(text(memory("2026-11-19")).hasSuffix(", the last one 1 day ago, and 1 more spot."))
    #expect(text(memory("2026-11-20")).hasSuffix(", the last one today, and 1 more spot."))
  }

  @Test func `the text has the 35 mm equivalent focal length if it is known`() throws {
    func text(_ millimeters: Double?, _ film: Int?, heading: Double? = nil) -> String {
      let past = SpotPast(
        days: [day("2026-11-20")], coverHeading: heading.flatMap { Heading(degrees: $0) },
        coverFocalLength: FocalLength(millimeters: millimeters, millimetersOn35mmFilm: film))
      var notification = notification()
      notification.memory = SpotMemory(of: past, on: day("2026-11-20"))
      return String(notification.text.drop { $0 != "." }.dropFirst(2))
    }
    #expect(text(4.2, 26, heading: 90) == "Face east, 26 mm.")
    #expect(text(4.2, 26) == "Taken at 26 mm.")
    #expect(text(4.2, nil, heading: 90) == "Face east.")
    #expect(text(4.2, nil) == "")
    #expect(text(nil, nil) == "")
    var sent = notification()
    for (own, film) in [(4.2, 26), (nil, 26), (4.2, nil)] as [(Double?, Int?)] {
      sent.memory = SpotMemory(
        sinceLatest: nil, anniversary: nil, yearCount: 1, headingDegrees: nil,
        focalLength: FocalLength(millimeters: own, millimetersOn35mmFilm: film))
      var reader = JSONReader(sent.ndjson)
      #expect(try SpotNotification(from: &reader) == sent)
    }
  }

  @Test func `the title is the anniversary if there is one`() {
    var notification = notification()
    #expect(notification.title(in: .english) == "You took a photo here")
    notification.memory = memory("2017-11-20")
    #expect(notification.title(in: .english) == "9 years ago today")
  }

  @Test func `a notification with or without a memory can be written to JSON and read`() throws {
    for memory in [
      nil, memory("2017-11-18", "2024-08-01", heading: 187.5), memory(), memory("2024-08-01"),
    ] as [SpotMemory?] {
      var sent = notification()
      sent.memory = memory
      var reader = JSONReader(sent.ndjson)
      #expect(try SpotNotification(from: &reader) == sent)
    }
  }
}
