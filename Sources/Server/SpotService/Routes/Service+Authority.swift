import Encodings

/// The certificate authority of a machine, which phones of its network can trust.
public struct MachineAuthority: Sendable {
  /// The name of the machine.
  public let machine: String
  /// The certificate (DER).
  public let certificate: [UInt8]
  /// The certificate as a profile for iOS (`.mobileconfig`).
  public let profile: [UInt8]

  /// The SHA-256 hash of the certificate, by which people compare it: 64 hexadecimal digits.
  public var fingerprint: String { Hexadecimal.text(SHA256.hash(certificate)) }

  /// Creates an authority.
  public init(machine: String, certificate: [UInt8], profile: [UInt8]) {
    (self.machine, self.certificate, self.profile) = (machine, certificate, profile)
  }
}

extension Service {
  /// Answers with `{machine, fingerprint}`.
  func authority(_ call: Call) throws(Problem) -> ServiceResponse {
    let authority = try authority()
    return ServiceResponse { writer in
      writer.object { writer in
        writer.member("machine", authority.machine)
        writer.member("fingerprint", authority.fingerprint)
      }
    }
  }

  /// Answers with the certificate in the form that Android, Linux and desktop browsers install.
  func authorityCertificate() throws(Problem) -> ServiceResponse {
    let name = ("Content-Disposition", #"attachment; filename="PhotoSpots.crt""#)
    return Self.file(try authority().certificate, "application/x-x509-ca-cert", [name])
  }

  /// Answers with the profile for iOS. Safari offers to install it unless it is an attachment.
  func authorityProfile() throws(Problem) -> ServiceResponse {
    Self.file(try authority().profile, "application/x-apple-aspen-config", [])
  }

  private func authority() throws(Problem) -> MachineAuthority {
    guard let authority = configuration.authority else {
      throw Problem(
        .notFound,
        "This server has no certificate authority of its own; 'photospots serve --lan' makes one.")
    }
    return authority
  }

  private static func file(
    _ bytes: [UInt8], _ type: String, _ fields: [(String, String)]
  ) -> ServiceResponse {
    ServiceResponse(
      status: 200, fields: [("Content-Type", type), ("Cache-Control", "no-store")] + fields,
      body: bytes)
  }
}
