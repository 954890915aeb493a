extension JSONWriter {
  /// Returns a state file: a JSON object in a line, which begins with the members `format` and
  /// `version`. ``JSONObject/states(format:version:)`` recognises it.
  ///
  /// - Parameters:
  ///   - format: The name of the file's format.
  ///   - version: The version of the format.
  ///   - members: Writes the other members.
  /// - Returns: The content of the file.
  package static func stateDocument(
    format: String, version: Int64, _ members: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", format)
      writer.member("version", version)
      members(&writer)
    }
    writer.newline()
    return writer.takeBytes()
  }
}
