import TestSupport

/// The schema of device discovery payloads according to the documentation of Home Assistant's MQTT
/// integration, release 2025.8: home-assistant.io/integrations/mqtt ("Device discovery payload",
/// "Discovery payload"), sensor.mqtt, event.mqtt and image.mqtt, tables of options.
///
/// Home Assistant ignores unknown options. Here they are errors, since they may be misspelled.
enum DiscoverySchema {
  /// The type of an option.
  private enum Kind {
    case text, topic, template, integer, texts, map
    case oneOf([String])
    case availability
  }

  private static let root: [String: Kind] = [
    "device": .map, "origin": .map, "components": .map, "availability": .availability,
    "availability_mode": .oneOf(["all", "any", "latest"]), "state_topic": .topic,
    "command_topic": .topic, "qos": .integer, "encoding": .text,
  ]
  private static let device: [String: Kind] = [
    "identifiers": .texts, "name": .text, "manufacturer": .text, "model": .text,
    "model_id": .text, "hw_version": .text, "sw_version": .text, "serial_number": .text,
    "suggested_area": .text, "via_device": .text, "configuration_url": .text,
  ]
  private static let origin: [String: Kind] = [
    "name": .text, "sw_version": .text, "support_url": .text,
  ]
  private static let entity: [String: Kind] = [
    "platform": .oneOf(["sensor", "event", "image"]), "unique_id": .text, "name": .text,
    "icon": .text, "entity_category": .oneOf(["diagnostic"]), "json_attributes_topic": .topic,
    "json_attributes_template": .template, "qos": .integer, "encoding": .text,
  ]
  private static let platforms: [String: [String: Kind]] = [
    "sensor": [
      "state_topic": .topic, "value_template": .template,
      "device_class": .oneOf(["distance", "timestamp"]), "unit_of_measurement": .text,
      "state_class": .oneOf(["measurement", "total", "total_increasing"]),
      "suggested_display_precision": .integer, "expire_after": .integer,
    ],
    "event": [
      "state_topic": .topic, "value_template": .template, "event_types": .texts,
      "device_class": .oneOf(["button", "doorbell", "motion"]),
    ],
    "image": [
      "image_topic": .topic, "url_topic": .topic, "url_template": .template,
      "content_type": .text, "image_encoding": .oneOf(["b64"]),
    ],
  ]
  private static let required: [String: [String]] = [
    "sensor": ["state_topic"], "event": ["state_topic", "event_types"], "image": [],
  ]

  /// Returns the faults of a discovery message as texts; empty if it conforms to the documentation.
  static func faults(topic: String, _ message: JSONValue) -> [String] {
    var faults = Self.faults(of: message, root, "the payload")
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    if levels.count != 4 || levels[1] != "device" || levels[3] != "config"
      || !levels[2].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    {
      faults.append("\(topic) is no discovery topic of a device")
    }
    // "The shared options at the root level of the JSON message must include".
    for name in ["device", "origin", "components"] where message[name] == nil {
      faults.append("\(name) is missing")
    }
    if let block = message["device"] {
      faults += Self.faults(of: block, device, "device")
      if block["identifiers"]?.elements.isEmpty != false { faults.append("no identifiers") }
    }
    if let block = message["origin"] {
      faults += Self.faults(of: block, origin, "origin")
      if block["name"] == nil { faults.append("origin without a name") }
    }
    for (key, component) in message["components"]?.members ?? [:] {
      faults += Self.faults(ofComponent: component).map { "\(key): \($0)" }
    }
    return faults
  }

  private static func faults(ofComponent component: JSONValue) -> [String] {
    guard let platform = component["platform"]?.text, let options = platforms[platform] else {
      return ["no platform that is known"]
    }
    var faults = Self.faults(
      of: component, entity.merging(options) { first, _ in first }, platform)
    for name in ["unique_id"] + (required[platform] ?? []) where component[name] == nil {
      faults.append("\(name) is missing")
    }
    if platform == "image", (component["image_topic"] == nil) == (component["url_topic"] == nil) {
      faults.append("an image has either image_topic or url_topic")
    }
    if component["content_type"] != nil, component["url_topic"] != nil {
      faults.append("content_type does not go with url_topic")
    }
    if component["json_attributes_template"] != nil, component["json_attributes_topic"] == nil {
      faults.append("a template of attributes without their topic")
    }
    if component["device_class"]?.text == "timestamp",
      component["unit_of_measurement"] != nil || component["state_class"] != nil
    {
      faults.append("a timestamp has neither unit nor state class")
    }
    if component["device_class"]?.text == "distance", component["unit_of_measurement"] == nil {
      faults.append("a distance without a unit")
    }
    if let icon = component["icon"]?.text, !icon.hasPrefix("mdi:") { faults.append("icon \(icon)") }
    return faults
  }

  private static func faults(
    of tree: JSONValue, _ options: [String: Kind], _ place: String
  ) -> [String] {
    guard case .object(let members) = tree else { return ["\(place) is no object"] }
    return members.compactMap { name, value in
      guard let kind = options[name] else { return "\(place) has no option \(name)" }
      return isRight(value, kind) ? nil : "\(place): \(name) is \(value)"
    }
  }

  private static func isRight(_ value: JSONValue, _ kind: Kind) -> Bool {
    switch (kind, value) {
    case (.text, .string(let text)): !text.isEmpty
    case (.topic, .string(let text)): isTopic(text)
    case (.template, .string(let text)): text.hasPrefix("{{ value_json") && text.hasSuffix(" }}")
    case (.integer, .number(let number)): number >= 0 && number == number.rounded()
    case (.texts, .array(let elements)):
      !elements.isEmpty && elements.allSatisfy { $0.text?.isEmpty == false }
    case (.map, .object(let members)): !members.isEmpty
    case (.oneOf(let texts), .string(let text)): texts.contains(text)
    case (.availability, .array(let elements)):
      !elements.isEmpty
        && elements.allSatisfy { element in
          Set(element.members.keys).isSubset(of: [
            "topic", "payload_available", "payload_not_available", "value_template",
          ]) && (element["topic"]?.text).map(isTopic) == true
        }
    default: false
    }
  }

  /// Returns whether messages can be published to a topic (MQTT 3.1.1, section 4.7).
  static func isTopic(_ text: String) -> Bool {
    (1...65_535).contains(text.utf8.count)
      && !text.unicodeScalars.contains { "#+\0".unicodeScalars.contains($0) }
  }
}
