import CivilTime
import Encodings
import HTTPClient
import PhotoLibrary
import PhotoMetadata
import RemoteLibraries
import Spatial

extension FuzzTarget {
  /// The targets for the responses of each program's server, for the metadata of its pictures, and
  /// for the file of fetched pages.
  static let remote = [immich, photoPrism, remotePicture, remoteSpool]

  private static let immich = FuzzTarget("immich", seeds: Seeds.immich) { content in
    guard let library = RemoteLibrary("immich://h") else { return "no library" }
    return faultOfWalk(ImmichWalk(library, from: nil), content)
      ?? faultOfWalk(
        ImmichWalk(library, from: #"{"since":"2025-01-01T00:00:00Z","albums":"x"}"#), content)
  }

  private static let photoPrism = FuzzTarget("photoprism", seeds: Seeds.photoPrism) { content in
    guard let library = RemoteLibrary("photoprism://h") else { return "no library" }
    return faultOfWalk(PhotoPrismWalk(library, from: nil), content)
  }

  private static let remotePicture = FuzzTarget(
    "remote-picture", seeds: [Array(#"{"Files":[{"Hash":"ab","Primary":true}]}"#.utf8)]
  ) { content in
    var reader = JSONReader(content)
    let hash: String?
    do throws(JSONError) { hash = try PhotoPrismPhoto.pictureHash(&reader) } catch { return nil }
    return hash.map { RemotePhoto.isID($0.utf8) } == false ? "a hash that is none" : nil
  }

  private static let remoteSpool = FuzzTarget("remote-spool", seeds: Seeds.spool) { content in
    guard let library = RemoteLibrary("immich://h") else { return "no library" }
    let head = Array("HEAD\n".utf8)
    let contents = SpoolContents(head + content, head: head, library, nil)
    guard contents.length <= head.count + content.count else { return "longer than the file" }
    return faultOfRecords(Array(contents.walked.records.values))
      ?? contents.walk.flatMap { $0.request }.flatMap { faultOfRequest($0) }
  }

  /// Passes a response to a walk repeatedly, and saves and restores its state in between.
  private static func faultOfWalk(_ first: some RemoteWalk, _ content: [UInt8]) -> String? {
    var walk = first
    for _ in 0..<12 {
      guard let request = walk.request else { return nil }
      if let fault = faultOfRequest(request) { return fault }
      let page: RemotePage
      do throws(RemoteError) {
        page = try walk.take(
          WebAnswer(
            status: 200, head: Array("X-Count: 500\nDate: Sun, 06 Nov 1994 08:49:37 GMT\n".utf8),
            body: content),
          now: Instant(secondsSince1970: 1_800_000_000))
      } catch { return error.description.isEmpty ? "no reason" : nil }
      if let fault = faultOfRecords(page.records) { return fault }
      var writer = JSONWriter()
      walk.write(to: &writer)
      var reader = JSONReader(writer.bytes)
      guard let library = RemoteLibrary(first is ImmichWalk ? "immich://h" : "photoprism://h"),
        let again = type(of: walk).init(library, from: nil, state: &reader)
      else { return "a state that cannot be read again" }
      if walk.isWhole, again.request != walk.request { return "another request after a break" }
    }
    return nil
  }

  private static func faultOfRequest(_ request: RemoteRequest) -> String? {
    guard request.search == nil || request.path.hasPrefix("/api/search/") else {
      return "a request that writes"
    }
    guard let library = RemoteLibrary("immich://h"),
      RemoteServer(library, key: "k").webRequest(request) != nil
    else { return "a request that cannot be sent" }
    return nil
  }

  private static func faultOfRecords(_ records: [RemoteRecord]) -> String? {
    for record in records {
      guard RemotePhoto.isID(record.id.utf8), record.size >= 0 else { return "a record of nothing" }
      if let place = record.properties.coordinate, place.latitude == 0, place.longitude == 0 {
        return "a position at 0, 0"
      }
      if let rating = record.properties.rating, !(-1...5).contains(rating) { return "a rating" }
    }
    guard let library = RemoteLibrary("immich://h") else { return "no library" }
    // The index accepts the photos, and every path can be resolved to its photo.
    let index = PhotoIndexer().update(
      PhotoIndex(),
      with: RemoteChanges(of: library, isWhole: true, records: records, anchor: ""),
      now: Instant(secondsSince1970: 1_800_000_000)
    ).index
    for place in 0..<index.photoCount where RemotePhoto(path: index.photo(at: place).path) == nil {
      return "a path that leads nowhere"
    }
    return nil
  }
}

extension Seeds {
  fileprivate static let immich: [[UInt8]] = [
    """
    {"assets":{"items":[{"id":"a-1","originalFileName":"a.jpg",
    "fileCreatedAt":"2020-01-01T00:00:00.000Z","localDateTime":"2020-01-01T02:00:00.000Z",
    "updatedAt":"2020-01-02T00:00:00.000Z","isFavorite":true,"isTrashed":false,
    "visibility":"timeline","exifInfo":{"fileSizeInByte":12,
    "dateTimeOriginal":"2020-01-01T00:00:00.000Z","timeZone":"UTC+2","latitude":1.5,"longitude":2,
    "make":"a","model":"b","focalLength":4.2,"rating":5}}],"nextPage":"2"}}
    """,
    #"{"total":12}"#,
    #"[{"id":"b-1","albumName":"A","assetCount":3,"updatedAt":"2020-01-02T00:00:00.000Z"}]"#,
  ].map { Array($0.utf8) }

  fileprivate static let photoPrism: [[UInt8]] = [
    """
    [{"UID":"pq1","TakenAt":"2020-01-01T00:00:00Z","TakenAtLocal":"2020-01-01T01:00:00Z",
    "TakenSrc":"meta","TimeZone":"Europe/Berlin","Lat":1,"Lng":2,"PlaceSrc":"meta","Altitude":3,
    "CameraMake":"a","FocalLength":5,"Rating":4,"Favorite":true,"UpdatedAt":"2020-01-01T00:00:00Z",
    "Files":[{"Name":"a/b.jpg","Root":"/","Hash":"ab","Size":5,"Primary":true}]}]
    """,
    #"[{"UID":"aq1","Title":"A","PhotoCount":3,"UpdatedAt":"x"}]"#,
  ].map { Array($0.utf8) }

  fileprivate static let spool: [[UInt8]] = [
    """
    {"records":[{"id":"a-1","name":"a","size":1,"version":2,"shown":true,"latitude":1,\
    "longitude":2,"captured":5,"utcOffset":60,"rating":5,"favorite":true}],"removed":["b"],\
    "albums":[["a-1","A"]],"state":{"phase":"album","began":"2020-01-01T00:00:00Z","page":1,\
    "album":0,"albums":[["x","A"]]}}

    """
  ].map { Array($0.utf8) }
}
