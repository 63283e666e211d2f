#pragma once

#include "oa/base/rng.h"
#include "oa/num/simd.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/heuristic/couplings.h"
#include "oa/solve/method/stop.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Local search with exact moves: dynamic programming optimises a random part of the
/// variables while all others are fixed.  (Selby, "Efficient subgraph-based sampling of
/// Ising-type models with frustration", 2014, for tree-like parts;
/// Hamze and de Freitas, "From fields to trees", 2004, sample such parts.)
///
/// A part grows variable by variable.  The front, at most `width` variables,
/// may still get neighbours.  For each choice of the front, a table has the lowest
/// energy of the other variables of the part.  If the front is too wide,
/// the remaining neighbours of the oldest variable are fixed.  In sparse planar graphs,
/// parts are long strips.  Memory: about 60 bytes a variable, and the tables.
class NarrowMoves {
 public:
  static constexpr int kMaxWidth = 16;

  /// `f` is minimised over 0/1 vectors, is sparse and must outlive this.
  explicit NarrowMoves(const qubo::Quadratic& f);

  /// Sets the current vector.
  void begin(std::span<const std::uint8_t> x);

  /// Optimises a part that contains `first`, and draws one of its optima at random.
  /// Returns the change of the energy, which is at most 0, up to rounding.
  /// If stopped, changes nothing.  O(size of the part * 2^width).
  double move(int first, int width, Rng& rng, Pace& pace);

  /// Moves until stopped; widens the front if moves gain nothing.
  void run(Rng rng, const Stop& stop);

  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  /// The variables of the last move.
  [[nodiscard]] const std::vector<int>& part() const { return part_; }
  /// The number of couplings within the part.
  [[nodiscard]] std::int64_t pairs_of_part() const { return pairs_of_part_; }

 private:
  /// One step: a variable enters the front, or a slot's variable leaves it.
  struct Step {
    int variable = -1;
    int slot = 0;
    std::size_t word = 0;  // first word of the step's decisions
  };

  [[nodiscard]] bool decided(int v) const {
    return decided_[static_cast<std::size_t>(v)] == turn_;
  }
  [[nodiscard]] int next(bool full) const;
  void add(int v, Rng& rng);
  void remove(int slot);
  void fix_around(int u);
  double choose();
  double flip(int v);

  const qubo::Quadratic& f_;
  Scale scale_;
  std::vector<std::size_t> begin_;
  std::vector<std::int32_t> other_;
  std::vector<float> weight_;
  std::vector<std::uint8_t> x_;
  std::vector<double> field_;  // scaled energy change by x_i = 1

  std::uint32_t turn_ = 0;              // number of the current move
  std::vector<std::uint32_t> decided_;  // move that decided or fixed each variable
  std::vector<std::uint8_t> in_front_;
  std::vector<int> open_;               // undecided neighbours of each front variable
  std::vector<std::uint32_t> reached_;  // move in which touching_ was reset
  std::vector<int> touching_;           // front neighbours of each undecided variable
  std::vector<int> front_;              // variables by slot, oldest first
  std::vector<Step> steps_;
  std::vector<num::FloatLine> table_;  // 2^front numbers: bit s is a flip of slot s
  std::vector<float> high_;
  std::vector<std::uint64_t> decisions_;
  std::size_t words_ = 0;
  std::vector<int> flipped_;
  std::vector<int> part_;
  std::int64_t pairs_of_part_ = 0;
};

/// True if narrow moves may find more than annealing: a part has a large share of all
/// couplings and is not a forest, which annealing solves as well.
[[nodiscard]] bool suits_narrow_moves(const qubo::Quadratic& f,
                                      std::span<const std::uint8_t> x,
                                      const Stop& stop);

}  // namespace oa::solve
