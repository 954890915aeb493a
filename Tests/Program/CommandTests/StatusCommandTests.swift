import CLibrary
import Encodings
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// The messages and exit statuses of `photospots status` for each problem.
@Suite(.timeLimit(.minutes(30))) struct StatusCommandTests {
  private let folder = TemporaryFolder()
  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

  private func indexed() async throws -> PhotoSpotsProcess {
    let outcome = try await photospots.run("index", "\(samples)/photos")
    try #require(outcome.code == 0, "\(outcome)")
    return photospots
  }

  /// Writes a list of devices with a phone last heard at the first sample spot.
  private func write(device: String = "phone", heard: String) throws {
    try folder.write(
      """
      {"format":"photospots-devices","version":1,"devices":[{"device":"\(device)","heard":"\(heard)",\
      "day":"2026-11-20","walked":12,"fixes":3,"fix":{"time":"\(heard)","latitude":48.86194,\
      "longitude":2.2883,"horizontalAccuracy":5,"battery":0.8}}]}
      """, to: "xdg_state_home/photospots/devices.json")
  }

  /// Every report of a device was refused, and `status` said that there are no problems.
  @Test(arguments: [
    (
      #""accepted":0,"refused":{"ahead":9},"refusedInARow":9,"lastRefusal":"ahead""#,
      "ahead of the clock"
    ),
    (
      #""accepted":4,"refused":{"stale":5},"refusedInARow":5,"lastRefusal":"stale""#,
      "too old to alert"
    ),
    (#""accepted":0,"withoutPosition":7"#, "7 without a position"),
    (
      #""accepted":0,"refused":{"unreadable":2},"refusedInARow":2,"lastRefusal":"unreadable""#,
      "unreadable"
    ),
  ])
  func `a device whose reports are all refused is a problem, with the reason`(
    reports: String, words: String
  ) async throws {
    let photospots = try await indexed()
    try folder.write(
      #"{"format":"photospots-devices","version":1,"devices":[{"device":"phone","#
        + #""heard":"2026-11-20T12:00:00Z","day":"2026-11-20","reports":{"# + reports + "}}]}",
      to: "xdg_state_home/photospots/devices.json")
    let devices = try await photospots.run("devices")
    #expect(devices.output.contains("no position") && devices.output.contains("report"))
    let json = try await photospots.run("devices", "--format", "json")
    #expect(json.output.contains(#""received": "#) && !json.output.contains(#""fix""#))
    let why = try await photospots.run("why", "last")
    #expect(why.errors.contains("phone: ") && why.errors.contains(words), "\(why)")
    let outcome = try await photospots.run("status")
    #expect(outcome.output.contains("phone: ") && outcome.output.contains(words), "\(outcome)")
    #expect(!outcome.output.contains("no problems"))
  }

  @Test func `a corrected clock and corrected speeds are said, and are no problem`() async throws {
    let photospots = try await indexed()
    try folder.write(
      #"{"format":"photospots-devices","version":1,"devices":[{"device":"phone","#
        + #""heard":"2026-11-20T12:00:00Z","day":"2026-11-20","clockShift":-18000,"#
        + #""speedFactor":3.6,"reports":{"accepted":9},"fix":{"time":"2026-11-20T12:00:00Z","#
        + #""latitude":48.86194,"longitude":2.2883}}]}"#,
      to: "xdg_state_home/photospots/devices.json")
    for command in ["status", "devices"] {
      let outcome = try await photospots.run(command)
      #expect(outcome.output.contains("its clock is 5 h behind"), "\(outcome)")
      #expect(outcome.output.contains("its speeds are 360 % of those on the way"))
    }
    let why = try await photospots.run("why", "last")
    #expect(why.errors.contains("phone: its clock is 5 h behind"))
    let json = try await photospots.run("status", "--json")
    #expect(json.output.contains(#""clockShift": -18000"#))
  }

  @Test func `status without an index is an error that names the command to create one`()
    async throws
  {
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("error       there is no index at "))
    #expect(outcome.output.contains("Run 'photospots index FOLDER' first."))
    #expect(outcome.errors == "")
  }

  @Test func `status with only an index reports no problems`() async throws {
    let photospots = try await indexed()
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    let index = try #require(lines.first)
    #expect(
      index.firstMatch(of: /^index       \d+ photos at \d+ spots in 1 folder, changed .* ago$/)
        != nil)
    #expect(
      lines[1] == "files       34 read: 30 located, 4 without position, 0 malformed, 0 unreadable")
    #expect(lines.last == "no problems")
    let json = try await photospots.run("status", "--json")
    #expect(json.code == 0)
    #expect(json.output.contains(#""status": "ok""#))
    #expect(json.output.contains(#""lastAlert": null"#))
    #expect(json.output.contains(#""stale": false"#))
  }

  /// Files that could not be read were named by the scan that met them, and never again.
  @Test func `photos that could not be read are counted, with the command that names them`()
    async throws
  {
    try folder.write("\u{FF}\u{D8}no photo", to: "photos/torn.jpg")
    try folder.write("", to: "photos/empty.jpg")
    let scan = try await photospots.run("index", folder.path("photos").string)
    try #require(scan.code == 0, "\(scan)")
    let outcome = try await photospots.run("status")
    #expect(
      outcome.output.contains(
        """
        files       2 read: 0 located, 0 without position, 2 malformed, 0 unreadable \
        ('photospots index --json' names those)

        """), "\(outcome)")
    let json = try await photospots.run("status", "--json")
    #expect(json.output.contains(#""malformed": 2"#))
    let named = try await photospots.run("index", "--json")
    #expect(named.output.contains("torn.jpg") && named.output.contains("empty.jpg"), "\(named)")
  }

  @Test func `a folder inside another that the last scan could not read is a warning`()
    async throws
  {
    let long = (0..<12).map { _ in String(repeating: "x", count: 200) }.joined(separator: "/")
    let deep = folder.path("photos/deep/\(long)")
    try folder.createFolder(deep)
    let inner = folder.path("inner")
    try folder.createFolder(inner.appending(long))
    // A path longer than the system accepts also fails for root, who can read any folder.
    try folder.move(inner, to: deep.appending("inner"))
    let scan = try await photospots.run("index", folder.path("photos").string)
    let outcome = try await photospots.run("status")
    try folder.move(deep.appending("inner"), to: inner)
    #expect(scan.code == 2, "\(scan)")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.output.contains("the last scan could not read /"), "\(outcome)")
    #expect(try await photospots.run("index").code == 0)
    let mended = try await photospots.run("status").output
    #expect(!mended.contains("could not read"), "\(mended)")
  }

  @Test(arguments: [
    ("{\"format\":\"photospots-index\",\"version\":99}", "has format version 99"),
    ("{\"format\":\"photospots-index\",\"version\":2,", "is damaged"),
    ("hello", "was not written by"),
  ])
  func `an unusable index is an error`(text: String, words: String) async throws {
    try folder.write(text, to: "xdg_cache_home/photospots/index.json")
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains(words), "\(outcome)")
    let json = try await photospots.run("status", "--json")
    #expect(json.code == 1 && json.output.contains(#""index": null"#))
  }

  /// The start and the check go through one list of files.
  @Test(arguments: [
    ("mutes.json", #"{"format":"photospots-mutes","version":2,"mutes":[]}"#, "newer photospots"),
    ("mutes.json", #"{"format":"photospots-mutes","vers"#, "muted spots"),
    ("serve-key.json", #"{"format":"photospots-serve-key","version":2}"#, "newer photospots"),
    ("action-key.json", "{}", "action-key.json"),
    ("serve-sessions.json", #"{"format":"photospots-serve-sessions","version":2}"#, "newer"),
    ("used-links.json", #"{"format":"photospots-used-links","version":2}"#, "newer photospots"),
    ("phones.json", #"{"format":"photospots-phones","version":2}"#, "newer photospots"),
    ("recreations.json", #"{"format":"photospots-recreations","version":2}"#, "newer photospots"),
    ("devices.json", #"{"format":"photospots-devices","version":2}"#, "devices.json"),
    ("journal.ndjson", #"{"format":"photospots-journal","version":99}"#, "journal.ndjson"),
  ])
  func `a file with which a watch or a server does not start is an error`(
    name: String, text: String, words: String
  ) async throws {
    let photospots = try await indexed()
    let file = folder.path("xdg_state_home/photospots/\(name)")
    // A line without an end was cut off by a crash.
    let text = text + "\n"
    try folder.write(text, to: file)
    try folder.setPermissions(of: file, to: .ownerReadWrite)
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 1 && outcome.output.contains(words), "\(outcome)")
    let named = outcome.output.split(separator: "\n").filter { $0.hasPrefix("error") }
    #expect(Set(named).count == named.count, "each problem is listed once: \(outcome)")
    if text.contains(#""version":2"#) || text.contains("99") {
      for advice in ["delete", "Repair", "--new-key", "damaged"] {
        #expect(!outcome.output.contains(advice), "\(outcome)")
      }
    }
    #expect(String(decoding: try folder.contents(of: file), as: UTF8.self) == text)
  }

  /// The disk of the state folder was not mounted, or its link led nowhere.
  @Test(arguments: [true, false])
  func `a state folder whose disk is away is an error, and nothing is made in its place`(
    isLink: Bool
  ) async throws {
    let photospots = try await indexed()
    let state = folder.path("xdg_state_home")
    folder.remove(state)
    if isLink {
      try #require(symlink(folder.path("gone/state").string, state.string) == 0)
    } else {
      try #require(mkdir(state.string, 0o700) == 0)
      try folder.write(
        """
        {"format":"photospots-mount","version":1,"path":"\(state)/photospots","mount":"\(state)"}
        """, to: "xdg_cache_home/photospots/state-mount.json")
    }
    for arguments in [
      ["status"], ["places"], ["places", "add", "1", "2"], ["watch", "--listen", "127.0.0.1:0"],
      ["serve", "--no-browser", "--listen", "127.0.0.1:0"],
    ] {
      let outcome = try await photospots.run(arguments)
      #expect(outcome.code == 1, "\(arguments): \(outcome)")
      let said = outcome.output + outcome.errors
      #expect(said.contains("No such device") && said.contains("xdg_state_home"), "\(outcome)")
    }
    if !isLink { #expect(rmdir(state.string) == 0) }
  }

  @Test(
    .enabled(
      if: geteuid() != 0 || ChildProcess.path(of: "setpriv") != nil,
      "root cannot drop its privilege to write anywhere"))
  func `a state folder that cannot be created is an error`() async throws {
    _ = try await indexed()
    let above = folder.path("above")
    try folder.createFolder(above)
    try folder.setPermissions(of: above, to: [.ownerRead, .ownerExecute])
    defer { try? folder.setPermissions(of: above, to: [.ownerReadWrite, .ownerExecute]) }
    let outcome = try await Shell.run(
      """
      export XDG_CACHE_HOME=\(folder.root)/xdg_cache_home XDG_STATE_HOME=\(above)
      \(geteuid() == 0 ? "setpriv --bounding-set=-dac_override" : "") \
      \(PhotoSpotsProcess.program) status; echo "status $?"
      """)
    #expect(outcome.output.contains("nothing can be stored in the state folder"), "\(outcome)")
    #expect(outcome.output.contains("status 1"), "\(outcome)")
  }

  @Test func `all state files are listed with their readers, owners, modes and versions`()
    async throws
  {
    let photospots = try await indexed()
    _ = try await photospots.run("places", "add", "48.8", "2.3", "--name", "Mill")
    let outcome = try await photospots.run("status", "--all")
    #expect(outcome.code == 0, "\(outcome)")
    let places = outcome.output.split(separator: "\n").first { $0.contains("/places.json") }
    #expect(
      places?.contains(
        #/: places of your own, user \d+, mode 600, version \d+, for watch and serve$/#) == true,
      "\(outcome)")
    #expect(
      outcome.output.contains(#/mutes\.json: muted spots, for watch and serve, not there yet\n/#))
    let json = try await photospots.run("status", "--all", "--json")
    #expect(json.output.contains(#""contents": "key of the page""#), "\(json)")
    #expect(try await !photospots.run("status", "--json").output.contains(#""files": ["#))
  }

  @Test func `a time zone that the machine does not have is an error, and a live watch refuses it`()
    async throws
  {
    var photospots = try await indexed()
    photospots.environment["TZ"] = "Europe/Pariss"
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 1 && outcome.output.contains("Europe/Pariss"), "\(outcome)")
    let watch = try await photospots.run("watch", "udp://127.0.0.1:0")
    #expect(watch.code == 1 && watch.errors.contains("Europe/Pariss"), "\(watch)")
    let replay = try await photospots.run("watch", "-")
    #expect(replay.code == 0 && replay.errors.contains("Europe/Pariss"), "\(replay)")
  }

  @Test func `a missing folder is a warning`() async throws {
    _ = try await photospots.run("index", "\(samples)/photos")
    let gone = folder.path("gone")
    try folder.write("", to: "gone/a.jpg")
    _ = try await photospots.run("index", gone.string)
    _ = try await Shell.run("rm -r \(gone)")
    _ = try await photospots.run("index", gone.string)
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.output.contains("warning     the last scan could not read \(gone)"))
  }

  @Test(arguments: [
    (#"{"proximityRadius": 5}"#, "10 m to 5000 m"),
    (#"{"quiethours": "22:00-07:00"}"#, "quiethours"),
    ("{", "config.json"), (#"{"metricsToken": "short"}"#, "16 to 256"),
  ])
  func `an invalid setting is an error`(text: String, words: String) async throws {
    let photospots = try await indexed()
    try folder.write(text, to: "xdg_config_home/photospots/config.json")
    try folder.path("xdg_config_home/photospots/config.json").withPlatformString {
      try #require(chmod($0, 0o600) == 0)
    }
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains(words), "\(outcome)")
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("error") } == 1)
  }

  @Test func `a missing or non-executable hook is an error`() async throws {
    let photospots = try await indexed()
    let hook = folder.path("hook.sh")
    let missing = try await photospots.run("status", "--hook", hook.string)
    #expect(missing.code == 1 && missing.output.contains("--hook: "), "\(missing)")
    try folder.write("#!/bin/sh\n", to: "hook.sh")
    #expect(try await photospots.run("status", "--hook", hook.string).code == 1)
    try folder.makeExecutable(hook)
    #expect(try await photospots.run("status", "--hook", hook.string).code == 0)
  }

  @Test func `a device is shown with the places near it, without coordinates`() async throws {
    let photospots = try await indexed()
    try write(heard: "2026-11-20T12:00:00Z")
    let outcome = try await photospots.run("status")
    let line = try #require(outcome.output.split(separator: "\n").first { $0.hasPrefix("device") })
    #expect(
      line.firstMatch(of: /^device      phone .* ago, good fix; near .+, \d+ m/) != nil, "\(line)")
    // As after the clock was set back.
    try write(heard: "2999-11-20T12:00:00Z")
    #expect(try await photospots.run("status").output.contains(" y in the future, good fix;"))
    let json = try await photospots.run("status", "--json")
    for text in [outcome.output, json.output] {
      #expect(!text.contains("48.86") && !text.contains("2.288") && !text.contains("latitude"))
    }
    #expect(json.output.contains(#""device": "phone""#))
    #expect(json.output.contains(#""near": ["#))
    #expect(json.output.contains(#""battery": 0.8"#))
  }

  private static let hasLocks = access("/proc/locks", R_OK) == 0

  @Test(.enabled(if: hasLocks, "Linux lists its locks"))
  func `a missing watch is a warning once a device is known`() async throws {
    let photospots = try await indexed()
    #expect(try await photospots.run("status").code == 0)
    try write(heard: "2026-11-20T12:00:00Z")
    let outcome = try await photospots.run("status")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("watch       not running"))
    #expect(outcome.output.contains("warning     no watch is running."))
    // A watch needs a source, which the message cannot know.
    #expect(outcome.output.contains("Start 'photospots watch SOURCE' or 'photospots serve', or"))
  }

  @Test(.enabled(if: hasLocks, "Linux lists its locks"))
  func `a running watch is detected, and a silent device is a warning`() async throws {
    _ = try await indexed()
    try write(device: "wat\\u001b[2Jch", heard: "2020-01-01T12:00:00Z")
    let outcome = try await Shell.run(
      """
      cd \(folder.root); mkfifo feed
      export XDG_CACHE_HOME=$PWD/xdg_cache_home XDG_CONFIG_HOME=$PWD/xdg_config_home
      export XDG_STATE_HOME=$PWD/xdg_state_home
      "\(PhotoSpotsProcess.program)" watch - < feed > out 2> err & pid=$!
      exec 3> feed
      until [ -s xdg_state_home/photospots/lock ]; do kill -0 $pid || exit 1; sleep 0.05; done
      "\(PhotoSpotsProcess.program)" status; echo "status $?"
      "\(PhotoSpotsProcess.program)" status --silent-after 36500d; echo "status $?"
      "\(PhotoSpotsProcess.program)" status --silent-after 365d > text; echo "status $?"
      exec 3>&-; wait $pid
      """)
    #expect(outcome.output.contains("watch       running"), "\(outcome)")
    #expect(outcome.output.contains("has been silent for "))
    #expect(outcome.output.contains("photospots devices --forget="))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.output.contains("status 2") && outcome.output.contains("status 64"))
  }

  @Test func `a damaged journal or device list is an error`() async throws {
    let photospots = try await indexed()
    try folder.write(
      "{\"format\":\"photospots-journal\",\"version\":1}\nnonsense\n",
      to: "xdg_state_home/photospots/journal.ndjson")
    let history = try await photospots.run("status")
    #expect(history.code == 1)
    #expect(history.output.contains("is damaged in line 2;"), "\(history)")
    try folder.write("nonsense", to: "xdg_state_home/photospots/devices.json")
    let devices = try await photospots.run("status")
    #expect(devices.output.contains("this is not a list of devices"), "\(devices)")
  }

  @Test func `the last alert is shown with its delivery, and a pending one is a warning`()
    async throws
  {
    let photospots = try await indexed()
    for (hook, code) in [("exit 0", Int32(0)), ("exit 1", 2)] {
      try folder.write("#!/bin/sh\n\(hook)\n", to: "hook.sh")
      try folder.makeExecutable(folder.path("hook.sh"))
      let time = try await Shell.run("date -u +%Y-%m-%dT%H:%M:%SZ").output
      let here = code == 0 ? "48.86194,\"longitude\":2.2883" : "48.85735,\"longitude\":2.2958"
      _ = try await photospots.run(
        [
          "watch", "-", "--record", "--hook", folder.path("hook.sh").string, "--set",
          "rulesOff=bursts,coldStart,devices,siblings,towns,vehicles",
        ],
        input: Array(
          "{\"time\":\"\(time.prefix(20))\",\"latitude\":\(here),\"device\":\"p\(code)\"}\n".utf8))
      let status = try await photospots.run("status")
      let line = status.output.split(separator: "\n").first { $0.hasPrefix("last alert") }
      if code == 0 {
        #expect(line?.contains("hook delivered") == true, "\(status)")
      } else {
        // A slow machine may make several tries.
        #expect(line?.contains("hook pending after ") == true, "\(status)")
        #expect(
          status.output.contains("warning     1 alert waits for another delivery to hook"),
          "\(status)"
        )
        #expect(status.code == 2)
      }
    }
  }
}
