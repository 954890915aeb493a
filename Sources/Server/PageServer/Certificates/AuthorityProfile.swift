import Encodings

/// The profile with which iOS installs the certificate of an authority (Apple, *Configuration
/// Profile Reference*). It is not signed, which iOS shows and accepts.
package enum AuthorityProfile {
  /// Returns the profile.
  ///
  /// - Parameters:
  ///   - certificate: The certificate, as DER. The ids derive from it, so a second download
  ///     replaces the first.
  ///   - machine: The name of the machine: letters, digits and hyphens.
  /// - Returns: The content of a `.mobileconfig` file.
  package static func content(_ certificate: [UInt8], machine: String) -> [UInt8] {
    let hash = SHA256.hash(certificate)
    let (profile, payload) = (id(hash[..<16]), id(hash[16...]))
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
      <key>PayloadType</key><string>Configuration</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>photospots.authority.\(profile)</string>
      <key>PayloadUUID</key><string>\(profile)</string>
      <key>PayloadDisplayName</key><string>PhotoSpots on \(machine)</string>
      <key>PayloadDescription</key><string>Lets this phone recognize \(machine) in your own \
      network. It is valid for \(machine) and private addresses only.</string>
      <key>PayloadContent</key><array><dict>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>photospots.authority.\(profile).root</string>
      <key>PayloadUUID</key><string>\(payload)</string>
      <key>PayloadDisplayName</key><string>PhotoSpots on \(machine)</string>
      <key>PayloadCertificateFileName</key><string>photospots.cer</string>
      <key>PayloadContent</key><data>\(Base64.text(certificate))</data>
      </dict></array>
      </dict></plist>

      """
    return Array(text.utf8)
  }

  /// Returns a UUID of version 8 (RFC 9562) with 16 bytes of a hash.
  private static func id(_ hash: ArraySlice<UInt8>) -> String {
    var bytes = Array(hash)
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Hexadecimal.text(bytes)
    let ends = [8, 12, 16, 20, 32]
    return zip([0] + ends, ends).map { start, end in
      digits.dropFirst(start).prefix(end - start)
    }.joined(separator: "-")
  }
}
