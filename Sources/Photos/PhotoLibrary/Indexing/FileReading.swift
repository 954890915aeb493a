import CivilTime
import PhotoMetadata
import Storage
import Synchronization
import SystemPackage

/// The result of reading one file.
struct FileReading {
  /// The index of the file's request.
  let index: Int
  /// The file's size and times at the time of reading; zeros if they could not be read.
  let status: FileStatus
  let outcome: FileOutcome
  let properties: PhotoProperties?
  /// The problems of sidecars of a photo whose own metadata could be read.
  var sidecarProblems: [Sidecar.Problem] = []

  /// A request to read a file.
  struct Request {
    /// The absolute path of the file's folder.
    let folder: [UInt8]
    let name: ArraySlice<UInt8>
    let inode: UInt64
    let claimsToBePhoto: Bool
    let sidecars: [Sidecar]
    let sidecarStamp: UInt64
    /// A stamp of the sidecars' change times; zero without sidecars.
    var sidecarChanges: UInt64 = 0
    /// Whether the hash of the content is needed.
    var needsContent = false
    /// The time of the scan if the date in the file's name counts; `nil` if it does not.
    var datesNameAt: Instant?

    /// Returns the indices of requests ordered by inode, grouped by folder.
    ///
    /// A folder is kept open while its files are read, and the files of a folder are mostly close
    /// together on the disk. Folders are ordered by their first inode.
    ///
    /// - Precondition: The requests of a folder are consecutive.
    static func orderByInode(_ requests: [Request]) -> [Int] {
      var folders: [Range<Int>] = []
      for index in requests.indices {
        if let last = folders.last, requests[last.lowerBound].folder == requests[index].folder {
          folders[folders.count - 1] = last.lowerBound..<index + 1
        } else {
          folders.append(index..<index + 1)
        }
      }
      return folders.map { folder in folder.sorted { requests[$0].inode < requests[$1].inode } }
        .sorted { requests[$0[0]].inode < requests[$1[0]].inode }
        .flatMap { $0 }
    }
  }

  /// The readings of some of the requests.
  struct Part {
    /// The readings of each thread, in no particular order.
    var readings: [[FileReading]] = []
    var bytesRead = 0
    /// The index of the first request that was not reached.
    var next: Int
  }

  /// Reads files with several threads.
  ///
  /// - Parameters:
  ///   - requests: The files.
  ///   - start: The index of the first request to read.
  ///   - deadline: When to stop; each thread reads at least one file. `nil` for no deadline.
  ///   - jobs: The number of threads.
  ///   - monitor: Cancels the reading early.
  /// - Returns: The readings.
  static func read(
    _ requests: [Request], from start: Int, until deadline: ContinuousClock.Instant?, jobs: Int,
    monitor: ScanMonitor
  ) -> Part {
    let collected = Mutex(Part(next: start))
    let next = Atomic(start)
    withoutActuallyEscaping(
      { @Sendable in
        var reader = MetadataReader()
        var own: [FileReading] = []
        own.reserveCapacity(requests.count / max(1, jobs))
        var folder = OpenFolder()
        var bytesRead = 0
        while !monitor.isCancelled {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < requests.count else { break }
          let reading = read(requests[index], at: index, with: &reader, &folder, &bytesRead)
          if let reading { own.append(reading) }
          monitor.didRead(isLocated: reading?.outcome == .located)
          if let deadline, ContinuousClock.now >= deadline { break }
        }
        collected.withLock {
          $0.readings.append(own)
          $0.bytesRead += bytesRead
        }
      },
      do: { WorkerThreads.run(min(jobs, requests.count - start), $0) })
    return collected.withLock { part in
      part.next = min(next.load(ordering: .relaxed), requests.count)
      return part
    }
  }

  /// Reads a file; `nil` if it no longer exists.
  private static func read(
    _ request: Request, at index: Int, with reader: inout MetadataReader,
    _ folder: inout OpenFolder, _ bytesRead: inout Int
  ) -> FileReading? {
    do throws(PhotoFileError) {
      let file = try folder.file(request.name, in: request.folder)
      var problems: [Sidecar.Problem] = []
      let (outcome, properties) = outcome(of: file, request, with: &reader, &problems)
      // A sidecar that cannot be read now may be readable the next time without having changed.
      let isRetried = problems.contains(where: \.isUnreadable)
      bytesRead += reader.bytesRead
      var status = FileStatus(
        size: file.size, modified: file.modifiedNanoseconds, inode: file.inode,
        sidecarStamp: isRetried ? 0 : request.sidecarStamp)
      status.changed = UInt64(bitPattern: file.changedNanoseconds) &+ request.sidecarChanges
      if request.needsContent {
        do throws(Errno) {
          status.content = try ContentHash.of(file.descriptor, size: file.size)
        } catch { throw PhotoFileError.system(error) }
      }
      return FileReading(
        index: index, status: status,
        outcome: outcome, properties: properties, sidecarProblems: problems)
    } catch .system(.noSuchFileOrDirectory) {
      return nil
    } catch {
      return FileReading(
        index: index, status: FileStatus(size: 0, modified: 0, inode: 0),
        outcome: .unreadable(error.description), properties: nil)
    }
  }

  /// Reads the metadata of an open file and of its sidecars, whose problems are added to
  /// `problems`.
  private static func outcome(
    of file: borrowing PhotoFile, _ request: Request, with reader: inout MetadataReader,
    _ problems: inout [Sidecar.Problem]
  ) -> (FileOutcome, PhotoProperties?) {
    do throws(Errno) {
      let reading = try reader.read(
        file.descriptor, count: Int(file.size), claimsToBePhoto: request.claimsToBePhoto)
      var properties = PhotoProperties()
      if case .photo(let found) = reading { properties = found }
      if case .notAPhoto = reading { return (.notAPhoto, nil) }
      problems = properties.complete(with: request.sidecars)
      if let now = request.datesNameAt {
        properties.completeDate(fromName: request.name, now: now)
      }
      // A sidecar may have the position of a photo whose own metadata is malformed.
      if properties.coordinate != nil { return (.located, properties) }
      // Only the unreadable sidecar could say whether the photo has a position.
      if let problem = problems.first(where: \.isUnreadable) {
        problems = []
        let name = problem.path.lastComponent?.string ?? ""
        return (.unreadable("its sidecar \(name): \(problem.reason)"), nil)
      }
      if case .malformed(let reason) = reading { return (.malformed(reason), nil) }
      return (.noPosition, properties)
    } catch {
      return (.unreadable(error.description), nil)
    }
  }
}
