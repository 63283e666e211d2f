#include "oa/solve/exact/box/search.h"

#include "oa/base/exact_sum.h"
#include "oa/solve/exact/box/exact.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

class ExactSolver final : public Solver {
 public:
  ExactSolver(const qubo::Matrix& j, const Settings& settings, const Stop& stop)
      : exact_(j, settings, stop) {}

  [[nodiscard]] bool takes_leading_blocks() const override { return true; }

  Result solve(std::span<const double> h,
               const Rng& /*rng*/,
               const Stop& stop) override {
    return exact_.solve(h, stop);
  }

 private:
  Exact exact_;
};

}  // namespace

std::unique_ptr<Solver> make_exact(const Batch& batch,
                                   const Settings& settings,
                                   const Stop& stop) {
  return std::make_unique<ExactSolver>(*batch.matrix, settings, stop);
}

Result search_boxes(const PartTask& task, const Stop& stop) {
  const qubo::Quadratic& f = task.f;
  std::vector<qubo::Term> rests;  // without the constant's
  ExactSum constant;
  constant.add(f.offset);
  for (const qubo::Term& t : f.rests()) {
    if (t.first == qubo::kConstant) {
      constant.add(t.weight);
    } else {
      rests.push_back(t);
    }
  }
  Result known;
  known.best = {task.known};
  const bool knows = !task.known.x.empty();
  if (knows && stop()) {
    return known;
  }
  const double before = stop.left_s();
  const qubo::Matrix matrix = dense_matrix(f);
  const double left = stop.left_s();
  // Exact writes twice the memory of `matrix`;
  // if first writes to memory are slow, the remaining time may be too short.
  const bool late = stop() || (stop.limited() && left < 3.0 * (before - left));
  if (knows && late) {
    return known;
  }
  Exact exact(matrix, task.settings, stop);
  Result result = exact.solve(f.linear, stop, task.known.x, rests);
  result.proof = "box";
  if (result.status == qubo::Status::ProvedOptimal) {
    // The exact energy, since the solver's bound is rounded.
    result.bound = exact_energy(f, result.best.front().x).rounded_down();
  } else if (std::isfinite(result.bound)) {
    constant.add(result.bound);
    result.bound = constant.rounded_down();
  }
  for (Solution& s : result.best) {
    s = {exact_energy(f, s.x).two(), std::move(s.x)};
  }
  return result;
}

}  // namespace oa::solve
