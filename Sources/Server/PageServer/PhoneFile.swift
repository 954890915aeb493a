import Encodings
import PhotoLibrary
package import ProcessControl
package import SpotService
import Storage
package import SystemPackage

/// The private file of the state folder with the phones that have a token.
///
/// Any command may change it while servers run, which read it again.
package struct PhoneFile: Sendable {
  /// A reason why the phones cannot be changed.
  package enum Failure: Error, CustomStringConvertible {
    /// The phone cannot be added or renamed.
    case phone(PhoneListError)
    /// The file cannot be read, for the reason.
    case unreadable(String)
    /// The file cannot be written.
    case cannotWrite(FilePath, Errno)
    /// Another command is changing the file.
    case inUse(FilePath)

    /// The reason, with what to do.
    package var description: String {
      switch self {
      case .phone(let error): "\(error)"
      case .unreadable(let reason): reason
      case .cannotWrite(let path, let error):
        "the phones cannot be written to \(path.escaped): \(error)."
          + (MachineFault(error).map { " \($0.sentence)" } ?? "")
      case .inUse(let path): "another command is changing \(path.escaped); try again"
      }
    }
  }

  private let stored: PrivateList
  private let log: MessageLog

  /// Creates access to the phones of a state folder.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder.
  ///   - log: Receives a notice about damage.
  package init(in stateFolder: FilePath, log: MessageLog) {
    (stored, self.log) = (.phones(in: stateFolder), log)
  }

  /// A value that differs after a change of the file.
  var generation: FileGeneration { Disk.generation(of: stored.path) }

  /// Reads the phones.
  ///
  /// - Returns: The phones, none if the file is damaged; `nil` if none was ever added.
  /// - Throws: A `MessageError` if the file cannot be read, or if a newer version wrote it.
  package func load() throws -> PhoneList? {
    let phones = try stored.load(log: log) { json throws(JSONError) in try PhoneList(json: json) }
    // A damaged list does not let in those without a token.
    return phones ?? (generation == .absent ? nil : PhoneList())
  }

  /// Changes the phones, which are on the disk when this returns.
  ///
  /// - Parameter change: Changes the current phones; the file is not written if it changes nothing.
  /// - Returns: The result of `change`, and the phones.
  /// - Throws: The reason why nothing was changed.
  @discardableResult
  package func update<Value>(
    _ change: (inout PhoneList) throws(PhoneListError) -> Value
  ) throws(Failure) -> (result: Value, phones: PhoneList) {
    let path = stored.path
    let lock = try lock(path)
    defer { Disk.unlockAndClose(lock) }
    let before: PhoneList?
    do { before = try load() } catch { throw .unreadable("\(error)") }
    var phones = before ?? PhoneList()
    let result: Value
    do throws(PhoneListError) { result = try change(&phones) } catch { throw .phone(error) }
    guard phones != before else { return (result, phones) }
    try write(phones)
    return (result, phones)
  }

  private func write(_ phones: PhoneList) throws(Failure) {
    let path = stored.path
    do throws(Errno) {
      try Disk.makePrivate(path)
      _ = try Disk.replace(path, of: FileSignature(format: PhoneList.signature), with: phones.json)
    } catch { throw .cannotWrite(path, error) }
  }

  /// Acquires the lock that serialises changes; a server writes the latest uses at any time.
  private func lock(_ path: FilePath) throws(Failure) -> FileDescriptor {
    let lockPath = Disk.sibling(of: path, ".lock")
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      if let file = try Disk.lockForChange(lockPath) { return file }
    } catch { throw .cannotWrite(path, error) }
    throw .inUse(path)
  }
}

extension SessionKey {
  /// Creates the token of a phone: 32 hexadecimal digits.
  package static func phoneToken() -> String { random().text }
}
