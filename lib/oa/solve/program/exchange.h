#pragma once

#include "oa/base/rng.h"
#include "oa/qubo/program.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/stop.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace oa::solve {

struct ExchangeSettings {
  int reads = 8;
  int sweeps = 200;
  /// The initial price of a unit of violation for each row; empty: automatic.
  std::vector<double> prices = {};
  /// Called for each feasible x that improves on all earlier x,
  /// at most once a sweep.  The search ends if the callback returns true.
  std::function<bool(std::span<const std::uint8_t>)> improved = {};
};

/// The best x of a search.
struct Exchanged {
  std::vector<std::uint8_t> x;
  bool feasible = false;  ///< false: x has the lowest violation found
};

/// The number of sweeps of a long read: a few find more than many short reads.
[[nodiscard]] int long_sweeps(const qubo::Program& program);

/// Returns the objective's terms of one or two variables.
[[nodiscard]] qubo::Quadratic quadratic_of(const qubo::Program& program);

/// Simulated annealing of a program by flips of one variable or of two in a row.  A
/// row's violation has a price, which rises while the row is violated and falls while
/// all rows hold.  Each read ends with a descent over feasible x.  Starts at `start`;
/// the result is never worse.
class Exchange {
 public:
  /// `rows` must outlive this.
  Exchange(const qubo::Quadratic& objective, std::span<const qubo::ProgramRow> rows);
  explicit Exchange(const qubo::Program& program);

  [[nodiscard]] Exchanged run(const std::vector<std::uint8_t>& start,
                              const ExchangeSettings& settings,
                              const Rng& rng,
                              const Stop& stop) const;

 private:
  friend class ExchangeRun;

  struct Effect {
    std::int32_t row;
    std::int64_t weight;
  };
  /// Lists by variable: variable i has entries first[i] to first[i + 1] - 1.
  template <class T>
  struct Lists {
    std::vector<std::size_t> first;
    std::vector<T> all;
    [[nodiscard]] std::span<const T> of(int i) const {
      const auto k = static_cast<std::size_t>(i);
      return std::span(all).subspan(first[k], first[k + 1] - first[k]);
    }
  };

  int n_;
  std::span<const qubo::ProgramRow> rows_;
  std::vector<double> linear_;
  Lists<qubo::Coupling> couplings_;
  Lists<std::int32_t> products_;  // of at least three variables
  std::vector<double> weights_;   // weights of products
  Lists<Effect> effects_;
  std::vector<double> scales_;  // of each variable: largest change of the value
};

}  // namespace oa::solve
