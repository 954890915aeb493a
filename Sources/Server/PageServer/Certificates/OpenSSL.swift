import Encodings
import Subprocess
import SystemPackage

/// The program openssl(1), version 3.0 or later, which makes certificates.
///
/// A library for them would double the cryptography of the program: see docs/decisions.
enum OpenSSL {
  /// The longest time that a call may take; usually it takes a tenth of a second.
  private static let limit = Duration.seconds(saturating: 30)
  private static let maximumOutput = 1 << 16

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments. Nothing foreign is among them.
  ///   - input: A file at its start, which becomes standard input and is closed; `nil` for none.
  ///     A pipe would remain open in this process if the program ended without reading it.
  /// - Returns: The content of standard output.
  /// - Throws: A `MessageError` if it is not installed, fails or does not end.
  static func run(_ arguments: [String], input: FileDescriptor? = nil) async throws -> [UInt8] {
    let run = Task {
      if let input {
        try await outcome(
          arguments, input: .fileDescriptor(input, closeAfterSpawningProcess: true))
      } else {
        try await outcome(arguments, input: .none)
      }
    }
    let timer = Task {
      try await Task.sleep(for: limit)
      run.cancel()
    }
    defer { timer.cancel() }
    do {
      let result = try await run.value
      guard case .exited(0) = result.status else { throw failure(result.error) }
      return result.output
    } catch let error as MessageError {
      throw error
    } catch let error as SubprocessError where error.underlyingError == .noSuchFileOrDirectory {
      throw MessageError(
        "the program 'openssl', which makes certificates, is not installed: 'apt install openssl'")
    } catch {
      throw MessageError("'openssl \(arguments[0])' did not end, or could not be run: \(error)")
    }
  }

  private static func outcome(
    _ arguments: [String], input: some InputProtocol
  ) async throws -> (status: TerminationStatus, output: [UInt8], error: String) {
    let result = try await Subprocess.run(
      .name("openssl"), arguments: Arguments(arguments), input: input,
      output: .bytes(limit: maximumOutput), error: .string(limit: maximumOutput))
    return (result.terminationStatus, result.standardOutput, result.standardError)
  }

  /// The last line that openssl(1) wrote says what failed.
  private static func failure(_ text: String) -> MessageError {
    let lines = text.split(separator: "\n").filter { $0.contains { $0.isLetter } }
    return MessageError(
      "'openssl' cannot make a certificate: \(String(lines.last ?? "no reason is given").escaped)")
  }
}
