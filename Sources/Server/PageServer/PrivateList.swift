import Encodings
import PhotoLibrary
import ProcessControl
import Storage
import SystemPackage

/// A private file of the state folder whose loss costs little, so that a damaged one is replaced.
struct PrivateList {
  /// The path of the file.
  let path: FilePath
  /// A noun for its contents, which follows `the`.
  let contents: String
  /// The consequence of damage, for the log.
  let loss: String

  private static let maximumSize = 1 << 20

  /// The sessions of browsers in a state folder.
  static func sessions(in folder: FilePath) -> PrivateList {
    PrivateList(
      path: folder.appending("serve-sessions.json"), contents: "sessions of browsers",
      loss: "all browsers are logged out")
  }

  /// The used links of alerts in a state folder.
  static func links(in folder: FilePath) -> PrivateList {
    PrivateList(
      path: folder.appending("used-links.json"), contents: "used links of alerts",
      loss: "used links of alerts work again")
  }

  /// The phones with a token in a state folder.
  static func phones(in folder: FilePath) -> PrivateList {
    PrivateList(
      path: folder.appending("phones.json"), contents: "phones",
      loss: "all phones must be added again")
  }

  /// Reads the list.
  ///
  /// - Parameters:
  ///   - log: Receives a notice about damage.
  ///   - read: Reads the bytes.
  /// - Returns: The list; `nil` if there is no file, or if it is damaged.
  /// - Throws: A `MessageError` if the file cannot be read, or if a newer version wrote it. Such a
  ///   file would be lost with the next change.
  func load<Value>(
    log: MessageLog, _ read: ([UInt8]) throws(JSONError) -> Value
  ) throws -> Value? {
    let bytes: [UInt8]
    let isPrivate: Bool
    do throws(Errno) {
      bytes = try Disk.read(path, limit: Self.maximumSize)
      isPrivate = try Disk.isPrivate(path)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      throw MessageError("the \(contents) in \(path.escaped) cannot be read: \(error).\(advice)")
    }
    do throws(JSONError) {
      let value = try read(bytes)
      if isPrivate { return value }
      log.problem("\(loss): others can read or change \(path.escaped)")
    } catch {
      guard !error.isOfNewerVersion else {
        throw MessageError("the \(contents) in \(path.escaped) cannot be used: \(error.reason)")
      }
      log.problem("\(loss): \(path.escaped) cannot be used: \(error)")
    }
    return nil
  }
}
