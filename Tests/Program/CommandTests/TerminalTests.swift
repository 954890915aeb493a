import ProcessSupport
import SystemPackage
import TestSupport
import Testing

/// Untrusted text must not reach a terminal as control sequences.
@Suite(.timeLimit(.minutes(30))) struct TerminalTests {
  private let folder = TemporaryFolder()
  private static let code = "\u{1B}[31mX"

  /// Returns the output of a shell command with the program, results and errors, as shown on a
  /// terminal.
  private func shown(_ command: String) async throws -> String {
    let terminal = try Pseudoterminal()
    _ = try await Shell.run(
      """
      cd \(folder.root)
      export XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state TZ=UTC
      photospots() { "\(PhotoSpotsProcess.program)" "$@"; }
      (\(command)) > \(terminal.path) 2>&1 < /dev/null
      """)
    return String(decoding: terminal.receiveAll(), as: UTF8.self)
  }

  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      "\r\n\t".unicodeScalars.contains(scalar)
        || ![.control, .format].contains(scalar.properties.generalCategory)
    }
  }

  private func write(_ text: String, to path: String) throws {
    var parent = folder.root
    for component in FilePath(path).removingLastComponent().components {
      parent.append(component)
      try? folder.createFolder(parent)
    }
    try folder.write(text, to: path)
  }

  private static let place = #""latitude":48.86,"longitude":2.28"#

  @Test func `mutes, devices and history from damaged files are escaped on a terminal`()
    async throws
  {
    let code = #"\u001b[31mX\u009b2J"#
    try write(
      #"{"format":"photospots-mutes","version":1,"mutes":[{"spot":"\#(code)",\#(Self.place)}]}"#,
      to: "state/photospots/mutes.json")
    try write(
      #"""
      {"format":"photospots-journal","version":1}
      {"event":"fired","recorded":"2026-11-21T21:05:20.577Z","notifiers":["\#(code)"],"notification":{"id":"\#(code)","type":"enter","time":"2026-05-16T08:45:56.000Z","device":"\#(code)","distance":95.1,"bearing":138.5,"spot":{"id":"\#(code)",\#(Self.place),"distance":95.1,"photoCount":3,"cover":"/p/\#(code).jpg"},"alsoNear":[],"fix":{\#(Self.place)}}}
      {"event":"lapsed","recorded":"2026-11-21T21:05:20.577Z","device":"a","spot":"\#(code)",\#(Self.place),"time":"2026-05-16T08:45:56.000Z"}
      {"event":"expired","recorded":"2026-11-21T21:05:20.578Z","id":"\#(code)","notifier":"\#(code)","tries":1,"failure":"\#(code)"}

      """#, to: "state/photospots/journal.ndjson")
    for command in ["mute", "history", "history --format json", "devices", "unmute nothing"] {
      let text = try await shown("photospots \(command)")
      #expect(isHarmless(text) && !text.isEmpty, "\(command): \(text.debugDescription)")
    }
    #expect(try await shown("photospots mute").contains("\\x1b[31mX"))
    #expect(try await shown("photospots history").contains("\\x1b[31mX"))
  }

  @Test(arguments: [
    #"{"\u001b[31mX":1}"#, #"{"dwell":"\u001b[31mX"}"#, #"{"quietHours":"\u009b2J"}"#,
    #"{"listenTokens":{"\u001b[31mX":"short"}}"#, "{\"dwell\": \u{1B}[31mX}",
  ])
  func `errors of the settings file are escaped on a terminal`(text: String) async throws {
    try write(text, to: "config/photospots/config.json")
    let shown = try await shown("chmod 600 config/photospots/config.json; photospots config")
    #expect(isHarmless(shown) && shown.contains("config.json"), "\(shown.debugDescription)")
  }

  @Test func `control sequences in file names are escaped even when colours are used`()
    async throws
  {
    let photo = samples.appending("photos/2024 Paris/IMG_4471.jpg")
    let shown = try await shown(
      """
      mkdir photos; cp "\(photo)" "photos/$(printf '\\033[0;31mX\\033[0m.jpg')"
      photospots index photos > /dev/null 2>&1
      photospots spots --photos --color always
      """)
    #expect(shown.contains("\u{1B}[0;2m") && shown.contains("\u{1B}[0m"))
    let rest = shown.replacing("\u{1B}[0;1m", with: "").replacing("\u{1B}[0;2m", with: "")
      .replacing("\u{1B}[0m", with: "")
    #expect(isHarmless(rest), "\(shown.debugDescription)")
    #expect(rest.contains("\\x1b[0;31mX\\x1b[0m.jpg"), "\(shown.debugDescription)")
  }

  @Test func `file names and arguments are escaped on a terminal, also in usage errors`()
    async throws
  {
    try write("no photo", to: "photos/\(Self.code).jpg")
    let scan = try await shown("photospots index photos; photospots inspect photos/*")
    // The progress line is the program's own.
    let rest = scan.replacing("\u{1B}[K", with: "")
    #expect(isHarmless(rest) && rest.contains("\\x1b[31mX.jpg"), "\(scan.debugDescription)")
    for command in [
      "near '\(Self.code)' 1", "\(Self.code)", "watch '\(Self.code)'",
      "near 1 1 --format '\(Self.code)'",
      "config --set '\(Self.code)=1'", "inspect '\(Self.code)'", "devices --trail '\(Self.code)'",
    ] {
      let text = try await shown(
        "photospots \(command.hasPrefix("\u{1B}") ? "'\(command)'" : command)")
      #expect(isHarmless(text) && !text.isEmpty, "\(command): \(text.debugDescription)")
    }
  }

  @Test func `decisions and alerts are escaped on a terminal in every format`() async throws {
    try write("", to: "feed")
    let line =
      #"{"time":"2026-05-16T08:45:56.000Z","latitude":48.8515,"longitude":2.353,"device":"\u001b[31mX"}"#
    for flags in ["--format text", "--format ndjson", "--explain", "--log-format json"] {
      let text = try await shown(
        "photospots index \(samples.appending("photos")) > /dev/null 2>&1; "
          + "rm -rf state; echo '\(line)' > feed; photospots watch feed \(flags) "
          + "--set rulesOff=coldStart,vehicles")
      #expect(isHarmless(text) && text.contains("[31mX"), "\(flags): \(text.debugDescription)")
    }
  }
}
