#include "oa/solve/lattice/rounded.h"

#include "oa/base/index.h"
#include "oa/solve/lattice/triangle.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

/// Ridges as shares of the signal's power, for noise 5 to 30 dB below the signal,
/// and for no noise.  Most useful first, as time may not suffice for all.
constexpr double kRidges[] = {0.01, 0.03, 0.003, 0.1, 0.001, 0.3, 0.0};

/// Partial vectors (the places decided first), each with its cost.
class Beginnings {
 public:
  Beginnings(const Triangle& triangle, int width)
      : t_(triangle),
        width_(at(width)),
        m_(at(triangle.size())) {}

  /// Decides all numbers.  Returns the levels of the best vectors, by place.
  std::vector<std::vector<int>> run(const Stop& stop) {
    costs_ = {0.0};
    chosen_.assign(m_, 0);
    sums_ = t_.target;
    for (std::size_t place = m_; place-- > 0 && !stop();) {
      decide(place);
    }
    std::vector<std::vector<int>> all;
    for (std::size_t k = 0; k < costs_.size(); ++k) {
      const auto begin = chosen_.begin() + static_cast<std::ptrdiff_t>(k * m_);
      all.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(m_));
    }
    return all;
  }

 private:
  struct Child {
    double cost;
    std::size_t parent;
    int level;
  };

  void decide(std::size_t place) {
    const std::vector<double>& values = t_.values[place];
    const double* row = t_.r.data() + place * m_;
    children_.clear();
    for (std::size_t k = 0; k < costs_.size(); ++k) {
      for (std::size_t v = 0; v < values.size(); ++v) {
        const double left = sums_[k * m_ + place] - row[place] * values[v];
        // With a ridge, which is a prior, the curve corrects the ridge and does not
        // count.  Without a ridge, the curve is a rounding error.
        children_.push_back({costs_[k] + left * left + t_.slope[place] * values[v],
                             k,
                             static_cast<int>(v)});
      }
    }
    const auto less = [](const Child& a, const Child& b) {
      return std::pair(a.cost, std::pair(a.parent, a.level)) <
             std::pair(b.cost, std::pair(b.parent, b.level));
    };
    const std::size_t count = std::min(width_, children_.size());
    std::nth_element(children_.begin(),
                     children_.begin() + static_cast<std::ptrdiff_t>(count - 1),
                     children_.end(),
                     less);
    std::vector<double> costs(count);
    std::vector<int> chosen(count * m_);
    std::vector<double> sums(count * m_);
    for (std::size_t k = 0; k < count; ++k) {
      const Child& child = children_[k];
      const double value = values[at(child.level)];
      costs[k] = child.cost;
      std::copy_n(chosen_.begin() + static_cast<std::ptrdiff_t>(child.parent * m_),
                  m_,
                  chosen.begin() + static_cast<std::ptrdiff_t>(k * m_));
      chosen[k * m_ + place] = child.level;
      const double* from = sums_.data() + child.parent * m_;
      double* to = sums.data() + k * m_;
      for (std::size_t i = 0; i < place; ++i) {
        to[i] = from[i] - column(place)[i] * value;
      }
    }
    costs_ = std::move(costs);
    chosen_ = std::move(chosen);
    sums_ = std::move(sums);
  }

  /// Returns column `place` of R, contiguous.
  const double* column(std::size_t place) {
    if (columns_.empty()) {
      columns_.resize(m_ * m_);
      for (std::size_t i = 0; i < m_; ++i) {
        for (std::size_t k = i; k < m_; ++k) {
          columns_[k * m_ + i] = t_.r[i * m_ + k];
        }
      }
    }
    return columns_.data() + place * m_;
  }

  const Triangle& t_;
  std::size_t width_;
  std::size_t m_;
  std::vector<double> columns_;
  std::vector<double> costs_;
  std::vector<int> chosen_;   // (partial vectors, m)
  std::vector<double> sums_;  // t - Rz over the decided places
  std::vector<Child> children_;
};

/// Rounds the minimum over all reals to levels:
/// zero forcing or, with a ridge, minimum mean square error.
std::vector<int> nearest(const Triangle& t) {
  const std::size_t m = at(t.size());
  std::vector<double> z(m);
  std::vector<int> chosen(m);
  for (std::size_t k = m; k-- > 0;) {
    const double* row = t.r.data() + k * m;
    double sum = t.target[k];
    for (std::size_t i = k + 1; i < m; ++i) {
      sum -= row[i] * z[i];
    }
    z[k] = row[k] > 0.0 ? sum / row[k] : 0.0;
    const auto least = std::ranges::min_element(
        t.values[k], {}, [&](double v) { return std::abs(v - z[k]); });
    chosen[k] = static_cast<int>(least - t.values[k].begin());
  }
  return chosen;
}

/// Returns z'Gz + g'z.
double sum_of(const LeastSquares& squares, const std::vector<int>& chosen) {
  const std::size_t m = chosen.size();
  std::vector<double> z(m);
  for (std::size_t j = 0; j < m; ++j) {
    z[j] = squares.levels[j][at(chosen[j])].value;
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < m; ++j) {
    const double* row = squares.gram.data() + j * m;
    sum +=
        z[j] * (squares.linear[j] + std::inner_product(row, row + m, z.begin(), 0.0));
  }
  return sum;
}

/// Keeps the best vector so far.
class Best {
 public:
  explicit Best(const LeastSquares& squares) : squares_(squares) {}

  /// Takes the best of `found`, levels by place; returns true if it is better.
  bool take(const Triangle& triangle, const std::vector<std::vector<int>>& found) {
    bool better = false;
    for (const std::vector<int>& by_place : found) {
      std::vector<int> chosen(by_place.size());
      for (std::size_t k = 0; k < by_place.size(); ++k) {
        chosen[at(triangle.order[k])] = by_place[k];
      }
      const double sum = sum_of(squares_, chosen);
      if (chosen_.empty() || sum < least_) {
        chosen_ = std::move(chosen);
        least_ = sum;
        better = true;
      }
    }
    return better;
  }

  [[nodiscard]] const std::vector<int>& chosen() const { return chosen_; }

 private:
  const LeastSquares& squares_;
  std::vector<int> chosen_;
  double least_ = 0.0;
};

}  // namespace

Solution rounded(const qubo::Quadratic& f,
                 const LeastSquares& squares,
                 int width,
                 const Stop& stop) {
  const double power = power_of(squares);
  Best best(squares);
  Triangle of_best;
  for (const double ridge : kRidges) {
    if (!best.chosen().empty() && stop()) {
      break;
    }
    Triangle triangle = triangle_of(squares, ridge * power);
    auto found = Beginnings(triangle, std::min(width, kStartWidth)).run(stop);
    found.push_back(nearest(triangle));
    if (best.take(triangle, found)) {
      of_best = std::move(triangle);
    }
  }
  if (width > kStartWidth && !stop()) {
    best.take(of_best, Beginnings(of_best, width).run(stop));
  }
  std::vector<std::uint8_t> x = vector_of(squares, best.chosen());
  const TwoDoubles value = exact_energy(f, x).two();
  return {value, std::move(x)};
}

std::optional<Solution> rounded_start(const qubo::Quadratic& f,
                                      const Structure& structure,
                                      const Stop& stop) {
  const auto squares = find_least_squares(f, structure);
  if (!squares) {
    return std::nullopt;
  }
  return rounded(f, *squares, kStartWidth, stop);
}

}  // namespace oa::solve
