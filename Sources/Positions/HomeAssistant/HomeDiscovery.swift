import Encodings

/// Writes the discovery messages for devices and their entities, one message per device as
/// recommended (home-assistant.io/integrations/mqtt, "Device discovery payload").
///
/// The options of the entities are those on Home Assistant's pages about the MQTT sensor, event and
/// image.
struct HomeDiscovery {
  /// The program's description in the messages.
  struct Program: Hashable, Sendable {
    /// The version.
    var version: String
    /// The address of the page; `nil` where it cannot be reached by others.
    var page: String?
    /// Whether pictures are published.
    var hasPictures: Bool
  }

  let topics: HomeTopics
  let program: Program

  /// The discovery message of the installation: its event of all alerts and digests.
  var installation: HomeMessage {
    message(topic: topics.discovery) { writer in
      writeDevice(id: topics.nodeID, name: "PhotoSpots", model: "Watch", to: &writer)
      writer.object("components") { writer in
        component("alert", "event", of: topics.nodeID, name: "Alert", to: &writer) { writer in
          writer.member("state_topic", topics.events)
          writeTypes(["enter", "digest"], to: &writer)
          writer.member("icon", "mdi:camera-marker")
        }
      }
    }
  }

  /// Returns the discovery message of a device.
  func device(_ device: String?) -> HomeMessage {
    let id = topics.objectID(of: device)
    return message(topic: topics.discovery(of: device)) { writer in
      writeDevice(
        id: id, name: "PhotoSpots \(device ?? "device")", model: "Followed device",
        via: topics.nodeID, to: &writer)
      writer.object("components") { writer in
        writeSensors(of: device, id, to: &writer)
        component("alert", "event", of: id, name: "Alert", to: &writer) { writer in
          writer.member("state_topic", topics.topic("event", of: device))
          writeTypes(["enter"], to: &writer)
          writer.member("icon", "mdi:camera-marker")
        }
        if program.hasPictures {
          component("picture", "image", of: id, name: "Last alert", to: &writer) { writer in
            writer.member("image_topic", topics.topic("picture", of: device))
            writer.member("content_type", "image/jpeg")
          }
        }
      }
    }
  }

  private func writeSensors(of device: String?, _ id: String, to writer: inout JSONWriter) {
    let state = topics.topic("state", of: device)
    component("spots", "sensor", of: id, name: "Spots near", to: &writer) { writer in
      writer.member("state_topic", state)
      writer.member("value_template", "{{ value_json.spots }}")
      writer.member("state_class", "measurement")
      writer.member("icon", "mdi:map-marker-multiple")
    }
    component("nearest", "sensor", of: id, name: "Nearest spot", to: &writer) { writer in
      writer.member("state_topic", state)
      writer.member("value_template", "{{ value_json.nearest }}")
      writer.member("json_attributes_topic", state)
      writer.member("json_attributes_template", "{{ value_json.spot | tojson }}")
      writer.member("icon", "mdi:map-marker")
    }
    component("distance", "sensor", of: id, name: "Distance to nearest spot", to: &writer) {
      writer in
      writer.member("state_topic", state)
      writer.member("value_template", "{{ value_json.distance }}")
      writer.member("device_class", "distance")
      writer.member("unit_of_measurement", "m")
      writer.member("state_class", "measurement")
      writer.member("suggested_display_precision", 0)
    }
    let alert = topics.topic("alert", of: device)
    component("last_alert", "sensor", of: id, name: "Last alert", to: &writer) { writer in
      writer.member("state_topic", alert)
      writer.member("value_template", "{{ value_json.time }}")
      writer.member("device_class", "timestamp")
      writer.member("json_attributes_topic", alert)
    }
  }

  // MARK: - Parts

  private func message(
    topic: String, _ members: (inout JSONWriter) -> Void
  ) -> HomeMessage {
    var writer = JSONWriter()
    writer.object { writer in
      members(&writer)
      writer.object("origin") { writer in
        writer.member("name", "PhotoSpots")
        writer.member("sw_version", program.version)
      }
      writer.array("availability") { writer in
        writer.object { $0.member("topic", topics.availability) }
      }
      writer.member("qos", 1)
    }
    return HomeMessage(topic: topic, payload: writer.takeBytes())
  }

  private func writeDevice(
    id: String, name: String, model: String, via parent: String? = nil,
    to writer: inout JSONWriter
  ) {
    writer.object("device") { writer in
      writer.array("identifiers") { $0.string(id) }
      writer.member("name", name)
      writer.member("manufacturer", "PhotoSpots")
      writer.member("model", model)
      writer.member("sw_version", program.version)
      writer.member("via_device", parent)
      writer.member("configuration_url", program.page)
    }
  }

  private func component(
    _ key: String, _ platform: String, of id: String, name: String,
    to writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
  ) {
    writer.object(key) { writer in
      writer.member("platform", platform)
      writer.member("unique_id", "\(id)__\(key)")
      writer.member("name", name)
      members(&writer)
    }
  }

  private func writeTypes(_ types: [String], to writer: inout JSONWriter) {
    writer.array("event_types") { writer in
      for type in types { writer.string(type) }
    }
  }
}
