#include "oa/score/run.h"

#include <algorithm>
#include <limits>

namespace oa::score {

void Run::add(const Prediction& prediction) {
  accuracy.add(prediction);
  if (prediction.label && !prediction.correct()) {
    wrong.push_back(prediction.index);
  }
}

void Run::add(const qubo::ImageSolution& s) {
  qubos += s.problem.n;
  proved_optimal += std::ranges::count(s.status, qubo::Status::ProvedOptimal);
  stopped += std::ranges::count(s.status, qubo::Status::Stopped);
  variables += std::int64_t{s.problem.n} * s.problem.m;
  ones += static_cast<double>(
      std::ranges::count_if(s.x, [](std::uint8_t v) { return v != 0; }) +
      std::ranges::count_if(s.real_x, [](float v) { return v != 0.0F; }));
  for (const double spent : s.seconds) {
    seconds.add(spent);
  }
}

double Run::ones_fraction() const {
  return variables == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : ones / static_cast<double>(variables);
}

Prediction predict(std::int64_t index,
                   std::optional<std::int64_t> label,
                   std::vector<double> probabilities) {
  Prediction p;
  p.index = index;
  p.label = label;
  p.predicted =
      std::ranges::max_element(probabilities) - probabilities.begin();  // the first
  p.probabilities = std::move(probabilities);
  return p;
}

}  // namespace oa::score
