import ArgumentParser
import ProgramSettings
import SpotService
import WebService

#if Postgres
  import PostgresStore
#endif

extension ServeCommand {
  /// The certificate and its key; `nil` for plain HTTP.
  var tlsFiles: TLSFiles? {
    certificate.flatMap { certificate in
      key.map { TLSFiles(certificate: Paths.absolute(certificate), key: Paths.absolute($0)) }
    }
  }

  /// The number of owners that are watched at the same time.
  var watchedOwners: Int { watchedAccounts?.count ?? 64 }

  /// Checks the address of the store, and that no option is given that has no effect with it.
  func validateStore() throws {
    guard feeds || watchedAccounts == nil else {
      throw ValidationError("--watched-accounts needs --feeds")
    }
    guard (1...128).contains(watchedOwners) else {
      throw ValidationError("--watched-accounts must be 1 to 128")
    }
    guard let store else {
      guard !feeds else {
        throw ValidationError("--feeds needs --store; without it /feed always accepts positions")
      }
      return
    }
    #if Postgres
      do throws(StoreAddress.Problem) { _ = try StoreAddress(store) } catch {
        // The text may contain a password.
        throw ValidationError("--store: \(error)")
      }
      try validateNoOptionOfFolders()
    #else
      _ = store
      throw ValidationError(StoreArguments.missing)
    #endif
  }

  /// Checks that no option is given that only a server of folders obeys.
  private func validateNoOptionOfFolders() throws {
    for (name, isGiven) in [
      ("a folder", !folders.isEmpty), ("--source", !sources.isEmpty), ("--new-key", newKey),
      ("--keep-trail", keepTrail), ("--hook", receivers.hook != nil),
      ("--tracks", !tracks.tracks.isEmpty), ("--owner", owner != nil),
      ("--index", index.file != nil),
      ("--browser", browser == true),
    ] where isGiven {
      throw ValidationError(
        "\(name) has no effect with --store, which serves what other machines indexed and watch")
    }
  }
}
