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
    case .kmz: return try writeMap(write)
    default: try PlaceWriter.write(document.places.map { PlaceRecord($0) }, as: format, write)
    }
    return []
  }

  /// The photos of the places that can be read.
  private struct Photos {
    var photos: [Photo] = []
    var missing: [[UInt8]] = []
  }

  /// A photo and its name in the archive.
  private struct Photo {
    let path: [UInt8]
    var name = ""
    let size: Int
    let hash: [UInt8]
    let sum: CRC32
  }

  /// Reads the photos for their checksums. They are read again to be written, so that their
  /// description can come first without holding them in memory.
  private func readPhotos() throws -> Photos {
    let paths = Set(document.places.flatMap(\.photos).map(\.bytes))
      .sorted { $0.lexicographicallyPrecedes($1) }
    var read = Photos()
    for path in paths {
      if interruption.isRequested {
        throw MessageError("interrupted before the archive was written")
      }
      if let (size, hash, sum) = Self.sums(of: LibraryFile(FilePath(bytes: path), in: roots)) {
        read.photos.append(Photo(path: path, size: size, hash: hash, sum: sum))
      } else {
        read.missing.append(path)
      }
    }
    let names = PlaceArchive.names(of: read.photos.map(\.path))
    for (place, name) in names.enumerated() { read.photos[place].name = name }
    return read
  }

  /// Writes an archive of this program.
  private func writeArchive(_ write: ([UInt8]) throws -> Void) throws -> [FilePath] {
    let read = try readPhotos()
    let places = document.json
    let files =
      [
        PlaceArchive.File(
          name: PlaceArchive.placesName, size: places.count, hash: SHA256.hash(places))
      ]
      + read.photos.map {
        PlaceArchive.File(name: $0.name, size: $0.size, hash: $0.hash, path: $0.path)
      }
    var archive = ZipWriter()
    try write(
      archive.file(
        PlaceArchive.manifestName, PlaceArchive.manifest(files, missingPhotos: read.missing)))
    try write(archive.file(PlaceArchive.placesName, places))
    return try finish(&archive, with: read, write)
  }

  /// Writes a map with the photos, which viewers show with the places.
  private func writeMap(_ write: ([UInt8]) throws -> Void) throws -> [FilePath] {
    let read = try readPhotos()
    let names = Dictionary(
      read.photos.map { ($0.path, $0.name) }, uniquingKeysWith: { one, _ in one })
    var text: [UInt8] = []
    let records = document.places.map { place in
      var record = PlaceRecord(place)
      for path in record.photos { record.archiveNames[path] = names[path] }
      return record
    }
    PlaceWriter.write(records, as: .kml) { text += $0 }
    var archive = ZipWriter()
    try write(archive.file(PlaceWriter.mapName, text))
    return try finish(&archive, with: read, write)
  }

  /// Writes the photos and the end of an archive; returns the photos that are not in it.
  private func finish(
    _ archive: inout ZipWriter, with read: Photos, _ write: ([UInt8]) throws -> Void
  ) throws -> [FilePath] {
    for photo in read.photos {
      try write(archive.begin(photo.name, size: photo.size, checksum: photo.sum))
      try copy(FilePath(bytes: photo.path), into: &archive, write)
    }
    try write(archive.finish())
    return read.missing.map { FilePath(bytes: $0) }
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
