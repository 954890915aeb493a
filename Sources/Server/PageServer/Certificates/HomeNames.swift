import CLibrary
package import ProgramSettings

/// The names and addresses of this machine in its own network, which its certificate contains.
package struct HomeNames: Hashable, Sendable {
  /// The name of the machine, without its domain.
  package let machine: String
  /// The host names: that of multicast DNS (RFC 6762), `localhost`, and those of the setting
  /// `serveHosts` that have a domain.
  ///
  /// The name of the machine alone is not among them: a constraint of an authority covers all names
  /// below it, and a machine called `dev` would permit every `.dev`.
  package let names: [String]
  /// The private addresses, each in its usual form.
  package let addresses: [String]

  /// Creates the names of this machine.
  ///
  /// - Throws: A `SettingsError` if the setting `serveHosts` is invalid.
  package init(_ settings: Settings) throws {
    self.init(
      machine: MachineNames.own, addresses: MachineNames.addresses, hosts: try settings.serveHosts)
  }

  /// Creates the names of a machine.
  ///
  /// - Parameters:
  ///   - machine: Its host name, with or without a domain.
  ///   - addresses: The addresses of its interfaces.
  ///   - hosts: Other names and addresses by which it is reached.
  package init(machine: String, addresses: [String], hosts: [String] = []) {
    let short = machine.prefix { $0 != "." }.lowercased().filter(Self.isLabelCharacter)
    self.machine = short.isEmpty ? "photospots" : short
    let numbers = Set((addresses + hosts + ["127.0.0.1"]).compactMap(PrivateAddress.init))
    self.addresses = numbers.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.text)
    let dotted = hosts.map { $0.lowercased() }.filter { host in
      host.contains(".") && PrivateAddress.number(host) == nil
        && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
          !$0.isEmpty && $0.allSatisfy(Self.isLabelCharacter)
        }
    }
    names = Set(dotted + ["\(self.machine).local", "localhost"]).sorted()
  }

  /// Letters, digits and hyphens (RFC 1123, section 2.1); nothing else can reach a configuration of
  /// openssl(1).
  private static func isLabelCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-")
  }
}

/// An address that exists in private networks only.
struct PrivateAddress: Hashable {
  /// The ranges, as OpenSSL writes the constraints of an authority: loopback, RFC 1918, link-local
  /// addresses (RFC 3927), shared ones (RFC 6598), and those of IPv6 (RFC 4291, RFC 4193).
  static let ranges = [
    "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0",
    "192.168.0.0/255.255.0.0", "169.254.0.0/255.255.0.0", "100.64.0.0/255.192.0.0",
    "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fc00::/fe00::", "fe80::/ffc0::",
  ]

  private static let numbers = ranges.map { range in
    range.split(separator: "/").map { number(String($0)) ?? [] }
  }

  /// The four or sixteen bytes.
  let bytes: [UInt8]

  /// Creates an address; `nil` if a text is none, or one that others can reach.
  init?(_ text: String) {
    guard let bytes = Self.number(text),
      Self.numbers.contains(where: { range in
        range[0].count == bytes.count
          && zip(bytes, range[1]).map({ $0 & $1 }).elementsEqual(range[0])
      })
    else { return nil }
    self.bytes = bytes
  }

  /// Whether it is one of a machine or a link, which others cannot open: loopback or link-local.
  var isOfOneMachine: Bool {
    bytes.count == 4
      ? bytes[0] == 127 || bytes.starts(with: [169, 254]) : bytes[0] == 0 || bytes[0] == 0xFE
  }

  /// The usual form (RFC 5952).
  var text: String {
    var characters = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard
      inet_ntop(
        bytes.count == 4 ? AF_INET : AF_INET6, bytes, &characters, socklen_t(characters.count))
        != nil
    else { return "" }
    return String(
      decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the bytes of an address; `nil` if a text is none.
  static func number(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }
}
