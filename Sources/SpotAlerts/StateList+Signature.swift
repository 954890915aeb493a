import Interchange
import Storage

extension StateList {
  /// How the file begins.
  var signature: FileSignature { FileSignature(format: format) }
}
