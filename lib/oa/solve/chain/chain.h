#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"
#include "oa/solve/structure/structure.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// A problem in double precision with the moves that its structure suggests.  Chains
/// share it.
class ChainProblem {
 public:
  /// How variables in no number are drawn.  Proposals of Metropolis move faster in a
  /// search; but where nearly all are accepted, a sweep inverts the state.
  enum class Singles { Metropolis, HeatBath };

  /// After a stop, couplings are missing.
  ChainProblem(const qubo::Quadratic& f,
               const Structure& structure,
               Singles draw = Singles::Metropolis,
               const Stop& stop = {});

  [[nodiscard]] int size() const { return n_; }
  /// The typical variation of the energy when a variable changes: the mean norm of a
  /// row of couplings.
  [[nodiscard]] double spread() const { return spread_; }
  /// The cost of the draws of a sweep.
  [[nodiscard]] std::int64_t work() const { return work_; }
  /// The most numbers that a sweep touches, for pacing: every draw may change a row of
  /// fields.
  [[nodiscard]] std::int64_t touched() const {
    return work_ + std::ssize(dense_ ? rows_ : weights_);
  }

 private:
  friend class Chain;

  /// Variables that are drawn together, all 2^digits choices.
  struct Block {
    std::vector<int> variables;
    std::vector<double> inner;  // energy of each choice by the couplings inside
    std::vector<double> pairs;  // (digits,digits) couplings inside
  };

  [[nodiscard]] double coupling(int i, int k) const;
  void add_row(int i, double factor, double* field) const;
  [[nodiscard]] Block block_of(std::vector<int> variables) const;
  /// Fills the tables of a block whose variables are set.
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
  bool budget_;  // nearly all pairs repel, as under a limit on a sum
  /// Under a limit, variables of much smaller couplings than others: the low digits of
  /// a slack, which follow every exchange.
  std::vector<int> fine_;

  std::vector<Block> blocks_;
  std::vector<int> singles_;  // variables in no block
  /// Blocks of a variable beside digits of a number, for each variable in no number; a
  /// sweep draws one of them.
  std::vector<std::vector<Block>> beside_;
  std::vector<std::vector<int>> groups_;     // variables
  std::vector<std::vector<int>> groups_of_;  // of each variable
};

/// A Markov chain over 0/1 vectors whose stationary distribution at temperature T is
/// proportional to exp(-f / T).  A sweep draws every variable once: digits of a number
/// together; members of groups also change places.
class Chain {
 public:
  using Problem = ChainProblem;

  Chain(const ChainProblem& problem, const Rng& rng);

  void begin(std::span<const std::uint8_t> x);
  /// Begins at the x of another chain, without summing rows.
  void begin(const Chain& other);
  /// Begins at random values.
  void begin_at_random();

  void sweep(double temperature);
  /// Takes moves that lower the energy until none of single variables and numbers does;
  /// if stopped, for one sweep.
  void descend(Pace& pace);

  [[nodiscard]] const std::vector<std::uint8_t>& x() const { return x_; }
  /// Up to rounding errors of the sums, relative to f without its offset.
  [[nodiscard]] double energy() const { return energy_; }
  /// Proposed and accepted changes of single variables since construction.
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
  std::vector<double> field_;  // what x_i = 1 adds to the energy
  double energy_ = 0.0;
  double temperature_ = 1.0;
  std::vector<double> choices_;  // scratch
  ChainProblem::Block pair_;     // scratch: two variables and the fine digits
  std::vector<int> ones_;        // scratch: members of groups that are 1
  std::int64_t proposed_ = 0;
  std::int64_t accepted_ = 0;
  int sweeps_ = 0;
};

}  // namespace oa::solve
