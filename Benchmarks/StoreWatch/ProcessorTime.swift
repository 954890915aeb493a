#if Postgres
  import CLibrary
  import PostgresStore

  /// A stopwatch for the time, and for the processor time of this process and of the server's.
  struct Stopwatch {
    private let connection: PostgresConnection
    private let start = ContinuousClock.now
    private let own = Self.ownSeconds()
    private let server: [String: Double]

    /// Starts to measure; the connection names the server.
    init(_ connection: PostgresConnection) {
      self.connection = connection
      server = Self.serverSeconds(connection)
    }

    /// The times in seconds since the start.
    struct Reading {
      let seconds: Double
      /// The processor time of this process.
      let own: Double
      /// The processor time of all processes of the server that still run.
      let server: Double

      /// Seconds as microseconds for each of a number of events.
      static func microseconds(_ seconds: Double, each count: Int) -> String {
        decimal(seconds * 1e6 / Double(max(count, 1)))
      }
    }

    /// Reads the times.
    func read() -> Reading {
      let duration = start.duration(to: .now).components
      let seconds = Double(duration.seconds) + Double(duration.attoseconds) / 1e18
      var spent = 0.0
      for (process, seconds) in Self.serverSeconds(connection) {
        spent += seconds - (server[process] ?? 0)
      }
      return Reading(seconds: seconds, own: Self.ownSeconds() - own, server: spent)
    }

    private static func ownSeconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The processor time of each of the server's processes: the first number of `schedstat`
    /// (Linux, Documentation/scheduler/sched-stats.rst).
    private static func serverSeconds(_ connection: PostgresConnection) -> [String: Double] {
      // The fourth field of `stat` is the parent (proc(5)); the name before it has no spaces here.
      let status = words(ofFile: "/proc/\(connection.serverProcess)/stat")
      guard let end = status.lastIndex(where: { $0.hasSuffix(")") }), status.count > end + 2 else {
        return [:]
      }
      let parent = status[end + 2]
      var seconds: [String: Double] = [:]
      for process in words(ofFile: "/proc/\(parent)/task/\(parent)/children") {
        let spent = words(ofFile: "/proc/\(process)/schedstat").first.flatMap { Double($0) }
        seconds[process] = (spent ?? 0) / 1e9
      }
      return seconds
    }
  }

  /// The resident memory of this process in bytes: the second number of `statm`, in pages
  /// (proc(5)).
  func residentBytes() -> Int {
    (words(ofFile: "/proc/self/statm").dropFirst().first.flatMap { Int($0) } ?? 0)
      * Int(sysconf(CInt(_SC_PAGESIZE)))
  }

  /// The words of a short file; none if it cannot be read.
  private func words(ofFile path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).map(String.init)
  }
#endif

/// A number with one decimal.
func decimal(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// A number with commas between thousands.
func grouped(_ value: Double) -> String {
  var text = ""
  for (place, digit) in String(Int(value.rounded())).reversed().enumerated() {
    if place > 0, place % 3 == 0, digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}
