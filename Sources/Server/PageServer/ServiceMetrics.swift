import CLibrary
import CivilTime
import Encodings
package import FeedServer
package import PhotoLibrary
import Storage
import SystemPackage
package import WatchService

/// The metrics page of a watch or a server, with the counters of the watch, the index and the
/// process.
package struct ServiceMetrics: Sendable {
  private let watch: Watch
  private let index: KnownIndexFacts?
  private let clusterRadius: @Sendable () -> Double
  /// The number of pages connected to live events; `nil` if no page is served.
  private let eventClients: (@Sendable () -> Int)?
  private let started = Instant.now

  /// Creates the metrics of a watch that starts now.
  ///
  /// - Parameters:
  ///   - watch: The watch.
  ///   - cache: The index file; `nil` if the spots are in a store.
  ///   - clusterRadius: The radius of spots in metres.
  ///   - eventClients: Returns the number of pages connected to live events.
  package init(
    of watch: Watch, _ cache: PhotoIndexCache?, clusterRadius: @escaping @Sendable () -> Double,
    eventClients: (@Sendable () -> Int)? = nil
  ) {
    self.watch = watch
    index = cache.map(KnownIndexFacts.init)
    self.clusterRadius = clusterRadius
    self.eventClients = eventClients
  }

  /// Returns the page at `/metrics`.
  package func page(token: String?) -> MetricsPage {
    MetricsPage(token: token) { text(now: .now) }
  }

  private func text(now: Instant) -> [UInt8] {
    var text = MetricsText()
    text.add("photospots_build_info", .gauge, "The version of the program; always 1.") { family in
      family.sample(1, ["version": PhotoSpotsVersion.current])
    }
    text.add(watch.session, watch.replies, now: now)
    if let index { add(index.facts(clusterRadius: clusterRadius()), to: &text, now: now) }
    if let eventClients {
      text.add("photospots_event_clients", .gauge, "Open pages that listen to events.") {
        $0.sample(eventClients())
      }
    }
    addProcess(to: &text)
    return text.bytes
  }

  /// Adds the metrics of the index; `nil` if it cannot be read.
  private func add(_ facts: IndexFacts?, to text: inout MetricsText, now: Instant) {
    text.add("photospots_index_readable", .gauge, "Whether the index file can be read: 1 or 0.") {
      $0.sample(facts == nil ? 0 : 1)
    }
    if let facts {
      text.add("photospots_photos", .gauge, "Photos with a position in the index.") {
        $0.sample(facts.photoCount)
      }
      text.add(
        "photospots_index_files", .gauge, "Files of photos in the index, by the outcome of reading."
      ) { family in
        for (outcome, count) in facts.files.named { family.sample(count, ["outcome": outcome]) }
      }
      text.add(
        "photospots_index_stale_folders", .gauge, "Folders that the last scan could not read."
      ) { $0.sample(facts.roots.count(where: \.isStale)) }
      if let updated = facts.updated {
        text.add(
          "photospots_index_age_seconds", .gauge,
          "Time since the last change of the index, in seconds."
        ) {
          $0.sample(max(0, now.seconds(since: updated)))
        }
      }
    }
  }

  /// Adds the metrics of the process, with the names of Prometheus' client libraries ("Writing
  /// client libraries", "Process metrics").
  private func addProcess(to text: inout MetricsText) {
    text.add(
      "process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970."
    ) { $0.sample(Double(started.millisecondsSince1970) / 1000) }
    var usage = rusage()
    if getrusage(Self.ownUsage, &usage) == 0 {
      let seconds =
        Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
      text.add("process_cpu_seconds_total", .counter, "Processor time used, in seconds.") {
        $0.sample(seconds)
      }
    }
    // The second number is the resident set size in pages (proc(5), `statm`).
    if let statm = try? Disk.readToEnd("/proc/self/statm", limit: 256),
      let pages = statm.split(separator: UInt8(ascii: " ")).dropFirst().first
        .flatMap({ Int(String(decoding: $0, as: UTF8.self)) })
    {
      text.add("process_resident_memory_bytes", .gauge, "Memory in use, in bytes.") {
        $0.sample(Double(pages) * Double(sysconf(CInt(_SC_PAGESIZE))))
      }
    }
  }

  #if canImport(Glibc)
    private static let ownUsage = RUSAGE_SELF.rawValue
  #else
    private static let ownUsage = RUSAGE_SELF
  #endif
}
