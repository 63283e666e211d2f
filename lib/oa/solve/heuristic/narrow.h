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

/// Local search whose moves are exact: a random part of the variables that dynamic
/// programming can minimise over is set to its optimum while the others stay.  (Selby,
/// "Efficient subgraph-based sampling of Ising-type models with frustration", 2014,
/// does so with parts that are like trees; Hamze and de Freitas, "From fields to
/// trees", 2004, sample them.)
///
/// A part is drawn variable by variable.  Those that are in it and may still get a
/// neighbour are its front: of at most `width` variables, for all of whose values a
/// table has the lowest energy of what is behind.  Where the front is too wide, other
/// neighbours of its oldest variable stay as they are.  Of sparse graphs that can be
/// drawn on a plane parts are long strips.  Memory: some 60 bytes a variable, and
/// tables.
class NarrowMoves {
 public:
  static constexpr int kMostWidth = 16;

  /// `f` is to be minimised over 0/1 vectors, is sparse and must outlive this.
  explicit NarrowMoves(const qubo::Quadratic& f);

  /// Goes on from here.
  void begin(std::span<const std::uint8_t> x);

  /// One move, over a part that has `first` in it, one of the optima drawn at random.
  /// Returns by how much the energy changes: never more than 0, as far as sums are not
  /// rounded.  Stopped, it changes nothing.  O(size of the part * 2^width).
  double move(int first, int width, Rng& rng, Pace& pace);

  /// Moves until stopped, wider ones where others have gained nothing.
  void run(Rng rng, const Stop& stop);

  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  /// Of which the last move chose the values.
  [[nodiscard]] const std::vector<int>& part() const { return part_; }
  /// Couplings within it.
  [[nodiscard]] std::int64_t pairs_of_part() const { return pairs_of_part_; }

 private:
  /// Into the front came a variable, or what was in a slot went.
  struct Step {
    int variable = -1;
    int slot = 0;
    std::size_t word = 0;  // where its decisions begin
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
  std::vector<double> field_;  // what x_i = 1 adds, scaled

  std::uint32_t turn_ = 0;              // of the move
  std::vector<std::uint32_t> decided_;  // in which turn: in the part, or fixed
  std::vector<std::uint8_t> in_front_;
  std::vector<int> open_;               // neighbours not decided, of the front
  std::vector<std::uint32_t> reached_;  // in which turn touching_ was 0
  std::vector<int> touching_;           // neighbours in the front, of the undecided
  std::vector<int> front_;              // by slot, oldest first
  std::vector<Step> steps_;
  std::vector<num::FloatLine> table_;  // 2^front numbers: bit s is a flip of slot s
  std::vector<float> high_;
  std::vector<std::uint64_t> decisions_;
  std::size_t words_ = 0;
  std::vector<int> flipped_;
  std::vector<int> part_;
  std::int64_t pairs_of_part_ = 0;
};

/// Whether narrow moves find what annealing does not: whether a part has many of all
/// couplings, and is more than trees, whose optima annealing finds as well.
[[nodiscard]] bool suits_narrow_moves(const qubo::Quadratic& f,
                                      std::span<const std::uint8_t> x,
                                      const Stop& stop);

}  // namespace oa::solve
