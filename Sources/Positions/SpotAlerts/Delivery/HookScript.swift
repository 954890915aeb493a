import CLibrary
import Encodings
import Storage
import SystemPackage

/// The beginning of a hook's file, which shows before the first alert whether the system can run
/// it.
struct HookScript {
  private let start: [UInt8]

  /// The number of bytes in which Linux looks for the program of a script (`BINPRM_BUF_SIZE`).
  private static let length = 256

  /// Reads the beginning of a file; `nil` if it may be run but not read.
  init?(_ path: FilePath) {
    do throws(Errno) { start = try Disk.readToEnd(path, limit: Self.length) } catch { return nil }
  }

  /// Returns the reason why the system cannot run the file, and what to do; `nil` if none is known.
  /// The program `env` looks in the folders of the search path, the value of `PATH`.
  func obstacle(searchPath: String) -> String? {
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "begins with a byte order mark, with which it cannot run; run 'dos2unix' on it"
    }
    guard start.starts(with: Array("#!".utf8)) else {
      // Programs of any format have zero bytes.
      return start.contains(0)
        ? nil : "is not a program; a script must begin with a line like #!/bin/sh"
    }
    let line = start.dropFirst(2).prefix { $0 != 0x0A }
    if line.last == 0x0D {
      return "has Windows line ends, with which it cannot run; run 'dos2unix' on it"
    }
    let words = line.split { $0 == 0x20 || $0 == 0x09 }.map { String(decoding: $0, as: UTF8.self) }
    guard let interpreter = words.first else {
      return "names no program in its first line; write a line like #!/bin/sh"
    }
    guard Self.isExecutable(interpreter) else {
      return Self.missing(interpreter.escaped, "correct the path there, or install it")
    }
    // 'env NAME' finds the program in PATH, which is short in a service.
    guard FilePath(interpreter).lastComponent?.string == "env", words.count == 2,
      !words[1].hasPrefix("-"), !words[1].contains("/"), !words[1].contains("="),
      !searchPath.split(separator: ":").contains(where: { Self.isExecutable("\($0)/\(words[1])") })
    else { return nil }
    return Self.missing(words[1].escaped, "write its path there, or add its folder to PATH")
  }

  private static func missing(_ program: String, _ advice: String) -> String {
    "cannot be run: '\(program)', named in its first line, cannot be found or run; \(advice)"
  }

  private static func isExecutable(_ path: String) -> Bool {
    FilePath(path).withPlatformString { access($0, X_OK) } == 0
  }
}
