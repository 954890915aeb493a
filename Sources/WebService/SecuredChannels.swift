#if HTTPServer
  import NIOCore

  /// Puts TLS before HTTP.
  struct SecuredChannels: Sendable {
    init(_ files: TLSFiles) throws(WebServerError) {
      throw .badCertificate(files.certificate, "TLS is not there yet")
    }

    /// Prepares a connection.
    func prepare(_ channel: any Channel) throws {}
  }
#endif
