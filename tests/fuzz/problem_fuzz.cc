// Problems of every text format: accepted ones, written again, have the same energies.
#include "fuzz/fuzz.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/qubo/reduce.h"
#include "oa_test.h"

#include <string>
#include <vector>

namespace oa {
namespace {

std::vector<qubo::Model> read(fuzz::Bytes bytes, io::ProblemFormat format) {
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
  fuzz::require(again.size() == 1 && again[0].size() == f.size());
  const double sign = again[0].f.sense == f.sense ? 1.0 : -1.0;
  std::vector<std::uint8_t> x(f.linear.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 3 != 0 ? 1 : 0;
  }
  fuzz::require(qubo::energy(again[0].f, x) == sign * qubo::energy(f, x));
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) { (void)io::detect_problem(input); });
  // Every reader, whatever the bytes look like: --format asks for that, too.
  for (const io::ProblemFormatInfo& format : io::problem_formats()) {
    or_refuse([&] {
      for (const qubo::Model& model : read(bytes, format.format)) {
        if (model.size() <= 64) {
          const qubo::Quadratic f = qubo::quadratic_of(model, "fuzz");
          round_trip(f, format.format);
          round_trip(f, io::ProblemFormat::Bqm);
        }
      }
    });
  }
}

}  // namespace oa
