import FeedServer
import FeedSources
import SystemPackage
import TestSupport
import Testing

@testable import WebService

/// TLS, with curl as the client.
@Suite(.timeLimit(.minutes(30))) struct SecuredTests {
  private static let curl = ChildProcess.path(of: "curl")

  /// A key and certificate of these tests, for localhost, until 2126.
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBpi5Ss/pZHoT3noG
    7mQjuZc4ZFsdKnH/WQyH52n4Nk+hRANCAATnSZegHWpMo8eqvqqDGREGqvB09b7r
    LamOAMaYF9qGfk4ckImAqukUhepVSLbGnTocpHWQhBG8oKtS1PgESjpl
    -----END PRIVATE KEY-----

    """
  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBmjCCAUGgAwIBAgIUa7dKO1LCXNotGlBO//nRfplNg5gwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA5NTcxNVoYDzIxMjYxMDI5
    MDk1NzE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAATnSZegHWpMo8eqvqqDGREGqvB09b7rLamOAMaYF9qGfk4ckImAqukU
    hepVSLbGnTocpHWQhBG8oKtS1PgESjplo28wbTAdBgNVHQ4EFgQU+Kcw/HmLlJtv
    GTNgtS4ctbW/Rk8wHwYDVR0jBBgwFoAU+Kcw/HmLlJtvGTNgtS4ctbW/Rk8wDwYD
    VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
    zj0EAwIDRwAwRAIgBBj8T6JbOnOIZW0lnO9AwOr8YHaZ4pHBf96Wf1ryOjQCIGkQ
    4mfRxbrq/0pdAKsKja9ModP3PCTP6tJyrEdfmIaV
    -----END CERTIFICATE-----

    """

  private static func files(in folder: TemporaryFolder) throws -> TLSFiles {
    try folder.write(Array(certificate.utf8), to: "cert.pem")
    try folder.write(Array(key.utf8), to: "key.pem")
    return TLSFiles(certificate: folder.path("cert.pem"), key: folder.path("key.pem"))
  }

  @Test(.enabled(if: curl != nil, "curl is not installed"))
  func `page and API are served over TLS 1.2 or newer, and the cookie is marked Secure`()
    async throws
  {
    let folder = TemporaryFolder()
    let bench = try await WebBench(tls: Self.files(in: folder))
    func curl(_ path: String, _ arguments: [String]) async throws -> String {
      let curl = try #require(Self.curl)
      let all =
        [
          "-s", "-i", "--max-time", "60", "--cacert", folder.path("cert.pem").string, "-o",
          folder.path("out").string, "https://localhost:\(bench.port)\(path)",
        ] + arguments
      try await onThread { try ChildProcess(curl, all).waitUntilExit() }
      return String(
        decoding: (try? Corpus.contents(of: folder.path("out"))) ?? [], as: UTF8.self)
    }
    let page = try await curl("/app.js", [])
    #expect(page.hasPrefix("HTTP/1.1 200") && page.utf8.count > 10_000)
    #expect(try await curl("/api/v1/status", ["-H", WebBench.key]).hasPrefix("HTTP/1.1 200"))
    let session = try await curl(
      "/api/v1/session",
      [
        "-H", "Origin: https://localhost:\(bench.port)", "-d",
        #"{"key":"\#(WebBench.keyText)"}"#,
      ])
    #expect(session.hasPrefix("HTTP/1.1 200") && session.contains("; Secure"))
    // An origin without TLS is a different origin.
    #expect(
      try await curl("/api/v1/status", ["-H", WebBench.key, "-H", "Origin: http://localhost"])
        .hasPrefix("HTTP/1.1 403"))
    try folder.write([], to: "out")
    #expect(try await curl("/", ["--tls-max", "1.1"]).isEmpty)
    await bench.stop()
  }

  @Test(.enabled(if: curl != nil, "curl is not installed"))
  func `a renewed certificate serves new connections, and a mismatched one is refused`()
    async throws
  {
    let folder = TemporaryFolder()
    let bench = try await WebBench(tls: Self.files(in: folder))
    try folder.write(Array(Self.certificate.utf8), to: "first.pem")
    try folder.write(Array(Self.renewedCertificate.utf8), to: "second.pem")
    func isServed(by certificate: String) async throws -> Bool {
      let curl = try #require(Self.curl)
      let arguments = [
        "-s", "--max-time", "60", "--cacert", folder.path(certificate).string, "-o",
        folder.path("out").string, "https://localhost:\(bench.port)/",
      ]
      try folder.write([], to: "out")
      try await onThread { try ChildProcess(curl, arguments).waitUntilExit() }
      return try !Corpus.contents(of: folder.path("out")).isEmpty
    }
    #expect(try await isServed(by: "first.pem"))

    try folder.write(Array(Self.renewedCertificate.utf8), to: "cert.pem")
    let error = #expect(throws: WebServerError.self) { try bench.server.renewCertificate() }
    #expect(error?.description.contains("does not match") == true)
    #expect(try await isServed(by: "first.pem"))

    try folder.write(Array(Self.renewedKey.utf8), to: "key.pem")
    try bench.server.renewCertificate()
    #expect(try await isServed(by: "second.pem"))
    #expect(try await !isServed(by: "first.pem"))
    await bench.stop()
  }

  private static let renewedKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgogPdnAywRL5U3Sxq
    E+m77n6IWCRNgi1dcKYM4AWbbK2hRANCAATMfhz71+otV5avMtOzEsmdAhRh2bID
    vTLR7pKaddvpjlSt+n+6M0W+gA5VHwo+EpYuF9YYfM6wSIvW2FKEY+e2
    -----END PRIVATE KEY-----

    """
  private static let renewedCertificate = """
    -----BEGIN CERTIFICATE-----
    MIIBlTCCATugAwIBAgIUHHtykdAqy5FtyUgBdaeSTnQ5f6cwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjEyNDE0NFoYDzIxMjYxMDI5
    MTI0MTQ0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAATMfhz71+otV5avMtOzEsmdAhRh2bIDvTLR7pKaddvpjlSt+n+6M0W+
    gA5VHwo+EpYuF9YYfM6wSIvW2FKEY+e2o2kwZzAdBgNVHQ4EFgQUQSzLPZ0u5mPZ
    DnTW7FgbWnW/O0EwHwYDVR0jBBgwFoAUQSzLPZ0u5mPZDnTW7FgbWnW/O0EwDwYD
    VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
    SAAwRQIgNf5xr63X/MSRKPWpZW4mRtd8q5ZQL4s50vscsSPBz70CIQDx/rkm+zv6
    LaCf05Q7TtXBuSa4Gxqld2kDJJN7HQBGlw==
    -----END CERTIFICATE-----

    """

  @Test func `plain HTTP to a TLS port gets the address with https, and nothing else`() async throws
  {
    let folder = TemporaryFolder()
    let bench = try await WebBench(tls: Self.files(in: folder))
    let port = bench.port
    let key = WebBench.key
    let expected = "HTTP/1.1 308 Permanent Redirect\r\n"
    for (request, answer) in [
      ("GET / HTTP/1.1\r\nHost: home.local:1\r\n\r\n", expected),
      ("HEAD / HTTP/1.0\r\nhost:\t[fe80::1]:1 \r\nX: y\r\n\r\n", expected),
      ("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\(key)\r\n\r\n", "HTTP/1.1 400 "),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nkey", "HTTP/1.1 400 "),
      ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "),
      ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "HTTP/1.1 400 "),
      ("GET / HTTP/1.1\r\nHost: \u{E9}\r\n\r\n", "HTTP/1.1 400 "),
      (String(repeating: "x", count: 20_000), "HTTP/1.1 400 "),
    ] {
      let bytes = try await onThread {
        let connection = try LoopbackConnection(to: port)
        try connection.send(request)
        return try connection.bytesToEnd()
      }
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(answer), "\(request.prefix(60))")
    }
    await bench.stop()
  }

  @Test func `where it may, this machine's own browser uses a TLS port without TLS`() async throws {
    let folder = TemporaryFolder()
    let bench = try await WebBench(tls: Self.files(in: folder), keepsLocalPlain: true)
    for host in ["localhost:\(bench.port)", "127.0.0.1", "[::1]:\(bench.port)"] {
      #expect(try await bench.ask("/api/v1/status", host: host).status == 200, "\(host)")
    }
    #expect(try await bench.ask("/api/v1/status", host: "nas.local").status == 400)
    // The cookie of a login without TLS is sent back without it.
    let login = try await bench.ask(
      "/api/v1/session", method: "POST", ["Origin: http://localhost"],
      body: #"{"key": "\#(WebBench.keyText)"}"#)
    #expect(login.status == 200 && login["Set-Cookie"]?.contains("; Secure") == false)
    await bench.stop()
  }

  @Test func `an unfinished TLS handshake is closed when the admission time is over`() async throws
  {
    let folder = TemporaryFolder()
    var limits = WebServer.Limits.unhurried
    limits.connections.admissionSeconds = 1
    let bench = try await WebBench(limits: limits, tls: Self.files(in: folder))
    let port = bench.port
    for start in [[], [0x16, 0x03, 0x01], Array("GET / HT".utf8)] as [[UInt8]] {
      _ = try await onThread {
        let connection = try LoopbackConnection(to: port)
        try connection.send(start)
        return try connection.bytesToEnd()
      }
    }
    await bench.stop()
  }

  @Test func `unusable certificate and key files are errors with the path and reason`() async throws
  {
    let folder = TemporaryFolder()
    _ = try Self.files(in: folder)
    try folder.write(Array("nothing".utf8), to: "none.pem")
    try folder.write(Array(Self.key.dropLast(40).utf8), to: "cut.pem")
    try folder.write(Array(Self.otherCertificate.utf8), to: "other.pem")
    try folder.write(Array(Self.key.utf8), to: "open.pem")
    try folder.setPermissions(
      of: folder.path("open.pem"), to: [.ownerReadWrite, .groupRead, .otherRead])
    for (certificate, key, wrong, reason) in [
      ("missing.pem", "key.pem", "missing.pem", "No such file or directory"),
      ("cert.pem", "missing.pem", "missing.pem", "No such file or directory"),
      ("none.pem", "key.pem", "none.pem", "contains no certificate"),
      ("key.pem", "key.pem", "key.pem", "contains no certificate"),
      ("cert.pem", "none.pem", "none.pem", "contains no private key"),
      ("cert.pem", "cut.pem", "cut.pem", "contains no private key"),
      ("cert.pem", ".", ".", "Is a directory"),
      ("cert.pem", "open.pem", "open.pem", "chmod 600"),
      ("other.pem", "key.pem", "key.pem", "does not match"),
    ] {
      let used = TLSFiles(certificate: folder.path(certificate), key: folder.path(key))
      let error = await #expect(throws: WebServerError.self) {
        _ = try await WebBench(tls: used)
      }
      #expect(error?.description.contains(folder.path(wrong).string) == true, "\(wrong)")
      #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }
  }

  /// A certificate that does not match `key`.
  private static let otherCertificate = """
    -----BEGIN CERTIFICATE-----
    MIIBbjCCARWgAwIBAgIUVy3qw79EtzVXH2IYESrl80/+2Z0wCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBeDAgFw0yNjExMjIxMDAzMjFaGA8yMTI2MTAyOTEwMDMyMVow
    DDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABC6Ih/YmFPNv
    khARbMpcQ3TUM0eJHXsFEAFodN9zxnuxsdpbnWogvHqvM23J8ztgk4zhXn2Tty7P
    r7+5oVWUOlCjUzBRMB0GA1UdDgQWBBQem6Yh+9OH2K3BuUrMizyGac4v/zAfBgNV
    HSMEGDAWgBQem6Yh+9OH2K3BuUrMizyGac4v/zAPBgNVHRMBAf8EBTADAQH/MAoG
    CCqGSM49BAMCA0cAMEQCICQjAGd4Knbs6PmkTDMcw09Zdqdtn1GICVA8G9QsLBEt
    AiAXKZdfH0h+Bit3xnfaJM8cFOfQqLJ+c6Fzjl4F8FNcJQ==
    -----END CERTIFICATE-----

    """
}
