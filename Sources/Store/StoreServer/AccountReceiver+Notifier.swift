#if Postgres
  import ProgramSettings
  import Encodings
  import PostgresStore
  import SpotAlerts

  extension AccountReceiver {
    /// The error of a receiver that this program cannot use, since its row is invalid or was added
    /// by a newer version.
    struct Unusable: Error, CustomStringConvertible {
      let description: String
    }

    /// The scheme and host of the address, whose rest may be secret; `nil` if the row is invalid.
    package var shownAddress: String? {
      guard let receiver = WebReceiver(rawValue: kind),
        let settings = try? Settings(json: settings, from: .store)
      else { return nil }
      return try? settings.shownAddress(of: receiver)
    }

    /// Creates the notifier. It sends no pictures, since the photos named in a store are files of
    /// other machines.
    ///
    /// - Parameter limitSeconds: The time limit of a request.
    /// - Returns: The notifier, with the name of its kind.
    /// - Throws: ``Unusable``.
    func notifier(limitSeconds: Double) throws(Unusable) -> any Notifier {
      do {
        let settings = try Settings(json: settings, from: .store)
        if let receiver = WebReceiver(rawValue: kind),
          let notifier = try settings.notifier(
            for: receiver, limitSeconds: limitSeconds, picture: { _ in nil })
        {
          return notifier
        }
      } catch let error as SettingsError {
        throw Unusable(description: "\(error)")
      } catch {}
      throw Unusable(description: "its row in the store is invalid")
    }
  }
#endif
