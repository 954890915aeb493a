import CLibrary
import Caching
import Diptychs
import PhotoLibrary
import Pictures
import RemoteLibraries
import SpotAlerts
import SpotService
import Storage
import SystemPackage
import WebRequests
import WebService

/// Pictures and files of photos, as the API answers them.
struct ServedPictures: Sendable {
  private let store = PictureStore(folder: Places.caches.appending("pictures")) { error in
    StandardError.writeLine(
      "photospots: pictures cannot be kept in \(Places.caches.escaped): \(error); they are made anew each time"
    )
  }

  private let remote: RemotePictures

  init(_ settings: SettingsInForce) {
    let client = WebClient(limitSeconds: 20)
    remote = RemotePictures(
      folder: Places.caches.appending("remote"),
      key: { library in try? settings.settings.key(of: library) },
      send: { await client.exchange($0, bodyLimit: $1) })
  }

  /// The files of a photo that can be opened: those of folders, and where none of them is there the
  /// picture that a remote library's server made.
  private func available(_ files: [FilePath]) async -> [FilePath] {
    guard let photo = files.lazy.compactMap({ RemotePhoto(path: $0) }).first else { return files }
    let local = files.filter { !$0.isRemote }
    if await onThread({ local.contains(where: Disk.exists) }) { return local }
    do throws(RemoteError) { return [try await remote.file(of: photo)] } catch {
      StandardError.detail("\(error)")
      return local
    }
  }

  /// Answers with a picture. It stands for one content of a file for ever.
  func picture(_ work: PictureWork) async -> ServedAnswer {
    guard await Self.isCurrent(work.files, work.stamp) else {
      return .response(Self.changed.response)
    }
    do throws(PictureError) {
      let picture = try await store.picture(
        PictureOrder(
          name: work.name, files: await available(work.files), size: work.size,
          isSquare: work.shape == .square,
          accept: work.accept))
      return .response(
        ServiceResponse(
          status: 200,
          fields: [
            ("Content-Type", picture.mediaType),
            ("Cache-Control", "private, max-age=31536000, immutable"), ("Vary", "Accept"),
          ], body: picture.bytes))
    } catch {
      return .response(Self.problem(error).response)
    }
  }

  /// Answers with a picture of two photos.
  ///
  /// Browsers ask whether it is still the same, since an album may be renamed.
  ///
  /// - Parameters:
  ///   - work: The photos.
  ///   - language: The language of the text.
  ///   - recreation: Returns the file of a picture that was taken again, by its id.
  /// - Returns: The answer.
  func share(
    _ work: ShareWork, _ language: AlertLanguage,
    recreation: (String) throws(Problem) -> FilePath
  ) async -> ServedAnswer {
    do throws(Problem) {
      var order = DiptychOrder(
        earlier: try await photo(work.earlier, recreation),
        later: try await photo(work.later, recreation))
      order.caption = DiptychCaption(
        places: work.places, years: language.years(work.earlier.year, work.later.year))
      order.shape = work.shape.flatMap { Diptych.Shape(rawValue: $0.rawValue) }
      order.isAnimated = work.isAnimated
      let picture = try await made(order)
      return .response(
        ServiceResponse(
          status: 200,
          fields: [
            ("Content-Type", picture.mediaType), ("Cache-Control", "private, no-cache"),
            ("ETag", work.entityTag),
          ], body: picture.bytes))
    } catch { return .response(error.response) }
  }

  private func made(_ order: DiptychOrder) async throws(Problem) -> Picture {
    do throws(DiptychError) { return try await store.diptych(order) } catch {
      throw Self.problem(error.cause)
    }
  }

  private func photo(
    _ picture: ShareWork.Picture, _ recreation: (String) throws(Problem) -> FilePath
  ) async throws(Problem) -> DiptychOrder.Photo {
    let label = picture.year.map { "\($0)" }
    switch picture.source {
    case .photo(let files, let stamp):
      guard await Self.isCurrent(files, stamp) else { throw Self.changed }
      return DiptychOrder.Photo(files: await available(files), label: label)
    case .recreation(let id): return DiptychOrder.Photo(files: [try recreation(id)], label: label)
    }
  }

  /// Answers with the file that stands for a photo.
  func original(of files: [FilePath], _ stamp: PhotoFileStamp?) async -> ServedAnswer {
    guard await Self.isCurrent(files, stamp) else { return .response(Self.changed.response) }
    let files = await available(files)
    return await onThread { [store] in Self.original(of: files, store) }
  }

  /// Whether the photo's file is the one that was indexed: a name stands for one content for ever,
  /// and browsers keep what they get.
  private static func isCurrent(_ files: [FilePath], _ stamp: PhotoFileStamp?) async -> Bool {
    guard let stamp, let file = files.first else { return true }
    return await onThread { stamp.holds(for: file) }
  }

  private static let changed = Problem(
    .noSuchPhoto, "The file was changed or removed since it was indexed.")

  private static func original(of files: [FilePath], _ store: PictureStore) -> ServedAnswer {
    do throws(PictureError) {
      let original = try store.original(of: files)
      do throws(Errno) {
        return .file(
          try ServedFile(
            takingOver: try original.copiedDescriptor(), mediaType: original.mediaType,
            name: original.name))
      } catch { throw .unreadable(error) }
    } catch {
      return .response(problem(error).response)
    }
  }

  private static func problem(_ error: PictureError) -> Problem {
    switch error {
    case .busy, .cancelled: Problem(.busy, "Too many pictures are being made; try again.")
    case .gone: Problem(.noSuchPhoto, "The file is not there any more.")
    case .unreadable: Problem(.noSuchPhoto, "The system does not give the file out.")
    case .noPicture:
      Problem(.noPicture, "The browser cannot show this file, and no picture can be made of it.")
    }
  }
}

extension OriginalFile {
  /// Another descriptor of the file, which is its receiver's to close.
  fileprivate func copiedDescriptor() throws(Errno) -> FileDescriptor {
    let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: copy)
  }
}
