extension Service {
  /// Sets the session cookie for a browser that presents the key.
  func openSession(_ call: Call) throws(Problem) -> ServiceResponse {
    let key = try RequestBody.key(call.request.body)
    guard configuration.key.isKey(key) else {
      throw Problem(.noKey, "The key is wrong; 'photospots serve' prints the right one.")
    }
    var response = ServiceResponse.noContent
    response.fields.append(configuration.key.cookieField(isSecure: call.request.isSecure))
    return response
  }

  /// Deletes the session cookie.
  func endSession(_ call: Call) -> ServiceResponse {
    var response = ServiceResponse.noContent
    response.fields.append(SessionKey.endingField(isSecure: call.request.isSecure))
    return response
  }
}
