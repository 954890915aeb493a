extension Service {
  /// Sets the session cookie for a browser that presents the key.
  func openSession(_ call: Call) throws(Problem) -> ServiceResponse {
    let text = try RequestBody.key(call.request.body)
    guard configuration.key.isKey(text), let key = SessionKey(text) else {
      throw Problem(.noKey, "The key is wrong. \(configuration.keyAdvice)")
    }
    var response = ServiceResponse.noContent
    response.fields.append(key.cookieField(isSecure: call.request.isSecure))
    return response
  }

  /// Deletes the session cookie.
  func endSession(_ call: Call) -> ServiceResponse {
    var response = ServiceResponse.noContent
    response.fields.append(SessionKey.endingField(isSecure: call.request.isSecure))
    return response
  }
}
