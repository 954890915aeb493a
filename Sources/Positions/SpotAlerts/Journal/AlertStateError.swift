import Storage
public import SystemPackage

/// A reason why the state of the alerts cannot be used.
public enum AlertStateError: Error, Hashable, CustomStringConvertible {
  /// The folder or a file in it cannot be created, opened or read.
  case cannotOpen(FilePath, Errno)
  /// A record cannot be written, so nothing is sent.
  case cannotWrite(FilePath, Errno)
  /// Another process uses this state; its id, if known.
  case inUse(FilePath, processID: Int?)
  /// The journal was written by a later version of the program.
  case newerVersion(FilePath, found: Int, supported: Int)
  /// The file does not begin with the header of a journal.
  case notAJournal(FilePath)
  /// A journal shared by several processes cannot be read or written; the message to show.
  case unavailable(String)
  /// Other processes recorded alerts of the same device before this one in every attempt.
  case overtaken(device: String?)

  /// The system's error behind this one; `nil` if there is none.
  package var storageError: Errno? {
    switch self {
    case .cannotOpen(_, let error), .cannotWrite(_, let error): error
    case .inUse, .newerVersion, .notAJournal, .unavailable, .overtaken: nil
    }
  }

  /// A message that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, .foreignFile), .cannotWrite(let path, .foreignFile):
      "\(path): this file was not written by PhotoSpots, so it is not changed. Move it away, or choose "
        + "another folder with --state."
    case .cannotOpen(let path, let error):
      "\(path): \(error). Check its permissions, or choose another folder with --state."
    case .cannotWrite(let path, let error):
      "\(path): \(error). The notification is not sent until it can be recorded; free some space on the "
        + "disk, or choose another folder with --state."
    case .inUse(let folder, let processID):
      "\(folder): in use by another watch or 'photospots serve'\(processID.map { " (process \($0))" } ?? ""). Stop it, or "
        + "give each its own folder with --state."
    case .newerVersion(let path, let found, let supported):
      "\(path): written in version \(found) of the journal; this program reads version \(supported). "
        + "Update the program, or choose another folder with --state."
    case .unavailable(let reason): reason
    case .overtaken:
      "other watches are deciding about the same device, so this position was refused. "
        + "Let each device send to one watch."
    case .notAJournal(let path):
      "\(path): this is not a journal of PhotoSpots. Move it away, or choose another folder with --state."
    }
  }
}
