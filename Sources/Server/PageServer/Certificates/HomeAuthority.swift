package import CivilTime
import Encodings
import PhotoLibrary
import Storage
package import SystemPackage
package import WebService

/// The certificate authority of this machine, and the certificate of the page that it signs, in
/// private files of the state folder.
///
/// Phones that trust the authority open the page by https, without a domain and without a warning.
/// It is made once. Constraints limit it to the names of this machine and to private addresses
/// (RFC 5280, section 4.2.1.10), so whoever steals its key cannot pretend to be another site of the
/// internet. The certificate is made anew before it ends, and when the machine gets another
/// address.
package struct HomeAuthority: Sendable {
  private let folder: FilePath

  private static let daysOfAuthority = 3650
  /// Apple's limit is 825 days (HT210176), that of browsers for public authorities 398.
  private static let daysOfCertificate = 396
  private static let renewedDaysBefore = 30
  private static let format = "photospots-certificate"
  private static let version: Int64 = 1
  private static let maximumSize = 1 << 16

  /// Creates access to the authority in a state folder. Nothing is read or made.
  package init(in stateFolder: FilePath) { folder = stateFolder }

  /// The key and the certificate of the authority, as PEM.
  package var path: FilePath { folder.appending("home-authority.pem") }
  /// The key and the certificate of the page, as PEM: in one file, they always match.
  private var page: FilePath { folder.appending("home-certificate.pem") }
  /// The names in the certificate of the page, and its time.
  private var facts: FilePath { folder.appending("home-certificate.json") }

  /// The files with which the page is served.
  package var files: TLSFiles { TLSFiles(certificate: page, key: page) }

  /// Makes what is missing, or has to be made anew.
  ///
  /// - Parameters:
  ///   - names: The names and addresses of the machine.
  ///   - now: The time.
  /// - Returns: Whether the certificate of the page is a new one, and the names that the authority
  ///   does not permit, since it was made before the machine had them.
  /// - Throws: A `MessageError` if openssl(1) is missing or fails, or a file cannot be used.
  @discardableResult
  package func prepare(
    _ names: HomeNames, now: Instant
  ) async throws -> (isRenewed: Bool, omitted: [String]) {
    if try content(of: path) == nil {
      try await makeAuthority(names)
    } else if try content(of: page) != nil, let omitted = try omitted(ofCurrent: names, now) {
      return (false, omitted)
    }
    let permitted = try await permittedNames()
    try await makeCertificate(names, permitted, now)
    return (true, names.names.filter { !permitted.contains($0) })
  }

  /// Returns the certificate of the authority, in the form that phones install (DER); `nil` if
  /// there is none.
  ///
  /// - Throws: A `MessageError` if its file cannot be used.
  package func certificate() throws -> [UInt8]? {
    guard let bytes = try content(of: path) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let encoded = lines.drop { $0 != "-----BEGIN CERTIFICATE-----" }.dropFirst()
      .prefix { !$0.hasPrefix("-----") }.joined()
    guard let certificate = Base64.bytes(encoded), !certificate.isEmpty else {
      throw unusable(path, "it contains no certificate")
    }
    return certificate
  }

  // MARK: - Making

  private func makeAuthority(_ names: HomeNames) async throws {
    var random = SystemRandomNumberGenerator()
    let mark = String(UInt32.random(in: 0 ... .max, using: &random), radix: 16)
    let hosts = names.names.enumerated().map { "permitted;DNS.\($0) = \($1)" }
    let addresses = PrivateAddress.ranges.enumerated().map { "permitted;IP.\($0) = \($1)" }
    // The mark tells the authorities of two machines, or of one machine at two times, apart.
    let pem = try await signed(
      days: Self.daysOfAuthority,
      """
      [req]
      distinguished_name = name
      prompt = no
      x509_extensions = authority
      [name]
      CN = PhotoSpots on \(names.machine)
      O = \(mark)
      [authority]
      basicConstraints = critical,CA:TRUE,pathlen:0
      keyUsage = critical,keyCertSign
      subjectKeyIdentifier = hash
      extendedKeyUsage = serverAuth
      nameConstraints = critical,@names
      [names]
      \((hosts + addresses).joined(separator: "\n"))

      """)
    try store(pem, path, FileSignature(tokens: ["-----BEGIN"]))
  }

  private func makeCertificate(
    _ names: HomeNames, _ permitted: Set<String>, _ now: Instant
  ) async throws {
    let hosts = names.names.filter(permitted.contains)
    let alternatives = hosts.map { "DNS:\($0)" } + names.addresses.map { "IP:\($0)" }
    let pem = try await signed(
      by: path, days: Self.daysOfCertificate,
      """
      [req]
      distinguished_name = name
      prompt = no
      x509_extensions = page
      [name]
      CN = \(hosts.first ?? "localhost")
      [page]
      basicConstraints = critical,CA:FALSE
      keyUsage = critical,digitalSignature
      extendedKeyUsage = serverAuth
      subjectAltName = \(alternatives.joined(separator: ","))
      subjectKeyIdentifier = hash
      authorityKeyIdentifier = keyid

      """)
    try store(pem, page, FileSignature(tokens: ["-----BEGIN"]))
    let document = JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.member("made", now.millisecondsSince1970)
      let lists = [
        ("names", names.names), ("addresses", names.addresses),
        ("omitted", names.names.filter { !permitted.contains($0) }),
      ]
      for (key, texts) in lists {
        writer.array(key) { writer in
          for text in texts { writer.string(text) }
        }
      }
    }
    try store(document, facts, FileSignature(format: Self.format))
  }

  /// Makes a key and its certificate, which an authority or the key itself signs.
  ///
  /// Both come by standard output, so a key never lies in a file that others could read.
  private func signed(
    by authority: FilePath? = nil, days: Int, _ configuration: String
  ) async throws -> [UInt8] {
    let input: FileDescriptor
    do throws(Errno) {
      try Disk.createFolder(folder)
      input = try Disk.unnamedFile(
        with: Array(configuration.utf8), at: folder.appending(".openssl-\(Disk.processID)"))
    } catch {
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      throw MessageError("no certificate can be made in \(folder.escaped): \(error).\(advice)")
    }
    let signer = authority.map { ["-CA", $0.string, "-CAkey", $0.string] } ?? []
    return try await OpenSSL.run(
      ["req", "-x509", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"] + signer
        + ["-noenc", "-sha256", "-days", "\(days)", "-config", "/dev/stdin"]
        + ["-keyout", "/dev/stdout", "-out", "/dev/stdout"],
      input: input)
  }

  private func store(_ bytes: [UInt8], _ path: FilePath, _ signature: FileSignature) throws {
    do throws(Errno) {
      try Disk.createFolder(folder)
      // If the old file was readable by others, its replacement must not inherit the permissions.
      try Disk.makePrivate(path)
      _ = try Disk.replace(path, of: signature, with: bytes)
    } catch {
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      throw MessageError("the certificate cannot be stored in \(path.escaped): \(error).\(advice)")
    }
  }

  // MARK: - Reading

  /// Returns the host names that the authority permits, from the certificate itself.
  private func permittedNames() async throws -> Set<String> {
    let text = String(
      decoding: try await OpenSSL.run(
        ["x509", "-in", path.string, "-noout", "-ext", "nameConstraints"]), as: UTF8.self)
    return Set(
      text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("DNS:") }
        .map { String($0.dropFirst(4)) })
  }

  /// Returns the names that the certificate of the page omits, if it was made for these names and
  /// is valid for a while; otherwise `nil`.
  private func omitted(ofCurrent names: HomeNames, _ now: Instant) throws -> [String]? {
    guard let bytes = try content(of: facts) else { return nil }
    do throws(JSONError) {
      let facts = try JSONObject(document: bytes)
      guard try facts.states(format: Self.format, version: Self.version),
        try facts.strings("names") == names.names,
        try facts.strings("addresses") == names.addresses, let made = try facts.integer("made")
      else { return nil }
      let days = now.seconds(since: Instant(millisecondsSince1970: made)) / 86_400
      // If the clock was later then, the certificate is not valid yet.
      let isValid = days >= 0 && days < Double(Self.daysOfCertificate - Self.renewedDaysBefore)
      return isValid ? try facts.strings("omitted") : nil
    } catch { return nil }
  }

  /// Returns the content of a file; `nil` if there is none.
  private func content(of path: FilePath) throws -> [UInt8]? {
    let bytes: [UInt8]
    let isPrivate: Bool
    do throws(Errno) {
      bytes = try Disk.read(path, limit: Self.maximumSize)
      isPrivate = try Disk.isPrivate(path)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      throw unusable(path, "\(error).\(advice)")
    }
    guard isPrivate else {
      throw unusable(path, "it belongs to another user, or others can read it")
    }
    return bytes.isEmpty ? nil : bytes
  }

  private func unusable(_ path: FilePath, _ reason: String) -> MessageError {
    MessageError("\(path.escaped) cannot be used: \(reason)")
  }
}
