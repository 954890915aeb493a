import Encodings
import SpotService

/// The hashes of the keys and cookies that were valid when they were last looked up.
///
/// At least the latest ``capacity`` of them are kept, and at most twice as many.
struct VerifiedKeys {
  static let capacity = 4096

  private var latest: Set<[UInt8]> = []
  private var earlier: Set<[UInt8]> = []

  /// Returns whether a key or cookie is known to have been valid.
  func contains(_ credential: ServiceRequest.Credential) -> Bool {
    let hash = SHA256.hash(Array(credential.text.utf8))
    return latest.contains(hash) || earlier.contains(hash)
  }

  /// Adds a valid key or cookie.
  mutating func insert(_ credential: ServiceRequest.Credential) {
    if latest.count >= Self.capacity { (earlier, latest) = (latest, []) }
    latest.insert(SHA256.hash(Array(credential.text.utf8)))
  }

  /// Removes a key or cookie that is not valid any more.
  mutating func remove(_ credential: ServiceRequest.Credential) {
    let hash = SHA256.hash(Array(credential.text.utf8))
    latest.remove(hash)
    earlier.remove(hash)
  }
}
