#include "oa/solve/program/multipliers.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

class Ascent {
 public:
  Ascent(const WholeProgram& p, std::span<const double> c)
      : p_(p),
        prices_(c.begin(), c.end()),
        l_(p.rows.size()),
        best_(l_) {
    for (const qubo::ProgramRow& row : p.rows) {
      double square = 1.0;
      for (const auto& [i, weight] : row.entries) {
        square += static_cast<double>(weight) * static_cast<double>(weight);
      }
      squares_.push_back(square);
    }
  }

  std::vector<double> climb(double target) {
    keep();
    line_searches();
    if (p_.rows.size() > 1) {
      subgradients(target);
      l_ = best_;
      line_searches();
    }
    return std::move(best_);
  }

 private:
  static constexpr int kLaps = 20;
  static constexpr int kSteps = 300;

  [[nodiscard]] double bound() const {
    double sum = 0.0;
    for (const double price : reduced_) {
      sum += std::min(0.0, price);
    }
    for (std::size_t k = 0; k < l_.size(); ++k) {
      const qubo::ProgramRow& row = p_.rows[k];
      sum -= l_[k] * static_cast<double>(l_[k] < 0.0 ? row.low : row.high);
    }
    return sum;
  }

  /// Computes reduced costs; stores l_ if it is the best so far.
  double keep() {
    reduced_ = prices_;
    for (std::size_t k = 0; k < l_.size(); ++k) {
      for (const auto& [i, weight] : p_.rows[k].entries) {
        reduced_[at(i)] += l_[k] * static_cast<double>(weight);
      }
    }
    const double now = bound();
    if (!kept_ || now > best_bound_) {
      kept_ = true;
      best_bound_ = now;
      best_ = l_;
    }
    return now;
  }

  /// Sets one multiplier to its best value, where the slope changes sign.
  void search_line(std::size_t k) {
    const qubo::ProgramRow& row = p_.rows[k];
    std::vector<std::pair<double, double>> bends{
        {0.0, static_cast<double>(row.high - row.low)}};
    for (const auto& [i, weight] : row.entries) {
      const auto a = static_cast<double>(weight);
      bends.emplace_back(l_[k] - reduced_[at(i)] / a, std::abs(a));
    }
    std::ranges::sort(bends);
    auto slope = static_cast<double>(row.most - row.low);
    double best = l_[k];
    for (const auto& [place, change] : bends) {
      best = place;
      slope -= change;
      if (slope <= 0.0) {
        break;
      }
    }
    const double step = best - l_[k];
    l_[k] = best;
    for (const auto& [i, weight] : row.entries) {
      reduced_[at(i)] += step * static_cast<double>(weight);
    }
  }

  void line_searches() {
    double before = keep();
    for (int lap = 0; lap < kLaps; ++lap) {
      for (std::size_t k = 0; k < l_.size(); ++k) {
        search_line(k);
      }
      const double now = keep();
      if (now - before <= 1e-9 * std::abs(now)) {
        return;
      }
      before = now;
    }
  }

  void subgradients(double target) {
    double factor = 1.0;
    int idle = 0;
    for (int step = 0; step < kSteps; ++step) {
      const double last = best_bound_;
      const double now = keep();
      idle = best_bound_ > last ? 0 : idle + 1;
      if (idle == 15) {
        factor *= 0.5;
        idle = 0;
        l_ = best_;
        keep();
      }
      std::vector<double> slope;
      double square = 0.0;
      for (std::size_t k = 0; k < l_.size(); ++k) {
        const qubo::ProgramRow& row = p_.rows[k];
        double sum = -static_cast<double>(l_[k] < 0.0 ? row.low : row.high);
        for (const auto& [i, weight] : row.entries) {
          sum += reduced_[at(i)] < 0.0 ? static_cast<double>(weight) : 0.0;
        }
        slope.push_back(sum / squares_[k]);
        square += sum * sum / squares_[k];
      }
      if (square == 0.0) {
        return;
      }
      const double gap = std::max(target - now, 1e-6 * std::abs(now));
      for (std::size_t k = 0; k < l_.size(); ++k) {
        l_[k] += factor * gap / square * slope[k];
      }
    }
    keep();
  }

  const WholeProgram& p_;
  std::vector<double> prices_;
  std::vector<double> reduced_;
  std::vector<double> l_;
  std::vector<double> best_;
  std::vector<double> squares_;  // of each row: sum of squared weights
  double best_bound_ = 0.0;
  bool kept_ = false;
};

}  // namespace

std::vector<double> linear_below(const WholeProgram& p) {
  std::vector<double> c;
  for (const Whole weight : p.linear) {
    c.push_back(static_cast<double>(weight));
  }
  for (const WholeProgram::Product& product : p.products) {
    const double share = std::min(0.0, static_cast<double>(product.weight)) /
                         static_cast<double>(product.variables.size());
    for (const std::int32_t i : product.variables) {
      c[at(i)] += share;
    }
  }
  return c;
}

std::vector<double> multipliers(const WholeProgram& p,
                                std::span<const double> c,
                                double target) {
  return Ascent(p, c).climb(target);
}

}  // namespace oa::solve
