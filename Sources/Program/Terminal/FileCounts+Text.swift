import PhotoLibrary

extension FileCounts {
  /// The photos by outcome, with a number of what could not be read, which may include folders.
  func text(unreadable: Int) -> String {
    """
    \(Count.text(located)) located, \(Count.text(withoutPosition)) without position, \
    \(Count.text(malformed)) malformed, \(Count.text(unreadable)) unreadable
    """
  }
}
