import LocationFeeds

/// The fixes that wait to be decided by one lane.
///
/// A fix that its sender repeats is decided once, and refused if the store cannot be reached. A
/// fix of a file or a receiver returns to the head of its queue until it is decided, and does not
/// delay the others.
struct LaneQueue: Sendable {
  /// A fix to decide.
  struct Job: Sendable {
    /// The fix.
    let fix: LocationFix
    /// The number of its reading.
    let reading: Int
    /// Whether its sender repeats it if it is refused.
    let isSentAgain: Bool
    /// The position in the order of arrival.
    fileprivate var number = 0

    init(_ fix: LocationFix, reading: Int, isSentAgain: Bool) {
      self.fix = fix
      self.reading = reading
      self.isSentAgain = isSentAgain
    }
  }

  /// The next step of a lane.
  enum Step: Sendable {
    /// Decide about fixes, in this order.
    case decide([Job])
    /// Wait for a time.
    case wait(Duration)
    /// Nothing is left to do.
    case rest
  }

  /// The fixes that their senders repeat if they are refused.
  private var repeated = JobList()
  /// The other fixes, each of which stays until it is decided.
  private var lasting = JobList()
  /// The number of fixes added so far.
  private var count = 0
  /// The time before which the first lasting fix is not tried again.
  private var retry: ContinuousClock.Instant?
  private var pause = Self.pauses.lowerBound

  /// The number of fixes that are decided together at most.
  private static let maximumRunCount = 256
  private static let pauses: ClosedRange<Duration> = .milliseconds(50)...Duration.milliseconds(1000)

  /// Adds a fix.
  mutating func add(_ job: Job) {
    count += 1
    var job = job
    job.number = count
    if job.isSentAgain { repeated.append(job) } else { lasting.append(job) }
  }

  /// Returns the next step. The fixes to decide are removed.
  mutating func next(at now: ContinuousClock.Instant) -> Step {
    let isPaused = retry.map { now < $0 } ?? false
    let run: [Job]
    if isPaused || lasting.isEmpty {
      run = repeated.removeFirst(atMost: Self.maximumRunCount)
    } else if repeated.isEmpty {
      run = lasting.removeFirst(atMost: Self.maximumRunCount)
    } else {
      run = removeFirstOfBoth(atMost: Self.maximumRunCount)
    }
    if !run.isEmpty { return .decide(run) }
    guard !lasting.isEmpty, let retry else { return .rest }
    return .wait(now.duration(to: retry))
  }

  /// Removes and returns the first fixes of both queues, in their order of arrival.
  private mutating func removeFirstOfBoth(atMost count: Int) -> [Job] {
    var run: [Job] = []
    while run.count < count {
      let isLastingFirst = lasting.first.map { $0.number < repeated.first?.number ?? .max } ?? false
      let jobs = isLastingFirst ? lasting.removeFirst(atMost: 1) : repeated.removeFirst(atMost: 1)
      guard !jobs.isEmpty else { break }
      run += jobs
    }
    return run
  }

  /// Ends the pause, since a lasting fix was decided.
  mutating func noteSuccess() { (retry, pause) = (nil, Self.pauses.lowerBound) }

  /// Returns fixes to the heads of their queues, in their order.
  mutating func putBack(_ jobs: [Job]) {
    repeated.putBack(jobs.filter(\.isSentAgain))
    lasting.putBack(jobs.filter { !$0.isSentAgain })
  }

  /// Postpones the lasting fixes, for twice as long each time.
  mutating func postponeLasting(at now: ContinuousClock.Instant) {
    retry = now + pause
    pause = min(pause * 2, Self.pauses.upperBound)
  }

  /// Removes and returns all lasting fixes.
  mutating func dropLasting() -> [Job] {
    defer { (lasting, retry) = (JobList(), nil) }
    return lasting.all
  }

  /// Jobs in order of arrival. Removing the first ones takes constant time for each on average.
  private struct JobList: Sendable {
    private var jobs: [Job] = []
    private var start = 0

    var isEmpty: Bool { start == jobs.count }
    var first: Job? { isEmpty ? nil : jobs[start] }
    var all: [Job] { Array(jobs[start...]) }

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func putBack(_ first: [Job]) {
      guard !first.isEmpty else { return }
      jobs.replaceSubrange(..<start, with: first)
      start = 0
    }

    mutating func removeFirst(atMost count: Int) -> [Job] {
      let end = min(start + count, jobs.count)
      let first = Array(jobs[start..<end])
      start = end
      if start == jobs.count || start >= 1024 {
        jobs.removeFirst(start)
        start = 0
      }
      return first
    }
  }
}
