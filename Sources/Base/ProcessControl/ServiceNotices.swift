import CLibrary
import CivilTime

/// Notices to the service manager about the program's state, by the protocol of systemd's
/// `sd_notify(3)`: datagrams of lines.
///
/// Without a service manager, which passes its address in `NOTIFY_SOCKET`, no notices are sent.
package struct ServiceNotices {
  private let address: sockaddr_un?
  private let addressLength: socklen_t
  /// The interval of keep-alive notices; `nil` without a watchdog.
  private let interval: Duration?
  private var lastAlive: ContinuousClock.Instant?

  /// Creates a sender from the environment.
  package init() {
    (address, addressLength) = Self.address(getenv("NOTIFY_SOCKET")) ?? (nil, 0)
    // The notices are sent twice per watchdog timeout, as the manual recommends.
    let microseconds = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) }
    let isForUs =
      getenv("WATCHDOG_PID").map { String(cString: $0) == String(getpid()) } ?? true
    interval = microseconds.flatMap {
      $0 > 0 && isForUs ? .microseconds($0 / 2) : nil
    }
  }

  /// Parses a socket address: a path, or a name in Linux's abstract namespace, which is written
  /// with a leading `@`.
  private static func address(
    _ text: UnsafeMutablePointer<CChar>?
  ) -> (sockaddr_un, socklen_t)? {
    guard let text, text[0] == CChar(UInt8(ascii: "/")) || text[0] == CChar(UInt8(ascii: "@"))
    else { return nil }
    let length = strlen(text)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard length > 1, length < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyMemory(from: UnsafeRawBufferPointer(start: text, count: length))
      if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    }
    let head = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    return (address, socklen_t(head + length))
  }

  /// Reports that the program is ready, so that dependent services may start.
  package func ready() { send("READY=1\nSTATUS=Watching") }

  /// Reports that the program is stopping and finishes its pending work.
  package func stopping() { send("STOPPING=1") }

  /// Reports that the program is alive. The caller calls this often; notices are sent at their
  /// interval.
  package mutating func alive() {
    guard let interval else { return }
    let now = ContinuousClock.now
    if let lastAlive, now - lastAlive < interval { return }
    lastAlive = now
    send("WATCHDOG=1")
  }

  /// Errors are ignored, since the program does not depend on the service manager.
  private func send(_ text: String) {
    guard var address else { return }
    #if canImport(Glibc)
      let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_DGRAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), $0, addressLength)
      }
    }
  }
}
