#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace oa::num {

/// Exact marginals of Boltzmann distributions over x in {0,1}^n: P(x) is proportional
/// to exp(-E(x)/T) with E(x) = 1/2 x'Jx + h'x and J (n,n) symmetric.  Sums over all
/// states in double precision, relative to the lowest energy.  A binary tree of
/// decisions, with blocks of 16 states as leaves, shares work: time is O(2^n) for n
/// variables, derivatives included.
class Boltzmann {
 public:
  static constexpr std::size_t kMaxVariables = 24;

  Boltzmann(std::size_t n, std::span<const double> j);

  /// Sets p_k to the probability that x_k is 1.
  void marginals(std::span<const double> h, double temperature, std::span<double> p);

  /// The derivatives of g'p.  With s = g'x, sets dh_k = -Cov(s, x_k)/T and adds
  /// -Cov(s, x_k x_l)/(2T) to dj_kl (n,n); the halves are those of 1/2 x'Jx.
  void gradient(std::span<const double> h,
                double temperature,
                std::span<const double> g,
                std::span<double> dh,
                std::span<double> dj);

 private:
  /// Sums of weights w and of w s over states.
  using Sums = std::array<double, 2>;

  /// Numbers of a level of the tree, where variables from `level` on are decided.
  struct Level {
    std::vector<double> fields;  ///< of undecided variables
    std::vector<Sums> ones;      ///< sums over states where a variable is 1
  };

  static constexpr std::size_t kLeaf = 4;  ///< undecided variables of a leaf
  static constexpr std::size_t kStates = 1U << kLeaf;
  using States = std::array<double, kStates>;

  void sum(std::span<const double> h, double temperature, std::span<const double> g);
  void prepare_leaves();
  void add_pairs_of_leaves();
  [[nodiscard]] States energies_of_leaf(double energy) const;
  [[nodiscard]] double lowest(std::size_t level, double energy);
  [[nodiscard]] Sums visit(std::size_t level, double energy, double s);
  [[nodiscard]] Sums visit_leaf(double energy, double s);
  void decide_one(std::size_t variable);
  /// Sums over all states where a free variable is 1.
  [[nodiscard]] const Sums& ones(std::size_t variable) const {
    return levels_[std::max(kLeaf, free_.size())].ones[variable];
  }
  [[nodiscard]] double& coupling(std::size_t a, std::size_t b) {
    return couplings_[a * kMaxVariables + b];
  }

  std::size_t n_;
  std::vector<double> j_;
  std::vector<std::size_t> free_;  ///< variables that can be 1
  std::vector<double> couplings_;  ///< J of free variables
  std::vector<double> slope_;      ///< g of free variables
  std::vector<Level> levels_;
  States leaf_energy_{};  ///< of couplings within a leaf
  States leaf_slope_{};
  std::array<Sums, kStates> leaf_sums_{};  ///< over all leaves
  std::vector<Sums> pairs_;  ///< sums over states where two variables are 1
  Sums all_{};
  double lowest_ = 0.0;
  double inverse_temperature_ = 1.0;
};

}  // namespace oa::num
