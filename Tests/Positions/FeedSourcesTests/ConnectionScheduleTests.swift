import Testing

@testable import FeedSources
@testable import LocationFeeds

@Suite struct ConnectionScheduleTests {
  private let start = ContinuousClock.now

  private func schedule(needsAnswer: Bool = false) -> ConnectionSchedule {
    ConnectionSchedule(ConnectionPace(), needsAnswer: needsAnswer, now: start)
  }

  private func next(_ schedule: ConnectionSchedule) -> String {
    "\(schedule.next.step) \(start.duration(to: schedule.next.time).components.seconds)"
  }

  @Test func `reconnection delays double from 1 s to 30 s and reset after an answer`() {
    var schedule = schedule()
    var now = start
    var pauses: [Int64] = []
    for _ in 0..<8 {
      _ = schedule.didFail(.noConnection, now: now)
      #expect(schedule.next.step == .open)
      pauses.append(now.duration(to: schedule.next.time).components.seconds)
      now = schedule.next.time
      // A connection without data is not a success.
      schedule.didOpen(now: now)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30])
    _ = schedule.didAnswer()
    _ = schedule.didFail(.closed, now: now)
    #expect(now.duration(to: schedule.next.time) == .seconds(1))
  }

  @Test func `an outage is reported once, again when its cause changes, and when it ends`() {
    var schedule = schedule()
    #expect(schedule.didFail(.noConnection, now: start) == .lost(.noConnection))
    #expect(schedule.didFail(.noConnection, now: start) == nil)
    #expect(schedule.didFail(.closed, now: start) == .lost(.closed))
    schedule.didOpen(now: start)
    #expect(schedule.didAnswer() == .regained)
    #expect(schedule.didAnswer() == nil)
    #expect(schedule.didFail(.closed, now: start) == .lost(.closed))
  }

  @Test func `a first connection without an outage is not reported`() {
    var schedule = schedule()
    schedule.didOpen(now: start)
    #expect(schedule.didAnswer() == nil)
  }

  @Test func `a connection without the expected answer is closed after 10 s`() {
    var schedule = schedule(needsAnswer: true)
    #expect(next(schedule) == "open 0")
    schedule.didOpen(now: start + .seconds(1))
    #expect(next(schedule) == "giveUp 11")
    _ = schedule.didAnswer()
    #expect(next(schedule) == "reportSilence 31")
  }

  @Test func `silence is reported once, and its length when it ends`() {
    var schedule = schedule()
    schedule.didOpen(now: start)
    #expect(next(schedule) == "reportSilence 30")
    #expect(schedule.didFallSilent(now: start + .seconds(30)) == .silent(.seconds(30)))
    #expect(schedule.next.step == .wait)
    #expect(
      schedule.didReport(now: start + .seconds(75)) == .heardAgain(after: .seconds(75)))
    #expect(next(schedule) == "reportSilence 105")
    #expect(schedule.didReport(now: start + .seconds(76)) == nil)
  }

  @Test func `a new connection restarts the silence timeout`() {
    var schedule = schedule()
    schedule.didOpen(now: start)
    _ = schedule.didFallSilent(now: start + .seconds(30))
    _ = schedule.didFail(.closed, now: start + .seconds(40))
    schedule.didOpen(now: start + .seconds(41))
    #expect(next(schedule) == "reportSilence 71")
    #expect(schedule.didReport(now: start + .seconds(42)) == nil)
  }
}

@Suite struct GPSDDialogueTests {
  private let version = #"{"class":"VERSION","release":"3.22","proto_major":3}"# + "\r\n"
  private let accepted = #"{"class":"WATCH","enable":true,"json":true,"nmea":false}"# + "\r\n"

  private func answer(to text: String) -> GPSDDialogue.Answer {
    var dialogue = GPSDDialogue(device: nil)
    return dialogue.hear(Array(text.utf8))
  }

  @Test func `requests the reports of all receivers, or of one`() {
    #expect(
      GPSDDialogue(device: nil).request == Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8))
    #expect(
      String(decoding: GPSDDialogue(device: "/dev/a\"").request, as: UTF8.self)
        == #"?WATCH={"enable":true,"json":true,"device":"/dev/a\""};"# + "\n")
  }

  @Test func `gpsd's acceptance is recognised once, wherever the text is split`() {
    var dialogue = GPSDDialogue(device: nil)
    var accepting: [Int] = []
    let text = Array((version + #"{"class":"DEVICES","devices":[]}"# + "\r\n" + accepted).utf8)
    for (index, byte) in text.enumerated() where dialogue.hear([byte]).isAccepted {
      accepting.append(index)
    }
    #expect(accepting == [text.count - 2])
    #expect(dialogue.hear(Array(accepted.utf8)) == GPSDDialogue.Answer())
  }

  @Test func `only TPV objects count as position reports`() {
    var dialogue = GPSDDialogue(device: nil)
    #expect(dialogue.hear(Array((version + accepted).utf8)).hasReport == false)
    #expect(dialogue.hear(Array("{\"class\":\"SKY\"}\n{\"class\":\"TP".utf8)).hasReport == false)
    #expect(dialogue.hear(Array("V\",\"mode\":1}\n".utf8)).hasReport)
  }

  @Test func `recognises gpsd's refusals`() {
    #expect(answer(to: version).outage == nil)
    for refusal in [
      #"{"class":"ERROR","message":"No such device as /dev/a"}"#,
      #"{"class":"WATCH","enable":false,"json":false}"#,
      #"{"class":"WATCH","enable":true,"json":false}"#,
    ] {
      #expect(answer(to: version + refusal + "\n").outage == .refusedByGPSD)
    }
  }

  @Test(arguments: ["$GPRMC,1*00\r\n", "HTTP/1.1 400 Bad Request\r\n", "{\"class\":3}\n", "[]\n"])
  func `a server that speaks another protocol is reported as not gpsd`(text: String) {
    #expect(answer(to: text).outage == .notGPSD)
  }
}
