#pragma once

#include "oa/qubo/energies.h"
#include "oa/solve/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace oa::solve {

/// Where solvers bring what they find: evaluates it exactly and keeps the best.
class Collector {
 public:
  Collector(const qubo::Matrix& j, int top)
      : energy_(j),
        top_(top),
        ones_(static_cast<std::size_t>(j.size())) {}

  /// Begins the problem with linear term `h` and what the coefficients leave over; they
  /// must outlive it.
  void begin(std::span<const double> h, std::span<const qubo::Term> rests = {}) {
    energy_.set_linear(h, rests);
    pool_ = Pool(top_);
  }

  /// Returns the energy of x.
  TwoDoubles offer(std::span<const std::uint8_t> x) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      ones_[count] = static_cast<int>(i);
      count += x[i];
    }
    const TwoDoubles energy = energy_(std::span(ones_).first(count));
    pool_.insert(energy, x);
    return energy;
  }

  [[nodiscard]] int top() const { return top_; }
  [[nodiscard]] const Pool& pool() const { return pool_; }

  /// All energies are multiples of this; 0 if that isn't known.
  [[nodiscard]] double step() const { return energy_.step(); }

  /// What was found; nothing is proven.
  [[nodiscard]] Result take(bool stopped) {
    Result result;
    result.best = pool_.take();
    result.status = stopped ? qubo::Status::Stopped : qubo::Status::BestFound;
    return result;
  }

 private:
  qubo::Energies energy_;
  int top_;
  Pool pool_{1};
  std::vector<int> ones_;
};

}  // namespace oa::solve
