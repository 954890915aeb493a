import CLibrary
import SystemPackage
import TestSupport
import Testing

/// Names of albums are names of folders, which may come from anyone. Real shells complete them.
@Suite(.timeLimit(.minutes(30))) struct CompletionTests {
  private let folder = TemporaryFolder()

  private static let albums = [
    "Summer 2019", "Summer $(touch RAN1)", "Autumn `touch RAN2`", "Berlin", "L'Aquila",
    "Trip: Oslo", "back\\slash", "Kay \"hi\"", "Cost $HOME", "Zürich See", "Wow! x", "--x y",
    "#hash", "a=b;touch RAN3", "Q $a", "Q `b", "Evil\n$(touch RAN4)", "Esc \u{1B}[31m",
  ]

  /// Indexes a photo in a folder of each name, and creates a program that prints its arguments to a
  /// file when it is started at the prompt.
  private func prepare(_ albums: [String] = Self.albums) async throws {
    let photo = try folder.contents(of: samples.appending("photos/2024 Paris/IMG_4471.jpg"))
    for (number, album) in albums.enumerated() {
      try folder.createFolder(folder.path(bytes: Array("photos/\(album)".utf8)))
      try folder.write(photo, to: "photos/\(album)/IMG_\(number).jpg")
    }
    try folder.createFolder(folder.path("bin"))
    try folder.write(
      """
      #!/bin/sh
      [ -t 1 ] || exec '\(PhotoSpotsProcess.program)' "$@"
      printf '%s\\n' "$@" > '\(folder.path("words.new"))'
      mv '\(folder.path("words.new"))' '\(folder.path("words"))'
      """, to: "bin/photospots")
    try folder.makeExecutable(folder.path("bin/photospots"))
    let photospots = PhotoSpotsProcess(home: folder.root)
    #expect(try await photospots.run("index", folder.path("photos").string).code == 0)
  }

  /// An interactive shell with its completion script.
  private final class InteractiveShell {
    private let terminal: Pseudoterminal
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// Starts a shell without settings of the user, and waits until it has the script.
    init(_ name: String, in folder: TemporaryFolder, script: FilePath) async throws {
      self.folder = folder
      terminal = try Pseudoterminal()
      let words = [
        "bash": "bash --norc --noprofile -i", "zsh": "zsh -f -i", "fish": "fish -N -i",
      ][name]
      process = try ChildProcess(
        "/bin/sh",
        [
          "-c",
          """
          cd '\(folder.root)'
          exec env -i PATH="$PWD/bin:/usr/local/bin:/usr/bin:/bin" HOME="$PWD" TERM=dumb \
            LC_ALL=C.UTF-8 XDG_CACHE_HOME="$PWD/xdg_cache_home" XDG_CONFIG_HOME="$PWD/c" \
            XDG_STATE_HOME="$PWD/s" XDG_DATA_HOME="$PWD/d" HISTFILE=/dev/null \
            setsid -c \(words ?? name) < '\(terminal.path)' > '\(terminal.path)' 2>&1
          """,
        ])
      switch name {
      case "bash": try terminal.send("source '\(script)'; : > ready\n")
      case "zsh":
        try terminal.send(
          """
          fpath=('\(script.removingLastComponent())' $fpath); autoload -Uz compinit; \
          compinit -u -D; autoload -Uz _photospots; compdef _photospots photospots; : > ready

          """)
      default: try terminal.send("source '\(script)'; echo > ready\n")
      }
      try await appears("ready")
    }

    /// Waits for a file in the folder.
    private func appears(_ name: String) async throws {
      let end = ContinuousClock.now + .seconds(120)
      await until {
        terminal.discardOutput()
        return folder.exists(folder.path(name)) || ContinuousClock.now > end
      }
      try #require(folder.exists(folder.path(name)), "the shell waits for more")
    }

    /// Types a line that ends with Tab and Enter, and returns the arguments that the program got.
    func words(after typed: String) async throws -> [String] {
      folder.remove(folder.path("words"))
      try terminal.send("photospots spots --album \(typed)\t\n")
      try await appears("words")
      let words = String(decoding: try folder.contents(of: folder.path("words")), as: UTF8.self)
      return words.split(separator: "\n").map(String.init)
    }
  }

  /// Starts a shell with its completion script.
  private func shell(_ name: String) async throws -> InteractiveShell {
    guard ChildProcess.path(of: name) != nil else {
      try Test.cancel("\(name) is not installed")
    }
    let script = try await PhotoSpotsProcess(home: folder.root)
      .run("--generate-completion-script", name)
    #expect(!script.output.contains("-W \"$("), "names as source text")
    try folder.createFolder(folder.path("completions"))
    let file = folder.path("completions").appending(name == "zsh" ? "_photospots" : name)
    try folder.write(script.output, to: file)
    return try await InteractiveShell(name, in: folder, script: file)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the only name is completed before a letter is typed`(name: String) async throws {
    try await prepare(["Berlin"])
    #expect(try await shell(name).words(after: "").dropFirst(2) == ["Berlin"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a completed name is one word, and nothing of it runs`(name: String) async throws {
    try await prepare()
    let shell = try await shell(name)
    var typed = [
      ("Au", "Autumn `touch RAN2`"), ("B", "Berlin"), ("L", "L'Aquila"), ("T", "Trip: Oslo"),
      ("ba", "back\\slash"), ("K", "Kay \"hi\""), ("C", "Cost $HOME"), ("Z", "Zürich See"),
      ("Wo", "Wow! x"), ("'#", "#hash"), ("a", "a=b;touch RAN3"), ("'Au", "Autumn `touch RAN2`"),
      ("'C", "Cost $HOME"), ("'K", "Kay \"hi\""),
    ]
    if name == "bash" {
      typed += [
        ("\"Au", "Autumn `touch RAN2`"), ("\"K", "Kay \"hi\""), ("\"Wo", "Wow! x"),
        ("\"Summer $", "Summer $(touch RAN1)"), ("Summer\\ \\$", "Summer $(touch RAN1)"),
        ("Trip:", "Trip: Oslo"), ("Trip:\\ ", "Trip: Oslo"), ("\"Trip: ", "Trip: Oslo"),
        ("'L", "L'Aquila"),
        ("'Summer 2", "Summer 2019"), ("a=", "a=b;touch RAN3"), ("--x", "--x y"),
      ]
    }
    for (text, album) in typed {
      #expect(try await shell.words(after: text).dropFirst(2) == [album], "\(text)")
    }
    // What two names have in common, or what was typed. Zsh ends it within a quoted character.
    for text in name == "zsh" ? ["S", "Su"] : ["S", "Su", "Q"] {
      let word = try await shell.words(after: text).dropFirst(2)
      #expect(word.count == 1 && ["S", "Su", "Summer ", "Q", "Q "].contains(word.first), "\(word)")
    }
    #expect(try await shell.words(after: "nothing").dropFirst(2) == ["nothing"])
    for number in 1...4 { #expect(!folder.exists(folder.path("RAN\(number)"))) }
  }

  @Test func `names with control characters are not offered`() async throws {
    try await prepare()
    let offered = try await PhotoSpotsProcess(home: folder.root)
      .run("---completion", "spots", "--", "--album", "0", "0", "").output
    #expect(offered.contains("Autumn") && !offered.contains("Evil") && !offered.contains("Esc"))
  }
}
