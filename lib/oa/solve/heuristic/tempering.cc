#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/heuristic/sparse_anneal.h"
#include "oa/solve/method/collector.h"

#include <algorithm>
#include <memory>
#include <vector>

// Parallel tempering (Hukushima and Nemoto 1996): 16 replicas exchange 16 temperatures.
// A read is one set of replicas.

namespace oa::solve {
namespace {

// Measured on attention problems of 49 variables.
int default_sweeps(int n) {
  return 16 + n / 2;
}

class Tempering final : public Solver {
 public:
  Tempering(const qubo::Matrix& j, const Settings& settings)
      : f_(j.size()),
        found_(j, settings.top),
        settings_(settings),
        best_(j.size()) {
    std::vector<qubo::Term> terms;
    for (int i = 0; i < j.size(); ++i) {
      own_.push_back(0.5 * j(i, i));
      for (int k = 0; k < i; ++k) {
        terms.push_back({k, i, j(i, k)});
      }
    }
    f_.add(terms);
    run_.cooling = {settings.sweeps > 0 ? settings.sweeps : default_sweeps(j.size()),
                    Schedule::Geometric,
                    settings.hot,
                    settings.cold};
    run_.tempering = true;
  }

  Result solve(std::span<const double> h, const Rng& rng, const Stop& stop) override {
    found_.begin(h);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      f_.linear[i] = h[i] + own_[i];
    }
    SparseAnneal replicas(f_);
    // A read is a set of replicas; all are reported.
    Settings settings = settings_;
    settings.reads = kReplicas * std::max(settings.reads, settings.until(stop) ? 0 : 1);
    return run_reads(
        settings, rng, stop, best_, found_, [&](const Rng& draws, int /*round*/) {
          return replicas.run(run_, draws, stop, best_);
        });
  }

 private:
  qubo::Quadratic f_;
  std::vector<double> own_;  // J_ii / 2
  Collector found_;
  Settings settings_;
  AnnealRun run_;
  BestStates best_;
};

}  // namespace

std::unique_ptr<Solver> make_tempering(const Batch& batch,
                                       const Settings& settings,
                                       const Stop& /*stop*/) {
  return std::make_unique<Tempering>(*batch.matrix, settings);
}

}  // namespace oa::solve
