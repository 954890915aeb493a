import Encodings
import Storage

extension StateList {
  /// The signature of the file.
  var signature: FileSignature { FileSignature(format: format) }
}
