import Codecs
import PlaceExchange
import Storage
import SystemPackage

/// The photos of an archive and their destinations on this machine.
///
/// A photo that still exists at its original path with identical content is left there. Any other
/// photo goes to the given folder, below which it keeps its relative path in the archive. Existing
/// files are never replaced.
struct ArchivedPhotos: Sendable {
  /// The photos that must be written, with their destinations.
  private var missing: [(photo: PlaceArchive.Photo, path: FilePath)] = []
  private var presentCount = 0
  private var lostCount = 0
  private var archive: PlaceArchive?
  /// The new paths of moved photos, by their original paths.
  private(set) var moved: [FilePath: FilePath] = [:]
  private var hasFolder = false

  /// Determines which photos of an archive must be written. Files that are not archives have none.
  ///
  /// - Parameters:
  ///   - content: The content of a file.
  ///   - folder: The destination of photos that are not at their original paths.
  ///   - asks: Whether it is an error if there are such photos but no folder.
  /// - Throws: A ``Failure`` that asks for a folder.
  init(_ content: PlaceImport.Content, folder: FilePath?, asks: Bool) throws {
    guard case .archive(let archive, _) = content else { return }
    self.archive = archive
    hasFolder = folder != nil
    lostCount = archive.missingPhotos.count
    var blocked: [FilePath] = []
    for photo in archive.photos {
      let old = FilePath(bytes: photo.path)
      if Self.holds(old, photo) {
        presentCount += 1
        continue
      }
      guard let folder else {
        missing.append((photo, old))
        continue
      }
      let new = FilePath(bytes: FilePath.join(folder.bytes, photo.relativePath))
      if new != old { moved[old] = new }
      if Self.holds(new, photo) {
        presentCount += 1
      } else if Disk.exists(new) {
        blocked.append(new)
      } else {
        missing.append((photo, new))
      }
    }
    if let first = blocked.first {
      throw Failure(
        """
        nothing was imported: \(PlaceImportText.count(blocked.count, "other file")) would be \
        overwritten by photos of the archive, such as \(first.escaped). Choose another folder with \
        --photos-to
        """)
    }
    if asks, folder == nil, let first = missing.first {
      throw Failure(
        """
        nothing was imported: \(PlaceImportText.count(missing.count, "photo")) of the archive \
        \(missing.count == 1 ? "is" : "are") not where \
        \(missing.count == 1 ? "it was" : "they were"), such as \(first.path.escaped). Choose a \
        folder for them with --photos-to; --photos-to \(Self.formerFolder(first.photo).quoted) \
        restores them
        """)
    }
  }

  /// Returns the folder below which a photo's relative path gives its original path.
  private static func formerFolder(_ photo: PlaceArchive.Photo) -> FilePath {
    var folder = FilePath(bytes: photo.path)
    for _ in 0...photo.relativePath.count(where: { $0 == UInt8(ascii: "/") }) {
      folder.removeLastComponent()
    }
    return folder
  }

  /// Returns whether a file is identical to a photo of the archive.
  private static func holds(_ path: FilePath, _ photo: PlaceArchive.Photo) -> Bool {
    guard let file = try? Disk.openRegularFile(path, limit: .max) else { return false }
    defer { Disk.close(file) }
    guard (try? Disk.size(of: file)) == Int64(photo.file.size) else { return false }
    var digest = SHA256.Digest()
    guard (try? FileChunks.read(file, { digest.combine($0) })) != nil else { return false }
    return Hexadecimal.text(digest.hash) == photo.file.hash
  }

  /// Writes the missing photos.
  func write() throws {
    guard let archive else { return }
    for (photo, path) in missing {
      if Interruption.isRequested {
        throw Failure("interrupted; run the same import again to continue")
      }
      var damage: ZipError?
      do throws(Errno) {
        try Disk.createFolder(path.removingLastComponent())
        let uncertainty = try Disk.create(path, by: Disk.sibling(of: path, ".photospots-new")) {
          file throws(Errno) in
          do throws(ZipReader.UnpackError<Errno>) {
            try archive.unpack(photo) { piece throws(Errno) in
              try Disk.write(Array(piece), to: file)
            }
          } catch {
            switch error {
            case .archive(let error):
              damage = error
              throw .ioError
            case .receiver(let error): throw error
            }
          }
        }
        if let uncertainty { throw uncertainty }
      } catch {
        let reason = damage?.description ?? error.description
        throw Failure(
          "the photo \(path.escaped) cannot be written: \(reason); no place was changed")
      }
    }
  }

  /// Returns lines that summarize where the photos are, or would be after the import.
  func lines(isDryRun: Bool) -> [String] {
    guard archive != nil else { return [] }
    var lines: [String] = []
    if presentCount > 0 {
      lines.append("  \(PlaceImportText.count(presentCount, "photo")) already there")
    }
    if !missing.isEmpty {
      let count = PlaceImportText.count(missing.count, "photo")
      lines.append(
        hasFolder
          ? "  \(count) \(isDryRun ? "to be written" : "written")"
          : "  \(count) not where they were: choose a folder for them with --photos-to")
    }
    if lostCount > 0 {
      lines.append(
        "  \(PlaceImportText.count(lostCount, "photo")) could not be read when the archive was written"
      )
    }
    return lines
  }
}

/// The reading of files in pieces.
enum FileChunks {
  private static let size = 1 << 18

  /// Passes the content of a file, from its current offset, to a closure.
  static func read(
    _ file: FileDescriptor, _ take: (ArraySlice<UInt8>) throws(Errno) -> Void
  ) throws(Errno) {
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      var count = 0
      var failure: Errno?
      buffer.withUnsafeMutableBytes { bytes in
        do throws(Errno) { count = try Disk.read(file, into: bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      guard count > 0 else { return }
      try take(buffer[..<count])
    }
  }
}
