import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// A watch that is repeatedly killed while it decides and delivers.
///
/// The number of kills is ten, or the value of the environment variable `PHOTOSPOTS_KILLS`;
/// `make soak` sets 200.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
  private static let count: Int = {
    guard let text = getenv("PHOTOSPOTS_KILLS").map({ String(cString: $0) }) else { return 10 }
    guard let count = Int(text), (1...100_000).contains(count) else {
      preconditionFailure("PHOTOSPOTS_KILLS=\(text): write a number from 1 to 100000")
    }
    return count
  }()

  private let folder = TemporaryFolder()

  /// Each fix is from a different device at a spot, so that each fires. There are two fixes for
  /// each delivery, so that the number of pending deliveries grows.
  @Test func `alerts decided before a kill are delivered after it with the same id`() async throws {
    try folder.write(
      "#!/bin/sh\necho $PHOTOSPOTS_ID >> \(folder.path("delivered"))\n", to: "hook.sh")
    try folder.makeExecutable(folder.path("hook.sh"))
    let outcome = try await Shell.run(
      """
      cd \(folder.root); trap 'kill $pid $feeder $ticker 2> /dev/null' EXIT
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      # Every device is new, and near all others.
      export PHOTOSPOTS_RULES_OFF=coldStart,devices,vehicles
      photospots=\(PhotoSpotsProcess.program)
      $photospots index "\(samples.appending("photos"))" > /dev/null
      mkfifo feed ticks; : > printed; : > delivered
      journal=state/photospots/journal.ndjson
      fix() { echo "{\\"latitude\\":48.85150,\\"longitude\\":2.35300,\\"device\\":\\"d$1\\"}"; }
      feed() {
        for i in $(seq 16); do fix $1-$i; done
        while read -r id; do
          i=$((i + 2)); fix $1-$((i - 1)); fix $1-$i
        done
      }
      # Waits until a file is larger than a number of bytes, at most a minute.
      larger() { timeout 60 tail -c +$(($2 + 1)) -F "$1" 2> /dev/null | head -c 1 > /dev/null; }
      size() { stat -c %s "$1" 2> /dev/null || echo 0; }
      for kill in $(seq \(Self.count)); do
        before=$(size $journal) printed=$(size printed)
        # The shell opens the FIFO for both processes, so that neither blocks.
        tail -c +$(($(size delivered) + 1)) -F delivered > ticks 2> /dev/null & ticker=$!
        feed $kill > feed < ticks 2> /dev/null & feeder=$!
        $photospots watch feed --set alertsPerMinute=off --hook ./hook.sh --format ndjson >> printed 2>> err & pid=$!
        # Kills after the first printed alert, or after a growth of the journal by a part of a record up to many.
        if test $((kill % 2)) = 0; then
          larger printed $printed
        else
          larger $journal $((before + $(awk "BEGIN { srand($kill); print int(exp(rand() * 10)) }")))
        fi
        kill -9 $pid; wait $pid 2> /dev/null; kill $feeder $ticker 2> /dev/null; wait $feeder $ticker 2> /dev/null
        $photospots history --format json > history.json || { echo "unreadable after $kill"; exit 1; }
      done
      # Deliveries wait some seconds for their next try.
      $photospots watch - --hook ./hook.sh --drain-timeout 10min < /dev/null >> printed 2>> err
      $photospots history --format json > history.json
      echo done
      """)
    #expect(outcome.output == "done\n", "\(outcome)")
    let history = String(
      decoding: try folder.contents(of: folder.path("history.json")), as: UTF8.self)
    let decided = ids(in: history)
    let delivered = String(
      decoding: try folder.contents(of: folder.path("delivered")), as: UTF8.self
    ).split(separator: "\n").map(String.init)
    let printed = String(
      decoding: try folder.contents(of: folder.path("printed")), as: UTF8.self
    ).split(separator: "\n").filter { $0.hasSuffix("}") }.flatMap { ids(in: String($0)) }
    #expect(decided.count > Self.count)
    #expect(Set(decided).count == decided.count)
    #expect(Set(decided).subtracting(delivered).isEmpty, "decided and not delivered")
    #expect(Set(delivered).subtracting(decided).isEmpty, "delivered under another id")
    #expect(Set(printed).subtracting(decided).isEmpty, "printed and forgotten")
    #expect(!history.contains("pending") && !history.contains("expired"))
    print(
      """
      kills: \(Self.count); \(decided.count) notifications decided, \(Set(delivered).count) delivered to the \
      hook, \(delivered.count - Set(delivered).count) of them twice; \(Set(printed).count) printed
      """)
  }

  /// The ids of notifications, which are longer than those of spots.
  private func ids(in json: String) -> [String] {
    json.matches(of: /"id": ?"([a-z2-7]{13})"/).map { String($0.1) }
  }
}
