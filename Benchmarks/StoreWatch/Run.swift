import CLibrary
import SystemPackage

private let usageText = """
  usage: store-watch-bench fixes STORE OWNER INDEX     fixes per second of a watch, and of a watcher in memory
         store-watch-bench compare STORE OWNER INDEX   decisions that differ from those of a watcher in memory
         store-watch-bench memory STORE OWNER INDEX    resident memory for each device
         store-watch-bench alerts STORE OWNER          alerts per second that are on the disk, and bare inserts

  Prints lines of text. STORE is an address of PostgreSQL on this machine; OWNER has the photos of INDEX and all
  their spots.
  """

/// Measures a watch over a store; `Benchmarks/store.py` says what with.
func run(_ arguments: [String]) {
  #if Postgres
    do {
      switch (arguments.first, arguments.count) {
      case ("fixes", 4):
        try WatchBench(arguments[1], owner: arguments[2]).measureFixes(index: arguments[3])
      case ("compare", 4):
        try WatchBench(arguments[1], owner: arguments[2]).compareDecisions(index: arguments[3])
      case ("memory", 4):
        try WatchBench(arguments[1], owner: arguments[2]).measureMemory(index: arguments[3])
      case ("alerts", 3): try WatchBench(arguments[1], owner: arguments[2]).measureAlerts()
      default: fail(usageText, status: 64)
      }
    } catch {
      fail("store-watch-bench: \(error)", status: 66)
    }
  #else
    fail("store-watch-bench: build with --traits HTTPServer,Postgres", status: 69)
  #endif
}

/// Prints a line on standard output.
func report(_ line: String) throws {
  try FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
}

/// Ends the program with a message.
func fail(_ message: String, status: Int32) -> Never {
  _ = try? FileDescriptor.standardError.writeAll((message + "\n").utf8)
  exit(status)
}
