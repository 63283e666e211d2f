#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/program/bundles.h"
#include "oa/solve/program/reduced_moves.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace oa::solve {

struct ChainSettings {
  int length = 8;  ///< maximum of flips after the first
  /// The first temperature,
  /// in units of the mean change by a chain from a local optimum.
  double heat = 1.0;
  int sweeps = 100;  ///< as many flips as variables each
  /// Called for each x that improves on all earlier x, at most once a sweep.
  /// The search ends if the callback returns true.
  std::function<bool(std::span<const std::uint8_t>)> improved = {};
};

/// Simulated annealing of a quadratic function over feasible x by ejection chains:
/// a random flip, then repeatedly the cheapest flip in one of its rows,
/// as in a short tabu search.  Violations never exceed that of the first flip;
/// the move is the lowest feasible prefix of the chain.
/// Chains of two flips exchange variables of a row.  Long chains rebuild large parts,
/// and find sets of variables that pay off only together.
class Chains {
 public:
  /// `rows` must outlive this.
  /// If `stop` ends the preparation, run() returns its start.
  Chains(const qubo::Quadratic& objective,
         std::span<const qubo::ProgramRow> rows,
         const Stop& stop);

  /// Returns the best x of a search from a feasible `start`.
  [[nodiscard]] std::vector<std::uint8_t> run(std::span<const std::uint8_t> start,
                                              const ChainSettings& settings,
                                              const Rng& rng,
                                              const Stop& stop) const;
  /// Returns the best x of a search by reduced moves, a set of numbers at a time.
  /// `length` has no effect; `heat` is in units of the mean cost of a move.
  [[nodiscard]] std::vector<std::uint8_t> run_reduced(
      std::span<const std::uint8_t> start,
      const ChainSettings& settings,
      const Rng& rng,
      const Stop& stop) const;
  [[nodiscard]] bool has_reduced() const { return !reduced_.empty(); }

 private:
  friend class ChainRun;

  /// Couplings to consecutive bundles.
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

  // Variables are renumbered so that the variables of a row are consecutive.
  std::span<const qubo::ProgramRow> rows_;
  std::vector<std::int32_t> order_;  // original number of each variable
  std::vector<std::int32_t> place_;  // inverse of order_
  std::vector<double> linear_;
  std::optional<Bundles> bundles_;
  std::vector<std::size_t> run_begins_;  // first run of each bundle
  std::vector<Run> runs_;
  std::vector<double> weights_;
  std::vector<std::size_t> effect_begins_;
  std::vector<Effect> effects_;
  std::vector<std::vector<std::int32_t>> members_;  // bundles of each row
  std::vector<std::vector<std::int32_t>> twins_;    // twins of each variable, or empty
  std::vector<ReducedMoves> reduced_;
  bool complete_ = false;
};

}  // namespace oa::solve
