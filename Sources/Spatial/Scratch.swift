/// Calls a closure with room for a few numbers that is gone afterwards.
///
/// An array of its own would cost a query a tenth of its time. The one place in this module that
/// handles memory by itself: the room is filled before it is handed out, it holds numbers that need
/// no clean-up, and a span, which checks every access and cannot outlive the call, is all that is
/// seen of it.
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
