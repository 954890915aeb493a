package import CivilTime
package import Encodings
package import SpotWatcher
import SystemPackage

/// Parsers of the files in a state folder that work on bytes without a disk, for tests that parse
/// millions of files.
package enum StateDocuments {
  /// The results derived from a journal.
  package struct Journal {
    /// The history.
    package let history: [HistoryEntry]
    /// The state with which a watcher continues.
    package let state: WatcherState
    /// The journal after compaction.
    package let compacted: [UInt8]
  }

  /// Reads a journal.
  ///
  /// - Throws: `AlertStateError` if it is not a journal, or is of a later version.
  package static func journal(
    _ bytes: [UInt8], now: Instant
  ) throws(AlertStateError) -> Journal {
    let radius = WatcherSettings().clusterRadiusMeters
    let contents = try JournalContents(bytes, path: "journal")
    return Journal(
      history: contents.history, state: contents.watcherState(clusterRadiusMeters: radius),
      compacted: contents.compacted(
        now: now, clusterRadiusMeters: radius, limits: JournalLimits()))
  }

  /// Reads the readable parts of a device log and writes it again.
  package static func devices(
    _ bytes: [UInt8]
  ) -> (reports: [DeviceReport], written: [UInt8], isDamaged: Bool) {
    let contents = DeviceLog.list.contents(in: bytes) { reader throws(JSONError) in
      try DeviceReport(from: &reader)
    }
    let written = DeviceLog.list.document(contents.elements) { $1.write(to: &$0) }
    return (contents.elements, written, contents.damage != nil)
  }

  /// Reads a list of muted spots and writes it again.
  ///
  /// - Throws: `JSONError` if it is not a mute list.
  package static func mutes(
    _ bytes: [UInt8]
  ) throws(JSONError) -> (spots: [MutedSpot], written: [UInt8]) {
    let spots = try MuteList.list.elements(in: bytes, MuteList.mute)
    return (spots, MuteList.list.document(spots) { MuteList.write($1, to: &$0) })
  }
}
