import Subprocess
import SystemPackage

/// The program, run as a process.
struct PhotoSpotsProcess {
  /// The output and exit status of a run.
  struct Outcome {
    let status: TerminationStatus
    let output: String
    let errors: String

    /// The exit status; negative for a signal.
    var code: Int32 {
      switch status {
      case .exited(let code): code
      case .signaled(let signal): -signal
      }
    }
  }

  /// The folder of the test's index, settings and state.
  let home: FilePath
  var environment: [String: String] = [:]

  init(home: FilePath, environment: [String: String] = [:]) {
    self.home = home
    self.environment = environment
  }

  /// The program, which is in the same build folder as the tests.
  static let program: FilePath = {
    // The path of the test bundle, which is an argument of the test runner or the process itself.
    let bundle = CommandLine.arguments.map { FilePath($0) }
      .first { $0.extension == "xctest" || $0.lastComponent?.stem == "PhotoSpotsPackageTests" }
    return (bundle ?? FilePath(CommandLine.arguments[0])).removingLastComponent()
      .appending("photospots")
  }()

  func run(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await run(arguments, input: Array(input.utf8))
  }

  func run(_ arguments: [String], input: [UInt8] = []) async throws -> Outcome {
    try await run(Arguments(arguments), input: input)
  }

  /// Runs the program with arguments that need not be valid text.
  func run(bytes arguments: [[UInt8]]) async throws -> Outcome {
    try await run(
      Arguments(executablePathOverride: nil, remainingValues: arguments.map { $0 + [0] }),
      input: [])
  }

  private func run(_ arguments: Arguments, input: [UInt8]) async throws -> Outcome {
    let variables = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
    var custom: [Environment.Key: String] = [:]
    for name in variables {
      custom[Environment.Key(stringLiteral: name)] = home.appending(name.lowercased()).string
    }
    custom["PATH"] = "/usr/bin:/bin"
    custom["TZ"] = "UTC"
    for (name, value) in environment { custom[Environment.Key(stringLiteral: name)] = value }
    // A file rather than a pipe, because writing to a pipe fails if the program exits without
    // reading.
    let inputFile = home.appending(".input")
    let writing = try FileDescriptor.open(
      inputFile, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
    try writing.closeAfter { _ = try writing.writeAll(input) }
    let result = try await Subprocess.run(
      .path(Self.program), arguments: arguments, environment: .custom(custom),
      input: .fileDescriptor(
        try .open(inputFile, .readOnly), closeAfterSpawningProcess: true),
      output: .string(limit: 1 << 24), error: .string(limit: 1 << 24))
    return Outcome(
      status: result.terminationStatus, output: result.standardOutput,
      errors: result.standardError)
  }
}
