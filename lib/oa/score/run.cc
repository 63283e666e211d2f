#include "oa/score/run.h"

#include "oa/qubo/levels.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace oa::score {

std::string TaskScore::metric() const {
  return text ? "bits_per_character" : field_text(objective);
}

double TaskScore::value() const {
  const auto asked = static_cast<double>(tally.asked);
  if (tally.asked == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return text ? surprise / asked / std::numbers::ln2 : tally.share();
}

TaskScore& TaskScore::operator+=(const TaskScore& more) {
  examples += more.examples;
  tally += more.tally;
  surprise += more.surprise;
  return *this;
}

TaskResult TaskScore::result(std::int64_t index) const {
  return {.index = index,
          .asked = tally.asked,
          .correct = tally.correct,
          .surprise = objective == Objective::Positions ? std::optional(surprise)
                                                        : std::nullopt,
          .solved = {}};
}

void Run::add_prediction(const Prediction& prediction) {
  accuracy.add(prediction);
  only = accuracy.images() == 1 ? std::optional(prediction) : std::nullopt;
  if (prediction.label && !prediction.correct()) {
    wrong.push_back(prediction.index);
  }
}

void Run::add_task(const TaskScore& example, std::int64_t index) {
  if (task) {
    *task += example;
  } else {
    task = example;
  }
  if (example.tally.correct < example.tally.asked ||
      example.tally.classes_right < example.tally.classes) {
    wrong.push_back(index);
  }
}

void Run::add_least_squares(const LeastSquares& example) {
  least_squares = least_squares.value_or(LeastSquares{});
  *least_squares += example;
}

void Run::add_solution(const qubo::SolvedProblem& s) {
  qubos += s.problem.n;
  proved_optimal += std::ranges::count(s.status, qubo::Status::ProvedOptimal);
  stopped += std::ranges::count(s.status, qubo::Status::Stopped);
  if (s.problem.coefficients == Coefficients::Levels) {
    encoded += static_cast<std::int64_t>(s.problem.variables());
    violated += qubo::violated(s);
  }
  sparsity.add(s);
  for (const double spent : s.seconds) {
    seconds.add(spent);
  }
  for (const std::int64_t visited : s.nodes) {
    nodes.add(static_cast<double>(visited));
  }
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
