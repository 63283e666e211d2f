// Rates of a stream through a pipe.  `bench-stream write N` writes N frames of 30 KB
// to stdout, `bench-stream read` reads frames from stdin and reports rate and peak
// memory.
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/rng.h"
#include "oa/io/stream/problem_io.h"

#include <chrono>
#include <iostream>
#include <string_view>

#include <sys/resource.h>

namespace {

using namespace oa;

/// 49 variables, 49 queries, width 64: 31 KB, as the pipeline sends them.
qubo::Problem sample() {
  qubo::Problem p;
  p.m = p.n = 49;
  p.d = 64;
  p.label = 7;
  Rng rng(1);
  p.j.resize(49 * 49);
  for (std::size_t a = 0; a < 49; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      p.j[a * 49 + b] = p.j[b * 49 + a] = static_cast<float>(rng.normal());
    }
  }
  p.h.assign(49 * 49, 1.0F);
  p.v.assign(49 * 64, 1.0F);
  return p;
}

void write(std::int64_t count) {
  io::Output output("-");
  io::StreamWriter writer(output);
  writer.head({}, {});
  qubo::Problem problem = sample();
  for (problem.index = 0; problem.index < count; ++problem.index) {
    io::write_problem(writer, problem);
  }
  writer.finish(true);
  output.commit();
}

/// With `typed`, each frame's values are checked and copied as a tool would.
void read(bool typed) {
  const auto begin = std::chrono::steady_clock::now();
  io::StreamReader reader(io::Input::open("-"));
  io::Frame frame;
  std::int64_t frames = 0;
  double bytes = 0.0;
  while (reader.next(frame)) {
    ++frames;
    bytes += static_cast<double>(frame.data.header_bytes().size() +
                                 frame.data.data_bytes().size() + 8);
    if (typed && frame.kind == io::FrameKind::Problem &&
        io::read_problem(frame).index != frames - 2) {
      throw InputError("a frame out of order");
    }
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::cout << frames << " frames, " << format_fixed(bytes / 1e6, 1) << " MB, "
            << format_fixed(bytes / 1e9 / spent.count(), 2) << " GB/s, peak memory "
            << usage.ru_maxrss << " kB\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "write" && argc == 3) {
    write(parse_int(argv[2]).value_or(10000));
  } else if (what == "read" || what == "read-typed") {
    read(what == "read-typed");
  } else {
    std::cerr << "usage: bench-stream write N | bench-stream read|read-typed\n";
    return 2;
  }
  return 0;
}
