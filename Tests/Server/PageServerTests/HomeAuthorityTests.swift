import CivilTime
import Encodings
import FeedSources
import Storage
import SystemPackage
import TestSupport
import Testing
import WebService

@testable import PageServer

/// The authority of a machine and its certificates, checked by openssl(1), which also made them.
@Suite(.timeLimit(.minutes(30))) struct HomeAuthorityTests {
  private static let program = ChildProcess.path(of: "openssl")
  private let folder = TemporaryFolder()
  private let now = Instant(secondsSince1970: 1_795_000_000)
  private var authority: HomeAuthority { HomeAuthority(in: folder.root) }

  private func names(_ addresses: [String], _ hosts: [String] = []) -> HomeNames {
    HomeNames(machine: "Home.example", addresses: addresses, hosts: hosts)
  }

  /// Returns what openssl(1) prints, and whether it succeeded.
  private func openssl(_ arguments: [String]) async throws -> (text: String, isDone: Bool) {
    let program = try #require(Self.program)
    let output = folder.path("output")
    let code = try await onThread {
      Result {
        try ChildProcess(
          "/bin/sh", ["-c", "\"$0\" \"$@\" > '\(output)' 2>&1", program.string] + arguments
        ).exitStatus()
      }
    }.get()
    return (String(decoding: try Corpus.contents(of: output), as: UTF8.self), code == 0)
  }

  @Test(.enabled(if: program != nil, "openssl is not installed"))
  func `the certificate is valid for the names and addresses of the machine alone`() async throws {
    let made = try await authority.prepare(
      names(["192.168.1.20", "fe80::1", "203.0.113.7", "2001:db8::1"], ["Home.fritz.box", "nas"]),
      now: now)
    #expect(made.isRenewed && made.omitted.isEmpty)
    let (page, root) = (
      authority.files.certificate.string, authority.path.string
    )
    for (option, value, isValid) in [
      ("-verify_ip", "192.168.1.20", true), ("-verify_ip", "127.0.0.1", true),
      ("-verify_ip", "fe80::1", true), ("-verify_ip", "203.0.113.7", false),
      ("-verify_hostname", "home.local", true), ("-verify_hostname", "localhost", true),
      ("-verify_hostname", "home.fritz.box", true), ("-verify_hostname", "nas", false),
      ("-verify_hostname", "example.org", false),
    ] {
      let outcome = try await openssl(
        ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", root, option, value, page])
      #expect(outcome.isDone == isValid, "\(value): \(outcome.text)")
    }
    let text = try await openssl(["x509", "-in", root, "-noout", "-text"]).text
    for part in ["CA:TRUE, pathlen:0", "Name Constraints: critical", "DNS:home.local"] {
      #expect(text.contains(part), "\(part)")
    }
    for path in [page, root] {
      #expect(try Disk.isPrivate(FilePath(path)))
    }
  }

  @Test(.enabled(if: program != nil, "openssl is not installed"))
  func `the certificate is made anew before it ends, for another address, and when it is lost`()
    async throws
  {
    let home = names(["192.168.1.20"])
    #expect(try await authority.prepare(home, now: now).isRenewed)
    let root = try authority.certificate()
    func isRenewed(_ names: HomeNames, days: Double) async throws -> Bool {
      try await authority.prepare(names, now: now.advanced(bySeconds: days * 86_400)).isRenewed
    }
    #expect(try await !isRenewed(home, days: 0))
    #expect(try await !isRenewed(home, days: 365))
    #expect(try await isRenewed(home, days: 367))
    #expect(try await !isRenewed(home, days: 367))
    // The clock was wrong.
    #expect(try await isRenewed(home, days: 0))
    #expect(try await isRenewed(names(["192.168.1.21"]), days: 0))
    #expect(try await !isRenewed(names(["192.168.1.21", "203.0.113.7"]), days: 0))
    Disk.removeOwn(authority.files.certificate)
    #expect(try await isRenewed(names(["192.168.1.21"]), days: 0))
    try folder.write(Array("{".utf8), to: "home-certificate.json")
    #expect(try await isRenewed(names(["192.168.1.21"]), days: 0))
    // Phones trust it, so it stays.
    #expect(try authority.certificate() == root)
  }

  @Test(.enabled(if: program != nil, "openssl is not installed"))
  func `a host name that came later is left out, since the authority does not permit it`()
    async throws
  {
    _ = try await authority.prepare(names(["10.0.0.2"]), now: now)
    let later = names(["10.0.0.2"], ["photos.home.arpa"])
    for isFirst in [true, false] {
      let made = try await authority.prepare(later, now: now)
      #expect(made.isRenewed == isFirst && made.omitted == ["photos.home.arpa"])
    }
    let verified = try await openssl(
      ["verify", "-CAfile", authority.path.string]
        + [authority.files.certificate.string])
    #expect(verified.isDone, "\(verified.text)")
  }

  @Test(.enabled(if: program != nil, "openssl is not installed"))
  func `a file that others can read is refused`() async throws {
    _ = try await authority.prepare(names([]), now: now)
    let root = authority.path
    try folder.setPermissions(of: root, to: FilePermissions(rawValue: 0o644))
    let error = await #expect(throws: MessageError.self) {
      try await authority.prepare(names([]), now: now)
    }
    #expect(error?.description.contains(root.string) == true)
    #expect(error?.description.contains("others can read it") == true)
  }

  @Test func `names and addresses are those of private networks, in one form and order`() {
    let names = HomeNames(
      machine: "Café $(x)\n.lan",
      addresses: ["fe80::0001", "172.31.255.255", "172.32.0.1", "10.1.2.3", "10.1.2.3", "::1"],
      hosts: ["a..b", "b_c.de", "x.y\nCN = z", "100.64.0.1", "8.8.8.8", "ok.example"])
    #expect(names.machine == "cafx")
    #expect(names.names == ["cafx.local", "localhost", "ok.example"])
    #expect(
      names.addresses
        == ["::1", "10.1.2.3", "100.64.0.1", "127.0.0.1", "172.31.255.255", "fe80::1"])
    #expect(HomeNames(machine: "…", addresses: []).machine == "photospots")
  }

  @Test(arguments: [
    ("0.0.0.0", [], ["fd00::2", "8.8.8.8", "192.168.1.20", "10.0.0.1"], "192.168.1.20"),
    ("::", [], ["fd00::2", "192.168.1.20"], "fd00::2"),
    ("0.0.0.0", [], ["fd00::2", "127.0.0.1", "169.254.3.4"], "home.local"),
    // A container does not know the address of its machine.
    ("0.0.0.0", ["a.example", "192.168.1.5"], ["172.17.0.2"], "192.168.1.5"),
    ("10.0.0.9", ["192.168.1.5"], ["10.0.0.1"], "10.0.0.9"),
  ])
  func `phones get an address that the server listens on`(
    listened: String, hosts: [String], own: [String], expected: String
  ) {
    #expect(
      MachineNames.reachedAtHome(
        HostAndPort(host: listened, port: 8090), named: hosts, among: own, else: "home.local")
        == expected)
  }

  @Test func `a profile has the certificate, and ids that only depend on it`() {
    let certificate: [UInt8] = [0x30, 0x01, 0x02, 0xFF]
    let text = String(
      decoding: AuthorityProfile.content(certificate, machine: "home"), as: UTF8.self)
    #expect(text.contains("<data>MAEC/w==</data>"))
    #expect(text.contains("com.apple.security.root"))
    let ids = text.split(separator: "<key>PayloadUUID</key><string>").dropFirst()
      .map { $0.prefix(36) }
    #expect(ids.count == 2 && ids[0] != ids[1])
    for id in ids {
      #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    }
    #expect(
      AuthorityProfile.content(certificate, machine: "home")
        == AuthorityProfile.content(certificate, machine: "home"))
  }
}
