import KeptPlaces

extension Service {
  /// Returns the reply to an admitted request if its preconditions on entity tags hold (RFC 9110,
  /// section 13): If-Match and If-None-Match.
  func conditionalAnswer(_ route: ServiceRoute, _ call: Call) throws(Problem) -> ServiceReply {
    if route.method == "GET" { return try shown(route, call) }
    let conditions = Conditions(of: call.request)
    guard conditions.isGiven else { return try answer(route, call) }
    // These take effect while they are answered, and are no representations.
    if route.takesEffectAtOnce { try conditions.check(tag: nil, exists: false) }
    switch try answer(route, call) {
    case .work(.places(var work)) where route.isOfPlace:
      let place = try keptPlace(call)
      try conditions.check(tag: try tag(of: place), exists: true)
      work.expected = place
      return .work(.places(work))
    case .work(.changeSettings(let patch, _)):
      let tag = try settingsTag()
      try conditions.check(tag: tag, exists: true)
      return .work(.changeSettings(patch, expected: tag))
    case let reply:
      let isShown = ServiceRoute.all.contains { $0.method == "GET" && $0.path == route.path }
      try conditions.check(tag: nil, exists: isShown)
      return reply
    }
  }

  /// Returns the reply to a request for a representation.
  private func shown(_ route: ServiceRoute, _ call: Call) throws(Problem) -> ServiceReply {
    let conditions = Conditions(of: call.request)
    let weakTag = try entityTag(route, call.request, call.now)
    // With a known tag, an unchanged answer need not be made.
    if conditions.match == nil, let weakTag, conditions.noneMatch?.weakMatch(of: weakTag) != nil {
      return .response(Self.unchanged(weakTag))
    }
    // The pages of the list have the tag of the whole. It is made before the answer: settings that
    // change between the two are sent again, where a newer tag would keep the older answer.
    let settingsTag = route.name == .settings ? try settingsTag() : nil
    switch try answer(route, call) {
    case .response(var response):
      let tag: String? =
        route.name == .place ? Self.strongTag(of: response.body) : settingsTag ?? weakTag
      try conditions.checkMatch(tag: tag, exists: true)
      guard let tag else { return .response(response) }
      if let known = conditions.noneMatch?.weakMatch(of: tag) {
        // The client keeps the form of the answer that has this tag.
        return .response(Self.unchanged(tag.hasPrefix("W/") || known.hasPrefix("W/") ? tag : known))
      }
      response.fields.append(("ETag", tag))
      return .response(response)
    case .work(.share(var work)):
      try conditions.checkMatch(tag: weakTag, exists: true)
      if let weakTag { work.entityTag = weakTag }
      return .work(.share(work))
    case .work(let work): return .work(work)
    }
  }

  /// Creates the response to a client whose copy is current.
  private static func unchanged(_ tag: String) -> ServiceResponse {
    ServiceResponse(status: 304, fields: [("ETag", tag), ("Cache-Control", "private, no-cache")])
  }
}

/// The preconditions of a request on entity tags.
private struct Conditions {
  let match: EntityTags?
  let noneMatch: EntityTags?

  init(of request: ServiceRequest) {
    match = request.entityTags("If-Match")
    noneMatch = request.entityTags("If-None-Match")
  }

  var isGiven: Bool { match != nil || noneMatch != nil }

  /// Checks the preconditions of a change.
  ///
  /// - Parameters:
  ///   - tag: The current strong tag of what is changed; `nil` where it has none.
  ///   - exists: Whether it has a representation, which `*` means.
  /// - Throws: A problem where one does not hold.
  func check(tag: String?, exists: Bool) throws(Problem) {
    try checkMatch(tag: tag, exists: exists)
    switch noneMatch {
    case nil: return
    case .any?: if exists { throw .precondition }
    case .listed?:
      if let tag, noneMatch?.weakMatch(of: tag) != nil { throw .precondition }
    }
  }

  /// Checks If-Match alone.
  func checkMatch(tag: String?, exists: Bool) throws(Problem) {
    let holds =
      switch match {
      case nil: true
      case .any?: exists
      case .listed?: tag.map { match?.contains(strongly: $0) == true } ?? false
      }
    guard holds else { throw .precondition }
  }
}

extension ServiceRoute {
  /// Whether the route changes a place, or a part of one.
  fileprivate var isOfPlace: Bool {
    switch name {
    case .changePlace, .removePlace, .addNote, .changeNote, .removeNote: true
    default: false
    }
  }

  /// Whether answering the route changes something, instead of returning work to be done.
  fileprivate var takesEffectAtOnce: Bool {
    switch name {
    case .openSession, .endSession, .endOtherSession, .makeCode: true
    default: false
    }
  }
}

extension Problem {
  /// The problem of a change whose precondition does not hold.
  static var precondition: Problem {
    Problem(
      .changed,
      "If-Match or If-None-Match does not hold: read it again, and repeat the change if it still applies."
    )
  }
}
