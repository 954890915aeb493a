import Interchange

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension LocalClock {
  /// The local time of the machine, with its changes to and from summer time (`TZ`, `/etc/localtime`).
  public static let machine = LocalClock { instant in
    var seconds = time_t(instant.millisecondsSince1970 / 1000)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return 0 }
    return fields.tm_gmtoff / 60
  }
}
