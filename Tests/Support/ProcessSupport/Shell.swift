import CLibrary
package import Subprocess
import SystemPackage

/// Shell commands in tests.
package enum Shell {
  /// The error for a command that did not end.
  package struct TimedOut: Error {
    package let output: String
    package let errors: String
  }

  /// A shell function: `await PATTERN FILE [COUNT]` waits until a file has so many lines with a
  /// pattern, while the process `$pid` runs.
  package static let await = #"""
    await() {
      found=$(timeout 120 tail -n +1 -F --pid=$pid "$2" 2> /dev/null | grep -a -c -m "${3:-1}" -e "$1")
      [ "$found" -ge "${3:-1}" ] || { echo "no '$1' in $2"; kill -KILL $pid; exit 9; }
    }
    """#

  /// Runs a shell command in a fixed environment: it does not inherit settings, proxies, the home
  /// folder, the language or the time zone of the user.
  ///
  /// - Throws: ``TimedOut`` after ten minutes, when the command and its child processes were ended.
  package static func run(
    _ command: String, environment: [Environment.Key: String] = [:]
  ) async throws -> (output: String, errors: String) {
    var custom: [Environment.Key: String] = [
      "HOME": "/nonexistent", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
      "TZ": "UTC",
    ]
    if let place = getenv("TMPDIR") { custom["TMPDIR"] = String(cString: place) }
    let result = try await Subprocess.run(
      .path("/usr/bin/timeout"),
      arguments: ["--kill-after=10", "600", "/bin/sh", "-c", command],
      environment: .custom(custom.merging(environment) { $1 }), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    if result.terminationStatus == .exited(124) || result.terminationStatus == .exited(137) {
      throw TimedOut(output: result.standardOutput, errors: result.standardError)
    }
    return (result.standardOutput, result.standardError)
  }
}
