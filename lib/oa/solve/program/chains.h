#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/program/bundles.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

struct ChainSettings {
  int length = 8;  ///< the most flips of a chain after its first
  /// The first temperature beside the mean change by a chain from a local optimum.
  double heat = 1.0;
  int sweeps = 100;  ///< each has as many flips as there are variables
  /// Called with each x that is better than all before, at most once a sweep.  The
  /// search ends when it returns true.
  std::function<bool(std::span<const std::uint8_t>)> improved = {};
};

/// Simulated annealing of a quadratic function under rows that hold, by ejection
/// chains: a random flip, then in one of its rows the cheapest flip again and again, as
/// in a short tabu search.  The violation of rows never exceeds that of the first flip,
/// and the prefix of the chain that is lowest and satisfies all rows is the move.
/// Chains of one flip exchange two variables of a row; long ones rebuild a large part
/// of it, which finds sets of variables that pay only together.
class Chains {
 public:
  /// `rows` must outlive it.  If `stop` comes first, run() returns its start.
  Chains(const qubo::Quadratic& objective,
         std::span<const qubo::ProgramRow> rows,
         const Stop& stop);

  /// The best x of a search that begins at `start`, which satisfies all rows.
  [[nodiscard]] std::vector<std::uint8_t> run(std::span<const std::uint8_t> start,
                                              const ChainSettings& settings,
                                              const Rng& rng,
                                              const Stop& stop) const;

 private:
  friend class ChainRun;

  /// Couplings to bundles that follow each other.
  struct Run {
    std::int32_t first;
    std::int32_t count;
    std::size_t weights;
  };
  struct Effect {
    std::int32_t row;
    std::int64_t weight;
  };

  void number_variables();
  void add_effects();
  void add_couplings(const qubo::Quadratic& objective, Pace& pace);
  void add_runs(const Bundles::Row& couplings);
  void add_members();
  void find_twins(const std::vector<Bundles::Row>& couplings, Pace& pace);
  [[nodiscard]] bool shares_row(std::int32_t i, std::int32_t k) const;
  [[nodiscard]] bool same_rows(std::int32_t i, std::int32_t k) const;
  [[nodiscard]] std::span<const Effect> effects(int i) const {
    const auto k = static_cast<std::size_t>(i);
    return std::span(effects_).subspan(effect_begins_[k],
                                       effect_begins_[k + 1] - effect_begins_[k]);
  }

  // Variables are numbered so that those of a row follow each other.
  std::span<const qubo::ProgramRow> rows_;
  std::vector<std::int32_t> order_;  // the given variable of each
  std::vector<std::int32_t> place_;  // its inverse
  std::vector<double> linear_;
  std::optional<Bundles> bundles_;
  std::vector<std::size_t> run_begins_;  // of bundles
  std::vector<Run> runs_;
  std::vector<double> weights_;
  std::vector<std::size_t> effect_begins_;
  std::vector<Effect> effects_;
  std::vector<std::vector<std::int32_t>> members_;  // bundles of rows
  std::vector<std::vector<std::int32_t>> twins_;    // empty, or of each variable
  bool complete_ = false;
};

}  // namespace oa::solve
