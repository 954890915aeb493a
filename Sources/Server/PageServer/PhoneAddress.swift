import FeedSources
import ProgramSettings
import SpotService

/// The address at which phones reach the page of a server.
struct PhoneAddress: Sendable {
  /// The setting `pageAddress`, which may change while the server runs; `nil` for none.
  let setting: @Sendable () -> String?
  /// The names of the setting `serveHosts`.
  let hosts: [String]
  /// The address that the server listens at.
  let place: HostAndPort
  /// Whether the server has a certificate.
  let isSecured: Bool
  /// Whether the certificate is one of this machine's own authority.
  let isForHome: Bool
  /// Whether a proxy in front provides TLS.
  let isBehindProxy: Bool

  /// The address of the page: that of the setting, else a name that the settings give it, else the
  /// address of this machine in its network.
  var page: PhonePage { page(port: "\(place.port)") }

  private func page(port: String) -> PhonePage {
    if let setting = setting() { return PhonePage(address: "\(setting)/", isReachable: true) }
    if isBehindProxy, let host = hosts.first {
      return PhonePage(address: "https://\(MachineNames.bracketed(host))/", isReachable: true)
    }
    let scheme = isSecured ? "https" : "http"
    let isReachable = !place.isLoopback
    let host =
      !isReachable
      ? place.host
      : isForHome
        ? MachineNames.reachedAtHome(place, named: hosts)
        : hosts.first ?? MachineNames.reached(place)
    return PhonePage(
      address: "\(scheme)://\(MachineNames.bracketed(host)):\(port)/", isReachable: isReachable)
  }

  /// Returns the address of the page. Without the setting, it is the one at which a browser on
  /// another machine has reached the page: that one is known to work.
  func page(askedBy request: ServiceRequest) -> PhonePage {
    guard setting() == nil, let authority = request.field("Host") else { return page }
    guard HostRule.isLoopback(authority) else {
      return PhonePage(
        address: "\(request.isSecure ? "https" : "http")://\(authority)/", isReachable: true)
    }
    // The system may have chosen the port.
    return page(port: HostRule.port(of: authority) ?? (isSecured ? "443" : "80"))
  }
}
