import Dispatch
import Storage
import Synchronization
package import SystemPackage

/// A folder of files that can be made again, bounded in bytes: the least recently used are removed.
///
/// Each method blocks its thread for the disk. Where the disk is full, or the folder cannot be
/// written to, nothing is kept, which is reported once.
package final class CacheFolder: Sendable {
  /// A file of the folder.
  package struct Entry: Sendable {
    /// Its content.
    package let bytes: [UInt8]
    /// Until when it is fresh, in seconds since 1970.
    package let freshUntilSeconds: Int64
  }

  private struct State {
    /// The total size of the counted files and of those added since, in bytes.
    var bytes = 0
    var isCounted = false
    var isSweeping = false
    var hasReported = false
  }

  private let folder: FilePath
  private let capacityBytes: Int
  private let report: @Sendable (Errno) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "photospots.cache")

  /// Creates a cache; its folder is created, and what is in it counted, in the background.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is the cache's own.
  ///   - capacityBytes: The maximum total size of the files; briefly exceeded while one is added.
  ///   - report: Is called, once, with the reason why nothing can be kept.
  package init(
    _ folder: FilePath, capacityBytes: Int, report: @escaping @Sendable (Errno) -> Void
  ) {
    (self.folder, self.capacityBytes, self.report) = (folder, capacityBytes, report)
    queue.async { self.count() }
  }

  /// Reads a file, and notes that it was used.
  ///
  /// - Parameters:
  ///   - name: The name, without a slash.
  ///   - limit: The longest file that is read, in bytes.
  /// - Returns: The file; `nil` where there is none that can be read.
  package func read(_ name: String, limit: Int) -> Entry? {
    let path = folder.appending(name)
    guard let (bytes, modified) = try? Disk.readDerived(path, limit: limit) else { return nil }
    Disk.noteUse(of: path)
    return Entry(bytes: bytes, freshUntilSeconds: modified)
  }

  /// Keeps a file, in place of one that has its name.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name, without a slash.
  ///   - freshUntilSeconds: Until when it is fresh, in seconds since 1970, where that matters.
  package func keep(_ bytes: [UInt8], as name: String, freshUntilSeconds: Int64 = 0) {
    guard bytes.count <= capacityBytes else { return }
    let path = folder.appending(name)
    do throws(Errno) {
      do throws(Errno) {
        try Disk.publish(bytes, as: path, modifiedSeconds: freshUntilSeconds)
      } catch {
        guard error == .noSuchFileOrDirectory else { throw error }
        try Disk.createFolder(folder)
        try Disk.publish(bytes, as: path, modifiedSeconds: freshUntilSeconds)
      }
    } catch {
      return reportOnce(error)
    }
    let isFull = state.withLock { state in
      state.bytes += bytes.count
      guard state.isCounted, state.bytes > capacityBytes, !state.isSweeping else { return false }
      state.isSweeping = true
      return true
    }
    if isFull { queue.async { self.sweep() } }
  }

  /// Removes a file, which turned out to be damaged.
  package func remove(_ name: String) { Disk.discard(folder.appending(name)) }

  /// Returns when what was begun in the background is done.
  package func settle() { queue.sync {} }

  private func count() {
    do throws(Errno) {
      try Disk.createFolder(folder)
      let sum = try Disk.derivedFiles(in: folder).reduce(0) { $0 + $1.size }
      let isFull = state.withLock { state in
        state.isCounted = true
        state.bytes += sum
        state.isSweeping = state.bytes > capacityBytes
        return state.isSweeping
      }
      if isFull { sweep() }
    } catch {
      reportOnce(error)
    }
  }

  /// Removes the least recently used files until a tenth of the room is free.
  private func sweep() {
    let files = (try? Disk.derivedFiles(in: folder)) ?? []
    var sum = files.reduce(0) { $0 + $1.size }
    for file in files.sorted(by: { $0.usedNanoseconds < $1.usedNanoseconds }) {
      guard sum > capacityBytes - capacityBytes / 10 else { break }
      Disk.discard(file.path)
      sum -= file.size
    }
    state.withLock { state in
      state.bytes = sum
      state.isSweeping = false
    }
  }

  private func reportOnce(_ error: Errno) {
    let isFirst = state.withLock { state in
      defer { state.hasReported = true }
      return !state.hasReported
    }
    if isFirst { report(error) }
  }
}
