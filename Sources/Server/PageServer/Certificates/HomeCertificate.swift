import CivilTime
import Encodings
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotAlerts
import SpotService
import Synchronization
import SystemPackage
import WatchService
import WebService

/// Keeps the certificate of this machine's own authority current while the page is served.
final class HomeCertificate: Sendable {
  /// The interval at which the addresses of the machine and the time are looked at.
  private static let interval = Duration.seconds(saturating: 60)

  private let authority: HomeAuthority
  private let settings: SettingsInForce
  private let log: MessageLog
  private let told = Mutex<Set<String>>([])
  private let renewals = Mutex<Task<Void, Never>?>(nil)

  /// Makes the authority and the certificate, unless they exist and are current.
  ///
  /// - Throws: A `MessageError` if they cannot be made.
  init(in stateFolder: FilePath, _ settings: SettingsInForce, log: MessageLog) throws {
    authority = HomeAuthority(in: stateFolder)
    (self.settings, self.log) = (settings, log)
    try waitForResult { [self] in _ = try await prepare() }
  }

  /// The files with which the page is served.
  var files: TLSFiles { authority.files }

  /// Returns the authority, for phones that are to trust it.
  ///
  /// - Throws: A `MessageError` if its file cannot be used.
  func machineAuthority() throws -> MachineAuthority? {
    let machine = try HomeNames(settings.settings).machine
    return try authority.certificate().map { certificate in
      MachineAuthority(
        machine: machine, certificate: certificate,
        profile: AuthorityProfile.content(certificate, machine: machine))
    }
  }

  /// Makes the certificate anew before it ends, and when the machine gets another address.
  ///
  /// - Parameter renewed: Called when there is a new certificate.
  func keepCurrent(_ renewed: @escaping @Sendable () -> Void) {
    let task = Task { [self] in
      while (try? await Task.sleep(for: Self.interval)) != nil {
        do {
          if try await prepare() { renewed() }
        } catch { tell("\(error); the previous certificate stays in use") }
      }
    }
    renewals.withLock { $0 = task }
  }

  /// Ends the renewals.
  func stop() { renewals.withLock { $0.take() }?.cancel() }

  /// Makes what is missing; returns whether the certificate is a new one.
  private func prepare() async throws -> Bool {
    let names = try HomeNames(settings.settings)
    let (isRenewed, omitted) = try await authority.prepare(names, now: SystemClock().now())
    for name in omitted {
      tell(
        """
        the certificate does not contain \(name.escaped), since the authority of this machine was \
        made without it: delete \(authority.path.escaped) to have another one made, which phones \
        must then trust
        """)
    }
    return isRenewed
  }

  /// Reports a problem once.
  private func tell(_ problem: String) {
    if told.withLock({ $0.insert(problem).inserted }) { log.problem(problem) }
  }
}
