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

extension JSONError {
  /// Creates the error of a state file that a newer version of the program wrote.
  ///
  /// Such a file is whole: no message about it may advise to repair or delete it.
  package static func newer(version: Int64, supported: Int64) -> JSONError {
    var error = JSONError(
      offset: 0,
      reason: """
        its format has version \(version), and this photospots reads version \(supported). Use the \
        newer photospots that wrote it.
        """)
    error.isOfNewerVersion = true
    return error
  }
}
