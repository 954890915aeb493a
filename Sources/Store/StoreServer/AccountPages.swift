#if Postgres
  import PostgresStore
  import SpotService
  import Synchronization
  import WebService

  /// The open pages of accounts, by key, and what they were informed about.
  final class AccountPages: Sendable {
    /// A change that pages are informed about.
    enum Change: Hashable {
      /// The photos of the account.
      case photos
      /// The events at its spots.
      case alerts
    }

    private struct Entry {
      let hub: EventHub
      let keyHash: [UInt8]
      var token: Int64?
      var records: Int64?
      /// The number of consecutive sweeps that found no open page.
      var idleSweeps = 0
    }

    private struct State {
      var entries: [AccountKeyName: Entry] = [:]
      var pageLimit = 64
      var hasEnded = false
    }

    /// The maximum number of open pages of a key.
    private static let maximumPageCount = 64
    /// The number of sweeps without an open page after which a key is forgotten.
    private static let maximumIdleSweeps = 30

    private let boot: String
    private let state = Mutex(State())

    init(boot: String) { self.boot = boot }

    /// Returns the events for the pages of a key.
    func events(of name: AccountKeyName, _ access: AccountAccess) -> EventHub {
      state.withLock { state in
        if let entry = state.entries[name], entry.keyHash == access.keyHash {
          state.entries[name]?.idleSweeps = 0
          return entry.hub
        }
        // Another key has the number now.
        state.entries[name]?.hub.end()
        let hub = EventHub(boot: boot)
        hub.limit(to: state.pageLimit)
        if state.hasEnded { hub.end() }
        state.entries[name] = Entry(
          hub: hub, keyHash: access.keyHash, token: access.libraryToken)
        return hub
      }
    }

    /// The keys with open pages.
    var listening: [AccountKeyName] {
      state.withLock { state in
        state.entries.filter { $0.value.hub.listenerCount > 0 }.map(\.key)
      }
    }

    /// Compares the state of an account with the one that its pages know, which is replaced.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - access: The key's row.
    ///   - records: A number that changes with the events at spots.
    /// - Returns: The events of the pages, and the changes; `nil` if the key was replaced, and its
    ///   pages were ended.
    func changes(
      of name: AccountKeyName, _ access: AccountAccess, records: Int64
    ) -> (hub: EventHub, changes: [Change])? {
      state.withLock { state in
        guard let entry = state.entries[name] else { return nil }
        guard entry.keyHash == access.keyHash else {
          entry.hub.end()
          state.entries[name] = nil
          return nil
        }
        var changes: [Change] = []
        if entry.token != access.libraryToken { changes.append(.photos) }
        if let known = entry.records, known != records { changes.append(.alerts) }
        state.entries[name]?.token = access.libraryToken
        state.entries[name]?.records = records
        return (entry.hub, changes)
      }
    }

    /// Ends the pages of a key that was removed.
    func end(of name: AccountKeyName) {
      state.withLock { $0.entries.removeValue(forKey: name) }?.hub.end()
    }

    /// Forgets keys that had no open page for a while.
    func forgetUnused() {
      state.withLock { state in
        for (name, entry) in state.entries {
          let sweeps = entry.hub.listenerCount > 0 ? 0 : entry.idleSweeps + 1
          state.entries[name]?.idleSweeps = sweeps
          if sweeps > Self.maximumIdleSweeps { state.entries[name] = nil }
        }
      }
    }

    /// Limits the number of open pages of each key.
    func limit(to count: Int) {
      state.withLock { state in
        state.pageLimit = min(count, Self.maximumPageCount)
        for entry in state.entries.values { entry.hub.limit(to: state.pageLimit) }
      }
    }

    /// Calls a closure with the events of each key.
    func forEach(_ body: (EventHub) -> Void) {
      for entry in state.withLock({ Array($0.entries.values.map(\.hub)) }) { body(entry) }
    }

    /// Ends all pages; no further ones are accepted.
    func end() {
      state.withLock { $0.hasEnded = true }
      forEach { $0.end() }
    }
  }
#endif
