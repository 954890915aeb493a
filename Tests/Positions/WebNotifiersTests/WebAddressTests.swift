import Testing

@testable import HTTPClient
@testable import WebNotifiers

@Suite struct WebAddressTests {
  @Test func `splits an address into URL, host, path and credentials`() throws {
    let address = try #require(WebAddress("HTTPS://me:p%40ss:%C3%B6@example.org:8443/a/b?c=d@e"))
    #expect(address.url == "https://example.org:8443/a/b?c=d@e")
    #expect(address.host == "example.org:8443")
    #expect(address.path == "/a/b?c=d@e")
    #expect(address.authorization == "Basic bWU6cEBzczrDtg==")
  }

  @Test(arguments: [
    "http://localhost", "http://192.168.1.4:8080/x", "https://[::1]:80/x", "https://ntfy.sh/topic",
    "http://a_b.local?x", "https://u@h/",
  ])
  func `accepts http and https addresses with a host`(text: String) throws {
    let address = try #require(WebAddress(text))
    #expect(address.path.hasPrefix("/"))
    #expect((address.authorization != nil) == text.contains("@"))
  }

  @Test(arguments: [
    "", "ntfy.sh/topic", "ftp://example.org/", "https://", "https:///topic", "https://:80/",
    "https://host:0/", "https://host:65536/", "https://host:x/", "https://host: 80/",
    "https://host/a b", "https://host/#part", "https://hôte/", "https://host/\r\nX: y",
    "https://a%zz@host/", "https://[::1/", "https://ho\"st/", "https://host\\@evil/", "://x",
  ])
  func `rejects malformed addresses and other schemes`(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test func `a description contains only the scheme and host, without credentials or path`() throws
  {
    let address = try #require(WebAddress("https://me:password@ntfy.sh/secret-topic?token=x"))
    #expect("\(address)" == "https://ntfy.sh/…")
  }
}
