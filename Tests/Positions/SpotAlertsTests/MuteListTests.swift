import CLibrary
import CivilTime
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct MuteListTests {
  private let folder = TemporaryFolder()
  private var list: MuteList { MuteList(in: folder.root.appending("state")) }

  private let forever = MutedSpot(spotID: "a", center: .tower)
  private let anHour = MutedSpot(
    spotID: "b", center: .tower, until: noon.advanced(bySeconds: 3600))

  @Test func `mutes are saved and loaded, and expired ones are removed at the next change`() throws
  {
    #expect(try list.load() == [])
    try list.update(now: noon) { $0 += [forever, anHour] }
    #expect(try list.load() == [forever, anHour])
    #expect(permissions(of: list.path) == 0o600)
    try list.update(now: noon.advanced(bySeconds: 3600)) { _ in }
    #expect(try list.load() == [forever])
  }

  @Test(arguments: [
    "", "[]", #"{"format":"photospots-index","version":1}"#,
    #"{"format":"photospots-mutes","version":2,"mutes":[]}"#,
    #"{"format":"photospots-mutes","version":1,"mutes":[{"spot":"a"}]}"#,
    #"{"format":"photospots-mutes","version":1,"mutes":[{"spot":"a","latitude":91,"longitude":0}]}"#,
  ])
  func `a file that is not a mute list is refused and left unchanged`(_ text: String) throws {
    try Disk.createFolder(list.path.removingLastComponent())
    try writeFile(list.path, text.utf8)
    #expect(throws: MuteListError.self) { try list.load() }
    #expect(throws: MuteListError.self) { try list.update(now: noon) { $0 = [] } }
    #expect(readFile(list.path) == Array(text.utf8))
  }

  @Test func `a change during another change is refused`() throws {
    try list.update(now: noon) { list in
      list = [forever]
      #expect(throws: MuteListError.inUse(self.list.path)) {
        try self.list.update(now: noon) { $0 = [] }
      }
    }
    #expect(try list.load() == [forever])
  }

  @Test func `a list of a newer version is kept for the newer program`() throws {
    let text = #"{"format":"photospots-mutes","version":2,"mutes":[{"another":"form"}]}"#
    try Disk.createFolder(list.path.removingLastComponent())
    try writeFile(list.path, text.utf8)
    for change in [{ _ = try list.load() }, { try list.update(now: noon) { $0 = [] } }] {
      do {
        try change()
        Issue.record("the list was read")
      } catch {
        guard case MuteListError.newer = error else {
          Issue.record("\(error)")
          continue
        }
        #expect("\(error)".contains("newer photospots") && !"\(error)".contains("delete"))
      }
    }
    #expect(readFile(list.path) == Array(text.utf8))
  }

  @Test func `a list whose folder goes away is an error, and nothing is written`() throws {
    let list = list
    try list.update(now: noon) { $0 = [forever] }
    #expect(try list.load() == [forever])
    let (state, away) = (folder.path("state"), folder.path("away"))
    #expect(rename(state.string, away.string) == 0)
    for isMade in [false, true] {
      if isMade { try Disk.createFolder(state) }
      #expect(throws: MuteListError.away(list.path)) { try list.load() }
      #expect(throws: MuteListError.away(list.path)) { try list.update(now: noon) { _ in } }
    }
    #expect(try Disk.entryCount(of: state) == 0)
    #expect(rmdir(state.string) == 0 && rename(away.string, state.string) == 0)
    #expect(try list.load() == [forever])
  }
}
