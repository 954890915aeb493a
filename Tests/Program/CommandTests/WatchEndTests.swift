import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// The ends of a watch: in each case decided notifications are delivered, or reported as
/// undelivered.
@Suite(.timeLimit(.minutes(30))) struct WatchEndTests {
  private let folder: TemporaryFolder
  private let photospots: PhotoSpotsProcess
  private let walk = samples.appending("walk.ndjson").string

  init() async throws {
    folder = TemporaryFolder()
    photospots = PhotoSpotsProcess(home: folder.root)
    _ = try await photospots.run("index", samples.appending("photos").string)
  }

  private func hook(_ body: String, _ name: String = "hook.sh") throws -> String {
    try folder.write("#!/bin/sh\n\(body)\n", to: name)
    try folder.makeExecutable(folder.path(name))
    return folder.path(name).string
  }

  /// Returns a hook that waits until something is written to the FIFO `go`.
  private func waitingHook() throws -> String {
    try hook("read -r word < \(folder.path("go")); echo x >> \(folder.path("log"))")
  }

  /// Runs a shell script in which `photospots` is the program, with the test's folders.
  private func shell(_ script: String) async throws -> (output: String, errors: String) {
    try await Shell.run(
      """
      cd \(folder.root); trap 'kill $pid $keeper 2> /dev/null' EXIT
      export XDG_CACHE_HOME=$PWD/xdg_cache_home XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      export PHOTOSPOTS_RULES_OFF=coldStart,vehicles
      photospots=\(PhotoSpotsProcess.program)
      \(Shell.await)
      fix() { printf '{"latitude":%s,"longitude":%s}\\n' 48.86194 2.2883; }
      \(script)
      """)
  }

  private func lineCount(_ name: String) throws -> Int {
    try folder.contents(of: folder.path(name)).split(separator: 0x0A).count
  }

  @Test func `a failing feed does not prevent alerts of the other feeds`() async throws {
    try folder.write("garbage\n", to: "bad")
    let hook = try hook("echo x >> \(folder.path("log"))")
    for run in 1...5 {
      let outcome = try await photospots.run(
        "watch", walk, folder.path("bad").string, "--hook", hook)
      #expect(outcome.code == 1)
      #expect(outcome.output.split(separator: "\n").count == 2)
      #expect(try lineCount("log") == 2 * run)
    }
  }

  @Test func `alerts decided before a document ends the watch are still delivered`()
    async throws
  {
    // A slow receiver.
    let hook = try hook("sleep 0.2; echo x >> \(folder.path("log"))")
    let outcome = try await shell(
      """
      mkfifo feed; sleep 1000 > feed & keeper=$!; : > late.gpx
      $photospots watch feed late.gpx --follow --hook \(hook) > out 2> err & pid=$!
      fix > feed; await . out
      while kill -0 $pid 2> /dev/null; do echo '<gpx><trk>' >> late.gpx; sleep 0.05; done
      wait $pid; echo "status $?"; cat err
      """)
    #expect(outcome.output.hasPrefix("status 64\n"), "\(outcome)")
    #expect(try lineCount("log") == 1)
  }

  @Test func `alerts decided before the reader of decisions exits are still delivered`()
    async throws
  {
    let hook = try waitingHook()
    let outcome = try await shell(
      """
      # Opened for reading and writing, or SIGPIPE would end this shell when the watch exits.
      mkfifo feed go lines; sleep 1000 <> feed 3<> go & keeper=$!
      $photospots watch feed --explain --hook \(hook) > lines & pid=$!
      fix > feed; grep -q notify lines
      for number in 1 2 3; do echo '{"latitude":48.9,"longitude":2.2883}' > feed; done
      echo > go; await x log; wait $pid; echo "status $?"
      """)
    #expect(outcome.output == "status 0\n", "\(outcome)")
    #expect(try lineCount("log") == 1, "\(outcome)")
  }

  @Test func `a failing receiver is reported at the end, and retried within --drain-timeout`()
    async throws
  {
    // All attempts fail; a slow machine may make several.
    let failing = try await photospots.run("watch", walk, "--hook", hook("exit 1", "failing.sh"))
    #expect(failing.code == 3)
    #expect(failing.output.split(separator: "\n").count == 2)
    #expect(
      failing.errors.contains("hook: 2 notifications are not delivered (exit status 1); not stored")
    )
    let recovering = try hook(
      "echo x >> \(folder.path("tries")); [ $(wc -l < \(folder.path("tries"))) -gt 2 ]")
    let patient = try await photospots.run(
      "watch", walk, "--hook", recovering, "--drain-timeout", "5min")
    #expect(patient.code == 0)
    #expect(!patient.errors.contains("not delivered"))
    #expect(try await photospots.run("watch", walk, "--drain-timeout", "-1s").code == 64)
  }

  @Test func `a full or closed standard output is an error that counts the lost alerts`()
    async throws
  {
    let outcome = try await shell(
      """
      $photospots watch \(walk) > /dev/full; echo "status $?"
      fix | $photospots watch - > /dev/full; echo "status $?"
      $photospots near 48.86194 2.2883 >&-; echo "status $?"
      $photospots watch \(walk) --explain >&-; echo "status $?"
      """)
    #expect(outcome.output == "status 1\nstatus 1\nstatus 1\nstatus 1\n")
    #expect(
      outcome.errors.contains(
        "stdout: 2 notifications are not delivered (No space left on device); not stored"))
    #expect(
      outcome.errors.contains(
        "stdout: 1 notification is not delivered (No space left on device); stored in"))
  }

  @Test func `a reader that closes standard output early is not a failure`() async throws {
    let hook = try hook("echo x >> \(folder.path("log"))")
    let outcome = try await shell(
      """
      mkfifo out; ($photospots watch \(walk) --hook \(hook) > out; echo "status $?" > status) & pid=$!
      : < out; wait $pid; cat status
      """)
    #expect(outcome.output == "status 0\n", "\(outcome)")
    #expect(outcome.errors.isEmpty)
    #expect(try lineCount("log") > 0)
  }

  @Test func `a recorded file can be watched without --record while another watch runs`()
    async throws
  {
    let outcome = try await shell(
      """
      mkfifo feed; sleep 1000 > feed & keeper=$!
      $photospots watch feed > out 2> err & pid=$!
      await . state/photospots/journal.ndjson
      $photospots watch \(walk) | wc -l
      $photospots watch \(walk) --record; echo "status $?"
      $photospots history
      kill -TERM $pid; wait $pid; echo "status $?"
      """)
    #expect(outcome.output.filter { $0 != " " } == "2\nstatus1\nstatus0\n", "\(outcome)")
    #expect(outcome.errors.contains("in use by another watch"))
  }

  @Test func `an alert whose hook killed the program twice is not tried again`()
    async throws
  {
    let hook = try hook("kill -9 $PPID")
    let outcome = try await shell(
      """
      fix | ($photospots watch - --hook \(hook) > out; echo "status $?")
      for run in 1 2; do
        ($photospots watch - --hook \(hook) --drain-timeout 5min < /dev/null > out; echo "status $?")
      done
      $photospots watch - --hook \(hook) --drain-timeout 5min < /dev/null; echo "status $?"
      $photospots history
      """)
    let lines = outcome.output.split(separator: "\n")
    #expect(
      lines.prefix(4) == ["status 137", "status 137", "status 3", "status 0"], "\(outcome)")
    #expect(lines.last?.hasSuffix("hook not retried: the program ended during 2 tries]") == true)
    let told = "is not tried again: the program ended during two tries to deliver it\n"
    #expect(outcome.errors.components(of: told) == 1, "\(outcome)")
  }

  @Test func `on a terminal watch reports its feed and the first position`()
    async throws
  {
    let terminal = try Pseudoterminal()
    let outcome = try await shell(
      """
      fix | $photospots watch - 2> \(terminal.path) > out; echo "status $?"
      $photospots watch \(walk) 2> \(terminal.path) > out
      """)
    #expect(outcome.output == "status 0\n", "\(outcome)")
    let lines = String(decoding: terminal.receiveAll(), as: UTF8.self)
      .split(separator: "\r\n")
    #expect(lines.count == 3, "\(lines)")
    #expect(lines.first == "photospots: 23 spots; waiting for standard input")
    #expect(lines.dropFirst().first == "photospots: received the first position")
    #expect(lines.last == "photospots: 23 spots; reading \(walk)")
  }
}

extension String {
  /// The number of occurrences of a text in this one.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
