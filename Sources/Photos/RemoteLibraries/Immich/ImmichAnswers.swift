package import Encodings

/// A page of `POST /api/search/metadata`: SearchResponseDto.
package struct ImmichSearchPage: Sendable {
  /// The assets.
  package let assets: [ImmichAsset]
  /// The number of the next page; `nil` on the last.
  package let nextPage: Int?

  /// Reads an answer.
  ///
  /// - Throws: `JSONError` where it is not JSON, or has no list of assets.
  package init(_ reader: inout JSONReader) throws(JSONError) {
    let answer = try reader.objectIfAny()
    try reader.end()
    guard answer?.kind(of: "assets") == .object, let page = try answer?.object("assets"),
      page.kind(of: "items") == .array
    else { throw JSONError(offset: reader.offset, reason: "it has no assets") }
    assets = try page.list("items") { (reader) throws(JSONError) in
      try ImmichAsset(from: &reader)
    }
    nextPage = try page.number("nextPage").map { Int(saturating: $0) }
  }
}

extension RemoteAlbums.Names {
  /// The members of AlbumResponseDto, in the answer to `GET /api/albums`.
  static let immich = RemoteAlbums.Names(
    id: "id", name: "albumName", count: "assetCount",
    times: ["updatedAt", "lastModifiedAssetTimestamp"])
}
