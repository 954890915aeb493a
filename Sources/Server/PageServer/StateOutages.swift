import ProcessControl
import SpotService
import Storage
import Synchronization
import SystemPackage

/// The parts of the state that cannot be read at the moment, with the last error of each.
///
/// A page goes on with the last contents, which callers keep, while a disk is away. Each outage and
/// its end are logged once.
final class StateOutages: Sendable {
  /// A part of the state.
  enum Part: String, CaseIterable {
    case history, mutes, places, recreations

    /// A noun for messages.
    var title: String {
      switch self {
      case .history: "history"
      case .mutes: "list of muted spots"
      case .places: "file of places"
      case .recreations: "list of pictures taken again"
      }
    }
  }

  /// The name of the settings, whose file is read by ``SettingsInForce``.
  static let settings = "settings"
  /// The name for phones that cannot be let in, which ``ServeConfiguration/letsNobodyIn`` says.
  static let lan = "lan"

  private let log: MessageLog
  private let reasons = Mutex<[Part: String]>([:])

  init(log: MessageLog) { self.log = log }

  /// The parts that cannot be read.
  var parts: [Part] {
    let reasons = reasons.withLock { $0 }
    return Part.allCases.filter { reasons[$0] != nil }
  }

  /// Records that a part was read.
  func end(_ part: Part) {
    let wasOut = reasons.withLock { $0.removeValue(forKey: part) != nil }
    if wasOut { log.note("the \(part.title) can be read again") }
  }

  /// Records that a part cannot be read, and returns what was read of it last.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - reason: The error, which is logged.
  ///   - storageError: The system's error behind it, if there is one.
  ///   - last: What was read last; `nil` for nothing.
  /// - Returns: `last`.
  /// - Throws: A problem if there is nothing to go on with.
  func goOn<Value>(
    _ part: Part, after reason: any Error, _ storageError: Errno?, with last: Value?
  ) throws(Problem) -> Value {
    let text = "\(reason)"
    let isNew = reasons.withLock { reasons in
      defer { reasons[part] = text }
      return reasons[part] != text
    }
    if isNew {
      log.problem(last == nil ? text : "\(text) The \(part.title) that was read last stays in use.")
    }
    guard let last else {
      throw Problem(
        storing: storageError,
        "The \(part.title) cannot be read; the log of photospots has the reason.")
    }
    return last
  }
}
