#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/structure/structure.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A problem in double precision, with moves that suit its structure; chains share it.
class ChainProblem {
 public:
  /// How a variable outside numbers is drawn.  Metropolis proposals move faster in a
  /// search, but if nearly all proposals are accepted, a sweep inverts the state.
  enum class Singles { Metropolis, HeatBath };

  /// If stopped, couplings are missing.
  ChainProblem(const qubo::Quadratic& f,
               const Structure& structure,
               Singles draw = Singles::Metropolis,
               const Stop& stop = {});

  [[nodiscard]] int size() const { return n_; }
  /// The typical change of the energy by a flip: the mean norm of a row of couplings.
  [[nodiscard]] double spread() const { return spread_; }
  /// The cost of all draws of a sweep.
  [[nodiscard]] std::int64_t work() const { return work_; }
  /// The maximum number of numbers that a sweep reads, for pacing:
  /// each draw may change a row of fields.
  [[nodiscard]] std::int64_t touched() const {
    return work_ + std::ssize(dense_ ? rows_ : weights_);
  }

 private:
  friend class Chain;

  /// Variables that are drawn together: all 2^digits choices get a weight.
  struct Block {
    std::vector<int> variables;
    std::vector<double> inner;  // energy of each choice by inner couplings
    std::vector<double> pairs;  // (digits,digits): inner couplings
  };

  [[nodiscard]] double coupling(int i, int k) const;
  void add_row(int i, double factor, double* field) const;
  [[nodiscard]] Block block_of(std::vector<int> variables) const;
  /// Fills the tables of a block from its `variables`.
  void fill(Block& block) const;
  void find_fine_digits();
  void add_groups(const std::vector<Group>& groups);

  int n_;
  bool dense_;
  std::vector<double> linear_;
  std::vector<double> rows_;         // dense: (n,n)
  std::vector<std::size_t> begins_;  // sparse
  std::vector<std::int32_t> others_;
  std::vector<double> weights_;
  double spread_ = 0.0;
  std::int64_t work_ = 0;
  Singles draw_;
  bool budget_;  // nearly all couplings are positive, as under a limit on a sum
  /// The low digits of a slack: variables with much smaller couplings,
  /// which must adapt after every exchange.  Only if budget_.
  std::vector<int> fine_;

  std::vector<Block> blocks_;
  std::vector<int> singles_;  // variables in no block
  /// beside_[v] has the blocks {v, digits of one number} for a variable v outside
  /// numbers.  A sweep draws one of these blocks.
  std::vector<std::vector<Block>> beside_;
  std::vector<std::vector<int>> groups_;     // variables of each group
  std::vector<std::vector<int>> groups_of_;  // groups of each variable
};

/// A Markov chain over 0/1 vectors with stationary distribution exp(-f / T) at
/// temperature T.  A sweep draws every variable once,
/// and the digits of a number together.  Members of a group also exchange values.
class Chain {
 public:
  using Problem = ChainProblem;

  Chain(const ChainProblem& problem, const Rng& rng);

  void begin(std::span<const std::uint8_t> x);
  /// Copies the x and the fields of another chain.
  void begin(const Chain& other);
  /// Sets all variables to random values.
  void begin_at_random();

  void sweep(double temperature);
  /// Flips variables and redraws numbers as long as the energy falls.
  /// If stopped, does one sweep.
  void descend(Pace& pace);

  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  /// The energy without the offset of f, up to rounding errors of sums.
  [[nodiscard]] double energy() const { return energy_; }
  /// The number of proposed flips of single variables since construction.
  [[nodiscard]] std::int64_t proposed() const { return proposed_; }
  [[nodiscard]] std::int64_t accepted() const { return accepted_; }

 private:
  [[nodiscard]] double uniform();
  [[nodiscard]] int below(int n);
  [[nodiscard]] bool accepts(double change);
  void flip(int i);
  void draw_single(int i);
  void draw_block(const ChainProblem::Block& block);
  void shift(const std::vector<int>& group);
  void exchange();
  void swap();
  void draw_with_fine_digits();

  const ChainProblem& p_;
  std::uint64_t random_[4];
  std::vector<std::uint8_t> x_;
  std::vector<double> field_;  // energy change by x_i = 1
  double energy_ = 0.0;
  double temperature_ = 1.0;
  std::vector<double> choices_;  // scratch
  ChainProblem::Block pair_;     // scratch: two variables and the fine digits
  std::vector<int> ones_;        // scratch: members of a group that are 1
  std::int64_t proposed_ = 0;
  std::int64_t accepted_ = 0;
  int sweeps_ = 0;
};

}  // namespace oa::solve
