import Encodings

extension Service {
  /// Answers with the visible settings: `name value origin problem summary`.
  func settings(_ call: Call) throws(Problem) -> ServiceResponse {
    try list(call, try shownSettings()) { $0.write(to: &$1) }
  }

  private func shownSettings() throws(Problem) -> [ServedSetting] {
    try sources.settings().filter { $0.access == .changeable }
  }

  /// Creates the response to changed settings, the same as that of `settings`.
  ///
  /// - Throws: A problem where the settings cannot be read.
  public func changedSettings() throws(Problem) -> ServiceResponse {
    var response = try allSettings()
    response.fields.append(("ETag", Self.strongTag(of: response.body)))
    return response
  }

  /// Returns the strong entity tag of the settings.
  func settingsTag() throws(Problem) -> String { Self.strongTag(of: try allSettings().body) }

  /// Checks that the settings still have the tag that a change was made for.
  ///
  /// - Parameter expected: The tag; `nil` for any.
  /// - Throws: A problem where they have another.
  public func checkSettings(_ expected: String?) throws(Problem) {
    guard let expected else { return }
    guard try settingsTag() == expected else { throw .precondition }
  }

  private func allSettings() throws(Problem) -> ServiceResponse {
    let shown = try shownSettings()
    return ServiceResponse { writer in
      writer.object { writer in
        writer.array("items") { writer in
          for setting in shown { setting.write(to: &writer) }
        }
        writer.member("total", shown.count)
        writer.key("next")
        writer.null()
      }
    }
  }

  /// Returns the work for changing settings. The values are validated outside of the service.
  func changeSettings(_ call: Call) throws(Problem) -> ServiceWork {
    let patch = try SettingsPatch(call.request.body)
    let known = try sources.settings()
    for name in patch.names {
      guard let setting = known.first(where: { $0.name == name }) else {
        throw Problem(.badSetting, "There is no setting '\(name)'.", parameter: name)
      }
      guard setting.access == .changeable else {
        throw Problem(
          .badSetting, "'\(name)' can be set in the settings file only.", parameter: name)
      }
      if name == "lan", !configuration.features.contains("lan") {
        throw Problem(
          .badSetting, "An option that the server was started with decides about 'lan'.",
          parameter: name)
      }
    }
    return .changeSettings(patch, expected: nil)
  }
}

extension ServedSetting {
  /// Writes the setting with the known members of `name value origin problem summary`.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("value", value)
      writer.member("origin", origin)
      writer.member("problem", problem)
      writer.member("summary", summary)
    }
  }
}
