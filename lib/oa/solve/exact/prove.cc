#include "oa/solve/exact/prove.h"

#include "oa/base/exact_sum.h"
#include "oa/solve/exact/exact.h"
#include "oa/solve/exact/spin_search.h"
#include "oa/solve/exact/tree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr std::int64_t kFirstNodes = 20'000;
constexpr double kFirstShare = 0.3;

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

qubo::Matrix dense(const qubo::Quadratic& f) {
  const std::size_t n = f.linear.size();
  std::vector<double> j(n * n);
  for (int i = 0; i < f.size(); ++i) {
    for (const qubo::Coupling& c : f.row(i)) {
      j[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(c.other)] = c.weight;
    }
  }
  return {f.size(), j};
}

Result prove(const PartTask& task, const Stop& stop) {
  const qubo::Quadratic& f = task.f;
  std::vector<qubo::Term> rests;  // without the constant
  ExactSum constant;
  constant.add(f.offset);
  for (const qubo::Term& t : f.rests()) {
    if (t.first == qubo::kConstant) {
      constant.add(t.weight);
    } else {
      rests.push_back(t);
    }
  }
  const qubo::Matrix matrix = dense(f);
  Exact exact(matrix, task.settings, stop);
  Result result = exact.solve(f.linear, stop, task.known.x, rests);
  if (result.status == qubo::Status::ProvedOptimal) {
    // Better than what the solver says, which is rounded.
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

Result prove_hard(const PartTask& task, std::int64_t nodes, const Stop& stop) {
  const int n = task.f.size();
  if (n <= kFewSpins || n > kMostSearched || task.settings.top > 1) {
    return prove(task, stop);
  }
  PartTask part = task;
  part.settings.max_nodes = std::min(task.settings.max_nodes, kFirstNodes);
  Result quick = prove(part, stop.share(kFirstShare));
  part.settings.max_nodes = std::min(nodes, task.settings.max_nodes - quick.nodes);
  if (quick.status == qubo::Status::ProvedOptimal || part.settings.max_nodes <= 0 ||
      stop()) {
    return quick;
  }
  const PartTask further{.f = task.f,
                         .settings = part.settings,
                         .known = std::min(task.known, quick.best.front()),
                         .threads = task.threads,
                         .improved = task.improved,
                         .bounded = task.bounded};
  if (task.bounded) {
    task.bounded(quick.bound);
  }
  Result result = search_spins(further, stop);
  if (result.status != qubo::Status::ProvedOptimal) {
    result.bound = std::max(result.bound, quick.bound);
  }
  result.nodes += quick.nodes;
  return result;
}

std::unique_ptr<Solver> make_exact(const qubo::Matrix& j,
                                   const Settings& settings,
                                   const Stop& stop) {
  return std::make_unique<ExactSolver>(j, settings, stop);
}

Result solve_exactly(const PartTask& task, const Rng& /*rng*/, const Stop& stop) {
  if (auto found = task.settings.top == 1 ? solve_tree(task, stop) : std::nullopt) {
    return *std::move(found);
  }
  // Giving back the matrices takes time, too.
  const double entries = static_cast<double>(task.f.size()) * task.f.size();
  return prove_hard(task,
                    task.settings.max_nodes,
                    stop.earlier(std::min(0.5 * stop.left_s(), 2e-9 * entries)));
}

}  // namespace oa::solve
