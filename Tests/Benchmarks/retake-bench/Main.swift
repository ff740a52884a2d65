import Glibc

/// Measurements inside the process for scripts/bench, with one line of JSON each.
@main
struct Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { fail("usage: retake-bench lossless|raw|gate|peak ARGUMENTS") }
    let rest = Array(words.dropFirst())
    do {
      switch words[0] {
      case "lossless": try Lossless.run(rest)
      case "raw": try Raw.run(rest)
      case "gate": try Gate.run(rest)
      case "peak": try Lossless.peak(rest)
      default: fail("there is no benchmark \(words[0])")
      }
    } catch {
      fail("\(error)")
    }
  }

  static func fail(_ text: String) -> Never {
    let line = "retake-bench: \(text)\n"
    write(2, line, line.utf8.count)
    exit(2)
  }
}

/// A file's bytes, in memory that stays.
func contents(_ path: String) -> UnsafeRawBufferPointer {
  guard let file = fopen(path, "rb") else { Main.fail("cannot read \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: ftell(file), alignment: 64)
  rewind(file)
  guard fread(bytes.baseAddress, 1, bytes.count, file) == bytes.count else {
    Main.fail("cannot read \(path)")
  }
  return UnsafeRawBufferPointer(bytes)
}

/// Times the jobs in turn, so that the load of a busy machine affects all of them.
///
/// CPU time of this thread, or another clock's, in milliseconds: the median of the rounds, by name.
func measure(
  rounds: Int, clock: clockid_t = CLOCK_THREAD_CPUTIME_ID,
  _ jobs: [(name: String, run: () throws -> Void)]
) throws {
  var times = [[Double]](repeating: [], count: jobs.count)
  for round in 0..<rounds + 2 {
    for (index, job) in jobs.enumerated() {
      let start = milliseconds(of: clock)
      try job.run()
      let time = milliseconds(of: clock) - start
      // The first rounds warm caches and memory.
      if round >= 2 { times[index].append(time) }
    }
  }
  for (job, times) in zip(jobs, times) {
    let sorted = times.sorted()
    let (median, best) = (sorted[sorted.count / 2], sorted[0])
    print("{\"name\": \"\(job.name)\", \"median_ms\": \(median), \"best_ms\": \(best)}")
  }
}

private func milliseconds(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}
