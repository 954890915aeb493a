import Dispatch
import Synchronization
package import SystemPackage

/// A size-limited folder of cache files, from which the least recently used are removed.
///
/// Each method blocks its thread for disk access. If the disk is full or the folder is not
/// writable, nothing is stored, and the error is reported once.
package final class CacheFolder: Sendable {
  /// A file of the folder.
  package struct Entry: Sendable {
    /// The content of the file.
    package let bytes: [UInt8]
    /// The time until which the file is fresh, in seconds since 1970.
    package let freshUntilSeconds: Int64
  }

  private struct State {
    /// The estimated total size of the files in bytes. A replaced file is counted twice until the
    /// next sweep, and so is a file added before the initial count is done.
    var bytes = 0
    var isCounted = false
    var isSweeping = false
    var hasReported = false
    var stepCount = 0
  }

  private let folder: FilePath
  private let capacityBytes: Int
  private let report: @Sendable (Errno) -> Void
  /// The number of files examined so far in the background: the cost, for tests.
  package var stepCount: Int { state.withLock(\.stepCount) }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "photospots.cache")

  /// Creates a cache; the folder is created and its files are counted in the background.
  ///
  /// - Parameters:
  ///   - folder: The folder, used only by this cache.
  ///   - capacityBytes: The maximum total size of the files in bytes; briefly exceeded when a file
  ///     is added.
  ///   - report: A closure called at most once, with the error that prevents storing.
  package init(
    _ folder: FilePath, capacityBytes: Int, report: @escaping @Sendable (Errno) -> Void
  ) {
    (self.folder, self.capacityBytes, self.report) = (folder, capacityBytes, report)
    queue.async { self.count() }
  }

  /// Reads a file and records its use.
  ///
  /// - Parameters:
  ///   - name: The name, without a slash.
  ///   - limit: The maximum size in bytes of a file that is read.
  /// - Returns: The file; `nil` if there is none or it cannot be read.
  package func read(_ name: String, limit: Int) -> Entry? {
    let path = folder.appending(name)
    guard let (bytes, modified) = try? Disk.readDerived(path, limit: limit) else { return nil }
    Disk.noteUse(of: path)
    return Entry(bytes: bytes, freshUntilSeconds: modified)
  }

  /// Stores a file, replacing one with the same name; a file larger than the capacity is ignored.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name, without a slash.
  ///   - freshUntilSeconds: The time until which the file is fresh, in seconds since 1970; 0 if
  ///     that does not matter.
  package func keep(_ bytes: [UInt8], as name: String, freshUntilSeconds: Int64 = 0) {
    guard bytes.count <= capacityBytes else { return }
    let path = folder.appending(name)
    do throws(Errno) {
      do throws(Errno) {
        try Disk.publish(bytes, as: path, modifiedSeconds: freshUntilSeconds)
      } catch {
        // A file may be where the folder should be. Then the folder's error says more.
        guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
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

  /// Removes a damaged file.
  package func remove(_ name: String) { Disk.discard(folder.appending(name)) }

  /// Waits until all pending counting and removal is done.
  package func settle() { queue.sync {} }

  /// Creates the folder, measures its files, and removes files if they exceed the capacity.
  private func count() {
    do throws(Errno) {
      try Disk.createFolder(folder)
      let files = try Disk.derivedFiles(in: folder)
      let sum = files.reduce(0) { $0 + $1.size }
      let isFull = state.withLock { state in
        state.isCounted = true
        state.stepCount += files.count
        state.bytes += sum
        state.isSweeping = state.bytes > capacityBytes
        return state.isSweeping
      }
      if isFull { sweep() }
    } catch {
      reportOnce(error)
    }
  }

  /// Removes the least recently used files until a tenth of the capacity is free.
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
      state.stepCount += files.count
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
