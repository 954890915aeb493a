package import ProcessControl

extension MessageLog {
  /// Standard error, by the options `--quiet` and `--verbose`.
  package static let terminal = MessageLog { level, text in
    switch level {
    case .problem: StandardError.writeLine("photospots: \(text)")
    case .note: StandardError.note(text)
    case .detail: StandardError.detail(text)
    }
  }
}
