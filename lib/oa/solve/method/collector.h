#pragma once

#include "oa/qubo/energies.h"
#include "oa/qubo/quadratic.h"
#include "oa/solve/method/solver.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace oa::solve {

/// Evaluates a solver's vectors exactly and keeps the best.
class Collector {
 public:
  using Improved = std::function<void(std::span<const std::uint8_t>)>;

  Collector(const Batch& batch, int top) : top_(top) {
    if (batch.single != nullptr) {
      f_ = &batch.single->f;
      improved_ = batch.single->improved;
    } else {
      energy_.emplace(*batch.matrix);
      ones_.resize(static_cast<std::size_t>(batch.size()));
    }
  }

  /// For a single function, which must outlive this; begin() takes its linear term.
  Collector(const qubo::Quadratic& f, int top) : f_(&f), top_(top) {}

  /// Starts the problem with linear term `h` and remainders `rests` of coefficients,
  /// which must outlive the problem.
  void begin(std::span<const double> h, std::span<const qubo::Term> rests = {}) {
    if (energy_) {
      energy_->set_linear(h, rests);
    }
    pool_ = Pool(top_);
  }

  /// Called for each x of a single problem that improves on all earlier x.
  [[nodiscard]] const Improved& on_improved() const { return improved_; }

  /// Takes x if it is among the best; returns the energy of x.
  TwoDoubles offer(std::span<const std::uint8_t> x) {
    if (f_ != nullptr) {
      const TwoDoubles energy = exact_energy(*f_, x).two();
      const bool best = pool_.best().empty() || energy < pool_.best().front().value();
      pool_.insert(energy, x);
      if (best && improved_) {
        improved_(x);
      }
      return energy;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      ones_[count] = static_cast<int>(i);
      count += x[i];
    }
    const TwoDoubles energy = (*energy_)(std::span(ones_).first(count));
    pool_.insert(energy, x);
    return energy;
  }

  [[nodiscard]] int top() const { return top_; }
  [[nodiscard]] const Pool& pool() const { return pool_; }

  /// All energies are multiples of step(); 0 if unknown.
  [[nodiscard]] double step() const { return energy_ ? energy_->step() : 0.0; }

  /// Returns the best solutions, without a proof.
  [[nodiscard]] Result take_result(bool stopped) {
    Result result;
    result.best = pool_.take_best();
    result.status = stopped ? qubo::Status::Stopped : qubo::Status::BestFound;
    return result;
  }

 private:
  std::optional<qubo::Energies> energy_;
  const qubo::Quadratic* f_ = nullptr;
  int top_;
  Pool pool_{1};
  std::vector<int> ones_;
  Improved improved_;
};

}  // namespace oa::solve
