/// The shots that have several files; every other file is a shot of its own.
struct ShotTable: Hashable, Sendable {
  /// The places of the files of all shots, one shot after another.
  private(set) var files: [Int32] = []
  /// Where each shot ends in `files`.
  private var ends: [Int32] = []

  /// How many shots there are.
  var count: Int { ends.count }

  /// The files of a shot, of which the first stands for it.
  subscript(shot: Int32) -> ArraySlice<Int32> {
    files[(shot == 0 ? 0 : Int(ends[Int(shot) - 1]))..<Int(ends[Int(shot)])]
  }

  /// Appends a shot.
  mutating func append(_ shot: some Collection<Int32>) {
    files.append(contentsOf: shot)
    ends.append(Int32(files.count))
  }

  static func == (left: Self, right: Self) -> Bool {
    left.files == right.files && left.ends == right.ends
  }
}
