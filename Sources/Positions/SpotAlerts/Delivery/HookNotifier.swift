import CLibrary
import Storage
import Subprocess
import Synchronization
public import SystemPackage

/// Runs a user's program for each alert.
///
/// The program is started directly, never through a shell, in its own session. It gets the alert as
/// JSON on standard input and the main values as `PHOTOSPOTS_…` in its environment. Exit status 0
/// means that the alert is delivered. The program's process group is killed at the time limit, and
/// also after the program has exited.
public struct HookNotifier: Notifier {
  /// `hook`.
  public let name = "hook"
  private let path: FilePath
  private let limitSeconds: Double
  private let scratchFolder: FilePath
  private let inherited: [[UInt8]]
  private let onOutput: @Sendable ([UInt8]) -> Void

  /// The number of bytes of a run's output that are kept; the rest is read and discarded.
  public static let keptOutputBytes = 1 << 16

  /// Creates a notifier.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - limitSeconds: The time limit of a run.
  ///   - scratchFolder: A folder for the file with the notification, which is unlinked before the
  ///     program starts; normally the state folder, which only its owner can read.
  ///   - withheldVariables: The names of environment variables that are not passed to the program.
  ///   - onOutput: Called with the output of a run, if there is any, for the log: the first
  ///     ``keptOutputBytes`` of standard output and standard error.
  public init(
    path: FilePath, limitSeconds: Double = 30, scratchFolder: FilePath,
    withheldVariables: [String] = [],
    onOutput: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) {
    self.path = path
    self.limitSeconds = limitSeconds
    self.scratchFolder = scratchFolder
    self.onOutput = onOutput
    inherited = HookEnvironment.inherited(without: withheldVariables)
  }

  /// The reason why the program at the path cannot be started; `nil` if none is known.
  public var obstacle: String? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      return "\(path) does not exist"
    }
    if status.st_mode & S_IFMT == S_IFDIR { return "\(path) is a folder; name the program in it" }
    guard path.withPlatformString({ access($0, X_OK) }) == 0 else {
      return "\(path) is not executable; run 'chmod +x' on it"
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is not a file" }
    let name = Array("PATH=".utf8)
    // Each variable ends with NUL.
    let searchPath =
      inherited.first { $0.starts(with: name) }?.dropFirst(name.count).dropLast() ?? []
    return HookScript(path)?.obstacle(searchPath: String(decoding: searchPath, as: UTF8.self))
      .map { "\(path) \($0)" }
  }

  /// Runs the program. The result is `failed` with the reason if it could not be started, exceeded
  /// the time limit, was killed, or exited with a status other than 0.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    let input: FileDescriptor
    do throws(Errno) {
      input = try inputFile(alert)
    } catch {
      return .failed("\(scratchFolder): \(error)")
    }
    let group = ProcessGroup()
    let timer = Task {
      try await Task.sleep(for: .seconds(saturating: limitSeconds))
      group.killAtLimit()
    }
    defer {
      timer.cancel()
      // Ends the processes that the program left running.
      group.kill()
    }
    do {
      let status = try await run(alert, input: input, group: group)
      if group.wasKilledAtLimit { return .failed("killed after \(limitSeconds) s") }
      return result(of: status)
    } catch {
      if group.wasKilledAtLimit { return .failed("killed after \(limitSeconds) s") }
      if Task.isCancelled { return .failed("interrupted") }
      return .failed(startFailure(error))
    }
  }

  private func run(
    _ alert: Alert, input: FileDescriptor, group: ProcessGroup
  ) async throws -> TerminationStatus {
    var options = PlatformOptions()
    options.createSession = true
    // For the cancellation of the task.
    options.teardownSequence = [
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
    ]
    let outcome = try await Subprocess.run(
      .path(path),
      environment: .custom(HookEnvironment.variables(of: alert, inherited: inherited)),
      platformOptions: options,
      input: .fileDescriptor(input, closeAfterSpawningProcess: true),
      output: .sequence, error: .combinedWithOutput
    ) { execution in
      group.start(execution.processIdentifier.value)
      let kept = await Self.drain(execution.standardOutput)
      if !kept.isEmpty { onOutput(kept) }
    }
    return outcome.terminationStatus
  }

  /// Reads the output to its end, so that the program never blocks, and returns its beginning.
  private static func drain(_ output: SubprocessOutputSequence) async -> [UInt8] {
    var kept: [UInt8] = []
    do {
      for try await buffer in output {
        let room = keptOutputBytes - kept.count
        if room > 0 { buffer.withUnsafeBytes { kept += $0.prefix(room) } }
      }
    } catch {
      // The program ended while a process that it had started kept the output open.
      return kept
    }
    return kept
  }

  /// Returns an unlinked file with the notification, positioned at its beginning.
  ///
  /// A file is used because a program that exits without reading would break a pipe.
  private func inputFile(_ alert: Alert) throws(Errno) -> FileDescriptor {
    let path = scratchFolder.appending(".hook-\(Disk.processID)-\(alert.id)")
    return try Disk.unnamedFile(with: alert.ndjson, at: path)
  }

  private func result(of status: TerminationStatus) -> DeliveryResult {
    switch status {
    case .exited(0): .delivered
    case .exited(let code): .failed("exit status \(code)")
    case .signaled(let signal): .failed("killed by signal \(signal)")
    }
  }

  private func startFailure(_ error: any Error) -> String {
    if let obstacle { return obstacle }
    switch (error as? SubprocessError)?.underlyingError {
    case .noSuchFileOrDirectory:
      return "\(path) cannot be run: the program named in its first line does not exist"
    case .permissionDenied:
      return "\(path) cannot be run: it is not a file, or may not be run here"
    case .execFormatError:
      return "\(path) is not a program; a script must begin with a line like #!/bin/sh"
    case let cause?: return "\(path) cannot be run: \(cause)"
    case nil: return "\(path) cannot be run: \(error)"
    }
  }
}

/// The process group of a run, which is killed at most once.
private final class ProcessGroup: Sendable {
  private struct State {
    var id: pid_t?
    var wasKilledAtLimit = false
  }

  private let state = Mutex(State())

  var wasKilledAtLimit: Bool { state.withLock(\.wasKilledAtLimit) }

  func start(_ id: pid_t) {
    let isTooLate = state.withLock { state in
      state.id = id
      return state.wasKilledAtLimit
    }
    if isTooLate { kill() }
  }

  func killAtLimit() {
    state.withLock { $0.wasKilledAtLimit = true }
    kill()
  }

  func kill() {
    guard let id = state.withLock(\.id), id > 1 else { return }
    #if canImport(Darwin)
      _ = Darwin.kill(-id, SIGKILL)
    #elseif canImport(Musl)
      _ = Musl.kill(-id, SIGKILL)
    #else
      _ = Glibc.kill(-id, SIGKILL)
    #endif
  }
}
