import Encodings

extension Service {
  /// The phones, or the problem where there are none.
  var servedPhones: any Phones {
    get throws(Problem) {
      guard let phones = configuration.phones else {
        throw Problem(
          .notServed, "A store has no phones; 'photospots store account feed' makes tokens.")
      }
      return phones
    }
  }

  /// Answers with the phones, in the order in which they were added.
  func phones(_ call: Call) throws(Problem) -> ServiceResponse {
    try list(call, try servedPhones.all()) { phone, writer in phone.write(to: &writer) }
  }

  /// Adds a phone, and answers with the token of its reports, which is not shown again.
  func addPhone(_ call: Call) throws(Problem) -> ServiceResponse {
    let (phone, token) = try servedPhones.add(try RequestBody.phoneName(call.request.body))
    var response = ServiceResponse(status: 201) { phone.write(withToken: token, to: &$0) }
    response.fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    return response
  }

  /// Renames a phone.
  func renamePhone(_ call: Call) throws(Problem) -> ServiceResponse {
    let name = try RequestBody.phoneName(call.request.body)
    guard try servedPhones.rename(call.variable, to: name) else { throw Self.noSuchPhone }
    return .noContent
  }

  /// Removes a phone: its token is invalid from then on, and its session ends.
  func removePhone(_ call: Call) throws(Problem) -> ServiceResponse {
    guard try servedPhones.remove(call.variable) else { throw Self.noSuchPhone }
    return .noContent
  }

  private static let noSuchPhone = Problem(
    .noSuchPhone, "There is no phone with this id; it may have been removed.")
}
