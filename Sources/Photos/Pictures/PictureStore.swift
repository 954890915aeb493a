import CLibrary
import PhotoMetadata
public import Storage
public import SystemPackage

/// A cache of pictures of photos for browsers, created on demand, upright and without metadata.
///
/// For a JPEG file, or the largest JPEG file in a RAW file, a thumbnail is created. PNG, GIF, WebP
/// and AVIF files up to 8 MiB are returned unmodified, and HEIC files only to clients that accept
/// HEIC. Where libheif is installed, thumbnails of HEIC and AVIF files are created for clients that
/// do not accept these. The format of a file is determined from its content.
public final class PictureStore: Sendable {
  /// The maximum number of waiting requests.
  static let maximumWaiting = 64
  /// The maximum size of a cached thumbnail in bytes; thumbnails are smaller.
  private static let longestKept = 16 << 20

  private enum Key: Hashable {
    case picture(files: [LibraryFile], name: String, AcceptedTypes)
    case diptych(DiptychOrder)
  }

  private let cache: CacheFolder
  private let work: SharedWork<Key, Result<Picture, DiptychError>>
  private let maker: PictureMaker
  private let notePoor: @Sendable (_ name: String) -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - folder: The folder of cached pictures; if created, only its owner has access.
  ///   - capacityBytes: The maximum total size of cached pictures; the least recently used are
  ///     removed.
  ///   - decoders: The maximum number of concurrent decodings; the number of processors by default.
  ///   - report: A closure called at most once, with the error that prevents caching.
  public convenience init(
    folder: FilePath, capacityBytes: Int = 500 << 20, decoders: Int = PictureStore.processors,
    report: @escaping @Sendable (Errno) -> Void = { _ in }
  ) {
    self.init(
      folder: folder, capacityBytes: capacityBytes, decoders: decoders, maker: .here,
      report: report)
  }

  /// Creates a store of pictures that a given process makes.
  ///
  /// - Parameters:
  ///   - folder: The folder of cached pictures.
  ///   - capacityBytes: The maximum total size of cached pictures.
  ///   - decoders: The maximum number of concurrent decodings.
  ///   - maker: The process that decodes photos.
  ///   - notePoor: A closure called with the name of a photo that is damaged or nearly of one
  ///     color, when a picture of it was made.
  ///   - report: A closure called at most once, with the error that prevents caching.
  package init(
    folder: FilePath, capacityBytes: Int = 500 << 20, decoders: Int = PictureStore.processors,
    maker: PictureMaker, notePoor: @escaping @Sendable (_ name: String) -> Void = { _ in },
    report: @escaping @Sendable (Errno) -> Void = { _ in }
  ) {
    (self.maker, self.notePoor) = (maker, notePoor)
    cache = CacheFolder(folder, capacityBytes: capacityBytes, report: report)
    work = SharedWork(atOnce: decoders, maximumWaiting: Self.maximumWaiting)
  }

  /// The number of processors.
  public static var processors: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// Returns a picture from the cache, or creates it.
  ///
  /// Concurrent requests for the same picture share the work. A request whose task is cancelled
  /// leaves the queue.
  ///
  /// - Throws: ``PictureError``; if none of several files can be used, an error that the user can
  ///   fix takes precedence.
  public func picture(_ order: PictureOrder) async throws(PictureError) -> Picture {
    let name = Self.keptName(order)
    if let name, let kept = await onThread({ self.kept(name) }) { return kept }
    let key = Key.picture(
      files: order.files, name: name ?? "\(order.size) \(order.isSquare)",
      AcceptedTypes(order.accept))
    let outcome = await work.order(key) {
      await onThread {
        self.make(order, name).mapError { DiptychError(side: .earlier, cause: $0) }
      }
    }
    do throws(DiptychError) { return try Self.result(outcome) } catch { throw error.cause }
  }

  /// Creates a diptych of two photos; counts towards the maximum number of concurrent decodings.
  ///
  /// The result is not cached here: requests are rare, and browsers cache it.
  package func diptych(_ order: DiptychOrder) async throws(DiptychError) -> Picture {
    try Self.result(
      await work.order(.diptych(order)) {
        await onThread {
          do throws(DiptychError) {
            return .success(try DiptychMaking.picture(order, by: self.maker))
          } catch { return .failure(error) }
        }
      })
  }

  private static func result(
    _ outcome: SharedWork<Key, Result<Picture, DiptychError>>.Outcome
  ) throws(DiptychError) -> Picture {
    switch outcome {
    case .done(let result): return try result.get()
    case .busy: throw DiptychError(side: .earlier, cause: .busy)
    case .cancelled: throw DiptychError(side: .earlier, cause: .cancelled)
    }
  }

  /// Opens the first of a photo's files that exists and is not a link.
  ///
  /// Blocks the thread for disk access.
  public func original(of files: [FilePath]) throws(PictureError) -> OriginalFile {
    try original(of: files.map { LibraryFile($0) })
  }

  /// Opens the first of a photo's files that exists and can be opened without following a link.
  ///
  /// Blocks the thread for disk access.
  public func original(of files: [LibraryFile]) throws(PictureError) -> OriginalFile {
    var error = PictureError.gone
    for member in files {
      do throws(PictureError) {
        let file = try PictureMaking.open(member)
        let content = try PictureMaking.content(
          of: file.descriptor, count: Int(clamping: file.size))
        return OriginalFile(
          file, name: member.path.lastComponent?.string ?? "photo", mediaType: content.mediaType)
      } catch let cause {
        if error == .gone { error = cause }
      }
    }
    throw error
  }

  /// Waits until the cache has finished counting and removing files.
  package func settle() { cache.settle() }

  /// Returns a thumbnail from the cache; a truncated file is removed.
  private func kept(_ name: String) -> Picture? {
    guard let jpeg = cache.read(name, limit: Self.longestKept)?.bytes else { return nil }
    // A thumbnail truncated by a power failure lacks its end; it is created again. SOI and EOI:
    // ITU-T T.81, B.2.1.
    guard jpeg.starts(with: [0xFF, 0xD8]), jpeg.suffix(2) == [0xFF, 0xD9] else {
      cache.remove(name)
      return nil
    }
    return Picture(jpeg: jpeg)
  }

  /// Creates a picture, and caches it under a name unless it is an unmodified file.
  private func make(_ order: PictureOrder, _ name: String?) -> Result<Picture, PictureError> {
    do throws(PictureError) {
      // Another request may have created it since the last check.
      if let name, let kept = kept(name) { return .success(kept) }
      let result = try PictureMaking.picture(order, by: maker)
      if let name, result.isMade { cache.keep(result.picture.bytes, as: name) }
      if result.isPoor { notePoor(order.name) }
      return .success(result.picture)
    } catch { return .failure(error) }
  }

  /// Returns the file name of a cached picture; `nil` if the picture's name is not suitable.
  private static func keptName(_ order: PictureOrder) -> String? {
    let isName = order.name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, (1...64).contains(order.name.utf8.count) else { return nil }
    return "\(order.name)-\(order.size)-\(order.isSquare ? "square" : "whole").jpg"
  }
}
