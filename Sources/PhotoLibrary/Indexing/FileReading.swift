import CivilTime
import PhotoMetadata
import Storage
import Synchronization
import SystemPackage

/// What reading one file gave.
struct FileReading {
  /// The file's place in the list of files that were to be read.
  let index: Int
  /// The file's size and times as they were when it was read; zeros where it could not be.
  let status: FileStatus
  let outcome: FileOutcome
  let properties: PhotoProperties?
  /// What is wrong with sidecars of a photo that is known without them.
  var sidecarProblems: [Sidecar.Problem] = []

  /// A file that is to be read.
  struct Request {
    /// The absolute path of its folder.
    let folder: [UInt8]
    let name: ArraySlice<UInt8>
    let inode: UInt64
    let claimsToBePhoto: Bool
    let sidecars: [Sidecar]
    let sidecarStamp: UInt64

    /// Returns the places of requests in the order of their inodes, a folder at a time, since it is
    /// open while its files are read, and they mostly lie together: the folder of the first inode
    /// first.
    ///
    /// - Precondition: The requests of a folder follow each other.
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

  /// Readings of a part of the requests.
  struct Part {
    /// In no particular order, each thread's by themselves.
    var readings: [[FileReading]] = []
    var bytesRead = 0
    /// The place of the first request that was not reached.
    var next: Int
  }

  /// Reads files with several threads.
  ///
  /// - Parameters:
  ///   - requests: The files.
  ///   - start: The place of the first one to be read.
  ///   - deadline: When to stop; each thread reads a file at least. `nil` for never.
  ///   - jobs: How many threads.
  ///   - monitor: Ends it early.
  /// - Returns: What was read.
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

  /// Reads a file; `nil` where it vanished since its folder was listed.
  private static func read(
    _ request: Request, at index: Int, with reader: inout MetadataReader,
    _ folder: inout OpenFolder, _ bytesRead: inout Int
  ) -> FileReading? {
    do throws(PhotoFileError) {
      let file = try folder.file(request.name, in: request.folder)
      var problems: [Sidecar.Problem] = []
      let (outcome, properties) = outcome(of: file, request, with: &reader, &problems)
      // A sidecar that cannot be read now may be readable the next time, without having changed.
      let isRetried = problems.contains(where: \.isUnreadable)
      bytesRead += reader.bytesRead
      return FileReading(
        index: index,
        status: FileStatus(
          size: file.size, modified: file.modifiedNanoseconds, inode: file.inode,
          sidecarStamp: isRetried ? 0 : request.sidecarStamp),
        outcome: outcome, properties: properties, sidecarProblems: problems)
    } catch .system(.noSuchFileOrDirectory) {
      return nil
    } catch {
      return FileReading(
        index: index, status: FileStatus(size: 0, modified: 0, inode: 0),
        outcome: .unreadable(error.description), properties: nil)
    }
  }

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
      // Of a photo that makes no sense itself, a sidecar may still know where it was taken.
      if properties.coordinate != nil { return (.located, properties) }
      // Whether it has a position, only the sidecar could tell.
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
