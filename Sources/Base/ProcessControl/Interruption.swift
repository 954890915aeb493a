import CLibrary
package import Dispatch
package import SystemPackage

/// A request to stop, which long work looks at between two of its parts.
///
/// The request is a descriptor that becomes readable and stays so. Blocking system calls can wait
/// for it beside other descriptors.
package struct Interruption: Sendable {
  /// The descriptor that becomes readable.
  package let descriptor: FileDescriptor

  /// Creates the request that a descriptor stands for.
  package init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Whether the work was asked to stop.
  package var isRequested: Bool { isRequested(within: .zero) }

  /// Waits for the request.
  ///
  /// - Parameter time: The longest time to wait.
  /// - Returns: Whether the work was asked to stop.
  package func isRequested(within time: Duration) -> Bool {
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    var wait = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, CInt(clamping: milliseconds)) > 0
  }

  /// Calls a closure once on the request, on a thread of its own, unless the source is cancelled
  /// before.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The source.
  package func calling(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.rawValue)
    source.setEventHandler {
      body()
      // The descriptor stays readable.
      source.cancel()
    }
    source.activate()
    return source
  }
}
