import CLibrary
public import SystemPackage

/// Another program that runs beside a test, and is killed when its life ends.
public final class ChildProcess: Sendable {
  private let identifier: pid_t

  /// Starts a program without standard input and output.
  ///
  /// - Throws: An `Errno` where it cannot be started.
  public init(_ path: FilePath, _ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: CInt in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var words = ([path.string] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var identifier = pid_t()
    let code = posix_spawn(&identifier, path.string, &actions, nil, &words, environ)
    guard code == 0 else { throw Errno(rawValue: code) }
    self.identifier = identifier
  }

  /// Waits for its end.
  public func waitUntilExit() {
    var information = siginfo_t()
    waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT)
  }

  deinit {
    kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }

  /// The path of a program of a name, where it is installed.
  public static func path(of name: String) -> FilePath? {
    ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map { FilePath("\($0)/\(name)") }
      .first { access($0.string, X_OK) == 0 }
  }
}
