import SystemPackage
import TestSupport
import Testing

@Suite struct WhyCommandTests {
  let folder: TemporaryFolder
  let photospots: PhotoSpotsProcess
  let walk = samples.appending("walk.ndjson").string

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  @Test func `why explains an alert by id, position, album and time`() async throws {
    _ = try await photospots.run("watch", walk, "--record")
    let last = try await photospots.run("why", "last")
    #expect(last.code == 0 && last.errors.isEmpty)
    #expect(last.output.contains(": ") && last.output.contains("16 May"))
    let byID = try await photospots.run("why", "47xj")
    #expect(byID.output.contains("it fired, ") && byID.output.contains("m "))
    #expect(byID.output.hasSuffix("[stdout delivered]\n"))
    #expect(try await photospots.run("why", "47XJSBMTZ9SP").output == byID.output)
    let byPlace = try await photospots.run("why", "48.86194", "2.28831")
    #expect(byPlace.output == byID.output)
    #expect(try await photospots.run("why", "2016 Paris").output == byID.output)
    #expect(try await photospots.run("why", "2015 Fiji").output.isEmpty)
    let json = try await photospots.run("why", "47xj", "--format", "json")
    #expect(json.output.contains(#""kind": "notified""#) && json.output.contains("explanation"))
    let early = try await photospots.run("why", "47xj", "--at", "2026-05-16T08:30")
    #expect(early.output == byID.output)
    let never = try await photospots.run("why", "47xj", "--at", "2025-05-16")
    #expect(never.code == 0 && never.output.isEmpty)
    #expect(never.errors.contains("no visit is recorded there within 12 hours of that time"))
  }

  @Test func `why last passes over a decision that was recorded while the clock was ahead`()
    async throws
  {
    _ = try await photospots.run("watch", walk, "--record")
    let last = try await photospots.run("why", "last")
    let journal = folder.path("xdg_state_home/photospots/journal.ndjson")
    let text = String(decoding: try folder.contents(of: journal), as: UTF8.self)
    // The first alert is about another spot.
    let first = try #require(text.firstMatch(of: /"fired","recorded":"\d{4}/))
    let ahead = text.replacing(first.0, with: #""fired","recorded":"2999"#, maxReplacements: 1)
    try folder.write(ahead, to: journal)
    #expect(try await photospots.run("why", "last").output == last.output)
  }

  @Test func `why explains a user's place by its name, id or the start of its id`()
    async throws
  {
    let kept = try await photospots.run(
      "places", "add", "48.8584", "2.2945", "--name", "The bench", "--format", "json")
    let id = String(try #require(kept.output.firstMatch(of: /"id": "(\w{16})"/)).1)
    let byName = try await photospots.run("why", "the bench", "--feed", walk)
    #expect(byName.code == 0 && byName.output.hasPrefix("The bench, 16 May "))
    #expect(byName.output.contains("it fired, "))
    for name in [id, String(id.prefix(5))] {
      let explained = try await photospots.run("why", name, "--feed", walk)
      #expect(explained.output == byName.output)
    }
  }

  @Test func `why explains a suppressed alert, and history --all and --digest include it`()
    async throws
  {
    _ = try await photospots.run("watch", walk, "--record", "--set", "dwell=30min")
    let why = try await photospots.run("why", "47xj")
    #expect(why.output.contains("you came within "))
    #expect(why.output.hasSuffix("before you had been there for 30 min.\n"))
    let all = try await photospots.run("history", "--all")
    #expect(all.output.contains("it waits until you have been there for 30 min"))
    #expect(!(try await photospots.run("history").output.contains("it waits")))
    let digest = try await photospots.run("history", "--digest", "week")
    #expect(digest.code == 0 && digest.output.contains("suppressed"))
    #expect(try await photospots.run("history", "--digest", "day", "--all").code == 64)
  }

  @Test func `history names a spot by the place that is pinned to it, if the places can be read`()
    async throws
  {
    _ = try await photospots.run("watch", walk, "--record")
    let before = try await photospots.run("history").output.split(separator: "\n")
    #expect(before.count == 2 && before[0].contains("  phone: Paris, "))
    let added = try await photospots.run("places", "add", "--spot", "47xj", "--name", "Bench")
    #expect(added.code == 0, "\(added.errors)")
    let named = try await photospots.run("history")
    #expect(named.errors.isEmpty && named.output.contains("  phone: Bench, "))
    let file = folder.path("xdg_state_home/photospots/places.json")
    try folder.write("{\"format\":", to: file)
    let damaged = try await photospots.run("history")
    #expect(damaged.code == 0 && damaged.errors.contains("places.json"), "\(damaged.errors)")
    #expect(damaged.output.split(separator: "\n") == before)
  }

  @Test func `a place that an alert names is explained by that alert`() async throws {
    let added = try await photospots.run("places", "add", "48.8621", "2.2885", "--name", "Bench")
    #expect(added.code == 0, "\(added.errors)")
    let why = try await photospots.run("why", "Bench", "--feed", walk)
    #expect(why.output.contains("it fired, ") && why.output.contains("named 1 more nearby"))
    #expect(why.output.hasSuffix(". The alert named Bench too.\n"), "\(why.output)")
  }

  @Test func `why --feed explains a recorded feed and stores nothing`() async throws {
    let feed = try await photospots.run("why", "47xj", "--feed", walk)
    #expect(feed.code == 0 && feed.output.contains("it fired, "))
    let quiet = try await photospots.run(
      "why", "47xj", "--feed", walk, "--set", "quietHours=00:00-23:59", "--set",
      "quietHoursZone=UTC")
    #expect(quiet.output.hasSuffix("but quiet hours last until 23:59.\n"))
    let far = try await photospots.run("why", "47xj", "--feed", walk, "--set", "maximumAccuracy=1m")
    #expect(far.output.isEmpty && far.errors.contains("nothing was decided about "))
    let elsewhere = try await photospots.run("why", "48.8515", "2.353", "--feed", walk)
    #expect(elsewhere.errors.contains("was not entered: you came no nearer than "))
    #expect(try await photospots.run("why", "last").errors.contains("no decision is recorded"))
  }

  @Test func `why reports an unknown name, invalid arguments and a place without visits`()
    async throws
  {
    let unknown = try await photospots.run("why", "Atlantis")
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("'Atlantis' is not a spot, place, position or album"))
    #expect(try await photospots.run("why").code == 64)
    #expect(try await photospots.run("why", "last", "--at", "soon").code == 64)
    let nowhere = try await photospots.run("why", "-10.5", "-20.25")
    #expect(nowhere.code == 0 && nowhere.errors.contains("no visit is recorded there"))
  }
}
