import CivilTime
import Dispatch
import Encodings
package import PhotoLibrary
package import ProcessControl
package import SystemPackage

/// A benchmark of indexing and searching, run on the user's own photos.
package struct LibraryBenchmark {
  private let folders: [FilePath]
  /// An index without files, with the options kept with the folders.
  private let library: PhotoIndex
  private let options: FolderOptions.Change
  private let jobs: Int
  private let clusterRadiusMeters: Double
  private let proximityRadiusMeters: Double
  private let interruption: Interruption
  private let display: Display

  /// The maximum number of rounds of each step, and the total seconds after which a step is not
  /// repeated. A library on a slow disk is therefore not read five times.
  private static let maximumRounds = 5
  private static let enoughSeconds = 10.0

  /// Shows the progress of a step, and returns a closure that ends the display.
  package typealias Display = (ScanMonitor) -> () -> Void

  /// Creates a benchmark.
  ///
  /// - Parameters:
  ///   - folders: The folders of photos.
  ///   - library: An index without files, with the options kept with the folders.
  ///   - options: Options of the folders for this benchmark.
  ///   - jobs: The number of photos read concurrently.
  ///   - clusterRadiusMeters: The cluster radius.
  ///   - proximityRadiusMeters: The radius of the searches.
  ///   - interruption: Ends the benchmark without a result.
  ///   - display: Shows the progress.
  package init(
    folders: [FilePath], of library: PhotoIndex, options: FolderOptions.Change, jobs: Int,
    clusterRadiusMeters: Double, proximityRadiusMeters: Double,
    orUntil interruption: Interruption, display: @escaping Display
  ) {
    (self.folders, self.library) = (folders, library)
    (self.options, self.jobs) = (options, jobs)
    self.clusterRadiusMeters = clusterRadiusMeters
    self.proximityRadiusMeters = proximityRadiusMeters
    (self.interruption, self.display) = (interruption, display)
  }

  /// Runs all measurements.
  ///
  /// - Parameter cache: A separate index file, in a folder that will be removed.
  /// - Returns: The measurements.
  /// - Throws: A `MessageError` if the library is empty or the process was asked to stop.
  package func run(_ cache: PhotoIndexCache) throws -> BenchmarkReport {
    // This must come first: only the first read may have to wait for the disk.
    let (files, firstRead) = try readHeads()
    var (indexTimes, headTimes): ([Double], [Double]) = ([], [])
    var scan = try makeIndex(cache)
    guard scan.report.files.photos > 0 else {
      throw MessageError(
        "there are no photos under \(folders.map(\.escaped).joined(separator: ", ")). "
          + "Name the folder that holds your photos.")
    }
    indexTimes.append(scan.seconds)
    headTimes.append(try readHeads().seconds)
    // The two steps alternate, so that other load on the machine affects both alike.
    while Self.isWorthAnotherRound(indexTimes) {
      scan = try makeIndex(cache)
      indexTimes.append(scan.seconds)
      headTimes.append(try readHeads().seconds)
    }
    let (spots, loadTimes) = try load(cache)
    let sample = QuerySample(spots: spots)
    return BenchmarkReport(
      folders: folders, jobs: jobs, rounds: indexTimes.count, files: files,
      photos: scan.index.photoCount, spots: spots.spots.count,
      unreadable: scan.report.unreadable, firstReadSeconds: firstRead,
      readSeconds: headTimes.median, indexSeconds: indexTimes.median,
      loadSeconds: loadTimes.median,
      queries: [
        try sample.measure(.within(meters: proximityRadiusMeters), endIfInterrupted),
        try sample.measure(.nearest(10), endIfInterrupted),
      ].compactMap(\.self))
  }

  private static func isWorthAnotherRound(_ seconds: [Double]) -> Bool {
    seconds.count < maximumRounds && seconds.reduce(0, +) < enoughSeconds
  }

  private func readHeads() throws -> (files: Int, seconds: Double) {
    var known = library.options
    for folder in folders { known.apply(options, to: folder) }
    return try watched { monitor in
      HeadReading.run(folders, excludes: [], options: known, jobs: jobs, monitor: monitor)
    }
  }

  /// Indexes the folders from scratch and saves the index.
  private func makeIndex(
    _ cache: PhotoIndexCache
  ) throws -> (index: PhotoIndex, report: ScanReport, seconds: Double) {
    var settings = PhotoIndexer.Settings(jobs: jobs)
    settings.options = options
    let indexer = PhotoIndexer(settings: settings)
    let (result, seconds) = try watched { monitor in
      let result = try indexer.update(library, with: folders, now: .now, monitor: monitor)
      try cache.save(result.index, clusterRadius: clusterRadiusMeters)
      return result
    }
    return (result.index, result.report, seconds)
  }

  /// Loads the index and builds the spot index, as `near` does.
  private func load(_ cache: PhotoIndexCache) throws -> (SpotIndex, [Double]) {
    var spots = SpotIndex(spots: [])
    var times: [Double] = []
    repeat {
      let (loaded, seconds) = try timed {
        try cache.open(clusterRadius: clusterRadiusMeters)
          .map { SpotIndex($0.index, clusterRadius: clusterRadiusMeters) }
          ?? SpotIndex(spots: [])
      }
      spots = loaded
      times.append(seconds)
      try endIfInterrupted()
    } while Self.isWorthAnotherRound(times)
    return (spots, times)
  }

  /// Runs an operation with a progress display, and stops it if the process is asked to stop.
  private func watched<Result>(
    _ work: (ScanMonitor) throws -> Result
  ) throws -> (Result, seconds: Double) {
    let monitor = ScanMonitor()
    let cancelling = interruption.calling { monitor.cancel() }
    defer { cancelling.cancel() }
    let end = display(monitor)
    defer { end() }
    let result = try timed { try work(monitor) }
    try endIfInterrupted()
    return result
  }

  private func endIfInterrupted() throws {
    guard !interruption.isRequested else {
      throw MessageError("the benchmark was interrupted; no result is stored.")
    }
  }
}

/// Runs an operation and returns its result and duration.
private func timed<Result>(_ work: () throws -> Result) rethrows -> (Result, seconds: Double) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try work()
  return (result, (clock.now - start).seconds)
}

extension [Double] {
  /// The median: the middle element in sorted order or the mean of the two middle ones; 0 if empty.
  fileprivate var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
