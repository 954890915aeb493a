import Compression
import Encodings
package import GeoDocuments
package import KeptPlaces
import PhotoLibrary
package import ProcessControl
import Storage
package import SystemPackage

/// Places to export.
package struct PlaceExport {
  private let document: PlaceDocument
  private let format: PlaceFormat
  /// The folders of the photo library, below which photos are opened without following links.
  private let roots: [FilePath]
  private let interruption: Interruption

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - document: The places.
  ///   - format: The format of the file.
  ///   - roots: The folders of the photo library.
  ///   - interruption: Ends the writing of an archive early.
  package init(
    document: PlaceDocument, format: PlaceFormat, roots: [FilePath],
    orUntil interruption: Interruption
  ) {
    (self.document, self.format) = (document, format)
    (self.roots, self.interruption) = (roots, interruption)
  }

  /// Passes the parts of the file to a closure.
  ///
  /// - Parameter write: Receives the parts.
  /// - Returns: The photos that cannot be read and are therefore not in the archive.
  /// - Throws: The error of `write`; a `MessageError` on an interruption.
  package func write(_ write: ([UInt8]) throws -> Void) throws -> [FilePath] {
    switch format {
    case .json: try write(document.json)
    case .zip: return try writeArchive(write)
    default: try PlaceWriter.write(document.places.map { PlaceRecord($0) }, as: format, write)
    }
    return []
  }

  /// Writes an archive. The photos are read twice, so that the manifest can come first without
  /// holding them in memory.
  private func writeArchive(_ write: ([UInt8]) throws -> Void) throws -> [FilePath] {
    let paths = Set(document.places.flatMap(\.photos).map(\.bytes))
      .sorted { $0.lexicographicallyPrecedes($1) }
    var sums: [[UInt8]: CRC32] = [:]
    var missing: [[UInt8]] = []
    var sizes: [[UInt8]: (size: Int, hash: [UInt8])] = [:]
    for path in paths {
      if interruption.isRequested {
        throw MessageError("interrupted before the archive was written")
      }
      guard let (size, hash, sum) = Self.sums(of: LibraryFile(FilePath(bytes: path), in: roots))
      else {
        missing.append(path)
        continue
      }
      sizes[path] = (size, hash)
      sums[path] = sum
    }
    let places = document.json
    let present = paths.filter { sizes[$0] != nil }
    let names = PlaceArchive.names(of: present)
    var files = [
      PlaceArchive.File(
        name: PlaceArchive.placesName, size: places.count, hash: SHA256.hash(places))
    ]
    for (path, name) in zip(present, names) {
      guard let (size, hash) = sizes[path] else { continue }
      files.append(PlaceArchive.File(name: name, size: size, hash: hash, path: path))
    }
    var archive = ZipWriter()
    try write(
      archive.file(
        PlaceArchive.manifestName, PlaceArchive.manifest(files, missingPhotos: missing)))
    try write(archive.file(PlaceArchive.placesName, places))
    for file in files {
      guard let path = file.path, let sum = sums[path] else { continue }
      try write(archive.begin(file.name, size: file.size, checksum: sum))
      try copy(FilePath(bytes: path), into: &archive, write)
    }
    try write(archive.finish())
    return missing.map { FilePath(bytes: $0) }
  }

  private static func sums(of photo: LibraryFile) -> (size: Int, hash: [UInt8], sum: CRC32)? {
    guard let file = try? Disk.open(photo) else { return nil }
    defer { Disk.close(file) }
    var (size, digest, sum) = (0, SHA256.Digest(), CRC32())
    let isRead =
      (try? FileChunks.read(file) { piece in
        size += piece.count
        digest.combine(piece)
        sum.combine(piece)
      }) != nil
    return isRead ? (size, digest.hash, sum) : nil
  }

  private func copy(
    _ path: FilePath, into archive: inout ZipWriter, _ write: ([UInt8]) throws -> Void
  ) throws {
    if interruption.isRequested {
      throw MessageError("interrupted before the archive was written")
    }
    let file: FileDescriptor
    do throws(Errno) {
      file = try Disk.open(LibraryFile(path, in: roots))
    } catch { throw MessageError("\(path.escaped) cannot be read: \(error)") }
    defer { Disk.close(file) }
    var failure: (any Error)?
    do throws(Errno) {
      try FileChunks.read(file) { piece throws(Errno) in
        archive.write(piece)
        do { try write(Array(piece)) } catch {
          failure = error
          throw .canceled
        }
      }
    } catch {
      throw failure ?? MessageError("\(path.escaped) cannot be read: \(error)")
    }
    do throws(ZipError) { try archive.end() } catch {
      throw MessageError(
        "\(path.escaped) was changed while it was read; run the command again")
    }
  }
}
