#if Postgres
  import Interchange
  import PostgresStore
  import SpotAlerts

  extension AccountReceiver {
    /// The reason why this program cannot use a receiver: its row is invalid, or of a newer
    /// version.
    struct Unusable: Error, CustomStringConvertible {
      let description: String
    }

    /// The server, without the secret rest of the address; `nil` if the row cannot be used.
    var place: String? {
      guard let receiver = WebReceiver(rawValue: kind),
        let settings = try? Settings(json: settings, from: .store)
      else { return nil }
      return try? settings.place(of: receiver)
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
