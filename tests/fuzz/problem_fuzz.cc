// Problems of every text format: accepted ones, written again, have the same energies.
#include "oa/base/error.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/qubo/reduce.h"
#include "oa_test.h"

#include <cstdlib>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace oa;

std::vector<qubo::Model> read(std::span<const std::byte> bytes,
                              io::ProblemFormat format) {
  io::Input input = io::Input::memory(bytes, "fuzz");
  io::ProblemSettings settings;
  if (format == io::ProblemFormat::Dimacs) {
    using enum io::GraphProblem;
    settings.graph = io::GraphGoal{bytes.size() % 2 == 0 ? Cut : IndependentSet};
  }
  return io::read_problems(input, format, settings).problems;
}

void round_trip(const qubo::Quadratic& f, io::ProblemFormat to) {
  std::string text;
  try {
    text = test::written(
        [&](io::Output& output) { io::write_quadratic(output, f, to, "fuzz"); });
  } catch (const InputError&) {
    return;  // a format that has no place for it
  }
  const auto again = read(test::bytes_of(text), to);
  if (again.size() != 1 || again[0].size() != f.size()) {
    std::abort();
  }
  const double sign = again[0].f.sense == f.sense ? 1.0 : -1.0;
  std::vector<std::uint8_t> x(f.linear.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 3 != 0 ? 1 : 0;
  }
  if (qubo::energy(again[0].f, x) != sign * qubo::energy(f, x)) {
    std::abort();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    io::Input input = io::Input::memory(bytes, "fuzz");
    (void)io::detect_problem(input);
  } catch (const InputError&) {
    // Refusal is the other right answer, here and below.
  }
  // Every reader, whatever the bytes look like: --format asks for that, too.
  for (const io::ProblemFormatInfo& format : io::problem_formats()) {
    try {
      for (const qubo::Model& model : read(bytes, format.format)) {
        if (model.size() <= 64) {
          const qubo::Quadratic f = qubo::quadratic_of(model, "fuzz");
          round_trip(f, format.format);
          round_trip(f, io::ProblemFormat::Bqm);
        }
      }
    } catch (const InputError&) {
    }
  }
  return 0;
}
