import Benchmark
import BenchmarkInputs
import CivilTime
import KeptPlaces
import PhotoLibrary
import Spatial
import SystemPackage

/// Registers the benchmarks of reading the places file and of writing it to the disk. Half of its
/// places have a note and a collection, and a quarter a photo.
func registerPlaces(_ size: BenchmarkSizes.Size) {
  let now = Instant(secondsSince1970: 1_795_176_000)
  var folder: TemporaryFolder?
  Benchmark(
    "Places: load, \(size.name)",
    closure: { (_, path: FilePath) throws in blackHole(try PlaceStore.document(at: path)) },
    setup: {
      let made = try TemporaryFolder()
      folder = made
      return try placeFile(in: made.path, count: size.count, now: now)
    },
    teardown: { folder?.remove(andFiles: ["places.json", "places.json.lock"]) })

  var ownFolder: TemporaryFolder?
  Benchmark(
    "Places: load, ready for the index, \(size.name)",
    closure: { (_, path: FilePath) throws in
      blackHole(try PlaceStore.document(at: path).ownPlaces)
    },
    setup: {
      let made = try TemporaryFolder()
      ownFolder = made
      return try placeFile(in: made.path, count: size.count, now: now)
    },
    teardown: { ownFolder?.remove(andFiles: ["places.json", "places.json.lock"]) })

  var changedFolder: TemporaryFolder?
  Benchmark(
    "Places: add one and save, \(size.name)",
    closure: { (_, store: PlaceStore) throws in
      let fields = PlaceFields(coordinate: PhotoPositions(count: 1).positions[0])
      blackHole(
        try store.update(now: now) { document throws(PlaceError) in
          try document.add(fields, now: now)
        })
    },
    setup: {
      let made = try TemporaryFolder()
      changedFolder = made
      _ = try placeFile(in: made.path, count: size.count, now: now)
      return PlaceStore(stateFolder: made.path)
    },
    teardown: { changedFolder?.remove(andFiles: ["places.json", "places.json.lock"]) })
}

/// Writes a places file with places at the positions of a library.
private func placeFile(in folder: FilePath, count: Int, now: Instant) throws -> FilePath {
  let store = PlaceStore(stateFolder: folder)
  let positions = PhotoPositions(count: count).positions
  try store.update(now: now) { document throws(PlaceError) in
    for (number, position) in positions.enumerated() {
      var fields = PlaceFields(coordinate: position, name: "A place of number \(number)")
      if number % 2 == 0 {
        fields.notes = [
          PlaceNote(text: "A note of some words about the place \(number)", time: now)
        ]
        fields.collections = ["Travel \(number % 20)"]
      }
      if number % 4 == 0 {
        fields.photos = [FilePath("/home/somebody/Pictures/2019/IMG_\(number).jpg")]
      }
      try document.add(fields, id: PlaceID(hashing: "\(number)".utf8), now: now)
    }
  }
  return store.path
}
