import CLibrary
import KeptPlaces
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotService
import TestSupport
import Testing

@testable import PageServer

/// Replays that the page requests.
@Suite(.timeLimit(.minutes(30))) struct ServeReplayTests {
  private let folder = TemporaryFolder()

  /// A track of a number of fixes, one a second.
  private func track(_ count: Int) -> [UInt8] {
    Array(
      (0..<count).map { number in
        """
        {"class":"TPV","device":"d","mode":3,"lat":48.8,"lon":\(2 + Double(number) / 1e6),\
        "time":"2026-11-20T\(Self.two(number / 3600)):\(Self.two(number / 60 % 60)):\
        \(Self.two(number % 60))Z"}

        """
      }.joined().utf8)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Runs a replay that is cancelled at a check, `nil` for none, and returns the number of checks.
  private func run(
    _ replay: ServeReplay, cancelledAt last: Int?
  ) throws -> (checks: Int, problem: Problem?) {
    let index = PhotoIndex([])
    let library = ServedLibrary(
      index: index, spots: SpotIndex(index, clusterRadius: 15), generation: "1")
    let places = ServedPlaces(PlaceDocument(), spots: library.spots, clusterRadius: 15)
    let settings = Settings(flags: [:], file: folder.path("config.json"))
    var checks = 0
    do throws(Problem) {
      _ = try replay.run(
        over: library, places, settings, mutedSpots: [],
        recreations: RecreationTimes(stateFolder: folder.root, log: .none),
        isCancelled: {
          checks += 1
          return last == checks
        })
      return (checks, nil)
    } catch { return (checks, error) }
  }

  @Test func `a cancelled replay ends at its next check, while it reads and while it decides`()
    throws
  {
    let count = 3 * ServeReplay.fixesBetweenChecks
    let replay = ServeReplay(track: track(count), variants: ["dwell=30s"])
    let all = try run(replay, cancelledAt: nil)
    #expect(all.problem == nil)
    let readings = (replay.track.count - 1) / ServeReplay.bytesBetweenChecks + 1
    #expect(readings > 1)
    // For each of the two runs: one at its start, and one for each part of the fixes.
    #expect(all.checks == readings + 1 + 2 * (1 + 3))
    for last in 1...all.checks {
      let (checks, problem) = try run(replay, cancelledAt: last)
      #expect(checks == last && problem?.kind == .busy)
    }
  }

  @Test func `work learns that its task is cancelled`() async {
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      await ServeReplay.cancellable { isCancelled in
        start.yield()
        while !isCancelled() { sched_yield() }
        return true
      }
    }
    for await _ in started { break }
    task.cancel()
    #expect(await task.value)
  }
}
