import ProcessControl
import ProgramSettings
import SpotAlerts
import SpotService
import Storage
import SystemPackage

/// Answers the API about phones from the file of phones; errors of the file become problems.
struct AnsweredPhones: Phones {
  let phones: ServedPhones
  let address: PhoneAddress

  func all() throws(Problem) -> [Phone] {
    phones.readAgain()
    return phones.all
  }

  func phone(showing token: String) -> Phone? {
    phones.readAgain()
    return phones.list.phone(showing: Array(token.utf8))
  }

  func check(_ name: String) throws(Problem) {
    phones.readAgain()
    do throws(PhoneListError) { try phones.list.check(name: name) } catch {
      throw Self.problem(error)
    }
  }

  func add(_ name: String) throws(Problem) -> (phone: Phone, token: String) {
    let token = SessionKey.phoneToken()
    let phone = try update { phones throws(PhoneListError) in
      try phones.add(name, token: token, now: SystemClock().now())
    }
    return (phone, token)
  }

  func rename(_ id: String, to name: String) throws(Problem) -> Bool {
    try update { phones throws(PhoneListError) in try phones.rename(id, to: name) }
  }

  func remove(_ id: String) throws(Problem) -> Bool {
    try update { phones throws(PhoneListError) in phones.remove(id) }
  }

  func page(askedBy request: ServiceRequest) -> PhonePage { address.page(askedBy: request) }

  private func update<Value>(
    _ change: (inout PhoneList) throws(PhoneListError) -> Value
  ) throws(Problem) -> Value {
    do throws(PhoneFile.Failure) { return try phones.update(change) } catch {
      switch error {
      case .phone(let error): throw Self.problem(error)
      case .unreadable:
        throw Problem(
          .stateDamaged, "The phones cannot be read; 'photospots status' has the reason.")
      case .cannotWrite(_, let cause):
        throw Problem(storing: cause, "The phones cannot be stored: \(cause).")
      case .inUse:
        throw Problem(.busy, "Another program is changing the phones; try again.")
      }
    }
  }

  private static func problem(_ error: PhoneListError) -> Problem {
    let detail = "\(error)".prefix(1).uppercased() + "\(error)".dropFirst() + "."
    return switch error {
    case .badName: Problem(.badParameter, detail, parameter: "name")
    case .nameTaken: Problem(.nameTaken, detail, parameter: "name")
    case .full: Problem(.tooManyPhones, detail)
    }
  }
}
