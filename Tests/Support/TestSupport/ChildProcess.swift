import CLibrary
public import SystemPackage

/// A separate process, which is killed when the object is deallocated.
public final class ChildProcess: Sendable {
  private let identifier: pid_t

  /// Starts a program without standard input and output.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments.
  ///   - errors: The file to which it writes its standard error; `nil` for none.
  /// - Throws: An `Errno` if it cannot be started.
  public init(_ path: FilePath, _ arguments: [String], errors: FilePath? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: CInt in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    if let errors {
      posix_spawn_file_actions_addopen(
        &actions, 2, errors.string, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }
    // The threads of tasks block signals, and a child inherits that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([path.string] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var identifier = pid_t()
    let code = posix_spawn(&identifier, path.string, &actions, &attributes, &words, environ)
    guard code == 0 else { throw Errno(rawValue: code) }
    self.identifier = identifier
  }

  /// Waits until the process has exited.
  public func waitUntilExit() { _ = exitStatus() }

  /// Waits until the process has exited, and returns its exit status; negative for a signal.
  public func exitStatus() -> Int32 {
    var information = siginfo_t()
    waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT)
    let status = information._sifields._sigchld.si_status
    return Int(information.si_code) == Int(CLD_EXITED) ? status : -status
  }

  /// Sends a signal to the process.
  public func send(_ signal: CInt) { kill(identifier, signal) }

  deinit {
    kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }

  /// Returns the path of an installed program; `nil` if it is not installed.
  public static func path(of name: String) -> FilePath? {
    ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map { FilePath("\($0)/\(name)") }
      .first { access($0.string, X_OK) == 0 }
  }
}
