/// Calls a closure with a temporary buffer of initialized elements.
///
/// Allocating an array instead would cost a query a tenth of its time. The elements are trivial and
/// initialized before use, and the closure sees only a span, which checks every access and cannot
/// outlive the call.
@inline(__always)
func withScratch<Element: BitwiseCopyable, Result>(
  repeating element: Element, count: Int, _ body: (inout MutableSpan<Element>) -> Result
) -> Result {
  withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { room in
    room.initialize(repeating: element)
    var span = room.mutableSpan
    return body(&span)
  }
}
