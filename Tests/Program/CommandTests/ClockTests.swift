import ArgumentParser
import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

@testable import PhotoSpotsProgram

/// Commands while the machine's clock is wrong, as on a board without a battery before it reaches a
/// time server.
@Suite(.timeLimit(.minutes(30))) struct ClockTests {
  private static let library = [
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/faketime",
  ].map { $0 + "/faketime/libfaketime.so.1" }.first { access($0, R_OK) == 0 }
  private static let clocks = [
    "1970-01-01 00:00:00", "1979-12-31 23:59:59", "2038-01-19 03:14:08", "2300-06-15 12:00:00",
  ]

  /// The commands that read the clock, with the arguments that make them do so. The shell replaces
  /// `$spot` by the id of a spot.
  private static let commands = [
    "watch feed.json", "watch --replay feed.json", "watch --record feed.json", "replay feed.json",
    "replay --as-of-then feed.json", "near 48.8619,2.2883", "near 48.8619,2.2883 --min-age 1y",
    "spots", "spots --not-recreated-since 1y", "history", "history --digest week",
    "history --digest day", "why last", "why $spot", "status", "devices", "mute",
    "mute $spot --for 7d", "mute", "unmute $spot",
    "places add 48.8619,2.2883 --name Oak --note leaves", "places list", "places list --removed",
    "places note Oak acorns", "places export --format gpx",
    "places duplicates", "pairs", "index", "index --full",
    "phone list",
  ]
  /// The other commands, and why they need no test here.
  private static let others = [
    "serve": "tested below", "fixes": "tested with its output",
    "import-positions": "reads files, whose times are in them",
    "home-assistant": "asks a broker", "forget": "reads no clock",
    "relocate": "reads no clock", "share": "reads no clock", "inspect": "reads no clock",
    "config": "reads no clock", "store": "the database has the clock",
    "benchmark": "reads the clock of timers only",
  ]

  @Test func `every command is run with wrong clocks, or reads none`() {
    let names = PhotoSpotsCommand.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    #expect(names.count > 20)
    let tested = Self.commands.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(Set(names) == Set(tested).union(Self.others.keys))
    #expect(Set(tested).isDisjoint(with: Self.others.keys))
  }

  private let folder = TemporaryFolder()

  /// Runs a shell script in which `at_clock` runs a command while the machine's clock is wrong. The
  /// clock of timers and the times of files stay as they are. The library changes the environment
  /// of the first process, where Swift looks for the arguments; that process is env(1).
  private func running(_ script: String, at clock: String) async throws -> String {
    let library = try #require(Self.library)
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      export PHOTOSPOTS_LISTEN_TOKENS=phone=0123456789abcdef
      photospots="\(PhotoSpotsProcess.program)"
      \(Shell.await)
      # The library is begun by env(1) and does not end with it, so its files stay.
      forget() { rm -f /dev/shm/faketime_shm_$1 /dev/shm/sem.faketime_sem_$1; }
      at_clock() {
        LD_PRELOAD=\(library) FAKETIME='@\(clock)' FAKETIME_DONT_FAKE_MONOTONIC=1 \
          DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1 env "$@" & pid=$!
        wait $pid; set -- $?
        forget $pid
        return $1
      }
      \(script)
      """)
    return outcome.output
  }

  @Test(.enabled(if: library != nil, "libfaketime is not installed"), arguments: clocks)
  func `no command fails because the machine's clock is wrong`(clock: String) async throws {
    try folder.write(
      """
      {"class":"TPV","device":"d","mode":3,"lat":48.8619,"lon":2.2883,"time":"2026-11-23T15:00:00Z"}
      {"class":"TPV","device":"d","mode":3,"lat":48.8619,"lon":2.2883,"time":"2026-11-23T15:10:00Z"}

      """, to: "feed.json")
    let output = try await running(
      """
      at_clock "$photospots" index -q \(samples)/photos; echo "index $?"
      at_clock "$photospots" phone add Anna --token > token; echo "phone $?"
      # A fix of a receiver keeps its time, whatever the machine's clock shows.
      at_clock "$photospots" fixes feed.json | grep -o '"time":"[^"]*"'
      spot=$("$photospots" near 48.8619,2.2883 --format json |
        grep -o '"id": *"[0-9a-z]*"' | head -n 1 | tr -d '": ' | cut -c 3-)
      [ ${#spot} = 12 ] || echo "no spot: $spot"
      while read -r command; do
        "$photospots" $command > now 2>&1 < /dev/null; now=$?
        at_clock "$photospots" $command > then 2>&1 < /dev/null; code=$?
        # An index made in 1970 is too old, and a spot muted then is not any more, by the right clock only.
        case $command in status | unmute*) now=$code;; esac
        [ $now = $code ] && [ $code -lt 64 ] || echo "$command: $code instead of $now"
      done <<END
      \(Self.commands.joined(separator: "\n"))
      END
      """, at: clock)
    #expect(
      output == """
        index 0
        phone 0
        "time":"2026-11-23T15:00:00.000Z"
        "time":"2026-11-23T15:10:00.000Z"

        """)
  }

  #if HTTPServer
    @Test(
      .enabled(if: library != nil, "libfaketime is not installed"),
      .enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"),
      arguments: clocks)
    func `a server with a wrong clock takes positions and answers`(clock: String) async throws {
      let output = try await running(
        """
        : > out
        LD_PRELOAD=\(try #require(Self.library)) FAKETIME='@\(clock)' NO_FAKE_STAT=1 \
          FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 env "$photospots" serve \
          --listen 127.0.0.1:0 --no-browser \(samples)/photos > out 2> err & pid=$!
        await '#' out
        url=$(sed 's,/#.*,,' out)
        get() { curl -sS --max-time 20 -o /dev/null -w '%{http_code}\\n' "$@"; }
        for time in 10 1795446000; do
          get -H 'Authorization: Bearer 0123456789abcdef' "$url/feed" \
            -d "{\\"_type\\":\\"location\\",\\"lat\\":48.8619,\\"lon\\":2.2883,\\"tst\\":$time}"
        done
        get "$url/"
        kill -TERM $pid; wait $pid; echo "ended with $?"
        forget $pid
        """, at: clock)
      #expect(output == "200\n200\n200\nended with 0\n")
    }
  #endif
}
