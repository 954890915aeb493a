import Encodings
import PhotoLibrary

extension FolderOptions {
  /// The options as they are given to `photospots index`.
  package var text: String {
    let parts =
      excludes.map { ("exclude", $0.escaped) } + includes.map { ("include", $0.escaped) }
      + tracks.map { ("tracks", String(decoding: $0.stored, as: UTF8.self).escaped) }
      + (trackOwner.map { [("owner", $0.escaped)] } ?? [])
      + cameraClocks.map { ("camera-clock", $0.escaped) }
    return parts.map { "--\($0.0) \($0.1.asShellArgument)" }.joined(separator: " ")
  }
}
