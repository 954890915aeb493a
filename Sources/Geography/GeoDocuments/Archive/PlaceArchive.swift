import Encodings

/// A zip archive of this program: `places.json`, the photos of the places under `photos/`, and
/// `manifest.json`, which lists every other file with its size and SHA-256.
package struct PlaceArchive: Sendable {
  /// The name of the manifest in the archive.
  package static let manifestName = "manifest.json"
  /// The name of the document of places in the archive.
  package static let placesName = "places.json"
  private static let photoFolder = "photos/"
  private static let format = "photospots-archive"
  private static let version = 1
  private static let manifestLimit = 1 << 27

  /// A file listed in the manifest.
  package struct File: Hashable, Sendable {
    /// The name in the archive.
    package var name: String
    /// The size in bytes.
    package var size: Int
    /// The SHA-256 of the content as 64 hexadecimal digits in lower case.
    package var hash: String
    /// The original absolute path of a photo, as bytes; `nil` for other files.
    package var path: [UInt8]?

    /// Creates the entry of a file.
    package init(name: String, size: Int, hash: [UInt8], path: [UInt8]? = nil) {
      (self.name, self.size, self.path) = (name, size, path)
      self.hash = Hexadecimal.text(hash)
    }
  }

  /// The photos, in the order of the manifest.
  package let photos: [Photo]
  /// The paths of photos that could not be read when the archive was written.
  package let missingPhotos: [[UInt8]]
  private let archive: ZipReader
  private let files: [(file: File, entry: ZipReader.Entry)]

  /// A photo in an archive.
  package struct Photo: Hashable, Sendable {
    /// The photo's entry in the manifest.
    package let file: File
    /// The original absolute path, as bytes.
    package let path: [UInt8]
    /// The path under a folder for photos, as bytes: relative, without empty or hidden components,
    /// `.` and `..`.
    package let relativePath: [UInt8]
    let entry: ZipReader.Entry
  }

  /// Reads the manifest of an archive; returns `nil` where there is none, or where it is not one of
  /// this program.
  ///
  /// - Throws: ``PlaceFileError`` where the manifest contradicts the archive's directory, has
  ///   another version, or cannot be read.
  package init?(_ archive: ZipReader) throws(PlaceFileError) {
    guard let entry = archive.entries.first(where: { $0.name == Self.manifestName }) else {
      return nil
    }
    let bytes: [UInt8]
    do throws(ZipError) {
      bytes = try archive.contents(of: entry, limit: Self.manifestLimit)
    } catch { throw .zip(error) }
    let manifest: Manifest
    do throws(JSONError) { manifest = try Manifest(bytes) } catch { throw .json(error) }
    guard manifest.format == Self.format else { return nil }
    guard manifest.version == Self.version else {
      throw .manifest(
        """
        it has version \(manifest.version), and this program reads version \(Self.version); update photospots
        """)
    }
    self.archive = archive
    files = try Self.matched(manifest.files, archive)
    missingPhotos = manifest.missing
    var photos: [Photo] = []
    for (file, entry) in files where file.name != Self.placesName {
      photos.append(try Self.photo(file, entry))
    }
    self.photos = photos
  }

  /// Returns every file of the archive with its entry in the manifest.
  private static func matched(
    _ files: [File], _ archive: ZipReader
  ) throws(PlaceFileError) -> [(file: File, entry: ZipReader.Entry)] {
    var entries: [String: ZipReader.Entry] = [:]
    for entry in archive.entries where entry.name != manifestName { entries[entry.name] = entry }
    var paths = Set<[UInt8]>()
    let matched = try files.map { file throws(PlaceFileError) in
      guard let entry = entries.removeValue(forKey: file.name), entry.size == file.size else {
        throw .manifest("'\(file.name)' does not match the manifest")
      }
      if let path = file.path, !paths.insert(path).inserted {
        throw .manifest("the manifest has the path of '\(file.name)' twice")
      }
      return (file: file, entry: entry)
    }
    if let other = entries.keys.min() { throw .manifest("'\(other)' is not in the manifest") }
    guard files.contains(where: { $0.name == placesName }) else {
      throw .manifest("it has no \(placesName)")
    }
    return matched
  }

  private static func photo(
    _ file: File, _ entry: ZipReader.Entry
  ) throws(PlaceFileError) -> Photo {
    guard file.name.hasPrefix(photoFolder), let path = file.path,
      path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0),
      let relative = relativePath(file.name.dropFirst(photoFolder.count))
    else { throw .manifest("'\(file.name)' is not a photo with a path") }
    return Photo(file: file, path: path, relativePath: relative, entry: entry)
  }

  /// Returns the relative path that a name represents; `nil` where it is unsafe. Names decoded by
  /// `NameText` may contain slashes, so each component is checked after decoding.
  package static func relativePath(_ name: Substring) -> [UInt8]? {
    let components = name.split(separator: "/", omittingEmptySubsequences: false).map {
      NameText.name(of: $0.utf8)
    }
    let areSafe = components.allSatisfy { component in
      !component.isEmpty && component.count <= 255 && component.first != UInt8(ascii: ".")
        && !component.contains(UInt8(ascii: "/")) && !component.contains(0)
    }
    return areSafe ? Array(components.joined(separator: [UInt8(ascii: "/")])) : nil
  }

  /// Checks the size and SHA-256 of every file against the manifest.
  ///
  /// - Parameter progress: Called with the number of bytes just read; returns false to stop.
  /// - Returns: Whether all files were checked; false if `progress` stopped the check.
  /// - Throws: ``PlaceFileError``, which names the file that differs.
  /// - Complexity: O(*n*), where *n* is the total size of the files in bytes.
  package func verify(
    _ progress: (Int) -> Bool = { _ in true }
  ) throws(PlaceFileError) -> Bool {
    for (file, entry) in files {
      var digest = SHA256.Digest()
      var isStopped = false
      do throws(ZipReader.UnpackError<Stop>) {
        try archive.unpack(entry) { piece throws(Stop) in
          digest.combine(piece)
          if !progress(piece.count) { throw Stop() }
        }
      } catch {
        switch error {
        case .archive(let error): throw .zip(error)
        case .receiver: isStopped = true
        }
      }
      if isStopped { return false }
      guard Hexadecimal.text(digest.hash) == file.hash else {
        throw .manifest("'\(file.name)' is not the file that the manifest lists")
      }
    }
    return true
  }

  private struct Stop: Error {}

  /// Returns the document of places.
  ///
  /// - Throws: ``PlaceFileError``; `zip(.tooLarge)` where it is longer than the limit in bytes.
  package func places(limit: Int = PlaceReading.documentLimit) throws(PlaceFileError) -> [UInt8] {
    guard let item = files.first(where: { $0.file.name == Self.placesName }) else {
      throw .manifest("it has no \(Self.placesName)")
    }
    do throws(ZipError) {
      return try archive.contents(of: item.entry, limit: limit)
    } catch { throw .zip(error) }
  }

  /// Decompresses a photo piece by piece.
  package func unpack<Failure: Error>(
    _ photo: Photo, _ take: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(ZipReader.UnpackError<Failure>) {
    try archive.unpack(photo.entry, take)
  }

  // MARK: - Writing

  /// Returns names in an archive for photos: `photos/` and the path relative to their common
  /// folder.
  ///
  /// - Parameter paths: Absolute paths as bytes, without duplicates.
  /// - Returns: A unique name for each path, also where case is ignored.
  package static func names(of paths: [[UInt8]]) -> [String] {
    let slash = UInt8(ascii: "/")
    let components = paths.map { Array($0.split(separator: slash).map(Array.init)) }
    var common = components.first.map { $0.dropLast()[...] } ?? []
    for path in components {
      let same = zip(common, path.dropLast()).prefix { $0 == $1 }.count
      common = common.prefix(same)
    }
    var used = Set<String>()
    return components.enumerated().map { place, path in
      let parts = path.dropFirst(common.count).map { component in
        let text = NameText.text(of: component) { $0 < 0x20 || $0 == 0x7F || $0 == 0x5C }
        return text.hasPrefix(".") ? "_" + text : text
      }
      let name = photoFolder + parts.joined(separator: "/")
      let isUsable =
        relativePath(name.dropFirst(photoFolder.count)) != nil
        && ZipName.isSafe(name.utf8) && !used.contains(KMZLinks.key(name))
      var chosen = isUsable ? name : "\(photoFolder)photo \(place + 1)"
      while used.contains(KMZLinks.key(chosen)) { chosen += "+" }
      used.insert(KMZLinks.key(chosen))
      return chosen
    }
  }

  /// Returns the manifest of an archive.
  ///
  /// - Parameters:
  ///   - files: All other files of the archive, in their order.
  ///   - missingPhotos: The paths of photos that could not be read.
  /// - Returns: The content of the manifest.
  package static func manifest(_ files: [File], missingPhotos: [[UInt8]]) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.object { writer in
      writer.member("format", format)
      writer.member("version", version)
      writer.array("files") { writer in
        for file in files {
          writer.object { writer in
            writer.member("name", file.name)
            writer.member("size", file.size)
            writer.member("sha256", file.hash)
            if let path = file.path { writer.member("path", name: path) }
          }
        }
      }
      guard !missingPhotos.isEmpty else { return }
      writer.array("missing") { writer in
        for path in missingPhotos { writer.string(name: path) }
      }
    }
    writer.newline()
    return writer.takeBytes()
  }
}

/// The decoded manifest.
private struct Manifest {
  let format: String
  let version: Int
  let files: [PlaceArchive.File]
  let missing: [[UInt8]]

  init(_ bytes: [UInt8]) throws(JSONError) {
    let manifest = try JSONObject(document: bytes)
    format = try manifest.string("format") ?? ""
    version = try manifest.int("version") ?? 0
    files =
      try manifest.array("files") { reader throws(JSONError) in
        try PlaceArchive.File(try JSONObject(&reader))
      } ?? []
    missing =
      try manifest.array("missing") { reader throws(JSONError) in try reader.nameBytes() } ?? []
  }
}

extension PlaceArchive.File {
  fileprivate init(_ file: JSONObject) throws(JSONError) {
    name = try file.string("name") ?? ""
    size = try file.int("size") ?? -1
    hash = try file.string("sha256") ?? ""
    path = try file.nameBytes("path")
  }
}
