/// Groups photos into views: the connected components of the relation "shows the same view".
package enum PhotoViews {
  /// Assigns photos to views.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - locks: Pairs of photos that show the same view, in any order; pairs may be repeated.
  /// - Returns: For each photo the number of its view, from 1, in the order of the views' first
  ///   photos; `nil` for a photo without a partner.
  /// - Precondition: The indices of photos are in `0..<count`.
  package static func views(
    count: Int, locks: some Sequence<(Int, Int)>
  ) -> [Int?] {
    // A union-find forest: a photo's parent is an earlier photo of its view, or the photo itself if
    // it is the first.
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
