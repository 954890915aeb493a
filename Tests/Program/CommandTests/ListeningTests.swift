import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Commands that receive positions from apps by HTTP.
@Suite(.timeLimit(.minutes(30))) struct ListeningTests {
  private let folder = TemporaryFolder()
  private let secret = "0123456789abcdef"
  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  /// Runs a shell script after a server was started with arguments; `$url` is its address.
  private func serving(
    _ arguments: String, _ script: String, environment: String = "", files: [String: String] = [:]
  ) async throws -> (output: String, errors: String) {
    for (name, text) in files {
      try folder.write(text, to: name)
      try folder.makeExecutable(folder.path(name))
    }
    return try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state
      export PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices,vehicles
      photospots="\(PhotoSpotsProcess.program)"
      "$photospots" index \(samples)/photos > /dev/null
      \(Shell.await)
      post() { curl -sS --max-time 20 -w ' %{http_code}\\n' "$@"; }
      start() {
        # Removes the messages of an earlier server before the new one starts.
        : > err
        \(environment) "$photospots" \(arguments) > out 2> err & pid=$!
        await 'listening at' err
        url=$(sed -n 's/.*listening at //p' err)
      }
      stop() { kill -TERM $pid; wait $pid; echo "status $?"; }
      start
      \(script)
      """)
  }

  private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `messages sent again fire nothing twice, even after a restart`() async throws {
    let outcome = try await serving(
      "watch --listen 127.0.0.1:0 --format ndjson",
      #"""
      now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
      batch='{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2.2883,48.86194]},
      "properties":{"timestamp":"'$now'","device_id":"phone","horizontal_accuracy":5}}]}'
      message='{"_type":"location","tid":"ph","tst":'$(date +%s)',"lat":48.86194,"lon":2.2883,"acc":5}'
      for try in 1 2; do post $url -d "$batch"; post $url -d "$message"; done
      # Notifications are delivered concurrently with the responses.
      while [ "$(wc -l < out)" -lt 2 ]; do kill -0 $pid || exit 1; sleep 0.05; done
      stop; start
      for try in 1 2; do post $url -d "$batch"; post $url -d "$message"; done
      stop; wc -l < out; "$photospots" history | wc -l
      """#)
    let answers = #"{"result":"ok"} 200"# + "\n[] 200\n"
    #expect(
      outcome.output
        == answers + answers + "status 0\n" + answers + answers + "status 0\n0\n2\n", "\(outcome)")
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `OwnTracks gets regions if the setting is on, and metrics count the updates`()
    async throws
  {
    let outcome = try await serving(
      "watch --listen 127.0.0.1:0 --format ndjson",
      #"""
      message='{"_type":"location","tid":"ph","tst":'$(date +%s)',"lat":48.86194,"lon":2.2883,"acc":5}'
      post $url -d "$message"
      curl -sS --max-time 20 $url/metrics > page; post -o /dev/null -H 'Origin: http://evil.test' $url/metrics
      stop; export regions=true PHOTOSPOTS_METRICS_TOKEN=metrics-0123456789; start
      post $url -d "$message"
      post -o /dev/null $url/metrics
      post -o page2 -H 'Authorization: Bearer metrics-0123456789' $url/metrics
      stop; cat page2 >> page
      """#, environment: "PHOTOSPOTS_LANGUAGE=en PHOTOSPOTS_OWN_TRACKS_REGIONS=${regions:-false}")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 7, "\(outcome)")
    #expect(lines[0] == "[] 200")
    #expect(Array(lines[1...2]) == [" 401", "status 0"])
    #expect(
      lines[3].hasPrefix(
        #"[{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":["#
          + #"{"_type":"waypoint","desc":"photospots 1","#), "\(lines[3])")
    #expect(lines[3].hasSuffix(#"{"_type":"card","tid":"ps","name":"1 spot near"}] 200"#))
    #expect(Array(lines[4...]) == [" 401", " 200", "status 0"])
    let pages = String(decoding: try Corpus.contents(of: folder.path("page")), as: UTF8.self)
    let parts = pages.split(separator: "# HELP photospots_build_info").map {
      "# HELP photospots_build_info" + $0
    }
    try #require(parts.count == 2)
    for (part, updates) in zip(parts, [0.0, 1]) {
      let page = try ExpositionText(part)
      #expect(page.value("photospots_fixes_total", ["device": "ph"]) == 1)
      #expect(page.value("photospots_region_updates_total") == updates)
      #expect(page.value("photospots_index_readable") == 1)
      #expect((page.value("photospots_photos") ?? 0) > 20)
      #expect((page.value("photospots_index_files", ["outcome": "located"]) ?? 0) > 20)
      #expect(page.value("photospots_queue_length", ["notifier": "stdout"]) != nil)
      #expect((page.value("process_start_time_seconds") ?? 0) > 1.7e9)
      #expect((page.value("process_resident_memory_bytes") ?? 0) > 1e6)
      #expect(!part.contains("48.86"))
    }
  }

  /// Whether a file system can be mounted in a user namespace.
  private static let canMount = system("unshare -Urm mount -t tmpfs none /mnt 2> /dev/null") == 0

  @Test(.enabled(if: hasCurl && canMount, "curl is installed, and disks can be made for a test"))
  func `on a full disk positions get status 503, and count when they are sent again`()
    async throws
  {
    try folder.write(
      #"""
      set -e; mkdir disk; mount -t tmpfs -o size=128k none disk
      post() { curl -sS --max-time 20 -o answer -w '%{http_code}\n' "$@"; }
      message() {
        echo '{"_type":"location","topic":"owntracks/u/'$1'","tid":"'$1'","tst":'$2',"lat":'$3',"lon":2.2883,"acc":5}'
      }
      now=$(date +%s)
      "$photospots" watch --listen 127.0.0.1:0 --state disk/state --format ndjson > out 2> err & pid=$!
      while ! grep -q 'listening at' err; do kill -0 $pid || exit 1; sleep 0.05; done
      url=$(sed -n 's/.*listening at //p' err)
      cat /dev/zero > disk/filler 2> /dev/null || true
      # The alerts need more space than the journal has already allocated on the disk.
      send() {
        for device in a b c d e f g h i j; do post $url -d "$(message $device $now 48.86194)"; done | sort -u
        post $url -d "$(message k $now 48.9)"
      }
      send
      test $("$photospots" history --state disk/state | wc -l) -lt 10
      "$photospots" devices --state disk/state 2> /dev/null | wc -l
      rm disk/filler
      send
      # Everything confirmed is on the disk, even if the program is killed.
      kill -9 $pid; "$photospots" history --state disk/state | wc -l
      "$photospots" devices --state disk/state | wc -l
      umount disk
      """#, to: "full.sh")
    let outcome = try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config
      export PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices,vehicles
      export photospots="\(PhotoSpotsProcess.program)"
      "$photospots" index \(samples)/photos > /dev/null
      unshare -Urm sh full.sh; cat err >&2
      """)
    #expect(
      outcome.output.split(separator: "\n").map { $0.filter { $0 != " " } }
        == ["503", "503", "0", "200", "200", "10", "11"], "\(outcome)")
  }

  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `a token in the environment admits its device and is never printed`() async throws {
    let outcome = try await serving(
      "fixes http://127.0.0.1:0",
      """
      post $url -d 'lat=1&lon=2&timestamp=1763640000'
      post $url -H 'Authorization: Bearer \(secret)' -d 'lat=1&lon=2&timestamp=1763640000'
      post "$url/?token=\(secret)&lat=1&lon=2&timestamp=1763640001"
      cat out err; stop
      """, environment: "PHOTOSPOTS_LISTEN_TOKENS=tablet=fedcba9876543210,phone=\(secret)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix(" 401") })
    #expect(lines.count { $0.hasSuffix(#""device":"phone"}"#) } == 2)
    #expect(lines.last == "status 0")
    #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret))
  }

  /// With 80 connections and 64 descriptors the program used all processor time, and crashed when a
  /// hook was started.
  @Test(.enabled(if: hasCurl, "curl is not installed"))
  func `with few descriptors the watch still runs hooks, and reports the limit once`() async throws
  {
    let outcome = try await serving(
      "watch --listen 127.0.0.1:0 --hook ./hook.sh",
      #"""
      port=${url##*:}
      bash -c '
        for number in $(seq 80); do exec {connection}<>"/dev/tcp/127.0.0.1/$0"; done
        echo all > held
        exec sleep 1000' $port & holder=$!
      await all held
      # A new connection is refused during the grace period of the earlier ones.
      post $url --retry 100 --retry-all-errors --retry-delay 1 \
        -d "lat=48.86194&lon=2.2883&timestamp=$(date +%s)" 2> /dev/null || exit 1
      await . hooked
      kill $holder
      stop; wc -l < out; grep -c 'connections at a time' err; wc -l < err
      """#, environment: "prlimit --nofile=64",
      files: ["hook.sh": "#!/bin/sh\ncat > hooked.new && mv hooked.new hooked\n"])
    #expect(outcome.output == " 200\nstatus 0\n1\n1\n2\n", "\(outcome)")
  }

  @Test func `listening beyond loopback without a token is refused`() async throws {
    for place in ["0.0.0.0:0", ":0", "[::]:0"] {
      let outcome = try await photospots.run("fixes", "--listen", place)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("a token for each device is needed"))
    }
  }

  private func writeSettings(_ text: String, mode: mode_t) throws {
    try folder.createFolder(folder.path("xdg_config_home"))
    try folder.createFolder(folder.path("xdg_config_home/photospots"))
    try folder.write(text, to: "xdg_config_home/photospots/config.json")
    #expect(chmod(folder.path("xdg_config_home/photospots/config.json").string, mode) == 0)
  }

  @Test func `tokens in a settings file readable by others are refused`() async throws {
    try writeSettings(#"{"listenTokens":{"phone":"\#(secret)"}}"#, mode: 0o640)
    for arguments in [["config"], ["fixes", "--listen", "127.0.0.1:0"]] {
      let outcome = try await photospots.run(arguments)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("chmod 600"))
      #expect(!outcome.errors.contains(secret))
    }
  }

  @Test func `config shows no secret`() async throws {
    try writeSettings(#"{"dwell":"30 s","listenTokens":{"phone":"\#(secret)"}}"#, mode: 0o600)
    for format in ["text", "json"] {
      let outcome = try await photospots.run("config", "--format", format)
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("30 s"))
      #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret))
    }
  }

  @Test func `an invalid token is reported by its device, and tokens on the command line fail`()
    async throws
  {
    try writeSettings(#"{"listenTokens":{"phone":"hunter2"}}"#, mode: 0o600)
    let short = try await photospots.run("fixes", "--listen", "127.0.0.1:0")
    #expect(short.code == 1)
    #expect(short.errors.contains("that of 'phone'") && !short.errors.contains("hunter2"))
    let flag = try await photospots.run(
      "watch", "--listen", "127.0.0.1:0", "--set", "listenTokens=\(secret)")
    #expect(flag.code == 64)
    #expect(flag.errors.contains("PHOTOSPOTS_LISTEN_TOKENS") && !flag.errors.contains(secret))
  }
}
