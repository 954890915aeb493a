#if Postgres
  import Storage
  import PhotoLibrary
  import PostgresStore
  import SpotService
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
      /// The maximum number of libraries that are read at the same time; those of other owners
      /// wait, and none of the server's threads waits with them.
      var readings = 4
    }

    /// A version of a library.
    private struct Version: Hashable {
      let owner: OwnerID
      let token: Int64?
      let clusterRadiusMeters: Double

      init(_ access: AccountAccess) {
        (owner, token) = (access.owner.id, access.libraryToken)
        clusterRadiusMeters = access.owner.clusterRadiusMeters
      }
    }

    /// Reads all photos of the owner that a connection acts for, with the token of their version;
    /// no index if there are more than a number.
    typealias Reader =
      @Sendable (_ maximumCount: Int, PostgresConnection) throws(PostgresError) -> (
        index: PhotoIndex?, token: Int64?
      )

    /// The lock of an owner whose library is read.
    private final class Reading: Sendable {
      let lock = Mutex(())
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
      /// The libraries that are read, so that an owner's is read once at a time.
      var readings: [OwnerID: (reading: Reading, users: Int)] = [:]

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
    private let reader: Reader
    private let work: SharedWork<Version, Problem?>
    /// The number of keys whose libraries may wait to be read.
    private static let maximumWaiting = 256

    /// Creates a cache without libraries.
    ///
    /// - Parameters:
    ///   - pool: The connections to the store.
    ///   - limits: The bounds of memory.
    ///   - reader: Reads the photos of an owner.
    ///   - report: Called with the error if a library could not be read.
    init(
      _ pool: PostgresPool, limits: Limits = Limits(),
      reader: @escaping Reader = { count, connection throws(PostgresError) in
        try StoredPhotos.read(atMost: count, connection)
      },
      report: @escaping @Sendable (PostgresError) -> Void
    ) {
      self.pool = pool
      self.limits = limits
      self.reader = reader
      self.report = report
      work = SharedWork(atOnce: limits.readings, maximumWaiting: Self.maximumWaiting)
    }

    /// Reads the library of an owner unless it is known, on a thread of its own: one that is read
    /// slowly delays neither other owners nor requests that need no library.
    ///
    /// - Returns: A problem if it cannot be read; `nil` if ``library(for:)`` does not wait.
    func prepare(for access: AccountAccess) async -> Problem? {
      guard known(access) == nil else { return nil }
      let outcome = await work.order(Version(access)) { [self] in
        await onThread { () -> Problem? in
          do throws(Problem) {
            _ = try self.library(for: access)
            return nil
          } catch {
            // A library with too many photos is known as such.
            return self.known(access) == nil ? error : nil
          }
        }
      }
      switch outcome {
      case .done(let problem): return problem
      case .busy: return Problem(.busy, "Too many libraries are being read; try again.")
      case .cancelled: return Problem(.busy, "The request has ended.")
      }
    }

    /// Returns the library of an owner, after reading it if it is not known.
    ///
    /// - Throws: A problem if it cannot be read or has too many photos.
    func library(for access: AccountAccess) throws(Problem) -> ServedLibrary {
      if let known = known(access) { return try known.get() }
      let owner = access.owner.id
      let reading = state.withLock { state in
        let (reading, users) = state.readings[owner] ?? (Reading(), 0)
        state.readings[owner] = (reading, users + 1)
        return reading
      }
      defer {
        state.withLock { state in
          let users = (state.readings[owner]?.users ?? 1) - 1
          state.readings[owner]?.users = users
          if users == 0 { state.readings[owner] = nil }
        }
      }
      return try reading.lock.withLock { _ throws(Problem) in
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
          return try reader(limits.photosOfLibrary, connection)
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
          ? "Try again in a moment." : "The log of photospots has the reason.")
    }
  }
#endif
