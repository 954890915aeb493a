import Interchange

extension Service {
  /// The settings that may be seen: `name value origin problem summary`.
  func settings(_ call: Call) throws(Problem) -> ServiceResponse {
    let shown = try sources.settings().filter { $0.access == .changeable }
    return try list(call, shown) { setting, writer in
      writer.object { writer in
        writer.member("name", setting.name)
        writer.member("value", setting.value)
        writer.member("origin", setting.origin)
        writer.member("problem", setting.problem)
        writer.member("summary", setting.summary)
      }
    }
  }

  /// Settings that are to be changed; their values are checked by the outside, which knows them.
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
    }
    return .changeSettings(patch)
  }
}
