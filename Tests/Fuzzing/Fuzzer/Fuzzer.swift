import CLibrary
import FuzzTargets
import SystemPackage

// The entry points of libFuzzer, whose own `main` parses the arguments. `FUZZ_TARGET` selects the
// target; without it the names of all targets are printed.

private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
  if let chosen = FuzzTarget.all.first(where: { $0.name == name }) { return chosen }
  print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
  exit(name == nil ? 0 : 64)
}()

/// Writes the target's seeds to the folder named by `FUZZ_SEEDS`, before libFuzzer reads it.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeRawPointer, _ arguments: UnsafeRawPointer) -> CInt {
  let chosen = target
  guard let folder = getenv("FUZZ_SEEDS").map({ FilePath(String(cString: $0)) }) else { return 0 }
  do {
    for (number, seed) in (chosen.seeds + (try chosen.realFiles())).enumerated() {
      let file = try FileDescriptor.open(
        folder.appending("\(number)"), .writeOnly, options: [.create, .truncate],
        permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(seed) }
    }
  } catch {
    fatalError("the seeds cannot be written to \(folder): \(error)")
  }
  return 0
}

/// Runs the target with an input. Returns -1 for an input of another target, so that libFuzzer does
/// not use it further.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard target.accepts(input) else { return -1 }
  let start = processorSeconds
  if let fault = target.fault(in: input) { fatalError(fault) }
  let taken = processorSeconds - start
  if taken > 1 { fatalError("it took \(taken) s") }
  return 0
}

/// The processor time used by the process. Unlike elapsed time, it does not depend on other load on
/// the machine.
private var processorSeconds: Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
