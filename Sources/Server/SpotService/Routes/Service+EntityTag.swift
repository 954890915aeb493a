import CivilTime
import Encodings
import SpotAlerts
import SpotWatcher

extension Service {
  /// Returns the weak entity tag of a route's current answer (RFC 9110, section 8.8.3), which is
  /// known before the answer is made; `nil` where the answer may differ each time, or has a strong
  /// tag.
  func entityTag(
    _ route: ServiceRoute, _ request: ServiceRequest, _ now: Instant
  ) throws(Problem) -> String? {
    var parts: [String] = [configuration.version]
    let generations = sources.generations()
    switch route.name {
    case .status, .clusters, .spots, .spot, .photo, .mutes, .spotsGeoJSON, .memories:
      parts.append(try sources.library().generation)
      parts += [generations.mutes, generations.settings, try mutesInForce(now)]
      if [.spots, .spot, .memories].contains(route.name) { parts.append(generations.recreations) }
      if route.name == .memories { parts.append("\(now.millisecondsSince1970 / 86_400_000)") }
      if route.name != .status, route.name != .photo { parts.append(generations.places) }
      if route.name == .status { parts += generations.outages }
    case .albums: parts.append(try sources.library().generation)
    case .search: parts += [try sources.library().generation, generations.places]
    case .places, .collections:
      // Removed places disappear with time.
      guard !request.target.contains("removed") else { return nil }
      parts += [try sources.library().generation, generations.places]
    case .share:
      parts += [try sources.library().generation, generations.settings, generations.recreations]
    case .towns, .description: break
    case .alerts:
      parts += [try sources.library().generation, generations.mutes, generations.settings]
      parts += [try mutesInForce(now), generations.history]
      parts += [generations.recreations, generations.places]
    case .recreations, .recreation: parts.append(generations.recreations)
    default: return nil
    }
    parts.append(request.target)
    var hash = FNV1a()
    for part in parts {
      hash.combine(part.utf8)
      hash.combine(0)
    }
    return "W/\"\(Base32.text(hash.mixed))\""
  }

  /// Returns the strong entity tag of an answer's body: it changes with any of its bytes.
  static func strongTag(of body: [UInt8]) -> String {
    "\"\(Hexadecimal.text(SHA256.hash(body).prefix(16)))\""
  }

  /// Returns the number of mutes in force. A mute that ends changes answers without changing the
  /// list.
  private func mutesInForce(_ now: Instant) throws(Problem) -> String {
    "\(try sources.mutes().count { $0.isInForce(at: now) })"
  }
}
