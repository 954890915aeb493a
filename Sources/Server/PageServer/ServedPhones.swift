import CivilTime
import Dispatch
package import FeedServer
package import LocationFeeds
package import ProcessControl
import SpotAlerts
import SpotService
import Storage
import Synchronization
package import SystemPackage

/// The phones with a token, for servers that run: read again when their file has changed.
///
/// While the file cannot be read, as when its disk is away, the phones that were read last stay in
/// use. That is reported once.
package final class ServedPhones: PhoneTokens {
  private struct Known {
    var generation: FileGeneration
    /// The phones; `nil` if none was ever added.
    var phones: PhoneList?
    var problem: String?
  }

  private let file: PhoneFile
  private let log: MessageLog
  /// Called with the ids of the phones after they were read.
  private let whenRead: @Sendable (Set<String>) -> Void
  private let known: Mutex<Known>
  /// Where the latest uses are written, one after the other.
  private let writing = DispatchQueue(label: "photospots.phones")

  /// Reads the phones of a state folder. If their file is damaged, they must be added again.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder.
  ///   - log: Receives notices about damage and outages.
  ///   - whenRead: Called with the ids of the phones after they were read, on any thread.
  /// - Throws: A `MessageError` if the file cannot be read, or if a newer version wrote it.
  package init(
    in stateFolder: FilePath, log: MessageLog,
    whenRead: @escaping @Sendable (Set<String>) -> Void = { _ in }
  ) throws {
    file = PhoneFile(in: stateFolder, log: log)
    (self.log, self.whenRead) = (log, whenRead)
    let generation = file.generation
    let phones = try file.load()
    known = Mutex(Known(generation: generation, phones: phones))
    whenRead(Set((phones?.all ?? []).map(\.id)))
  }

  /// The phones that were read last.
  var list: PhoneList { known.withLock { $0.phones ?? PhoneList() } }

  /// The phones that were read last, in the order in which they were added.
  var all: [Phone] { list.all }

  package var areNeeded: Bool { known.withLock { $0.phones != nil } }

  package var names: Set<String> {
    known.withLock { Set(($0.phones?.all ?? []).map(\.name)) }
  }

  package func phone(showing token: [UInt8]) -> PhoneHolder? {
    known.withLock { $0.phones?.phone(showing: token) }.map {
      PhoneHolder(id: $0.id, name: $0.name)
    }
  }

  package func readAgain() {
    let isRead = known.withLock { known in
      let generation = file.generation
      guard generation != known.generation || known.problem != nil else { return false }
      do {
        known.phones = try file.load()
        known.generation = generation
        if known.problem != nil { log.note("the phones can be read again") }
        known.problem = nil
        return true
      } catch {
        let problem = "\(error)"
        guard problem != known.problem else { return false }
        known.problem = problem
        log.problem("\(problem) The phones that were read last stay in use.")
        return false
      }
    }
    if isRead { whenRead(Set(all.map(\.id))) }
  }

  /// Changes the phones, which are on the disk when this returns.
  ///
  /// - Throws: The reason why nothing was changed.
  func update<Value>(
    _ change: (inout PhoneList) throws(PhoneListError) -> Value
  ) throws(PhoneFile.Failure) -> Value {
    let result = try file.update(change).result
    readAgain()
    return result
  }

  package func noteUse(of phone: PhoneHolder, format: FeedFormat) {
    let now = SystemClock().now()
    let isChanged = known.withLock { known in
      known.phones?.noteUse(of: phone.id, app: format.rawValue, now: now) ?? false
    }
    guard isChanged else { return }
    writing.async { [file] in
      // The time of the latest use may be lost if the disk is full.
      _ = try? file.update { phones throws(PhoneListError) in
        phones.noteUse(of: phone.id, app: format.rawValue, now: now)
      }
    }
  }
}
