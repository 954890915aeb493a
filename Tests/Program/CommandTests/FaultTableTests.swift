import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// A table of faults: each file that a scan, a watch and a server open, with each fault, under each
/// command, alone and in pairs, and while a watch or a server runs.
///
/// No command may crash, replace a file that it cannot read, or take it for one that does not
/// exist. `status` names the file, and all is as before when the fault has ended. `make soak` uses
/// the whole table, and prints its counts.
@Suite(.timeLimit(.minutes(240))) struct FaultTableTests {
  /// A fault of one file.
  enum Fault: String, CaseIterable {
    /// No file, as after an accident.
    case missing
    /// A link to itself, which cannot be looked through.
    case loop
    /// A folder in place of the file.
    case folder
    /// A file of a newer version.
    case newer
    /// The first half of the file, as after a failure of the disk.
    case cut
    /// A file that this user may not look at (EACCES).
    case unreadable
    /// A file at which the disk fails (EIO).
    case failing
    /// A folder on a full disk (ENOSPC).
    case full
    /// A folder on a read-only disk (EROFS).
    case readOnly

    /// The line of the fault for ``FaultShim``; `nil` for a fault that the test itself makes.
    func line(_ path: FilePath) -> String? {
      switch self {
      case .unreadable: "look \(EACCES) \(path)"
      case .failing: "look \(EIO) \(path)"
      case .full: "change \(ENOSPC) \(path.removingLastComponent())/"
      case .readOnly: "change \(EROFS) \(path.removingLastComponent())/"
      case .missing, .loop, .folder, .newer, .cut: nil
      }
    }

    /// Whether the file can be read as before.
    var isOfWriting: Bool { self == .full || self == .readOnly }
  }

  /// A fault at a file.
  struct Case: CustomStringConvertible {
    let name: String
    let fault: Fault

    /// The name of the file.
    var file: String { name.split(separator: "/").last.map(String.init) ?? "" }
    var description: String { "\(file) \(fault)" }

    /// Whether `status` must fail and name the file.
    var isNamed: Bool {
      switch fault {
      case .missing, .full, .readOnly: false
      case .cut: !FaultTableTests.replaceable.contains(file)
      case .loop, .folder, .newer, .unreadable, .failing: true
      }
    }
  }

  private static let commands: [[String]] = [
    ["places"], ["mute"], ["near", "48.8", "2.3"], ["history"], ["spots"], ["watch", "-"],
    ["config"], ["index", "-q", "\(samples)/photos"], ["devices"],
  ]
  private static let files = [
    "share/places.json", "xdg_state_home/photospots/mutes.json",
    "xdg_state_home/photospots/journal.ndjson", "xdg_state_home/photospots/serve-key.json",
    "xdg_state_home/photospots/action-key.json", "xdg_state_home/photospots/serve-sessions.json",
    "xdg_state_home/photospots/used-links.json", "xdg_state_home/photospots/recreations.json",
    "xdg_state_home/photospots/phones.json", "xdg_state_home/photospots/devices.json",
    "xdg_cache_home/photospots/index.json",
  ]
  /// Files that a cut does not hinder: lists whose loss costs little are replaced at the next
  /// change, with a notice, and the last line of a journal is cut by every crash.
  static let replaceable = [
    "serve-sessions.json", "used-links.json", "phones.json", "journal.ndjson",
  ]

  private let folder = TemporaryFolder()
  private let photospots: PhotoSpotsProcess
  private let faults: [Fault]

  init() async throws {
    let shim = try await FaultShim.library(in: folder)
    var program = PhotoSpotsProcess(home: folder.root)
    if let shim {
      program.environment["LD_PRELOAD"] = shim.string
      program.environment["FAULTS"] = folder.path("faults").string
    }
    photospots = program
    let path = folder.path("f/f")
    faults = Fault.allCases.filter { shim != nil || $0.line(path) == nil }
  }

  /// Creates an index, and one file of each kind.
  private func prepare() async throws {
    let state = "xdg_state_home/photospots/"
    try folder.write(
      #"{"placesFile":"\#(folder.path("share/places.json"))"}"#,
      to: "xdg_config_home/photospots/config.json")
    for arguments in [
      ["index", "-q", "\(samples)/photos"], ["places", "add", "48.8", "2.3", "--name", "Mill"],
      ["watch", "--record", "-"],
    ] {
      let outcome = try await photospots.run(arguments)
      try #require(outcome.code == 0, "\(arguments): \(outcome)")
    }
    let lists = [
      ("mutes.json", "photospots-mutes", #""mutes":[]"#),
      ("recreations.json", "photospots-recreations", #""recreations":[]"#),
      ("devices.json", "photospots-devices", #""devices":[]"#),
      ("used-links.json", "photospots-used-links", #""links":[]"#),
      ("phones.json", "photospots-phones", #""phones":[]"#),
      ("serve-sessions.json", "photospots-serve-sessions", #""key":"","sessions":[]"#),
      ("serve-key.json", "photospots-serve-key", #""key":"0123456789abcdef0123456789abcdef""#),
      ("action-key.json", "photospots-action-key", #""key":"0123456789abcdef0123456789abcdef""#),
    ]
    for (name, format, member) in lists {
      try folder.write(#"{"format":"\#(format)","version":1,\#(member)}"#, to: state + name)
      try folder.setPermissions(of: folder.path(state + name), to: .ownerReadWrite)
    }
  }

  /// Makes faults; files are moved aside.
  private func begin(_ cases: [Case]) throws {
    let lines = cases.compactMap { $0.fault.line(folder.path($0.name)) }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "faults")
    for broken in cases where broken.fault.line(folder.path(broken.name)) == nil {
      let (path, aside) = (folder.path(broken.name), folder.path("aside-\(broken.file)"))
      #expect(rename(path.string, aside.string) == 0)
      let content = try folder.contents(of: aside)
      switch broken.fault {
      case .loop: #expect(symlink(path.string, path.string) == 0)
      case .folder: #expect(mkdir(path.string, 0o700) == 0)
      case .newer:
        let text = String(decoding: content, as: UTF8.self)
        let newer = text.replacing(#/("version"\s*:\s*)\d+/#, maxReplacements: 1) { "\($0.1)999" }
        try folder.write(newer, to: path)
        try folder.setPermissions(of: path, to: .ownerReadWrite)
      case .cut:
        try folder.write(content.prefix(content.count / 2), to: path)
        try folder.setPermissions(of: path, to: .ownerReadWrite)
      case .missing, .unreadable, .failing, .full, .readOnly: break
      }
    }
  }

  /// Ends faults, and checks that all is as before.
  private func end(_ cases: [Case], before: [String]) async throws {
    try folder.write("", to: "faults")
    for broken in cases where broken.fault.line(folder.path(broken.name)) == nil {
      let (path, aside) = (folder.path(broken.name), folder.path("aside-\(broken.file)"))
      folder.remove(path)
      #expect(rename(aside.string, path.string) == 0)
    }
    let after = try await photospots.run("status")
    #expect(after.code == 0, "\(cases): \(after)")
    #expect(try await answers() == before, "\(cases)")
  }

  /// Returns what is at a path, to see whether a command changes it.
  private func state(of path: FilePath) throws -> String {
    var status = stat()
    guard lstat(path.string, &status) == 0 else { return "none" }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return "link"
    case S_IFDIR: return "folder"
    default: return String(decoding: try folder.contents(of: path), as: UTF8.self)
    }
  }

  /// The answers by which one state is told from another.
  private func answers() async throws -> [String] {
    var answers: [String] = []
    for arguments in [["places"], ["mute"], ["history"]] {
      let outcome = try await photospots.run(arguments)
      answers.append("\(outcome.code) \(outcome.output)")
    }
    return answers
  }

  /// Runs commands under faults, and ends them.
  ///
  /// - Returns: The number of runs.
  private func run(_ commands: [[String]], under cases: [Case], before: [String]) async throws
    -> Int
  {
    try begin(cases)
    let broken = try cases.map { try state(of: folder.path($0.name)) }
    let status = try await photospots.run("status")
    for named in cases where named.isNamed {
      #expect(status.code == 1, "\(cases): \(status)")
      #expect((status.output + status.errors).contains(named.file), "\(cases): \(status)")
    }
    #expect((0...2).contains(status.code), "\(cases): \(status)")
    // The folders of the state and of the index are written by services.
    for broken in cases where broken.fault.isOfWriting && broken.name.hasPrefix("xdg_") {
      let part = folder.path(broken.name).removingLastComponent().string
      #expect(status.code != 0 && status.output.contains("nothing can be stored in"), "\(status)")
      #expect(status.output.contains(part), "\(cases): \(status)")
    }
    for command in commands {
      let outcome = try await photospots.run(command)
      #expect((0...2).contains(outcome.code), "\(cases), \(command): \(outcome)")
      for (one, state) in zip(cases, broken) {
        // The next writer sets a damaged file aside, and makes one that is missing.
        if one.fault != .cut, one.fault != .missing {
          #expect(try self.state(of: folder.path(one.name)) == state, "\(cases), \(command)")
        }
        if one.fault == .newer {
          // Of a pair, the other file may need repair.
          let about = outcome.errors.split(separator: "\n").filter { $0.contains(one.file) }
          for advice in ["delete it", "Repair", "--new-key"] {
            #expect(
              !about.contains { $0.contains(advice) }, "\(cases), \(command): \(outcome)")
          }
        }
      }
    }
    try await end(cases, before: before)
    return commands.count + 1
  }

  @Test func `no fault of a file loses anything, status names it, and work goes on afterwards`()
    async throws
  {
    try await prepare()
    let healthy = try await photospots.run("status")
    try #require(healthy.code == 0, "\(healthy)")
    let before = try await answers()
    let files = Effort.inputs(Self.files, quick: Array(Self.files.prefix(3)))
    let commands = Effort.inputs(Self.commands, quick: [["places"], ["mute"], ["watch", "-"]])
    var (runs, count) = (0, 0)
    for name in files {
      for fault in faults {
        count += 1
        runs += try await run(commands, under: [Case(name: name, fault: fault)], before: before)
      }
    }
    if Effort.isThorough {
      print("faults: \(files.count) files, \(count) faults, \(runs) runs of commands, none lost")
    }
  }

  @Test func `pairs of faults lose nothing either, and status names both`() async throws {
    try await prepare()
    let before = try await answers()
    let commands: [[String]] = [["places"], ["index", "-q", "\(samples)/photos"], ["watch", "-"]]
    var generator = SeededGenerator(seed: 47)
    var (runs, count) = (0, 0)
    for first in Self.files.indices {
      for second in Self.files.indices.dropFirst(first + 1) {
        for round in 0..<4 where Effort.isThorough || round == 0 && first == 0 && second % 3 == 1 {
          let cases = [first, second].map { file in
            Case(name: Self.files[file], fault: faults.randomElement(using: &generator) ?? .loop)
          }
          count += 1
          runs += try await run(commands, under: cases, before: before)
        }
      }
    }
    if Effort.isThorough {
      print("pairs of faults: \(count), \(runs) runs of commands, none lost")
    }
  }

  /// The script of a running command that meets a fault. `$1` begins it and `$2` ends it.
  private static let functions = #"""
    run() { LD_PRELOAD=$preload FAULTS=$PWD/faults "$photospots" "$@"; }
    begin() {
      case $1 in
      unreadable) echo "look 13 $2" > faults ;;
      failing) echo "look 5 $2" > faults ;;
      full) echo "change 28 ${2%/*}/" > faults ;;
      readOnly) echo "change 30 ${2%/*}/" > faults ;;
      *) mv "$2" aside
        case $1 in
        loop) ln -s "$2" "$2" ;;
        folder) mkdir "$2" ;;
        newer) sed 's/\("version" *: *\)[0-9][0-9]*/\1999/' aside > "$2"; chmod 600 "$2" ;;
        cut) head -c $(($(wc -c < aside) / 2)) aside > "$2"; chmod 600 "$2" ;;
        esac ;;
      esac
    }
    end() { : > faults; test ! -e aside || { rm -rf "$1"; mv aside "$1"; }; }
    alive() { kill -0 $pid || { echo "$1: ended"; cat err; exit 1; }; }
    get() { curl -sS --max-time 60 "$@"; }
    until_true() { until "$@"; do alive "$*"; sleep 0.05; done; }
    """#

  /// Starts a command, and runs a script for each of some faults while it runs.
  private func running(
    _ cases: [Case], _ start: String, _ script: String
  ) async throws -> (output: String, errors: String) {
    try folder.write("", to: "faults")
    let table = cases.map { "\($0.fault) \(folder.path($0.name))" }.joined(separator: "\n")
    return try await Shell.run(
      """
      cd \(folder.root); trap 'kill $pid 2> /dev/null' EXIT
      export XDG_CACHE_HOME=$PWD/xdg_cache_home XDG_CONFIG_HOME=$PWD/xdg_config_home
      export XDG_STATE_HOME=$PWD/xdg_state_home HOME=$PWD/home
      export PHOTOSPOTS_RULES_OFF=bursts,coldStart,devices,jumps,vehicles,towns
      export PHOTOSPOTS_ALERTS_PER_MINUTE=off
      export PHOTOSPOTS_COOLDOWN=0 PHOTOSPOTS_MINIMUM_INTERVAL=0
      photospots="\(PhotoSpotsProcess.program)" preload=\(photospots.environment["LD_PRELOAD"] ?? "")
      \(Shell.await)
      \(Self.functions)
      \(start)
      while read -r fault path; do
      \(script)
      echo "$fault ${path##*/}: went on"
      done <<'END'
      \(table)
      END
      kill -TERM $pid; wait $pid; echo "ended with $?"
      """)
  }

  @Test func `an index that watches goes on with each fault, and has all photos when it has ended`()
    async throws
  {
    try await prepare()
    let gps = ExifBlock.position(latitude: 10, longitude: 20)
    try folder.write(JPEGFile(ExifBlock(gps: gps)).bytes, to: "photo.jpg")
    let quick: [Fault] = [.newer, .failing, .readOnly]
    let cases = faults.filter { Effort.isThorough || quick.contains($0) }
      .map { Case(name: "xdg_cache_home/photospots/index.json", fault: $0) }
    let outcome = try await running(
      cases,
      """
      mkdir library; number=0
      photo() { number=$((number + 1)); cp photo.jpg "library/$number.jpg"; }
      has() { run spots --photos --format json 2> /dev/null | grep -q "/library/$number.jpg"; }
      photo
      LD_PRELOAD=$preload FAULTS=$PWD/faults \\
        "$photospots" index -q --watch --sweep-interval 1s "$PWD/library" > out 2> err & pid=$!
      until_true has
      """,
      """
      begin "$fault" "$path"
      photo
      # The change is noticed while the fault lasts, or later.
      run status > status.out 2>&1 < /dev/null; test $? -le 2 || echo "status ended"
      alive "$fault $path"
      end "$path"
      until_true has
      """)
    let wanted = cases.map { "\($0.fault) \($0.file): went on\n" }.joined() + "ended with 0\n"
    #expect(outcome.output == wanted, "\(outcome)")
    if Effort.isThorough { print("faults of a running index: \(cases.count), none lost") }
  }

  #if HTTPServer
    private static let hasCurl = access("/usr/bin/curl", X_OK) == 0

    /// Files whose faults a running command meets.
    private static let runningFiles = [
      "share/places.json", "xdg_state_home/photospots/mutes.json",
      "xdg_cache_home/photospots/index.json", "xdg_state_home/photospots/devices.json",
      "xdg_state_home/photospots/recreations.json",
    ]

    private func runningCases(_ files: [String]) -> [Case] {
      files.flatMap { name in faults.map { Case(name: name, fault: $0) } }
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a server goes on with each fault, and changes places again when it has ended`()
      async throws
    {
      try await prepare()
      let cases = runningCases(
        Effort.inputs(Self.runningFiles, quick: [Self.runningFiles[0]]))
      let outcome = try await running(
        cases,
        """
        LD_PRELOAD=$preload FAULTS=$PWD/faults \\
          "$photospots" serve --no-browser --listen 127.0.0.1:0 > out 2> err & pid=$!
        await 'key=' out
        url=$(sed 's,/#key=.*,,' out) key=$(sed 's,.*#key=,,' out)
        ask() { route=$1; shift; get -H "Authorization: Bearer $key" "$url/api/v1/$route" "$@"; }
        has_mill() { ask places | grep -q Mill; }
        add() {
          ask places -o answer -w '%{http_code}' -H 'Content-Type: application/json' \
            -d '{"latitude":10,"longitude":10,"name":"New"}'
        }
        can_add() { test "$(add)" = 201; }
        has_mill || echo 'no places'
        """,
        """
        begin "$fault" "$path"
        for list in places spots alerts mutes devices recreations status; do
          ask $list > /dev/null || echo "no answer to $list"
        done
        code=$(add)
        case $fault-${path##*/} in
        full-places.json | readOnly-places.json | failing-places.json | unreadable-places.json | \
        loop-places.json | folder-places.json | newer-places.json)
          test "$code" -ge 400 || echo "$fault: a place was accepted with $code" ;;
        esac
        alive "$fault $path"
        run status > status.out 2>&1 < /dev/null; test $? -le 2 || echo "status ended"
        end "$path"
        until_true has_mill
        until_true can_add
        """)
      let wanted = cases.map { "\($0.fault) \($0.file): went on\n" }.joined() + "ended with 0\n"
      #expect(outcome.output == wanted, "\(outcome)")
      if Effort.isThorough { print("faults of a running server: \(cases.count), none lost") }
    }

    @Test(.enabled(if: hasCurl, "curl is not installed"))
    func `a watch goes on with each fault, and alerts again when it has ended`() async throws {
      try await prepare()
      let cases = runningCases(Effort.inputs(Self.runningFiles, quick: [Self.runningFiles[0]]))
      let outcome = try await running(
        cases,
        """
        # Without phones, programs of this machine need no token.
        rm $XDG_STATE_HOME/photospots/phones.json
        LD_PRELOAD=$preload FAULTS=$PWD/faults \\
          "$photospots" watch --listen 127.0.0.1:0 --format ndjson > out 2> err & pid=$!
        await 'listening at' err
        url=$(sed -n 's/.*listening at //p' err)
        # A new device at each time, at once within the place.
        number=0
        fix() {
          number=$((number + 1))
          get -o answer -w '%{http_code}' "$url" -d \
            '{"_type":"location","tid":"p'$number'","topic":"owntracks/a/p'$number'","tst":'$(date +%s)',"lat":48.8,"lon":2.3,"acc":5}'
        }
        alerts() { test "$(wc -l < out)" -gt "$before" || { fix > /dev/null; false; }; }
        """,
        """
        begin "$fault" "$path"
        fix > /dev/null || echo 'no answer'
        alive "$fault $path"
        run status > status.out 2>&1 < /dev/null; test $? -le 2 || echo "status ended"
        end "$path"
        before=$(wc -l < out)
        until_true alerts
        """)
      let wanted = cases.map { "\($0.fault) \($0.file): went on\n" }.joined() + "ended with 0\n"
      #expect(outcome.output == wanted, "\(outcome)")
      if Effort.isThorough { print("faults of a running watch: \(cases.count), none lost") }
    }
  #endif
}
