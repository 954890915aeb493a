import Caching
import CivilTime
import Codecs
import Synchronization
import SystemPackage
import WebRequests

/// Tiles from an address, each of which is kept on the disk for days.
final class TileFetcher: Sendable {
  /// How long a tile is kept where its server says nothing: a week, as the tile usage policy of
  /// OpenStreetMap wants.
  private static let usualSeconds: Int64 = 7 * 86_400
  private static let leastSeconds: Int64 = 86_400
  private static let mostSeconds: Int64 = 365 * 86_400
  /// For how long a tile that is not there is not asked for again.
  private static let absenceSeconds: Int64 = 600
  /// For how long a server that failed is not asked for anything.
  private static let pauseSeconds: Int64 = 30
  private static let longestPauseSeconds: Int64 = 3600
  private static let mostAbsences = 4096

  private struct State {
    /// Tiles that are not there, and until when that is believed.
    var absences: [TilePlace: Int64] = [:]
    /// Until when the server is left alone, and why.
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

  /// A tile that is kept and fresh; it blocks its thread for the disk.
  func kept(_ place: TilePlace) -> Tile? {
    guard let (tile, freshUntil) = entry(place), freshUntil > now() else { return nil }
    return tile
  }

  /// Fetches a tile, and keeps it.
  func fetch(_ place: TilePlace) async throws(TileError) -> Tile {
    // Another request may have fetched it since this one looked.
    let old = await onThread { self.entry(place) }
    if let (tile, freshUntil) = old, freshUntil > now() { return tile }
    do throws(TileError) {
      try checkMemory(of: place)
      return try await fetchAnew(place)
    } catch {
      // An old map is better than none.
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

  private func tile(_ place: TilePlace, _ answer: WebAnswer) async throws(TileError) -> Tile {
    switch answer.status {
    case 200: break
    case 204, 404, 410:
      noteAbsence(of: place)
      throw .notFound
    default:
      let wait = answer.retryAfter.flatMap { Int64($0) } ?? Self.pauseSeconds
      let hint = (300...399).contains(answer.status) ? "; the address leads elsewhere" : ""
      throw pause(wait, "the map's server answered with status \(answer.status)\(hint)")
    }
    guard let mediaType = TilePicture.mediaType(of: answer.body) else {
      throw pause(
        Self.pauseSeconds, "the map's server answered with something else than PNG, JPEG or WebP")
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

  /// For how long a tile is kept: what `max-age` says (RFC 9111, section 5.2.2.1), a day at least.
  static func freshSeconds(_ cacheControl: String?) -> Int64 {
    let directives = (cacheControl ?? "").split(separator: ",").map { directive in
      directive.filter { !$0.isWhitespace }.lowercased()
    }
    let age = directives.lazy.filter { $0.hasPrefix("max-age=") }
      .compactMap { Int64($0.dropFirst("max-age=".count)) }.first
    return min(max(age ?? usualSeconds, leastSeconds), mostSeconds)
  }

  // MARK: - Memory

  private func name(_ place: TilePlace) -> String {
    "\(sourceName)-\(place.zoom)-\(place.x)-\(place.y)"
  }

  private func entry(_ place: TilePlace) -> (tile: Tile, freshUntil: Int64)? {
    let name = name(place)
    guard let entry = cache.read(name, limit: TilePicture.longest) else { return nil }
    // A file that was cut off by a loss of power is fetched anew.
    guard let mediaType = TilePicture.mediaType(of: entry.bytes), TilePicture.isWhole(entry.bytes)
    else {
      cache.remove(name)
      return nil
    }
    let left = min(max(entry.freshUntilSeconds - now(), 0), Self.mostSeconds)
    return (
      Tile(mediaType: mediaType, bytes: entry.bytes, freshSeconds: Int(left)),
      entry.freshUntilSeconds
    )
  }

  /// Throws where the answer is known without asking.
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
      if state.absences.count >= Self.mostAbsences {
        state.absences = state.absences.filter { $0.value > now }
        if state.absences.count >= Self.mostAbsences { state.absences.removeAll() }
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
