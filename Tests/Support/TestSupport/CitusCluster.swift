import CLibrary
import SystemPackage

/// Three real PostgreSQL servers with Citus on the loopback interface: a coordinator and two
/// workers, which hold the rows. They are stopped when the test process ends.
///
/// Citus is not a package of Debian. If it is not installed, it is unpacked from the archive
/// `store/citus` of the corpus over a copy of the installed PostgreSQL in a temporary folder, which
/// needs no rights and leaves the installation as it is. PostgreSQL finds its files by the place of
/// its program, so the copy uses the copied folders.
public final class CitusCluster: Sendable {
  /// The cluster shared by the tests of a process.
  public static var shared: CitusCluster { get throws { try sharedCluster.get() } }
  private static let sharedCluster: Result<CitusCluster, any Error> = Result {
    let cluster = try CitusCluster()
    atexit { try? CitusCluster.shared.remove() }
    return cluster
  }

  /// The reason why there can be no cluster, for tests that are skipped then; `nil` if there can.
  public static let obstacle: String? = {
    switch installation {
    case .success: nil
    case .failure(let obstacle): obstacle.reason
    }
  }()

  // MARK: - Installation

  private struct Obstacle: Error {
    let reason: String
  }

  /// The places of Citus.
  private struct Installation {
    /// The archive; `nil` if Citus is installed.
    let archive: FilePath?
  }

  /// The version of PostgreSQL for which the archive was built.
  private static let version = 15
  /// The first minor version with all functions that the archive's library calls.
  private static let minorVersion = 20
  private static let programs = "/usr/lib/postgresql/\(version)/bin"
  private static let library = "/usr/lib/postgresql/\(version)/lib"
  private static let share = "/usr/share/postgresql/\(version)"

  private static let installation: Result<Installation, Obstacle> = {
    func missing(_ reason: String) -> Result<Installation, Obstacle> {
      .failure(Obstacle(reason: "skipped: \(reason)"))
    }
    guard access("\(programs)/initdb", X_OK) == 0 else {
      return missing("PostgreSQL \(version) is not installed: apt-get install postgresql")
    }
    if access("\(library)/citus.so", R_OK) == 0 { return .success(Installation(archive: nil)) }
    guard let folder = Corpus.folder?.appending("store/citus") else {
      return missing("Citus is not installed, and PHOTOSPOTS_CORPUS is not set")
    }
    #if arch(x86_64)
      let archive = Corpus.paths(under: folder).first {
        $0.string.hasSuffix("-postgresql-\(version)-debian12-amd64.tar.xz")
      }
    #else
      let archive: FilePath? = nil
    #endif
    guard let archive else {
      return missing("Citus is not installed, and \(folder) has no archive for this machine")
    }
    guard ["tar", "xz"].allSatisfy({ ChildProcess.path(of: $0) != nil }) else {
      return missing("Citus cannot be unpacked: apt-get install tar xz-utils")
    }
    guard let found = installedMinorVersion(), found >= minorVersion else {
      return missing(
        """
        Citus needs PostgreSQL \(version).\(minorVersion) or later: \
        apt-get install postgresql-\(version)
        """)
    }
    return .success(Installation(archive: archive))
  }()

  /// Returns 20 for PostgreSQL 15.20.
  private static func installedMinorVersion() -> Int? {
    let folder = TemporaryFolder()
    let answer = folder.path("version")
    guard (try? PostgresServer.succeed("{ \(programs)/postgres --version >\(answer); }")) != nil,
      let bytes = try? folder.contents(of: answer)
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return words.first { $0.hasPrefix("\(version).") }
      .flatMap { Int($0.dropFirst("\(version).".count).prefix { $0.isNumber }) }
  }

  /// Unpacks an archive over a copy of the installed PostgreSQL; returns the folder of programs.
  private static func unpack(_ archive: FilePath, in folder: TemporaryFolder) throws -> String {
    // The servers may run as another user.
    try folder.setPermissions(of: folder.root, to: FilePermissions(rawValue: 0o755))
    // Of all files but the programs, links suffice.
    try PostgresServer.succeed(
      """
      set -e; umask 022; cd \(folder.root); mkdir -p .\(programs) .\(library) .\(share); \
      cp -r \(programs)/. .\(programs); cp -rs \(library)/. .\(library); \
      cp -rs \(share)/. .\(share); tar xJf \(archive) --no-same-owner; chmod -R a+rX .
      """)
    return "\(folder.root)\(programs)"
  }

  // MARK: - Servers

  private let folder = TemporaryFolder()
  /// The coordinator, to which programs connect.
  public let coordinator: PostgresServer
  private let workers: [PostgresServer]

  private init() throws {
    var programs = Self.programs
    if let archive = try Self.installation.get().archive {
      programs = try Self.unpack(archive, in: folder)
    }
    let servers = try (0..<3).map { _ in
      try PostgresServer(
        programs, port: try LoopbackListener.unusedPort(),
        settings: [
          "shared_preload_libraries=citus", "wal_level=logical", "shared_buffers=16MB",
          "citus.node_conninfo=sslmode=disable",
        ])
    }
    (coordinator, workers) = (servers[0], Array(servers.dropFirst()))
  }

  private func remove() {
    for server in [coordinator] + workers { server.remove() }
    folder.remove(folder.root)
  }

  /// Creates an empty database on all servers, which its coordinator knows.
  ///
  /// - Returns: The database on the coordinator.
  /// - Throws: An `Errno` if it cannot be created.
  public func database() throws -> PostgresServer.Database {
    let database = try coordinator.database()
    for worker in workers { try worker.makeDatabase(database.name) }
    for server in [coordinator] + workers {
      try server.run("create extension citus", in: database.name)
    }
    let nodes = workers.map { "select citus_add_node('127.0.0.1', \($0.port ?? 0));" }
    try database.execute(
      """
      select citus_set_coordinator_host('127.0.0.1', \(coordinator.port ?? 0));
      \(nodes.joined(separator: "\n"))
      """)
    return database
  }
}
