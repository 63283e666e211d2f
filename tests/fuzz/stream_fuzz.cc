// A stream is read to its end or refused; typed frames that are accepted are
// consistent.
#include "oa/base/error.h"
#include "oa/io/stream/problem_io.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    io::StreamReader reader(
        io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz"));
    while (const auto frame = reader.next()) {
      if (frame->kind == io::FrameKind::Problem) {
        const auto problem = io::read_problem(*frame);
        if (std::ssize(problem.j) != std::ptrdiff_t{problem.m} * problem.m) {
          std::abort();
        }
      } else if (frame->kind == io::FrameKind::Solution) {
        const auto solution = io::read_solution(*frame);
        if (std::ssize(solution.energy) != solution.problem.n) {
          std::abort();
        }
      }
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
