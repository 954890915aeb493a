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
  private var missing: [(photo: Photo, path: FilePath)] = []
  /// The number of photos that are there already.
  package private(set) var presentCount = 0
  /// The number of photos that could not be read when the archive was written.
  package private(set) var lostCount = 0
  private var archive: PlaceArchive?
  /// The archive of a map, whose pictures the places show; `nil` for other files.
  private var map: ZipReader?
  /// The new paths of moved photos, by their original paths.
  package private(set) var moved: [FilePath: FilePath] = [:]
  /// The paths of the pictures of a map, by their names in its archive.
  private var stored: [String: FilePath] = [:]
  /// The number of pictures of a map that are left out, since there is no folder for them.
  package private(set) var leftOutCount = 0
  /// Whether there is a folder for the missing photos.
  package private(set) var hasFolder = false

  /// A photo in an archive.
  private struct Photo {
    let size: Int
    /// The SHA-256 of the content as 64 hexadecimal digits in lower case.
    let hash: String
    let content: Content

    enum Content {
      case photo(PlaceArchive.Photo)
      case picture(ZipReader.Entry)
    }

    init(_ photo: PlaceArchive.Photo) {
      (size, hash, content) = (photo.file.size, photo.file.hash, .photo(photo))
    }

    init(_ picture: ZipReader.Entry, hash: [UInt8]) {
      (size, self.hash) = (picture.size, Hexadecimal.text(hash))
      content = .picture(picture)
    }
  }

  /// The number of photos that must be written.
  package var missingCount: Int { missing.count }
  /// Whether the file is an archive.
  package var isArchive: Bool { archive != nil }

  /// Determines which photos of an archive must be written. Files that are not archives have none.
  ///
  /// - Parameters:
  ///   - item: A file.
  ///   - folder: The destination of photos that are not at their original paths.
  ///   - asks: Whether it is an error if there are such photos but no folder.
  /// - Throws: A ``Refusal`` that asks for a folder.
  package init(_ item: PlaceImport, folder: FilePath?, asks: Bool) throws(Refusal) {
    if case .places(let file) = item.content, let map = file.archive {
      var originals: [String: FilePath] = [:]
      for (path, name) in file.records.flatMap(\.archiveNames) {
        originals[name] = FilePath(bytes: path)
      }
      try plan(
        file.pictures, of: map, originals,
        below: folder.map { $0.appending(Self.title(item.path)) })
      return
    }
    guard case .archive(let archive, _) = item.content else { return }
    self.archive = archive
    hasFolder = folder != nil
    lostCount = archive.missingPhotos.count
    var blocked: [FilePath] = []
    for photo in archive.photos {
      let old = FilePath(bytes: photo.path)
      if let selected = item.selectedPhotos, !selected.contains(old) { continue }
      if Self.holds(old, Photo(photo)) {
        presentCount += 1
        continue
      }
      guard let folder else {
        missing.append((Photo(photo), old))
        continue
      }
      let new = FilePath(bytes: FilePath.join(folder.bytes, photo.relativePath))
      if new != old { moved[old] = new }
      place(Photo(photo), at: new, &blocked)
    }
    if let first = blocked.first {
      throw .wouldOverwrite(count: blocked.count, first: first)
    }
    if asks, folder == nil, let first = missing.first,
      case .photo(let photo) = first.photo.content
    {
      throw .needsFolder(
        count: missing.count, first: first.path, former: Self.formerFolder(photo))
    }
  }

  /// Leaves out all photos of a file and looks at none, for files of other machines.
  package init(leavingOut item: PlaceImport) {
    switch item.content {
    case .places(let file): leftOutCount = file.pictures.count
    case .archive(let archive, _): leftOutCount = archive.photos.count
    case .document: break
    }
  }

  /// Counts a photo that is at a path already, or plans to write it there.
  private mutating func place(_ photo: Photo, at path: FilePath, _ blocked: inout [FilePath]) {
    if Self.holds(path, photo) {
      presentCount += 1
    } else if Disk.exists(path) {
      blocked.append(path)
    } else {
      missing.append((photo, path))
    }
  }

  /// Plans where the pictures of a map are stored.
  private mutating func plan(
    _ pictures: [ZipReader.Entry], of map: ZipReader, _ originals: [String: FilePath],
    below folder: FilePath?
  ) throws(Refusal) {
    self.map = map
    var blocked: [FilePath] = []
    for picture in pictures {
      let original = originals[picture.name]
      let hash = folder == nil && original == nil ? nil : Self.hash(picture, of: map)
      if let original, let hash, Self.holds(original, Photo(picture, hash: hash)) {
        presentCount += 1
        continue
      }
      // A picture of no format, or with a hidden name, is not written to the disk.
      guard let folder, let relative = PlaceArchive.relativePath(picture.name[...]), let hash
      else {
        leftOutCount += 1
        continue
      }
      let path = FilePath(bytes: FilePath.join(folder.bytes, relative))
      stored[picture.name] = path
      if let original, original != path { moved[original] = path }
      place(Photo(picture, hash: hash), at: path, &blocked)
    }
    if let first = blocked.first { throw .wouldOverwrite(count: blocked.count, first: first) }
    hasFolder = folder != nil
  }

  /// Returns the SHA-256 of a picture; `nil` where it is damaged, or in no format of pictures.
  private static func hash(_ picture: ZipReader.Entry, of map: ZipReader) -> [UInt8]? {
    var digest = SHA256.Digest()
    var head: [UInt8] = []
    do throws(ZipReader.UnpackError<Never>) {
      try map.unpack(picture) { piece in
        if head.count < 16 { head += piece.prefix(16) }
        digest.combine(piece)
      }
    } catch { return nil }
    return PictureFormat.isPicture(head) ? digest.hash : nil
  }

  /// Returns the name of the folder for the pictures of a map: the name of its file.
  private static func title(_ path: FilePath) -> String {
    let name = path.stem ?? ""
    return name.isEmpty || name.hasPrefix(".") ? "map" : name
  }

  /// Returns a record with the pictures that it shows as photos, in place of the paths that they
  /// had on another machine.
  func attached(to record: PlaceRecord) -> PlaceRecord {
    var record = record
    record.photos.removeAll { path in record.archiveNames[path].map { stored[$0] != nil } ?? false }
    for name in record.archivedPictures {
      if let path = stored[name], !record.photos.contains(path.bytes) {
        record.photos.append(path.bytes)
      }
    }
    return record
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
  private static func holds(_ path: FilePath, _ photo: Photo) -> Bool {
    guard let file = try? Disk.open(LibraryFile(path)) else { return false }
    defer { Disk.close(file) }
    guard (try? Disk.size(of: file)) == Int64(photo.size) else { return false }
    var digest = SHA256.Digest()
    guard (try? FileChunks.read(file, { digest.combine($0) })) != nil else { return false }
    return Hexadecimal.text(digest.hash) == photo.hash
  }

  /// Writes the missing photos.
  ///
  /// - Parameter interruption: Ends the work between two photos.
  /// - Throws: A `MessageError` if a photo cannot be written, or on an interruption.
  package func write(orUntil interruption: Interruption) throws {
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
            try unpack(photo) { piece throws(Errno) in try Disk.write(Array(piece), to: file) }
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

extension ArchivedPhotos {
  private func unpack(
    _ photo: Photo, _ take: (ArraySlice<UInt8>) throws(Errno) -> Void
  ) throws(ZipReader.UnpackError<Errno>) {
    switch photo.content {
    case .photo(let photo): try archive?.unpack(photo, take)
    case .picture(let entry): try map?.unpack(entry, take)
    }
  }
}

/// The formats of pictures that are stored from an archive, by their first bytes.
enum PictureFormat {
  /// Returns whether a file begins as JPEG (ISO/IEC 10918-1, B.1.1.3), PNG, GIF, WebP, TIFF, BMP,
  /// JPEG XL, a picture in ISO media (ISO/IEC 23008-12), or a raw picture of Canon, Fujifilm,
  /// Olympus or Panasonic.
  static func isPicture(_ head: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), [0x49, 0x49, 0x2A, 0],
      [0x4D, 0x4D, 0, 0x2A], Array("IIU\0".utf8), Array("IIR".utf8), Array("MMOR".utf8),
      Array("FUJIFILM".utf8), [0x49, 0x49, 0x1A, 0, 0, 0], Array("BM".utf8), [0xFF, 0x0A],
      [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C],
    ]
    if starts.contains(where: { head.starts(with: $0) }) { return true }
    let brand = head.dropFirst(4).prefix(4)
    return brand.elementsEqual("ftyp".utf8)
      || head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("WEBP".utf8))
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
