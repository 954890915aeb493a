import CivilTime
import Encodings
import HTTPClient
import Storage
import Synchronization
import SystemPackage

/// A client of a tile server with a cache on disk, in which tiles stay for days.
final class TileFetcher: Sendable {
  /// The time in seconds for which a tile is cached if the server specifies none: a week, as the
  /// tile usage policy of OpenStreetMap requires.
  private static let usualSeconds: Int64 = 7 * 86_400
  private static let leastSeconds: Int64 = 86_400
  private static let maximumSeconds: Int64 = 365 * 86_400
  /// The time in seconds for which a missing tile is not requested again.
  private static let absenceSeconds: Int64 = 600
  /// The time in seconds for which a server is not contacted after a failure.
  private static let pauseSeconds: Int64 = 30
  private static let longestPauseSeconds: Int64 = 3600
  private static let maximumAbsences = 4096

  private struct State {
    /// The missing tiles, with the time until which they are not requested again.
    var absences: [TilePlace: Int64] = [:]
    /// The time until which the server is not contacted.
    var pausedUntil: Int64 = 0
    var reason = ""
  }

  private let source: TileSource
  private let sourceName: String
  private let cache: CacheFolder
  private let client: WebClient
  private let userAgent: String
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  init(
    _ source: TileSource, cache: CacheFolder, userAgent: String, limitSeconds: Double,
    now: @escaping @Sendable () -> Int64
  ) {
    (self.source, self.cache, self.userAgent, self.now) = (source, cache, userAgent, now)
    client = WebClient(limitSeconds: limitSeconds)
    guard case .address(let template) = source.kind else { preconditionFailure("no address") }
    sourceName = Hexadecimal.text(SHA256.hash(Array(template.utf8)).prefix(8))
  }

  /// Returns a tile from the cache if it is fresh; blocks the thread for disk access.
  func kept(_ place: TilePlace) -> Tile? {
    guard let (tile, freshUntil) = entry(place), freshUntil > now() else { return nil }
    return tile
  }

  /// Returns a tile from the cache if it is fresh, or else fetches and caches it.
  func fetch(_ place: TilePlace) async throws(TileError) -> Tile {
    // Another request may have fetched it since the last check.
    let old = await onThread { self.entry(place) }
    if let (tile, freshUntil) = old, freshUntil > now() { return tile }
    do throws(TileError) {
      try checkMemory(of: place)
      return try await fetchAnew(place)
    } catch {
      // A stale tile is better than none.
      if case .unavailable = error, let old {
        return Tile(mediaType: old.tile.mediaType, bytes: old.tile.bytes, freshSeconds: 60)
      }
      throw error
    }
  }

  private func fetchAnew(_ place: TilePlace) async throws(TileError) -> Tile {
    guard let address = source.address(zoom: place.zoom, x: place.x, y: place.y) else {
      throw .notFound
    }
    let request = WebRequest(for: address, userAgent: userAgent)
    switch await client.exchange(request, bodyLimit: TilePicture.longest) {
    case .failed(let reason): throw pause(Self.pauseSeconds, "the map's server: \(reason)")
    case .answered(let answer): return try await tile(place, answer)
    }
  }

  /// Returns the tile in an answer and caches it. Otherwise records that the tile is missing, or
  /// pauses requests to the server.
  private func tile(_ place: TilePlace, _ answer: WebAnswer) async throws(TileError) -> Tile {
    switch answer.status {
    case 200: break
    case 204, 404, 410:
      noteAbsence(of: place)
      throw .notFound
    default:
      let wait = answer.retryAfter.flatMap { Int64($0) } ?? Self.pauseSeconds
      let hint = (300...399).contains(answer.status) ? "; the address redirects to another" : ""
      throw pause(wait, "the map's server answered with status \(answer.status)\(hint)")
    }
    guard let mediaType = TilePicture.mediaType(of: answer.body) else {
      throw pause(
        Self.pauseSeconds, "the map's server did not answer with PNG, JPEG or WebP")
    }
    let seconds = Self.freshSeconds(answer.cacheControl)
    let freshUntil = now() + seconds
    if TilePicture.isWhole(answer.body) {
      await onThread {
        self.cache.keep(answer.body, as: self.name(place), freshUntilSeconds: freshUntil)
      }
    }
    return Tile(mediaType: mediaType, bytes: answer.body, freshSeconds: Int(seconds))
  }

  /// Returns the time in seconds for which a tile is cached: the `max-age` directive (RFC 9111,
  /// section 5.2.2.1), clamped to between a day and a year.
  static func freshSeconds(_ cacheControl: String?) -> Int64 {
    let directives = (cacheControl ?? "").split(separator: ",").map { directive in
      directive.filter { !$0.isWhitespace }.lowercased()
    }
    let age = directives.lazy.filter { $0.hasPrefix("max-age=") }
      .compactMap { Int64($0.dropFirst("max-age=".count)) }.first
    return min(max(age ?? usualSeconds, leastSeconds), maximumSeconds)
  }

  // MARK: - Memory

  private func name(_ place: TilePlace) -> String {
    "\(sourceName)-\(place.zoom)-\(place.x)-\(place.y)"
  }

  private func entry(_ place: TilePlace) -> (tile: Tile, freshUntil: Int64)? {
    let name = name(place)
    guard let entry = cache.read(name, limit: TilePicture.longest) else { return nil }
    // A file truncated by a power failure is fetched again.
    guard let mediaType = TilePicture.mediaType(of: entry.bytes), TilePicture.isWhole(entry.bytes)
    else {
      cache.remove(name)
      return nil
    }
    let left = min(max(entry.freshUntilSeconds - now(), 0), Self.maximumSeconds)
    return (
      Tile(mediaType: mediaType, bytes: entry.bytes, freshSeconds: Int(left)),
      entry.freshUntilSeconds
    )
  }

  /// Throws an error if the tile is known to be missing or the server is not to be contacted.
  private func checkMemory(of place: TilePlace) throws(TileError) {
    let now = now()
    let error: TileError? = state.withLock { state in
      if let until = state.absences[place], until > now { return .notFound }
      return state.pausedUntil > now ? .unavailable(state.reason) : nil
    }
    if let error { throw error }
  }

  private func noteAbsence(of place: TilePlace) {
    let now = now()
    state.withLock { state in
      if state.absences.count >= Self.maximumAbsences {
        state.absences = state.absences.filter { $0.value > now }
        if state.absences.count >= Self.maximumAbsences { state.absences.removeAll() }
      }
      state.absences[place] = now + Self.absenceSeconds
    }
  }

  private func pause(_ seconds: Int64, _ reason: String) -> TileError {
    let until = now() + min(max(seconds, 1), Self.longestPauseSeconds)
    state.withLock { state in
      state.pausedUntil = until
      state.reason = reason
    }
    return .unavailable(reason)
  }
}
