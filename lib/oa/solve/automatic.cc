#include "oa/solve/automatic.h"

#include "oa/solve/exact/box/search.h"
#include "oa/solve/heuristic/structured.h"
#include "oa/solve/methods.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace oa::solve {
namespace {

constexpr std::int64_t kFirstNodes = 100'000;  // if unlimited: 0.1 s at 49 variables
constexpr double kStructuredShare = 0.7;       // of the remaining time

/// The heuristics that run after an exact search without a proof.
struct Plan {
  int turns;           ///< number of heuristics
  double proof_share;  ///< of the time limit
  bool proves_only;    ///< the exact search has no limit of its own
};
constexpr Plan kAutomatic{std::numeric_limits<int>::max(), 0.5, false};
constexpr Plan kProving{1, 0.9, true};

/// A heuristic, which is constructed at its first (rare) use.
struct Heuristic {
  const Method* method;
  std::unique_ptr<Solver> solver;
};

std::vector<Heuristic> heuristics_of(const Plan& plan) {
  std::vector<Heuristic> all;
  for (const Method& method : methods()) {
    if (method.turn_in_auto > 0 && method.turn_in_auto <= plan.turns) {
      all.push_back({&method, nullptr});
    }
  }
  std::ranges::sort(
      all, {}, [](const Heuristic& one) { return one.method->turn_in_auto; });
  return all;
}

class Automatic final : public Solver {
 public:
  Automatic(const qubo::Matrix& j,
            const Settings& settings,
            const Plan& plan,
            const Stop& stop)
      : j_(j),
        settings_(settings),
        plan_(plan),
        pool_(settings.top),
        heuristics_(heuristics_of(plan)) {
    if (plan.proves_only && !std::isfinite(settings.time_limit_s)) {
      settings_.reads = kProvingReads;
    }
    Settings quick = settings;
    if (!plan.proves_only && !std::isfinite(settings.time_limit_s)) {
      quick.max_nodes = std::min(settings.max_nodes, kFirstNodes);
    }
    exact_ = make_exact(j, quick, stop);
  }

  [[nodiscard]] bool takes_leading_blocks() const override { return true; }

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    Result result = stop.limited()
                        ? exact_->solve(h, rng, stop.share(plan_.proof_share))
                        : exact_->solve(h, rng, stop);
    result.method = "exact";
    if (result.status == qubo::Status::ProvedOptimal || stop()) {
      return result;
    }
    pool_ = Pool(settings_.top);
    insert(result, result.method, result);
    use_block(static_cast<int>(h.size()));
    if (Solver* structured = plan_.proves_only ? nullptr : structured_solver(stop)) {
      const Stop part = stop.limited() ? stop.share(kStructuredShare) : stop;
      insert(structured->solve(h, rng.fork(1), part), "pt", result);
    }
    const std::size_t all = heuristics_.size();
    for (std::size_t i = 0; i < all && !stop(); ++i) {
      const Stop part = stop.share(1.0 / static_cast<double>(all - i));
      const Result found = heuristic(i, stop).solve(h, rng.fork(0).fork(i), part);
      insert(found, heuristics_[i].method->name, result);
    }
    result.best = pool_.take_best();
    if (!plan_.proves_only) {
      result.status =
          stop.limited() || stop() ? qubo::Status::Stopped : qubo::Status::BestFound;
    }
    return result;
  }

 private:
  // Reconstructs the heuristics if the size of the leading block has changed.
  void use_block(int size) {
    const int now = block_ ? block_->size() : j_.size();
    if (size == now) {
      return;
    }
    heuristics_ = heuristics_of(plan_);
    block_.reset();
    if (size < j_.size()) {
      block_ = j_.leading(size);
    }
  }

  // Returns null if the matrix has no structure, or if it is a leading block.
  Solver* structured_solver(const Stop& stop) {
    if (!looked_) {
      looked_ = true;
      structured_ = make_structured(j_, settings_, stop);
    }
    return block_ ? nullptr : structured_.get();
  }

  Solver& heuristic(std::size_t i, const Stop& stop) {
    Heuristic& one = heuristics_[i];
    if (!one.solver) {
      one.solver = one.method->make_solver(block_ ? *block_ : j_, settings_, stop);
    }
    return *one.solver;
  }

  void insert(const Result& from, std::string_view method, Result& to) {
    for (const Solution& s : from.best) {
      const bool first = pool_.best().empty() || s < pool_.best()[0];
      if (pool_.insert(s.value(), s.x) && first) {
        to.method = method;
      }
    }
  }

  const qubo::Matrix& j_;
  Settings settings_;
  const Plan& plan_;
  Pool pool_;
  std::unique_ptr<Solver> exact_;
  bool looked_ = false;  // searched for structure
  std::unique_ptr<Solver> structured_;
  std::optional<qubo::Matrix> block_;  // empty if it is the whole matrix
  std::vector<Heuristic> heuristics_;
};

}  // namespace

std::unique_ptr<Solver> make_automatic(const Batch& batch,
                                       const Settings& settings,
                                       const Stop& stop) {
  return std::make_unique<Automatic>(*batch.matrix, settings, kAutomatic, stop);
}

std::unique_ptr<Solver> make_proving(const Batch& batch,
                                     const Settings& settings,
                                     const Stop& stop) {
  return std::make_unique<Automatic>(*batch.matrix, settings, kProving, stop);
}

}  // namespace oa::solve
