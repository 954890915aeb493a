import SpotService
import Storage
import SystemPackage

extension Problem {
  /// Creates the problem of stored data that cannot be read or written: the machine's fault, if the
  /// system's error stands for one, and else damage of the data.
  ///
  /// - Parameters:
  ///   - error: The system's error; `nil` if it reported none.
  ///   - detail: A description without a path, which ends with a period.
  init(storing error: Errno?, _ detail: String) {
    switch error.flatMap({ MachineFault($0) }) {
    case .noRoom?: self.init(.noRoom, "\(detail) \(MachineFault.noRoom.sentence)")
    case let fault?: self.init(.diskUnavailable, "\(detail) \(fault.sentence)")
    case nil: self.init(.stateDamaged, detail)
    }
  }
}
