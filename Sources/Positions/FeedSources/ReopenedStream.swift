import LocationFeeds
import SystemPackage

/// A connection or device that is reopened whenever it breaks, after growing pauses.
struct ReopenedStream {
  /// Opens the stream within a time limit; returns `nil` if a descriptor becomes readable before.
  typealias Opening =
    @Sendable (_ patience: Duration, _ interruption: FileDescriptor?) throws(FeedOutage)
    -> OpenFile?

  private let pace: ConnectionPace
  private let open: Opening
  /// Creates the dialogue with a gpsd; `nil` for streams without requests.
  private let makeDialogue: (@Sendable () -> GPSDDialogue)?

  private var schedule: ConnectionSchedule
  private var file: OpenFile?
  private var dialogue: GPSDDialogue?
  /// Chunks to return before anything else is read.
  private var pending: [FeedChunk] = []
  /// Whether bytes were returned since the last restart.
  private var hasReturnedBytes = false

  /// Creates a stream; the first read opens it.
  ///
  /// - Parameters:
  ///   - pace: The delays and time limits.
  ///   - dialogue: Creates the dialogue with a gpsd; `nil` for streams without requests.
  ///   - open: Opens the stream.
  init(
    pace: ConnectionPace, dialogue: (@Sendable () -> GPSDDialogue)? = nil, open: @escaping Opening
  ) {
    self.pace = pace
    self.open = open
    makeDialogue = dialogue
    schedule = ConnectionSchedule(pace, needsAnswer: dialogue != nil, now: .now)
  }

  /// Waits for bytes or an event. Never returns ``FeedChunk/end``.
  mutating func read(_ wait: DescriptorWait) throws(Errno) -> FeedChunk {
    while true {
      if !pending.isEmpty { return pending.removeFirst() }
      let (step, time) = schedule.next
      switch try wait.wait(for: file?.descriptor, atMost: ContinuousClock.now.duration(to: time)) {
      case .interrupted: return .interrupted
      case .ready: receive()
      case .timedOut:
        guard ContinuousClock.now >= time else { return .idle }
        if take(step, orUntil: wait.interruption) { return .interrupted }
      }
    }
  }

  /// Performs a step and returns whether it was interrupted.
  private mutating func take(
    _ step: ConnectionSchedule.Step, orUntil interruption: FileDescriptor?
  ) -> Bool {
    switch step {
    case .open:
      do throws(FeedOutage) {
        guard let file = try open(pace.patience, interruption) else { return true }
        self.file = file
        dialogue = makeDialogue?()
        schedule.didOpen(now: .now)
        if let request = dialogue?.request { try Socket.send(request, over: file) }
      } catch {
        fail(error)
      }
    case .giveUp: fail(.notGPSD)
    case .reportSilence: pending.append(.event(schedule.didFallSilent(now: .now)))
    case .wait: break
    }
    return false
  }

  private mutating func receive() {
    guard let file else { return }
    do throws(Errno) {
      let bytes = try file.read()
      if bytes.isEmpty { fail(.closed) } else { take(bytes) }
    } catch .wouldBlock {
      return
    } catch {
      fail(.broken(error))
    }
  }

  private mutating func take(_ bytes: [UInt8]) {
    let answer =
      dialogue?.hear(bytes) ?? GPSDDialogue.Answer(isAccepted: true, hasReport: true)
    if answer.isAccepted { report(schedule.didAnswer()) }
    if answer.hasReport { report(schedule.didReport(now: .now)) }
    if let outage = answer.outage { return fail(outage) }
    pending.append(.bytes(bytes))
    hasReturnedBytes = true
  }

  private mutating func fail(_ outage: FeedOutage) {
    file = nil
    dialogue = nil
    if hasReturnedBytes { pending.append(.restarted) }
    hasReturnedBytes = false
    report(schedule.didFail(outage, now: .now))
  }

  private mutating func report(_ event: FeedEvent?) {
    if let event { pending.append(.event(event)) }
  }
}
