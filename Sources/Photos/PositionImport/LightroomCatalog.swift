import PhotoMetadata
import SQLiteFiles
import Spatial

/// A Lightroom Classic catalog.
///
/// Adobe does not document the schema. The tables and columns are those read by darktable's
/// `tools/lightroom/get_lr_data.sh` and found in dumps of catalogs of Lightroom 4 to 13.
struct LightroomCatalog {
  private let file: SQLiteFile
  private let images: Set<String>
  private let files: Set<String>
  private let hasGPS: Bool
  private let hasSizes: Bool

  /// Creates a reader of a file; `nil` if it is not a catalog.
  init?(_ file: SQLiteFile) throws(SQLiteError) {
    images = try file.columns(of: "Adobe_images")
    guard images.isSuperset(of: ["id_local", "rootFile"]) else { return nil }
    files = try file.columns(of: "AgLibraryFile")
    let metadata = try file.columns(of: "AgHarvestedExifMetadata")
    guard files.isSuperset(of: ["id_local", "folder", "baseName", "extension"]),
      metadata.isSuperset(of: ["image", "gpsLatitude", "gpsLongitude"]),
      try file.columns(of: "AgLibraryFolder").isSuperset(
        of: ["id_local", "rootFolder", "pathFromRoot"]),
      try file.columns(of: "AgLibraryRootFolder").isSuperset(of: ["id_local", "absolutePath"])
    else { return nil }
    hasGPS = metadata.contains("hasGPS")
    hasSizes = try file.columns(of: "AgLibraryFileAssetMetadata").isSuperset(
      of: ["fileId", "fileSize"])
    self.file = file
  }

  /// A version of a photo: the photo itself or a virtual copy.
  private struct Version {
    let coordinate: Coordinate
    let captured: CaptureTime?
    let isCopy: Bool
  }

  /// Reads the photos with positions.
  func records() throws(SQLiteError) -> PositionRecords {
    var records = PositionRecords(.lightroom)
    var positions: [Int64: Coordinate] = [:]
    try file.forEachRow(
      of: "AgHarvestedExifMetadata",
      ["image", "gpsLatitude", "gpsLongitude", hasGPS ? "hasGPS" : nil]
    ) { row in
      guard let image = row.integer(0), row.number(1) != nil || row.number(2) != nil,
        !hasGPS || row.number(3).map({ $0 != 0 }) == true,
        let coordinate = records.coordinate(row.number(1), row.number(2))
      else { return }
      positions[image] = coordinate
    }
    guard !positions.isEmpty else { return records }
    var versions: [Int64: [Version]] = [:]
    try file.forEachRow(
      of: "Adobe_images",
      [
        "id_local", "rootFile", images.contains("captureTime") ? "captureTime" : nil,
        images.contains("masterImage") ? "masterImage" : nil,
      ]
    ) { row in
      guard let image = row.integer(0), let coordinate = positions[image] else { return }
      guard let file = row.integer(1) else {
        records.pathlessCount += 1
        return
      }
      let isCopy = row.integer(3).map { $0 != 0 } ?? false
      versions[file, default: []].append(
        Version(coordinate: coordinate, captured: row.captureTime(2), isCopy: isCopy))
    }
    try addFiles(versions, to: &records)
    return records
  }

  /// Adds a record for each version of a photo, with the paths of its files.
  private func addFiles(
    _ versions: [Int64: [Version]], to records: inout PositionRecords
  ) throws(SQLiteError) {
    var sizes: [Int64: Int64] = [:]
    if hasSizes {
      try file.forEachRow(of: "AgLibraryFileAssetMetadata", ["fileId", "fileSize"]) { row in
        guard let file = row.integer(0), versions[file] != nil, let size = row.integer(1), size > 0
        else { return }
        sizes[file] = size
      }
    }
    let folders = try folders()
    var left = versions
    try file.forEachRow(
      of: "AgLibraryFile",
      [
        "id_local", "folder", "baseName", "extension",
        files.contains("sidecarExtensions") ? "sidecarExtensions" : nil,
      ]
    ) { row in
      guard let file = row.integer(0), let versions = left.removeValue(forKey: file) else { return }
      guard let folder = row.integer(1).flatMap({ folders[$0] }), let name = row.pathPart(2)
      else {
        records.pathlessCount += versions.count
        return
      }
      let base = folder + name
      // Lightroom treats a photo next to a raw file as a sidecar, without its own record.
      let others = (row.pathPart(4) ?? []).split(separator: UInt8(ascii: ","))
        .map { Array($0) }.filter { !Self.isMetadata($0) }.prefix(4)
      let paths = ([row.pathPart(3) ?? []] + others).compactMap { suffix in
        RecordedPath(suffix.isEmpty ? base : base + [UInt8(ascii: ".")] + suffix)
      }
      guard !paths.isEmpty else {
        records.pathlessCount += versions.count
        return
      }
      for version in versions {
        records.photos.append(
          RecordedPhoto(
            paths: paths, size: sizes[file], captured: version.captured,
            coordinate: version.coordinate, isCopy: version.isCopy))
      }
    }
    records.pathlessCount += left.values.reduce(0) { $0 + $1.count }
  }

  /// Returns whether a sidecar's extension is one of a metadata file rather than a picture.
  private static func isMetadata(_ suffix: [UInt8]) -> Bool {
    ["xmp", "thm", "acr"].contains(String(decoding: suffix, as: UTF8.self).lowercased())
  }

  /// Returns the paths of folders, each with a trailing slash, by their ids.
  private func folders() throws(SQLiteError) -> [Int64: [UInt8]] {
    var roots: [Int64: [UInt8]] = [:]
    try file.forEachRow(of: "AgLibraryRootFolder", ["id_local", "absolutePath"]) { row in
      if let root = row.integer(0) { roots[root] = row.pathPart(1) }
    }
    var folders: [Int64: [UInt8]] = [:]
    try file.forEachRow(of: "AgLibraryFolder", ["id_local", "rootFolder", "pathFromRoot"]) { row in
      guard let folder = row.integer(0), let root = row.integer(1).flatMap({ roots[$0] })
      else { return }
      let slash = [UInt8(ascii: "/")]
      let path = root + slash + (row.pathPart(2) ?? [])
      folders[folder] = path + slash
    }
    return folders
  }
}
