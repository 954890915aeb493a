import CLibrary
import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// A table of faults: each file that a watch and a server open, with each fault, under each
/// command.
///
/// No command may crash, replace a file that it cannot read, or take it for one that does not
/// exist. `status` names the file, and all is as before when the fault has ended. `make soak` uses
/// the whole table, and prints its counts.
@Suite(.timeLimit(.minutes(60))) struct FaultTableTests {
  /// A fault of one file.
  enum Fault: String, CaseIterable {
    /// A link to itself, which cannot be looked through.
    case loop
    /// A folder in place of the file.
    case folder
    /// A file of a newer version.
    case newer
    /// The first half of the file, as after a failure of the disk.
    case cut
  }

  private static let commands: [[String]] = [
    ["places"], ["mute"], ["near", "48.8", "2.3"], ["history"], ["spots"], ["watch", "-"],
    ["config"],
  ]
  private static let files = [
    "share/places.json", "xdg_state_home/photospots/mutes.json",
    "xdg_state_home/photospots/journal.ndjson", "xdg_state_home/photospots/serve-key.json",
    "xdg_state_home/photospots/action-key.json", "xdg_state_home/photospots/serve-sessions.json",
    "xdg_state_home/photospots/used-links.json", "xdg_state_home/photospots/recreations.json",
    "xdg_state_home/photospots/devices.json", "xdg_cache_home/photospots/index.json",
  ]
  /// Files that a cut does not hinder: lists whose loss costs little are replaced at the next
  /// change, with a notice, and the last line of a journal is cut by every crash.
  private static let replaceable = ["serve-sessions.json", "used-links.json", "journal.ndjson"]

  private let folder = TemporaryFolder()
  private var photospots: PhotoSpotsProcess { PhotoSpotsProcess(home: folder.root) }

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
      ("serve-sessions.json", "photospots-serve-sessions", #""key":"","sessions":[]"#),
      ("serve-key.json", "photospots-serve-key", #""key":"0123456789abcdef0123456789abcdef""#),
      ("action-key.json", "photospots-action-key", #""key":"0123456789abcdef0123456789abcdef""#),
    ]
    for (name, format, member) in lists {
      try folder.write(#"{"format":"\#(format)","version":1,\#(member)}"#, to: state + name)
      try folder.setPermissions(of: folder.path(state + name), to: .ownerReadWrite)
    }
  }

  /// Puts a fault in place of a file, which is moved aside.
  private func apply(_ fault: Fault, to path: FilePath, aside: FilePath) throws {
    #expect(rename(path.string, aside.string) == 0)
    let content = try folder.contents(of: aside)
    switch fault {
    case .loop: #expect(symlink(path.string, path.string) == 0)
    case .folder: #expect(mkdir(path.string, 0o700) == 0)
    case .newer:
      let text = String(decoding: content, as: UTF8.self)
      let newer = text.replacing(#/("version"\s*:\s*)\d+/#, maxReplacements: 1) { "\($0.1)999" }
      try folder.write(newer, to: path)
    case .cut: try folder.write(content.prefix(content.count / 2), to: path)
    }
    if fault == .newer || fault == .cut { try folder.setPermissions(of: path, to: .ownerReadWrite) }
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

  @Test func `no fault of a file loses anything, status names it, and work goes on afterwards`()
    async throws
  {
    try await prepare()
    let healthy = try await photospots.run("status")
    try #require(healthy.code == 0, "\(healthy)")
    let before = try await answers()
    let files = Effort.inputs(Self.files, quick: Array(Self.files.prefix(3)))
    let commands = Effort.inputs(Self.commands, quick: [["places"], ["mute"], ["watch", "-"]])
    var (runs, faults) = (0, 0)
    for name in files {
      for fault in Fault.allCases {
        let (path, aside) = (folder.path(name), folder.path("aside"))
        let file = path.lastComponent?.string ?? ""
        try apply(fault, to: path, aside: aside)
        let broken = try state(of: path)
        faults += 1
        let status = try await photospots.run("status")
        if fault != .cut || !Self.replaceable.contains(file) {
          #expect(status.code == 1, "\(file), \(fault): \(status)")
          #expect((status.output + status.errors).contains(file), "\(file), \(fault): \(status)")
        }
        for command in commands {
          let outcome = try await photospots.run(command)
          runs += 1
          #expect((0...2).contains(outcome.code), "\(file), \(fault), \(command): \(outcome)")
          // The next writer sets a damaged file aside.
          if fault != .cut {
            #expect(try state(of: path) == broken, "\(file), \(fault), \(command)")
          }
          if fault == .newer {
            for advice in ["delete it", "Repair", "--new-key"] {
              #expect(!outcome.errors.contains(advice), "\(file), \(command): \(outcome)")
            }
          }
        }
        folder.remove(path)
        #expect(rename(aside.string, path.string) == 0)
        let after = try await photospots.run("status")
        #expect(after.code == 0, "\(file), \(fault): \(after)")
        #expect(try await answers() == before, "\(file), \(fault)")
      }
    }
    if Effort.isThorough {
      print("faults: \(files.count) files, \(faults) faults, \(runs) runs of commands, none lost")
    }
  }
}
