import CivilTime
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@Suite struct SettlingTests {
  private let settling = PhotoIndexer.Settings(settleSeconds: 2)

  /// Seconds since 1970 of the next scan, which comes a minute after the one before.
  private func nextScan(_ library: borrowing Library) -> Int {
    Int(library.now.millisecondsSince1970 / 1000) + 60
  }

  @Test func `a newly written file is left for the next scan`() throws {
    var library = try Library()
    try library.add("old.jpg", 1)
    try library.add("sub/new.jpg", 2, modified: nextScan(library) - 1)
    let first = try library.scan(settings: settling)
    #expect(first.unsettled == 1)
    #expect(first.changes == ["new": 1, "read": 1])
    #expect(library.located == ["old.jpg"])
    let second = try library.scan(settings: settling)
    #expect(second.unsettled == 0)
    #expect(library.located == ["old.jpg", "sub/new.jpg"])
  }

  @Test func `a known file that was just written keeps its values until the next scan`() throws {
    var library = try Library()
    try library.add("a.jpg", 1)
    try library.scan()
    let before = library.index.photo(at: 0).coordinate
    try library.add("a.jpg", 2, modified: nextScan(library))
    let report = try library.scan(settings: settling)
    #expect(report.unsettled == 1)
    #expect(report.changes == [:])
    #expect(report.foundNothingNew)
    #expect(library.index.photo(at: 0).coordinate == before)
    #expect(try library.scan(settings: settling).changes == ["changed": 1, "read": 1])
    #expect(library.index.photo(at: 0).coordinate != before)
  }

  @Test func `files with future times and unchanged files are not delayed`() throws {
    var library = try Library()
    try library.add("future.jpg", 1, modified: nextScan(library) + 3600)
    #expect(try library.scan(settings: settling).changes == ["new": 1, "read": 1])
    try library.add("b.jpg", 2, modified: nextScan(library) - 1)
    try library.scan()
    library.now = library.now.advanced(bySeconds: -60)
    let report = try library.scan(settings: settling)
    #expect(report.unsettled == 0)
    #expect(report.changes == [:])
  }
}
