// A stream is read to its end or refused; typed frames that are accepted are
// consistent.
#include "fuzz/fuzz.h"
#include "oa/io/stream/problem_io.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  or_refuse([&] {
    io::StreamReader reader(io::Input::memory(bytes, "fuzz"));
    while (const auto frame = reader.next()) {
      if (frame->kind == io::FrameKind::Problem) {
        const auto problem = io::read_problem(*frame);
        require(std::ssize(problem.j) == std::ptrdiff_t{problem.m} * problem.m);
      } else if (frame->kind == io::FrameKind::Solution) {
        const auto solution = io::read_solution(*frame);
        require(std::ssize(solution.energy) == solution.problem.n);
      }
    }
  });
}

}  // namespace oa
