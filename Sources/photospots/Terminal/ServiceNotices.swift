import CLibrary
import CivilTime

/// Tells the service manager how the program fares: `sd_notify(3)` of systemd, whose protocol is a
/// datagram of lines.
///
/// Without a service manager, which leaves its address in `NOTIFY_SOCKET`, nothing is told.
struct ServiceNotices {
  private let address: sockaddr_un?
  private let addressLength: socklen_t
  /// How often the watchdog is to be told; `nil` where nobody watches.
  private let interval: Duration?
  private var lastAlive: ContinuousClock.Instant?

  /// Reads the environment.
  init() {
    (address, addressLength) = Self.address(getenv("NOTIFY_SOCKET")) ?? (nil, 0)
    // Twice in the time after which the service would be restarted, as the manual advises.
    let microseconds = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) }
    let isForUs =
      getenv("WATCHDOG_PID").map { String(cString: $0) == String(getpid()) } ?? true
    interval = microseconds.flatMap {
      $0 > 0 && isForUs ? .microseconds($0 / 2) : nil
    }
  }

  /// A path, or a name in Linux' abstract namespace, which is written with an `@` in front.
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

  /// The program watches: what waits for it may go on.
  func ready() { send("READY=1\nSTATUS=Watching") }

  /// The program was asked to end, and sees to what is on its way.
  func stopping() { send("STOPPING=1") }

  /// The program still goes round; to be called often.
  mutating func alive() {
    guard let interval else { return }
    let now = ContinuousClock.now
    if let lastAlive, now - lastAlive < interval { return }
    lastAlive = now
    send("WATCHDOG=1")
  }

  /// A manager that does not listen is none of our business.
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
