package import CivilTime
package import Interchange

/// Reads the documents of recreations without their files, for those who test it with any bytes.
package enum RecreationDocuments {
  /// Makes the file of a picture that was sent; `nil` where it cannot be kept.
  package static func file(of jpeg: [UInt8], old: OldPhoto, now: Instant) -> [UInt8]? {
    let localClock = LocalClock.fixed(utcOffsetMinutes: 60)
    return try? RecreationFile(
      jpeg, of: old, score: 0.5, devices: [], now: now, localClock: localClock
    ).bytes
  }

  /// Reads a list, and writes it anew.
  ///
  /// - Throws: `JSONError` where it is none.
  package static func list(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (recreations: [KeptRecreation], written: [UInt8]) {
    let recreations = try RecreationList.document.elements(in: bytes) { reader throws(JSONError) in
      try KeptRecreation(&reader)
    }
    return (recreations, RecreationList.document.document(recreations) { $1.write(to: &$0) })
  }
}
