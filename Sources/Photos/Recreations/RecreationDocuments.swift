package import CivilTime
package import Encodings

/// Encoding and decoding of recreation documents without the file system, for fuzz tests.
package enum RecreationDocuments {
  /// Creates the file of an uploaded picture; `nil` if it cannot be stored.
  package static func file(of jpeg: [UInt8], old: OldPhoto, now: Instant) -> [UInt8]? {
    let localClock = LocalClock.fixed(utcOffsetMinutes: 60)
    return try? RecreationFile(
      jpeg, of: old, score: 0.5, devices: [], now: now, localClock: localClock
    ).bytes
  }

  /// Parses a list and encodes it again.
  ///
  /// - Throws: `JSONError` if the bytes are not a valid list.
  package static func list(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (recreations: [KeptRecreation], written: [UInt8]) {
    let recreations = try RecreationList.stateList.elements(in: bytes) { reader throws(JSONError) in
      try KeptRecreation(&reader)
    }
    return (recreations, RecreationList.stateList.document(recreations) { $1.write(to: &$0) })
  }
}
