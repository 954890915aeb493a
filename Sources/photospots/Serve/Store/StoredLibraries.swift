#if Postgres
  import PhotoLibrary
  import PostgresStore
  import SpotService
  import Storage
  import Synchronization

  /// The libraries of owners as their pages see them, each read from the store as a whole and kept
  /// until the owner's photos change.
  final class StoredLibraries: Sendable {
    /// Bounds of memory.
    struct Limits {
      /// The maximum number of photos of one library; larger ones are not served.
      var photosOfLibrary = 2_000_000
      /// The number of photos of all kept libraries above which the least recently used ones are
      /// dropped.
      var photos = 4_000_000
      /// The maximum number of kept libraries.
      var libraries = 256
    }

    private struct Entry {
      let token: Int64?
      let clusterRadiusMeters: Double
      let library: Result<ServedLibrary, Problem>
    }

    private struct State {
      var entries: [OwnerID: Entry] = [:]
      /// The owners of the entries, the most recently used last.
      var order: [OwnerID] = []

      var photoCount: Int {
        entries.values.reduce(0) { $0 + ((try? $1.library.get())?.index.photoCount ?? 0) }
      }

      mutating func remove(_ owner: OwnerID) {
        entries[owner] = nil
        order.removeAll { $0 == owner }
      }
    }

    private let pool: PostgresPool
    private let limits: Limits
    private let report: @Sendable (PostgresError) -> Void
    private let state = Mutex(State())
    /// Held while a library is read, so that only one is read at a time.
    private let reading = Mutex(())

    /// Creates a cache without libraries.
    ///
    /// - Parameters:
    ///   - pool: The connections to the store.
    ///   - limits: The bounds of memory.
    ///   - report: Called with the error if a library could not be read.
    init(
      _ pool: PostgresPool, limits: Limits = Limits(),
      report: @escaping @Sendable (PostgresError) -> Void
    ) {
      self.pool = pool
      self.limits = limits
      self.report = report
    }

    /// Returns the library of an owner.
    ///
    /// - Throws: A problem if it cannot be read or has too many photos.
    func library(for access: AccountAccess) throws(Problem) -> ServedLibrary {
      if let known = known(access) { return try known.get() }
      return try reading.withLock { _ throws(Problem) in
        // Another request may have read it in the meantime.
        if let known = known(access) { return try known.get() }
        let entry = try read(access)
        keep(entry, of: access.owner.id)
        return try entry.library.get()
      }
    }

    private func known(_ access: AccountAccess) -> Result<ServedLibrary, Problem>? {
      state.withLock { state in
        guard let entry = state.entries[access.owner.id], entry.token == access.libraryToken,
          entry.clusterRadiusMeters == access.owner.clusterRadiusMeters
        else { return nil }
        state.order.removeAll { $0 == access.owner.id }
        state.order.append(access.owner.id)
        return entry.library
      }
    }

    private func read(_ access: AccountAccess) throws(Problem) -> Entry {
      let owner = access.owner
      // The former library may be large.
      state.withLock { $0.remove(owner.id) }
      defer { FreedMemory.returnToSystem() }
      let found: (index: PhotoIndex?, token: Int64?)
      do throws(PostgresError) {
        found = try pool.read { connection throws(PostgresError) in
          try connection.act(for: owner.id)
          return try StoredPhotos.read(atMost: limits.photosOfLibrary, connection)
        }
      } catch {
        report(error)
        throw Problem(error)
      }
      let radius = owner.clusterRadiusMeters
      guard let index = found.index else {
        return Entry(
          token: found.token, clusterRadiusMeters: radius,
          library: .failure(
            Problem(
              .notServed,
              "The library has more than \(limits.photosOfLibrary) photos, which are too many to be served."
            )))
      }
      let state = found.token.map { "\($0)" } ?? "none"
      return Entry(
        token: found.token, clusterRadiusMeters: radius,
        library: .success(
          ServedLibrary(
            index: index, spots: SpotIndex(index, clusterRadius: radius),
            generation: "\(owner.id) \(state) \(radius)")))
    }

    private func keep(_ entry: Entry, of owner: OwnerID) {
      state.withLock { state in
        state.remove(owner)
        state.entries[owner] = entry
        state.order.append(owner)
        while state.order.count > 1,
          state.order.count > limits.libraries || state.photoCount > limits.photos
        {
          state.remove(state.order[0])
        }
      }
    }
  }

  extension Problem {
    /// Describes a failure of the store without its details, which may name hosts and roles.
    init(_ error: PostgresError) {
      self.init(
        .storeUnavailable,
        error.isPassing
          ? "Try again in a moment." : "The log of the server has the reason.")
    }
  }
#endif
