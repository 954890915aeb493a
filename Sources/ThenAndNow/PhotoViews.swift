/// Groups photos into views: photos that lie on each other show one view, and so do those that lie
/// on one of them.
package enum PhotoViews {
  /// Returns the views of some photos.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - locks: The places of photos that lie on each other, in any order, each any number of
  ///     times.
  /// - Returns: For each photo the number of its view, from 1 in the order of the views' first
  ///   photos; `nil` for a photo that lies on no other.
  /// - Precondition: The places are in `0..<count`.
  package static func views(
    count: Int, locks: some Sequence<(Int, Int)>
  ) -> [Int?] {
    // Each photo leads to one before it of its view, the first to itself.
    var parents = Array(0..<count)
    func first(_ photo: Int) -> Int {
      var photo = photo
      while parents[photo] != photo {
        parents[photo] = parents[parents[photo]]
        photo = parents[photo]
      }
      return photo
    }
    var isLocked = [Bool](repeating: false, count: count)
    for (one, other) in locks where one != other {
      (isLocked[one], isLocked[other]) = (true, true)
      let (left, right) = (first(one), first(other))
      parents[max(left, right)] = min(left, right)
    }
    var numbers: [Int: Int] = [:]
    return (0..<count).map { photo in
      guard isLocked[photo] else { return nil }
      let view = first(photo)
      if numbers[view] == nil { numbers[view] = numbers.count + 1 }
      return numbers[view]
    }
  }
}
