import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Long-running commands that follow changes of the photos and the index.
@Suite(.timeLimit(.minutes(30))) struct WatchingTests {
  private let folder = TemporaryFolder()
  private let paris = samples.appending("photos/2016 Paris")

  /// The file of shell functions that each script loads.
  private var prelude: String { ". \(folder.path("functions.sh"))" }

  init() throws {
    try folder.write(
      """
      cd \(folder.root); trap 'kill $pid $keeper 2> /dev/null' EXIT
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      export PHOTOSPOTS_RULES_OFF=coldStart,jumps,vehicles
      photospots() { exec \(PhotoSpotsProcess.program) "$@"; }
      \(Shell.await)

      """, to: "functions.sh")
    try folder.createFolder(folder.path("photos"))
    try folder.write(
      folder.contents(of: paris.appending("IMG_0431.jpg")), to: "photos/notre-dame.jpg")
  }

  @Test func `index --watch keeps the index up to date and ends cleanly`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      photospots index photos --watch > out 2> err & pid=$!
      await '1 photo scanned' out
      cp "\(paris)/IMG_0412.jpg" photos/new.jpg; await '1 new' err
      # Another process can write the index at the same time.
      (photospots index photos) > /dev/null; echo "index $?"
      mkdir -p photos/2016/april; mv photos/new.jpg photos/2016/april/; await '1 moved' err
      rm photos/2016/april/new.jpg; await '1 removed' err
      kill -TERM $pid; wait $pid; echo "status $?"
      (photospots spots)
      """)
    #expect(outcome.output.contains("index 0"))
    #expect(outcome.output.contains("status 0"))
    #expect(outcome.output.split(separator: "\n").count == 3, "\(outcome)")
  }

  @Test func `index --watch --json prints a line for each change of the index`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      photospots index photos --watch --json > out 2> err & pid=$!
      await '"scanned":1' out
      cp "\(paris)/IMG_0412.jpg" photos/; await '"scanned":2' out
      kill -INT $pid; wait $pid; echo "status $?"; cat out err
      """)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "status 0")
    #expect(lines.count == 3, "\(outcome)")
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(#"{"scanned":"#) && $0.hasSuffix("}") })
  }

  @Test func `index --watch requires existing folders`() async throws {
    let photospots = PhotoSpotsProcess(home: folder.root)
    let missing = try await photospots.run("index", folder.path("nowhere").string, "--watch")
    #expect(missing.code == 1)
    #expect(missing.errors.contains("there is no folder"))
    #expect(try await photospots.run("index", "--watch").code == 64)
    let interval = try await photospots.run("index", "photos", "--sweep-interval", "5min")
    #expect(interval.code == 64 && interval.errors.contains("--watch"))
  }

  /// Whether resource limits can be set in a user namespace.
  private static let canUnshare: Bool = {
    let test = "unshare -Urm sh -c 'test -w /proc/sys/user/max_inotify_watches' 2> /dev/null"
    return system(test) == 0
  }()

  @Test(
    .enabled(if: canUnshare, "limits can be set for a test alone"),
    arguments: [("watches", 1), ("instances", 0)])
  func `without inotify index --watch scans periodically and says so`(
    resource: String, limit: Int
  ) async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      mkdir photos/1 photos/2
      echo 'echo \(limit) > /proc/sys/user/max_inotify_\(resource)
      exec \(PhotoSpotsProcess.program) index photos --watch --sweep-interval 1s' > limited.sh
      unshare -Urm sh limited.sh > out 2> err & pid=$!
      await 'every 1 s, since' err
      cp "\(paris)/IMG_0412.jpg" photos/; await '1 new' err
      kill -TERM $pid; wait $pid; echo "status $?"; cat err
      """)
    #expect(outcome.output.contains("status 0"))
    #expect(outcome.output.contains("sysctl fs.inotify.max_user_\(resource)="), "\(outcome)")
    #expect(outcome.output.split(separator: "\n").count == 3, "\(outcome)")
  }

  @Test(.enabled(if: canUnshare, "disks can be mounted for a test alone"))
  func `unmounting and mounting a disk is reported, and its photos stay indexed`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      mkdir disk; echo '
      \(prelude)
      mount -t tmpfs none disk && cp photos/notre-dame.jpg disk/
      photospots index disk --watch > out 2> err & pid=$!
      await scanned out
      umount disk; await stale err
      (photospots spots)
      mount -t tmpfs none disk; cp photos/notre-dame.jpg disk/
      await "is back$" err
      kill -TERM $pid; wait $pid; echo "status $?"; umount disk' > script.sh
      unshare -Urm sh script.sh; grep -c stale err
      """)
    #expect(outcome.output.contains("1 photo"), "\(outcome)")
    #expect(outcome.output.hasSuffix("status 0\n1\n"), "\(outcome)")
  }

  @Test(.enabled(if: canUnshare, "disks can be mounted for a test alone"))
  func `index --watch names a disk inside a folder once, and deletions that it doubts`()
    async throws
  {
    let outcome = try await Shell.run(
      """
      \(prelude)
      mkdir -p photos/disk many; for n in $(seq 12); do cp photos/notre-dame.jpg many/$n.jpg; done; echo '
      \(prelude)
      mount -t tmpfs none photos/disk && cp photos/notre-dame.jpg photos/disk/
      photospots index photos many --watch --sweep-interval 1s > out 2> err & pid=$!
      await scanned out
      umount photos/disk; await "disk is not mounted" err
      mount -t tmpfs none photos/disk; cp photos/notre-dame.jpg photos/disk/; await "is back" err
      touch many/note.txt; rm many/*.jpg; await "12 of 12" err; sleep 2
      kill -TERM $pid; wait $pid; umount photos/disk' > script.sh
      unshare -Urm sh script.sh; grep -c "1 of 1 files" err; grep -c "12 of 12" err; cat err
      """)
    #expect(outcome.output.hasPrefix("1\n1\n"), "\(outcome)")
    #expect(!outcome.output.contains("unreadable"), "\(outcome)")
  }

  @Test(.enabled(if: canUnshare, "disks can be mounted for a test alone"))
  func `status names a disk inside a folder that is not mounted`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      mkdir photos/disk; echo '
      \(prelude)
      mount -t tmpfs none photos/disk && cp photos/notre-dame.jpg photos/disk/
      (photospots index photos); (photospots status); echo "mounted $?"
      umount photos/disk; (photospots status); echo "away $?"' > script.sh
      unshare -Urm sh script.sh
      """)
    #expect(outcome.output.contains("mounted 0\n"), "\(outcome)")
    #expect(outcome.output.contains("photos/disk is not mounted"), "\(outcome)")
    #expect(outcome.output.hasSuffix("away 2\n"), "\(outcome)")
  }

  @Test func `a live watch loads each new index, and keeps the old one if it is damaged`()
    async throws
  {
    let outcome = try await Shell.run(
      """
      \(prelude)
      (photospots index photos) > /dev/null
      mkfifo feed; sleep 1000 > feed & keeper=$!
      fix() { echo "{\\"latitude\\":$1,\\"longitude\\":$2}" > feed; }
      photospots watch feed --explain > out 2> err & pid=$!
      fix 48.86194 2.2883; await '"decision":"clear"' out
      cp "\(paris)/IMG_0412.jpg" photos/; (photospots index) > /dev/null
      await '2 spots' err
      fix 48.86214 2.2883; await '"decision":"notify"' out
      index=cache/photospots/index.json; cp $index kept
      head -c 200 kept > new; mv new $index; await 'damaged.*stay in use' err
      fix 48.86194 2.2883; await '"decision":"inside"' out
      mv kept $index; kill -HUP $pid; await '2 spots' err 2
      kill -TERM $pid; wait $pid; echo "status $?"; kill $keeper
      grep -c 'damaged' err; grep -c '"decision":"notify"' out
      """)
    #expect(outcome.output == "status 0\n1\n1\n", "\(outcome)")
  }

  @Test func `a live watch reloads settings on SIGHUP, and mutes without a signal`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      (photospots index photos) > /dev/null
      spot=$(photospots spots --format json | grep -o '"id": *"[^"]*"' | head -1 | cut -d'"' -f4)
      mkdir -p config/photospots; echo '{"cooldown":"0s","minimumInterval":"0s"}' > config/photospots/config.json
      mkfifo feed; sleep 1000 > feed & keeper=$!
      fix() { echo "{\\"latitude\\":$1,\\"longitude\\":$2}" > feed; }
      photospots watch feed --explain --set maximumFixAge=1h > out 2> err & pid=$!
      fix 48.87 2.353; await '"decision":"clear"' out
      (photospots mute $spot) > /dev/null; await 'muted spots' err
      fix 48.8515 2.353; await '"decision":"muted"' out
      echo '{"cooldown":"-1"}' > config/photospots/config.json; kill -HUP $pid
      await 'previous settings stay in use' err
      echo '{"cooldwn":"1h"}' > config/photospots/config.json; kill -HUP $pid
      await "did you mean 'cooldown'? The previous settings stay in use." err
      echo '{"notificationsEnabled":false}' > config/photospots/config.json; kill -HUP $pid
      await 'loaded the new settings' err
      kill -TERM $pid; wait $pid; echo "status $?"
      (photospots history)
      """)
    #expect(outcome.output.hasPrefix("status 0\n"), "\(outcome)")
    #expect(outcome.output.contains("but it is muted"), "\(outcome)")
  }

  @Test func `devices lists the last position of each device, and exports recorded trails`()
    async throws
  {
    let outcome = try await Shell.run(
      """
      \(prelude)
      (photospots index photos) > /dev/null
      # Half a minute apart, and all of one day.
      now=$(date +%s); first=$((now - 60)); midnight=$((now / 86400 * 86400))
      [ $first -ge $midnight ] || first=$midnight
      (for number in 0 1 2; do
        time=$(date -u -d "@$((first + 30 * number))" +%Y-%m-%dT%H:%M:%SZ)
        echo "{\\"time\\":\\"$time\\",\\"latitude\\":48.870$number,\\"longitude\\":2.353," \
          "\\"device\\":\\"p<1>\\",\\"horizontalAccuracy\\":7}"
      done) | (photospots watch - --keep-trail) > /dev/null
      (photospots devices)
      (photospots devices --trail 'p<1>') | grep -e '<name>' -e trkpt
      (photospots devices --trail 'p<1>' --format geojson | photospots fixes -) | wc -l
      (photospots devices --trail nobody) 2> /dev/null; echo "status $?"
      (photospots devices --trail x --format json) 2> /dev/null; echo "status $?"
      (photospots devices --forget nobody) 2> /dev/null; echo "status $?"
      (photospots devices --forget 'p<1>' --format json) 2> /dev/null; echo "status $?"
      (photospots devices --forget 'p<1>'); (photospots devices) 2> /dev/null
      """)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 11, "\(outcome)")
    #expect(lines.first?.contains("48.87020, 2.35300") == true, "\(outcome)")
    #expect(lines.first?.contains("good (7 m)  22 m on ") == true, "\(outcome)")
    #expect(lines.dropFirst().first == "<name>p&lt;1&gt;</name>")
    let statuses = ["3", "status 1", "status 64", "status 1", "status 64"]
    #expect(lines.suffix(6).dropLast().map(String.init) == statuses, "\(outcome)")
    #expect(lines.last == "removed the device 'p<1>'", "\(outcome)")
    #expect(outcome.errors.contains(/its trail stays until .*\/trails\/.*\.ndjson is deleted/))
  }

  @Test(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "python3 is not installed"))
  func `watch notifies a service manager that it is ready, alive and stopping`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      (photospots index photos) > /dev/null
      cat > manager.py <<'END'
      import os, socket, subprocess, sys
      manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      manager.bind("notices")
      manager.settimeout(100)
      watch = subprocess.Popen([sys.argv[1], "watch", "-", "--log-format", "json"], stdin=subprocess.PIPE,
        env={**os.environ, "NOTIFY_SOCKET": os.path.abspath("notices"), "WATCHDOG_USEC": "200000"})
      heard = []
      while len([notice for notice in heard if notice == "WATCHDOG=1"]) < 3:
          heard.append(manager.recv(1000).decode())
      watch.stdin.write(b'{"latitude":1,"longitude":2}\\nnonsense\\n'); watch.stdin.close()
      while heard[-1] != "STOPPING=1":
          heard.append(manager.recv(1000).decode())
      watch.wait()
      print(heard[0].split()[0], set(heard[1:-1]), heard[-1])
      END
      python3 manager.py \(PhotoSpotsProcess.program) 2> err; cat err
      """)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "READY=1 {'WATCHDOG=1'} STOPPING=1", "\(outcome)")
    #expect(
      lines.dropFirst().allSatisfy { $0.hasPrefix(#"{"time":""#) && $0.hasSuffix("\"}") },
      "\(outcome)")
    #expect(lines.count > 1, "\(outcome)")
  }

  @Test func `SIGHUP reloads the index at once`() async throws {
    let outcome = try await Shell.run(
      """
      \(prelude)
      (photospots index photos) > /dev/null
      mkfifo feed; sleep 1000 > feed & keeper=$!
      photospots watch feed --explain > out 2> err & pid=$!
      echo '{"latitude":1,"longitude":2}' > feed; await clear out
      kill -HUP $pid; await '1 spot' err; kill -HUP $pid
      await '1 spot' err 2
      kill -TERM $pid; wait $pid; echo "status $?"; kill $keeper
      """)
    #expect(outcome.output == "status 0\n", "\(outcome)")
  }
}
