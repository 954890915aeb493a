import CLibrary
public import CivilTime
import HTTPClient
import Storage
public import SystemPackage

/// A provider of map tiles.
///
/// Tiles of a URL are fetched by this program, at most two at a time, so that the browser contacts
/// no other server. They are cached in a folder for as long as their server specifies, at least a
/// day. Only PNG, JPEG and WebP pictures are returned.
public final class TileStore: Sendable {
  private enum Way: Sendable {
    case fetcher(TileFetcher)
    case folder(FilePath)
    case database(TileDatabase)
  }

  /// The maximum number of waiting requests, more than a large screen needs.
  static let maximumWaiting = 256
  /// The time in seconds for which a browser may cache a tile read from this machine.
  private static let localSeconds = 3600

  private let way: Way
  private let work: SharedWork<TilePlace, Result<Tile, TileError>>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - source: The source of the tiles.
  ///   - cacheFolder: The folder of fetched tiles; if created, only its owner has access.
  ///   - userAgent: The `User-Agent` sent to the tile server: the program's name, its version and a
  ///     URL with information about it.
  ///   - capacityBytes: The maximum total size of cached tiles.
  ///   - limitSeconds: The time limit of a fetch, in seconds.
  ///   - now: The current time, which determines whether cached tiles are fresh.
  ///   - report: A closure called at most once, with the error that prevents caching.
  public init(
    _ source: TileSource, cacheFolder: FilePath, userAgent: String,
    capacityBytes: Int = 200 << 20, limitSeconds: Double = 20,
    now: @escaping @Sendable () -> Instant = { TileStore.machineTime },
    report: @escaping @Sendable (Errno) -> Void = { _ in }
  ) {
    switch source.kind {
    case .address:
      let cache = CacheFolder(cacheFolder, capacityBytes: capacityBytes, report: report)
      way = .fetcher(
        TileFetcher(
          source, cache: cache, userAgent: userAgent, limitSeconds: limitSeconds,
          now: { now().millisecondsSince1970 / 1000 }))
    case .folder(let folder): way = .folder(folder)
    case .database(let path): way = .database(TileDatabase(path))
    }
    work = SharedWork(atOnce: 2, maximumWaiting: Self.maximumWaiting)
  }

  /// The time on the machine's clock.
  public static var machineTime: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The reason why this machine cannot provide tiles of the source, with a remedy; `nil` if it
  /// can.
  public var obstacle: String? {
    switch way {
    case .fetcher: WebClient.obstacle
    case .database, .folder: nil
    }
  }

  /// Returns a tile.
  ///
  /// - Parameters:
  ///   - zoom: The zoom level, 0 to 22.
  ///   - x: The column, from the west, below 2^zoom.
  ///   - y: The row, from the north, below 2^zoom.
  /// - Returns: The tile.
  /// - Throws: ``TileError``.
  public func tile(zoom: Int, x: Int, y: Int) async throws(TileError) -> Tile {
    guard let place = TilePlace(zoom: zoom, x: x, y: y) else { throw .notFound }
    if case .fetcher(let fetcher) = way, let tile = await onThread({ fetcher.kept(place) }) {
      return tile
    }
    let outcome = await work.order(place) { await self.result(place) }
    switch outcome {
    case .done(let result): return try result.get()
    case .busy: throw .busy
    case .cancelled: throw .cancelled
    }
  }

  private func result(_ place: TilePlace) async -> Result<Tile, TileError> {
    switch way {
    case .fetcher(let fetcher):
      do throws(TileError) { return .success(try await fetcher.fetch(place)) } catch {
        return .failure(error)
      }
    case .folder(let folder): return await onThread { Self.tile(place, in: folder) }
    case .database(let database): return await onThread { Self.tile(place, in: database) }
    }
  }

  private static func tile(
    _ place: TilePlace, in database: TileDatabase
  ) -> Result<Tile, TileError> {
    do throws(TileError) {
      guard let bytes = try database.bytes(place) else { return .failure(.notFound) }
      return tile(bytes)
    } catch { return .failure(error) }
  }

  private static func tile(_ place: TilePlace, in folder: FilePath) -> Result<Tile, TileError> {
    let stem = folder.appending("\(place.zoom)").appending("\(place.x)")
    for ending in TilePicture.endings {
      do throws(Errno) {
        return tile(
          try Disk.read(stem.appending("\(place.y).\(ending)"), limit: TilePicture.longest))
      } catch {
        switch error {
        case .noSuchFileOrDirectory, .notDirectory: continue
        default: return .failure(.unavailable("the map's file cannot be read: \(error)"))
        }
      }
    }
    return .failure(.notFound)
  }

  private static func tile(_ bytes: [UInt8]) -> Result<Tile, TileError> {
    guard let mediaType = TilePicture.mediaType(of: bytes) else {
      return .failure(.unavailable("the map's tiles are not PNG, JPEG or WebP pictures"))
    }
    return .success(Tile(mediaType: mediaType, bytes: bytes, freshSeconds: localSeconds))
  }
}
