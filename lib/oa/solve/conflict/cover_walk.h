#pragma once

#include "oa/base/rng.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/recover/conflicts.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Local search for the lightest vertex cover of all conflicts; the complement of a
/// cover is an independent set.  Swaps vertices: uncovered conflicts gain weight, and a
/// removed vertex returns only after a neighbour has changed (Cai, Su, Luo and Sattar,
/// "NuMVC: an efficient local search algorithm for minimum vertex cover", 2013).
/// Ignores further couplings.  Weights must be positive.
class CoverWalk {
 public:
  /// `conflicts` must outlive this.
  CoverWalk(const Conflicts& conflicts, std::span<const int> begin, const Rng& rng);

  /// Continues until `work` numbers were read.  Returns true if the best set improved.
  [[nodiscard]] bool run(std::int64_t work, Pace& pace);

  /// The best independent set and its weight.
  [[nodiscard]] const std::vector<int>& best() const { return best_; }
  [[nodiscard]] std::int64_t value() const { return value_; }
  /// Passes a better set from another search; only sets that are better still count.
  void offer(std::span<const int> vertices);

 private:
  void number_conflicts();
  [[nodiscard]] bool is_better(int a, int b) const;
  [[nodiscard]] int cheapest();
  [[nodiscard]] int addition(std::int64_t most);
  void add(int v);
  void remove(int v);
  void shrink();
  void step();
  void raise_weights();
  void forget_weights();
  void record();

  const Conflicts& conflicts_;
  Rng rng_;
  bool equal_;                        // all vertices weigh the same
  std::vector<std::int32_t> number_;  // conflict of each entry of a row
  std::vector<std::int32_t> ends_;    // both ends of each conflict
  std::vector<std::int32_t> stress_;  // weight of each conflict
  std::vector<std::int32_t> untouched_;
  std::vector<std::int32_t> place_;     // index of a conflict in untouched_
  std::vector<std::uint8_t> covering_;  // 1 if a vertex is in the cover
  std::vector<int> cover_;
  std::vector<std::int32_t> rank_;   // index of a vertex in cover_
  std::vector<std::int64_t> score_;  // change of untouched stress if v moves
  std::vector<std::int64_t> moved_;  // step of each vertex's last move
  std::vector<std::uint8_t> may_return_;
  std::int64_t all_stress_ = 0;
  std::int64_t total_ = 0;  // weight of all vertices
  std::int64_t cover_weight_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t work_ = 0;
  int added_ = -1;  // vertex added by the last step
  std::vector<int> best_;
  std::int64_t value_ = 0;
};

}  // namespace oa::solve
