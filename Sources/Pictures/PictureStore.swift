import CLibrary
import Caching
import PhotoMetadata
public import SystemPackage

/// Pictures of photos for browsers: made when they are asked for, upright and without metadata, and
/// kept in a folder.
///
/// Of a JPEG file, and of the largest JPEG file in a RAW file, a small JPEG file is made. PNG, GIF,
/// WebP and AVIF are given out as they are, up to 8 MiB, and HEIC to who accepts it; with the trait
/// `HEIF` pictures are made of HEIC and AVIF for who does not. What the file is, its content tells.
public final class PictureStore: Sendable {
  /// The maximum number of waiting orders.
  static let mostWaiting = 64
  /// No small picture is longer, in bytes.
  private static let longestKept = 16 << 20

  private enum Key: Hashable {
    case picture(files: [FilePath], name: String, AcceptedTypes)
    case diptych(DiptychOrder)
  }

  private let cache: CacheFolder
  private let work: SharedWork<Key, Result<Picture, DiptychError>>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - folder: The folder of kept pictures; created for its owner alone.
  ///   - capacityBytes: Their maximum total size; the least recently used are removed.
  ///   - decoders: The maximum number of concurrent decodings; one a processor by default.
  ///   - report: Is called, once, with the reason why no picture can be kept.
  public init(
    folder: FilePath, capacityBytes: Int = 500 << 20, decoders: Int = PictureStore.processors,
    report: @escaping @Sendable (Errno) -> Void = { _ in }
  ) {
    cache = CacheFolder(folder, capacityBytes: capacityBytes, report: report)
    work = SharedWork(atOnce: decoders, mostWaiting: Self.mostWaiting)
  }

  /// The number of processors.
  public static var processors: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// Gives a picture out, kept or made anew.
  ///
  /// Two orders of one picture make it once. An order of a task that is cancelled leaves the queue.
  ///
  /// - Throws: ``PictureError``; what is wrong with the last resort where there are several files.
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

  /// Makes a picture of two photos; as many at once as of single ones, with these.
  ///
  /// It is not kept: somebody asks for one now and then, and browsers keep what they got.
  package func diptych(_ order: DiptychOrder) async throws(DiptychError) -> Picture {
    try Self.result(
      await work.order(.diptych(order)) {
        await onThread {
          do throws(DiptychError) {
            return .success(try DiptychMaking.picture(order))
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

  /// Opens the first of a photo's files that is there.
  ///
  /// It blocks its thread for the disk.
  public func original(of files: [FilePath]) throws(PictureError) -> OriginalFile {
    var error = PictureError.gone
    for path in files {
      do throws(PictureError) {
        let file = try PictureMaking.open(path)
        let content = try PictureMaking.content(
          of: file.descriptor, count: Int(clamping: file.size))
        return OriginalFile(
          file, name: path.lastComponent?.string ?? "photo", mediaType: content.mediaType)
      } catch let cause {
        if error == .gone { error = cause }
      }
    }
    throw error
  }

  /// Returns when what was begun in the background is done.
  package func settle() { cache.settle() }

  private func kept(_ name: String) -> Picture? {
    guard let jpeg = cache.read(name, limit: Self.longestKept)?.bytes else { return nil }
    // A file that was cut off by a loss of power is made anew: SOI and EOI (ITU-T T.81, B.2.1).
    guard jpeg.starts(with: [0xFF, 0xD8]), jpeg.suffix(2) == [0xFF, 0xD9] else {
      cache.remove(name)
      return nil
    }
    return Picture(jpeg: jpeg)
  }

  private func make(_ order: PictureOrder, _ name: String?) -> Result<Picture, PictureError> {
    do throws(PictureError) {
      // Another order may have made it since this one looked.
      if let name, let kept = kept(name) { return .success(kept) }
      let result = try PictureMaking.picture(order)
      if let name, result.isMade { cache.keep(result.picture.bytes, as: name) }
      return .success(result.picture)
    } catch { return .failure(error) }
  }

  /// The name of the file in which a picture is kept; `nil` where its own makes no file's name.
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
