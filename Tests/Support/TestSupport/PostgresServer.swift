import CLibrary
import Synchronization
import SystemPackage

/// A real PostgreSQL server in a temporary folder, on a Unix socket and, if it has a port, on the
/// loopback interface. It is stopped when the object is deallocated or the test process ends.
///
/// The server refuses to run as root: a test process that does starts it as the user with id 65534.
public final class PostgresServer: Sendable {
  /// A database of a server, which is dropped when the object is deallocated.
  public final class Database: Sendable {
    /// Its name.
    public let name: String
    /// The address for clients, with a role that is not a superuser and owns the tables.
    public let address: String
    private let server: PostgresServer

    fileprivate init(_ name: String, of server: PostgresServer) {
      self.name = name
      self.server = server
      address = server.address(of: name)
    }

    /// Executes statements as a superuser, who can see the rows of all owners.
    ///
    /// - Returns: The rows as lines with values separated by `|`.
    /// - Throws: An `Errno` if a statement fails.
    @discardableResult
    public func execute(_ sql: String) throws -> [String] { try server.run(sql, in: name) }

    deinit { _ = try? server.run("drop database \(name) with (force)", in: "postgres") }
  }

  /// The server shared by the tests of a process, none of which may stop it.
  public static var shared: PostgresServer { get throws { try sharedServer.get() } }
  private static let sharedServer: Result<PostgresServer, any Error> = Result {
    let server = try PostgresServer()
    atexit { try? PostgresServer.shared.end() }
    return server
  }

  private static let folders: [String] = {
    var folders: [(version: Int, path: String)] = []
    let parent = "/usr/lib/postgresql"
    if let stream = opendir(parent) {
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let version = Int(name) { folders.append((version, "\(parent)/\(name)/bin")) }
      }
      closedir(stream)
    }
    return folders.sorted { $0.version > $1.version }.map(\.path) + ["/usr/local/bin", "/usr/bin"]
  }()
  private static let binaries = folders.first { access("\($0)/initdb", X_OK) == 0 }

  /// The processes of the sessions of this program's connections to a database.
  ///
  /// - Throws: An `Errno` if they cannot be listed.
  public func sessions(of database: Database) throws -> [CInt] {
    try run(
      """
      select pid from pg_stat_activity
      where datname = '\(database.name)' and application_name = 'photospots'
      """, in: "postgres"
    ).compactMap { CInt($0) }
  }

  /// Whether PostgreSQL is installed.
  public static var isInstalled: Bool { binaries != nil }
  /// The message for tests that are skipped because it is not installed.
  public static let hint = "PostgreSQL is not installed: apt-get install postgresql"

  private static let role = "photospots"
  private static let numbers = Atomic(0)

  private let folder = TemporaryFolder()
  private let guardian: Mutex<Guardian?> = Mutex(nil)
  /// The folder of PostgreSQL's programs.
  private let programs: String
  private let settings: [String]
  /// The TCP port; `nil` for a server on a Unix socket alone.
  let port: UInt16?

  /// A shell process that stops the server when its standard input is closed by all other
  /// processes.
  private struct Guardian {
    let process: pid_t
    let input: FileDescriptor
  }

  /// Creates and starts a server, which takes some seconds.
  ///
  /// - Throws: An `Errno` if it does not start.
  public convenience init() throws {
    guard let programs = Self.binaries else { throw Errno.noSuchFileOrDirectory }
    try self.init(programs, port: nil, settings: ["shared_buffers=64MB"])
  }

  /// Creates and starts a server of an installation.
  ///
  /// - Parameters:
  ///   - programs: The folder of PostgreSQL's programs.
  ///   - port: The TCP port; `nil` for none.
  ///   - settings: Settings as `NAME=VALUE`, in addition to those of all servers.
  /// - Throws: An `Errno` if it does not start.
  init(_ programs: String, port: UInt16?, settings: [String]) throws {
    (self.programs, self.port, self.settings) = (programs, port, settings)
    try folder.setPermissions(of: folder.root, to: FilePermissions(rawValue: 0o755))
    for path in [data, sockets] {
      try folder.createFolder(path)
      guard getuid() == 0 else { continue }
      guard chown(path.string, Self.user, Self.user) == 0 else { throw Errno(rawValue: errno) }
    }
    try Self.succeed(
      "\(prefix)/initdb -D \(data) -U postgres -A trust --no-sync --no-instructions -E UTF8 "
        + "--no-locale")
    try start()
    try run("create role \(Self.role) login", in: "postgres")
  }

  deinit { end() }

  private static let user: uid_t = 65_534
  /// The number in the name of the Unix socket of a server without a TCP port.
  private static let socketPort: UInt16 = 5432
  private var data: FilePath { folder.path("data") }
  private var sockets: FilePath { folder.path("sockets") }

  /// The folder of PostgreSQL's programs, preceded by the command that runs them as another user.
  private var prefix: String {
    guard getuid() == 0 else { return programs }
    return "setpriv --reuid=\(Self.user) --regid=\(Self.user) --clear-groups \(programs)"
  }

  // MARK: - Starting and stopping

  /// Starts the server again, and waits until it accepts connections.
  public func start() throws {
    try guardian.withLock { guardian in
      guard guardian == nil else { return }
      let log = folder.path("log")
      folder.remove(log)
      let lines = try GrowingFile(log)
      guardian = try launch()
      try lines.wait(for: "ready to accept connections")
    }
  }

  /// Stops the server immediately, as a crash does, so that it must recover at its next start.
  public func crash() throws { try stop(SIGQUIT) }

  /// Shuts the server down in an orderly way, which ends all client sessions.
  public func stop() throws { try stop(SIGINT) }

  /// Suspends or resumes the server's processes; a suspended server behaves like a machine that
  /// hangs.
  public func suspend(_ isSuspended: Bool) throws {
    let sign = isSuspended ? SIGSTOP : SIGCONT
    guard kill(try process(), sign) == 0 else { throw Errno(rawValue: errno) }
  }

  private func stop(_ sign: CInt) throws {
    let process = try process()
    guard kill(process, sign) == 0 else { throw Errno(rawValue: errno) }
    end()
  }

  /// Returns the id of the server's process, from the first line of its lock file.
  private func process() throws -> pid_t {
    let text = String(
      decoding: try folder.contents(of: data.appending("postmaster.pid")), as: UTF8.self)
    guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw Errno.noSuchProcess
    }
    return process
  }

  private func launch() throws -> Guardian {
    let settings =
      [
        "listen_addresses=\(port == nil ? "" : "127.0.0.1")", "port=\(port ?? Self.socketPort)",
        "unix_socket_directories=\(sockets)", "fsync=off", "full_page_writes=off",
        "max_connections=100",
      ] + self.settings
    let command =
      "\(prefix)/postgres -D \(data) \(settings.map { "-c '\($0)'" }.joined(separator: " "))"
    // The shell waits until its standard input is closed, which happens whenever the process at the
    // other end terminates.
    let script = """
      exec 3<&0 >>\(folder.root)/log 2>&1
      \(command) </dev/null 3<&- & server=$!
      cat <&3 >/dev/null
      kill -QUIT $server 2>/dev/null
      wait $server
      """
    let (output, input) = try FileDescriptor.pipe()
    defer { try? output.close() }
    guard fcntl(input.rawValue, F_SETFD, FD_CLOEXEC) == 0 else { throw Errno(rawValue: errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.rawValue, 0)
    let arguments: [String] = ["sh", "-c", script]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, nil, &words, environ)
    guard code == 0 else { throw Errno(rawValue: code) }
    return Guardian(process: process, input: input)
  }

  /// Makes the guardian stop the server, and waits for it.
  private func end() {
    guardian.withLock { guardian in
      guard let ending = guardian else { return }
      try? ending.input.close()
      waitpid(ending.process, nil, 0)
      guardian = nil
    }
  }

  // MARK: - Databases

  /// Creates an empty database.
  ///
  /// - Parameter template: The database that it is a copy of, to which nobody may be connected.
  /// - Returns: The database.
  /// - Throws: An `Errno` where it cannot be created.
  public func database(template: Database? = nil) throws -> Database {
    let number = Self.numbers.add(1, ordering: .relaxed).newValue
    let name = "test_\(number)"
    try run(
      "create database \(name) owner \(Self.role) template \(template?.name ?? "template0")",
      in: "postgres")
    return Database(name, of: self)
  }

  /// Creates an empty database with the name of one of another server.
  func makeDatabase(_ name: String) throws {
    try run("create database \(name) owner \(Self.role) template template0", in: "postgres")
  }

  /// Stops the server, and removes its files.
  func remove() {
    end()
    folder.remove(folder.root)
  }

  /// Returns the address of a database.
  fileprivate func address(of name: String) -> String {
    "postgres://\(Self.role)@/\(name)?host=\(sockets)&port=\(port ?? Self.socketPort)"
  }

  @discardableResult
  func run(_ sql: String, in database: String) throws -> [String] {
    let script = folder.path("script-\(Self.numbers.add(1, ordering: .relaxed).newValue)")
    try folder.write(sql, to: script)
    defer { folder.remove(script) }
    let answer = folder.path(script.lastComponent!.string + "-answer")
    defer { folder.remove(answer) }
    try Self.succeed(
      "PGCONNECT_TIMEOUT=20 \(programs)/psql -X -q -A -t -v ON_ERROR_STOP=1 "
        + "-h \(sockets) -p \(port ?? Self.socketPort) -U postgres -d \(database) -f \(script) "
        + "-o \(answer)")
    return String(decoding: try folder.contents(of: answer), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }

  /// Runs a command line, discarding its output.
  static func succeed(_ command: String) throws {
    let arguments: [String] = ["sh", "-c", "\(command) </dev/null >/dev/null 2>&1"]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", nil, nil, &words, environ)
    guard code == 0 else { throw Errno(rawValue: code) }
    var status: CInt = 0
    waitpid(process, &status, 0)
    guard status == 0 else { throw Errno.ioError }
  }
}
