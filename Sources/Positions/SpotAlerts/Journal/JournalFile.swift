import Storage
import SystemPackage

/// Reads a journal's file of any size.
enum JournalFile {
  /// Reads a journal.
  ///
  /// If the file exceeds a size, because of an earlier program version or a full disk, lines are
  /// skipped: those of suppressed visits and, if necessary, the earliest. Reading needs up to twice
  /// that size in memory.
  ///
  /// - Returns: The lines, the header first, and whether some were skipped.
  /// - Throws: The system's error; `noSuchFileOrDirectory` if there is no journal.
  static func read(
    _ path: FilePath, maximumBytes: Int
  ) throws(Errno) -> (bytes: [UInt8], isCut: Bool) {
    do throws(Errno) {
      return (try Disk.read(path, limit: maximumBytes), false)
    } catch {
      guard error == .fileTooLarge else { throw error }
    }
    let file = try Disk.openRegularFile(path, limit: .max)
    defer { Disk.close(file) }
    var lines = LatestLines(maximumBytes: maximumBytes)
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
    defer { window.deallocate() }
    while true {
      let count = try Disk.read(file, into: window)
      guard count > 0 else { return (lines.bytes, true) }
      lines.take(Array(window[..<count])[...])
    }
  }
}

/// The first and the latest lines of a long text, without those of suppressed visits.
private struct LatestLines {
  private let maximumBytes: Int
  private var header: [UInt8] = []
  private var kept: [UInt8] = []
  private var line: [UInt8] = []
  private var isTooLong = false

  /// The maximum length of a record in bytes.
  private static let maximumLineLength = 1 << 20
  private static let silent = ["suppressed", "lapsed"].map { Array("{\"event\":\"\($0)\"".utf8) }
  private static let held = Array("{\"event\":\"held\"".utf8)
  private static let byShared = Array("\"by\":\"shared\"".utf8)

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  var bytes: [UInt8] { header + latest }

  /// The end of the kept text, beginning at the start of a line.
  private var latest: ArraySlice<UInt8> {
    guard kept.count > maximumBytes else { return kept[...] }
    let rest = kept[(kept.count - maximumBytes)...]
    return rest.firstIndex(of: 0x0A).map { rest[($0 + 1)...] } ?? []
  }

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0A) {
      line += rest[...end]
      endLine()
      rest = rest[(end + 1)...]
    }
    line += rest
    guard line.count > Self.maximumLineLength else { return }
    line.removeAll()
    isTooLong = true
  }

  /// Whether the line is the record of a visit without an alert that affects no later decision. The
  /// rule `devices` depends on visits that it held back itself.
  private var isSilent: Bool {
    Self.silent.contains { line.starts(with: $0) }
      || line.starts(with: Self.held) && !line.contains(Self.byShared)
  }

  private mutating func endLine() {
    defer {
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong || line.count > Self.maximumLineLength { return }
    if header.isEmpty {
      header = line
    } else if !isSilent {
      kept += line
    }
    if kept.count > 2 * maximumBytes { kept = Array(latest) }
  }
}
