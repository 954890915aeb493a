import CLibrary
import Dispatch
import SystemPackage

/// A request to stop a part of the work that another request stops.
///
/// The part is asked to stop with the whole, or by ``request()`` alone, after which it may begin
/// anew.
package final class PartInterruption {
  /// A descriptor that is closed when nobody writes to it any more.
  private final class WriteEnd: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { _ = close(descriptor.rawValue) }

    func wakeUp() {
      var byte: UInt8 = 0
      _ = write(descriptor.rawValue, &byte, 1)
    }
  }

  /// The request, which is valid as long as this object.
  package let interruption: Interruption

  private let writeEnd: WriteEnd
  private let source: any DispatchSourceRead

  /// Creates a request.
  ///
  /// - Parameter whole: The request to stop the whole.
  /// - Throws: An `Errno` if no more file descriptors are available.
  package init(of whole: Interruption) throws {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    interruption = Interruption(readEnd)
    let end = WriteEnd(writeEnd)
    self.writeEnd = end
    source = whole.calling { end.wakeUp() }
  }

  deinit {
    source.cancel()
    _ = close(interruption.descriptor.rawValue)
  }

  /// Asks the part to stop.
  package func request() { writeEnd.wakeUp() }
}
