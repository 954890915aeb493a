import CLibrary
import HTTPClient
import PhotoLibrary
import Pictures
import ProcessControl
import ProgramSettings
import RemoteLibraries
import SpotAlerts
import SpotService
import Storage
import SystemPackage
import WebService

/// Pictures and photo files as responses of the API.
struct ServedPictures: Sendable {
  private let store: PictureStore
  private let remote: RemotePictures
  private let log: MessageLog

  /// Creates pictures.
  ///
  /// - Parameters:
  ///   - configuration: What makes pictures, and the folder where they are kept.
  ///   - settings: The settings, with the keys of remote libraries.
  ///   - notePoor: A closure called with the name of a photo that is damaged or nearly of one
  ///     color.
  init(
    _ configuration: ServeConfiguration, _ settings: SettingsInForce,
    notePoor: @escaping @Sendable (_ name: String) -> Void
  ) {
    let (log, caches) = (configuration.log, configuration.cachesFolder)
    let maker = configuration.pictureMaker
    self.log = log
    store = PictureStore(
      folder: caches.appending("pictures"), maker: maker, notePoor: notePoor
    ) { error in
      log.problem(
        "pictures cannot be stored in \(caches.escaped): \(error); they are made again for each request"
      )
    }
    let client = WebClient(limitSeconds: 20)
    remote = RemotePictures(
      folder: caches.appending("remote"),
      key: { library in try? settings.settings.key(of: library) },
      send: { await client.exchange($0, bodyLimit: $1) })
    Task.detached { await onThread { maker.prepare() } }
  }

  /// Returns the files of a photo that can be opened: files in local folders, or else, if none of
  /// them exists, the picture rendered by a remote library's server.
  private func available(_ files: [LibraryFile]) async -> [LibraryFile] {
    guard let photo = files.lazy.compactMap({ RemotePhoto(path: $0.path) }).first else {
      return files
    }
    let local = files.filter { !$0.path.isRemote }
    if await onThread({ local.contains { Disk.exists($0.path) } }) { return local }
    do throws(RemoteError) { return [LibraryFile(try await remote.file(of: photo))] } catch {
      log.detail("\(error)")
      return local
    }
  }

  /// Returns a picture as a response that browsers may cache forever: its URL identifies one
  /// content of a file.
  func picture(_ work: PictureWork) async -> ServedAnswer {
    guard await Self.isCurrent(work.files) else {
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

  /// Returns a picture that combines two photos.
  ///
  /// Browsers revalidate it, since its text can change, for example when an album is renamed.
  ///
  /// - Parameters:
  ///   - work: The photos.
  ///   - language: The language of the text.
  ///   - recreation: Returns the file of a recreation, by its id.
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
    case .photo(let files):
      guard await Self.isCurrent(files) else { throw Self.changed }
      return DiptychOrder.Photo(files: await available(files), label: label)
    case .recreation(let id):
      return DiptychOrder.Photo(files: [LibraryFile(try recreation(id))], label: label)
    }
  }

  /// Returns the file that represents a photo.
  func original(of files: [LibraryFile]) async -> ServedAnswer {
    guard await Self.isCurrent(files) else { return .response(Self.changed.response) }
    let files = await available(files)
    return await onThread { [store] in Self.original(of: files, store) }
  }

  /// Returns whether the photo's file is still the indexed one: a URL identifies one content
  /// permanently, and browsers cache it.
  private static func isCurrent(_ files: [LibraryFile]) async -> Bool {
    guard let file = files.first, file.stamp != nil else { return true }
    return await onThread { Disk.holds(file) }
  }

  private static let changed = Problem(
    .noSuchPhoto, "The file was changed or removed since it was indexed.")

  private static func original(of files: [LibraryFile], _ store: PictureStore) -> ServedAnswer {
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
    case .gone: Problem(.noSuchPhoto, "The file no longer exists.")
    case .unreadable: Problem(.noSuchPhoto, "The file cannot be read.")
    case .crashed, .slow:
      Problem(
        .noPicture,
        "No picture can be made of this file: decoding it crashed or took too long. It may be damaged."
      )
    case .unavailable:
      Problem(.busy, "No picture can be made now; the log of photospots has the reason.")
    case .noDecoder:
      Problem(
        .noDecoder,
        """
        PhotoSpots needs libheif to show HEIC photos. Install it ('apt install libheif1' on Debian and \
        Ubuntu), and start photospots again.
        """
      )
    case .noPicture:
      Problem(.noPicture, "The browser cannot show this file, and no picture can be made of it.")
    }
  }
}

extension OriginalFile {
  /// Returns a duplicate of the file's descriptor, which the caller must close.
  fileprivate func copiedDescriptor() throws(Errno) -> FileDescriptor {
    let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: copy)
  }
}
