import Encodings
package import SpotService
import Storage
package import SystemPackage

/// The address of the running server, in a private file of its state folder, for
/// `photospots serve --open`.
package struct ServeAddress {
  private static let format = "photospots-serve-address"
  private static let version: Int64 = 1
  private static let maximumSize = 4096

  private let path: FilePath

  /// Creates access to the address in a state folder.
  package init(in stateFolder: FilePath) { path = stateFolder.appending("serve-address.json") }

  /// Stores the address, which ends with a slash, the one for phones, and whether they cannot be
  /// let in though the setting `lan` asks for it.
  func store(
    _ address: String, forPhones page: PhonePage, letsNobodyIn: Bool
  ) throws(Errno) {
    let document = JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.member("address", address)
      writer.member("phoneAddress", page.address)
      writer.member("isReachable", page.isReachable)
      writer.member("letsNobodyIn", letsNobodyIn)
    }
    try Disk.createFolder(path.removingLastComponent())
    _ = try Disk.replace(path, of: FileSignature(format: Self.format), with: document)
  }

  /// Removes the address when the server stops.
  package func forget() { Disk.removeOwn(path) }

  /// Returns the stored address; `nil` if no server is running, or if others could have written the
  /// address.
  ///
  /// - Throws: The system's error if the file exists and cannot be read.
  package func load() throws(Errno) -> String? { try loadAll()?.address }

  /// Returns the stored address for phones; `nil` like ``load()``.
  ///
  /// - Throws: The system's error if the file exists and cannot be read.
  package func loadForPhones() throws(Errno) -> PhonePage? { try loadAll()?.forPhones }

  /// Returns whether the running server cannot let phones in though the setting `lan` asks for it.
  ///
  /// - Throws: The system's error if the file exists and cannot be read.
  package func letsNobodyIn() throws(Errno) -> Bool { try loadAll()?.letsNobodyIn ?? false }

  private func loadAll() throws(Errno) -> (
    address: String, forPhones: PhonePage, letsNobodyIn: Bool
  )? {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Disk.read(path, limit: Self.maximumSize)
      guard try Disk.isPrivate(path) else { return nil }
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
      return nil
    }
    do throws(JSONError) {
      let stored = try JSONObject(document: bytes)
      guard try stored.string("format") == Self.format else { return nil }
      let address = try stored.string("address") ?? ""
      return (
        address,
        PhonePage(
          address: try stored.string("phoneAddress") ?? address,
          isReachable: try stored.boolean("isReachable") ?? false),
        try stored.boolean("letsNobodyIn") ?? false
      )
    } catch { return nil }
  }
}
