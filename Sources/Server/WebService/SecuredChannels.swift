#if HTTPServer
  import NIOCore
  import NIOSSL
  import SpotService
  import Storage
  import Synchronization
  import SystemPackage

  /// Adds TLS to connections.
  final class SecuredChannels: Sendable {
    private let files: TLSFiles
    private let keepsLocalPlain: Bool
    private let plain = Mutex<Set<ObjectIdentifier>>([])
    private let context: Mutex<NIOSSLContext>

    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - keepsLocalPlain: Whether connections of this machine to itself may stay without TLS.
    /// - Throws: ``WebServerError/badCertificate(_:_:)``.
    init(_ files: TLSFiles, keepsLocalPlain: Bool) throws(WebServerError) {
      (self.files, self.keepsLocalPlain) = (files, keepsLocalPlain)
      context = Mutex(try Self.context(of: files))
    }

    /// Rereads the certificate and its key for later connections. If the files cannot be used, the
    /// earlier ones remain in force.
    func renew() throws(WebServerError) {
      let renewed = try Self.context(of: files)
      context.withLock { $0 = renewed }
    }

    /// Adds TLS to a connection, once its first byte shows that the client speaks it.
    func prepare(_ channel: any Channel) throws {
      let address = channel.remoteAddress?.ipAddress
      let isLocal = keepsLocalPlain && address.map(HostRule.isLoopback(address:)) == true
      let handler = PlainRequests(
        secure: { [self] first in
          let context = context.withLock { $0 }
          try first.pipeline.syncOperations.addHandler(
            NIOSSLServerHandler(context: context), position: .after(first.handler))
        },
        keepPlain: isLocal ? { [self] in keepPlain($0.channel) } : nil)
      try channel.pipeline.syncOperations.addHandler(handler)
    }

    private func keepPlain(_ channel: any Channel) {
      let id = ObjectIdentifier(channel)
      plain.withLock { _ = $0.insert(id) }
      channel.closeFuture.whenComplete { [self] _ in plain.withLock { _ = $0.remove(id) } }
    }

    /// Returns whether a connection has stayed without TLS.
    func isPlain(_ channel: any Channel) -> Bool {
      keepsLocalPlain && plain.withLock { $0.contains(ObjectIdentifier(channel)) }
    }

    private static func context(of files: TLSFiles) throws(WebServerError) -> NIOSSLContext {
      let certificates: [NIOSSLCertificate]
      do {
        certificates = try NIOSSLCertificate.fromPEMBytes(try bytes(of: files.certificate))
      } catch let error as WebServerError {
        throw error
      } catch {
        throw .badCertificate(
          files.certificate, "it contains no certificate that begins with '-----BEGIN CERTIFICATE'")
      }
      let key: NIOSSLPrivateKey
      do {
        key = try NIOSSLPrivateKey(bytes: try bytes(of: files.key, isSecret: true), format: .pem)
      } catch let error as WebServerError {
        throw error
      } catch {
        throw .badCertificate(
          files.key, "it contains no private key without a passphrase that begins with '-----BEGIN'"
        )
      }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      do {
        return try NIOSSLContext(configuration: configuration)
      } catch {
        throw .badCertificate(files.key, "it does not match \(files.certificate)")
      }
    }

    /// Reads a file, at most 1 MiB of it, which is more than certificates and keys have.
    private static func bytes(
      of path: FilePath, isSecret: Bool = false
    ) throws(WebServerError) -> [UInt8] {
      do {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        return try file.closeAfter {
          guard !isSecret || Disk.isPrivate(file, allowsGroupOfRoot: true) else {
            throw WebServerError.badCertificate(
              path, "others can read it, or it belongs to another user; run 'chmod 600' on it")
          }
          var bytes = [UInt8](repeating: 0, count: 1 << 20)
          var count = 0
          while count < bytes.count {
            let read = try unsafe bytes.withUnsafeMutableBytes {
              unsafe try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }
            guard read > 0 else { break }
            count += read
          }
          return Array(bytes[..<count])
        }
      } catch let error as WebServerError {
        throw error
      } catch {
        throw .badCertificate(path, (error as? Errno)?.description ?? "\(error)")
      }
    }
  }
#endif
