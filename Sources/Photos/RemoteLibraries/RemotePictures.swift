import CivilTime
import Encodings
package import HTTPClient
package import PhotoLibrary
import Storage
import Synchronization
package import SystemPackage

/// Pictures of remote photos, requested from their servers and cached in a folder.
///
/// Keys are sent to the server alone; callers never see them.
package final class RemotePictures: Sendable {
  /// The maximum length of a picture in bytes.
  private static let longest = 16 << 20

  private let folder: FilePath
  private let cache: CacheFolder
  private let work: SharedWork<RemotePhoto, Result<FilePath, RemoteError>>
  private let key: @Sendable (RemoteLibrary) -> String?
  private let send: @Sendable (WebRequest, Int) async -> WebClient.Exchange
  /// The tokens that PhotoPrism requires for pictures, by library.
  private let tokens = Mutex<[RemoteLibrary: String]>([:])

  /// Creates a source of pictures.
  ///
  /// - Parameters:
  ///   - folder: The folder of the cache, used for nothing else.
  ///   - capacityBytes: The maximum total size of the cached pictures.
  ///   - key: Returns the key of a library.
  ///   - send: Sends a request, with the maximum length of the answer in bytes.
  package init(
    folder: FilePath, capacityBytes: Int = 500 << 20,
    key: @escaping @Sendable (RemoteLibrary) -> String?,
    send: @escaping @Sendable (WebRequest, Int) async -> WebClient.Exchange
  ) {
    (self.folder, self.key, self.send) = (folder, key, send)
    cache = CacheFolder(folder, capacityBytes: capacityBytes, report: { _ in })
    work = SharedWork(atOnce: 4, maximumWaiting: 64)
  }

  /// Returns the file of a photo's preview, which the server scales to about 1440 pixels (Immich)
  /// or 1280 (PhotoPrism).
  ///
  /// Concurrent calls for the same picture share one request.
  package func file(of photo: RemotePhoto) async throws(RemoteError) -> FilePath {
    let name = Self.name(of: photo)
    if await onThread({ self.cache.read(name, limit: Self.longest) != nil }) {
      return folder.appending(name)
    }
    switch await work.order(photo, { await self.fetched(photo, as: name) }) {
    case .done(let result): return try result.get()
    case .busy: throw .failed(photo.library, status: 503)
    case .cancelled: throw .interrupted
    }
  }

  private static func name(of photo: RemotePhoto) -> String {
    Hexadecimal.text(SHA256.hash(Array("\(photo.library) \(photo.id)".utf8)).prefix(16))
  }

  private func fetched(
    _ photo: RemotePhoto, as name: String
  ) async -> Result<FilePath, RemoteError> {
    do throws(RemoteError) {
      guard let key = key(photo.library) else { throw .noKey(photo.library) }
      let server = RemoteServer(photo.library, key: key)
      let bytes = try await picture(of: photo, server)
      await onThread { self.cache.keep(bytes, as: name) }
      return .success(folder.appending(name))
    } catch { return .failure(error) }
  }

  private func picture(
    of photo: RemotePhoto, _ server: RemoteServer
  ) async throws(RemoteError) -> [UInt8] {
    switch photo.library.program {
    case .immich:
      return try await answer(
        to: .get("/api/assets/\(photo.id)/thumbnail?size=preview"), server
      ).body
    case .photoprism:
      let described = try await answer(to: .get("/api/v1/photos/\(photo.id)"), server)
      let hash = try described.json(of: photo.library) { (reader) throws(JSONError) in
        try PhotoPrismPhoto.pictureHash(&reader)
      }
      guard let hash else { throw .missing(photo.library) }
      let token = try await token(of: server)
      return try await answer(to: .get("/api/v1/t/\(hash)/\(token)/fit_1280"), server).body
    }
  }

  /// Returns the token for PhotoPrism's pictures, from its configuration (`GET /api/v1/config`).
  private func token(of server: RemoteServer) async throws(RemoteError) -> String {
    if let token = tokens.withLock({ $0[server.library] }) { return token }
    let config = try await answer(to: .get("/api/v1/config"), server)
    let token = try config.json(of: server.library) { (reader) throws(JSONError) in
      try reader.objectIfAny()?.text("previewToken") ?? "public"
    }
    guard RemotePhoto.isID(token.utf8) else {
      throw .foreign(server.library, "its token is invalid")
    }
    tokens.withLock { $0[server.library] = token }
    return token
  }

  private func answer(
    to request: RemoteRequest, _ server: RemoteServer
  ) async throws(RemoteError) -> WebAnswer {
    guard let web = server.webRequest(request) else { throw .missing(server.library) }
    switch await send(web, Self.longest) {
    case .failed(let reason): throw .unreachable(server.library, reason)
    case .answered(let answer):
      if answer.status == 404 { throw .missing(server.library) }
      if [401, 403].contains(answer.status) { tokens.withLock { $0[server.library] = nil } }
      guard answer.status == 200 else { throw server.error(of: answer, to: request) }
      return answer
    }
  }
}
