import Encodings
import GeoDocuments
import PhotoLibrary
package import ProcessControl
import Storage
package import SystemPackage

/// The photos of an archive and their destinations on this machine.
///
/// A photo that still exists at its original path with identical content is left there. Any other
/// photo goes to the given folder, below which it keeps its relative path in the archive. Existing
/// files are never replaced.
package struct ArchivedPhotos: Sendable {
  /// A reason why nothing can be imported.
  package enum Refusal: Error {
    /// Photos would overwrite a number of other files.
    case wouldOverwrite(count: Int, first: FilePath)
    /// A number of photos are not at their original paths, and no folder for them is given; below
    /// `former` they would be there again.
    case needsFolder(count: Int, first: FilePath, former: FilePath)
  }

  /// The photos that must be written, with their destinations.
  private var missing: [(photo: PlaceArchive.Photo, path: FilePath)] = []
  /// The number of photos that are there already.
  package private(set) var presentCount = 0
  /// The number of photos that could not be read when the archive was written.
  package private(set) var lostCount = 0
  private var archive: PlaceArchive?
  /// The new paths of moved photos, by their original paths.
  package private(set) var moved: [FilePath: FilePath] = [:]
  /// Whether there is a folder for the missing photos.
  package private(set) var hasFolder = false

  /// The number of photos that must be written.
  package var missingCount: Int { missing.count }
  /// Whether the file is an archive.
  package var isArchive: Bool { archive != nil }

  /// Determines which photos of an archive must be written. Files that are not archives have none.
  ///
  /// - Parameters:
  ///   - content: The content of a file.
  ///   - folder: The destination of photos that are not at their original paths.
  ///   - asks: Whether it is an error if there are such photos but no folder.
  /// - Throws: A ``Refusal`` that asks for a folder.
  package init(_ content: PlaceImport.Content, folder: FilePath?, asks: Bool) throws(Refusal) {
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
      throw .wouldOverwrite(count: blocked.count, first: first)
    }
    if asks, folder == nil, let first = missing.first {
      throw .needsFolder(
        count: missing.count, first: first.path, former: Self.formerFolder(first.photo))
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
    guard let file = try? Disk.open(LibraryFile(path)) else { return false }
    defer { Disk.close(file) }
    guard (try? Disk.size(of: file)) == Int64(photo.file.size) else { return false }
    var digest = SHA256.Digest()
    guard (try? FileChunks.read(file, { digest.combine($0) })) != nil else { return false }
    return Hexadecimal.text(digest.hash) == photo.file.hash
  }

  /// Writes the missing photos.
  ///
  /// - Parameter interruption: Ends the work between two photos.
  /// - Throws: A `MessageError` if a photo cannot be written, or on an interruption.
  package func write(orUntil interruption: Interruption) throws {
    guard let archive else { return }
    for (photo, path) in missing {
      if interruption.isRequested {
        throw MessageError("interrupted; run the same import again to continue")
      }
      var damage: ZipError?
      do throws(Errno) {
        try Disk.createFolder(path.removingLastComponent(), access: .umask)
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
        throw MessageError(
          "the photo \(path.escaped) cannot be written: \(reason); no place was changed")
      }
    }
  }
}

/// The reading of files in pieces.
enum FileChunks {
  private static let size = 1 << 18

  /// Passes the content of a file, from its current offset, to a closure.
  package static func read(
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
