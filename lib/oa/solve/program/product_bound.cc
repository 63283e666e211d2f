#include "oa/solve/program/product_bound.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>

namespace oa::solve {
namespace {

constexpr int kMaxShift = 24;
constexpr std::int64_t kMaxPrices = 4'000'000;
constexpr double kExact = 0x1p52;
constexpr double kEven = 0.7;       // the part of a difference that is removed
constexpr double kRowPace = 0.5;    // length of the steps of row prices in Way::Even
constexpr double kMaxRatio = 1e30;  // ratio if no changes suffice

/// The largest number of rows of a variable.
int depth_of(const WholeProgram& p) {
  std::vector<int> rows(at(p.size()));
  for (const qubo::ProgramRow& row : p.rows) {
    for (const auto& [i, weight] : row.entries) {
      ++rows[at(i)];
    }
  }
  return rows.empty() ? 0 : *std::ranges::max_element(rows);
}

/// The largest share of a product.  A cost has a share and a price of each row; a
/// subproblem has n costs and its limits, which add as much; and there are n
/// subproblems.
double max_share_of(const WholeProgram& p) {
  const double n = p.size() + 1;
  return kExact / (16.0 * n * n * (depth_of(p) + 2));
}

/// Magnitudes of the coefficients of the objective, at least 1.
struct Magnitudes {
  double largest = 1.0;
  double sum = 1.0;

  explicit Magnitudes(const WholeProgram& p) {
    for (const Whole weight : p.linear) {
      add(weight);
    }
    for (const WholeProgram::Product& product : p.products) {
      add(product.weight);
    }
  }

  void add(Whole weight) {
    const double magnitude = std::abs(static_cast<double>(weight));
    largest = std::max(largest, magnitude);
    sum += magnitude;
  }
};

/// The number of digits below one unit; less than 1 if there are none.
int shift_of(const WholeProgram& p) {
  constexpr double kRoom = 256.0;  // for shares to grow
  const Magnitudes all(p);
  const double share = max_share_of(p) / (kRoom * all.largest);
  const double sum = kExact / (8.0 * all.sum);
  return std::min(kMaxShift, std::ilogb(std::min(share, sum)));
}

}  // namespace

bool ProductBound::suits(const WholeProgram& p) {
  const auto two = [](const WholeProgram::Product& product) {
    return product.variables.size() == 2;
  };
  return p.size() <= kMaxVariables && !p.products.empty() && !p.rows.empty() &&
         p.size() * std::ssize(p.rows) <= kMaxPrices &&
         std::ranges::all_of(p.products, two) && shift_of(p) >= 1;
}

ProductBound::ProductBound(const WholeProgram& p)
    : p_(p),
      shift_(shift_of(p)),
      max_share_(max_share_of(p)),
      products_(at(p.size()) * at(p.size())),
      in_solved_(at(p.size())) {
  const std::size_t n = at(p.size());
  for (const Whole weight : p.linear) {
    linear_.push_back(std::ldexp(static_cast<double>(weight), shift_));
  }
  for (const auto& [variables, weight] : p.products) {
    const double scaled = std::ldexp(static_cast<double>(weight), shift_);
    products_[cell(variables[0], variables[1])] += scaled;
    products_[cell(variables[1], variables[0])] += scaled;
  }
  prices_.shares = products_;
  for (double& share : prices_.shares) {
    share *= 0.5;
  }
  for (const qubo::ProgramRow& row : p.rows) {
    Row own;
    own.weights.resize(n);
    double most = 1.0;
    own.priced = std::ranges::any_of(
        row.entries, [&](const auto& entry) { return in_solved_[at(entry.variable)]; });
    for (const auto& [i, weight] : row.entries) {
      const auto a = static_cast<double>(weight);
      own.weights[at(i)] = a;
      own.square += a * a;
      most = std::max(most, std::abs(a));
      in_solved_[at(i)] = in_solved_[at(i)] || !own.priced;
    }
    own.max_price = std::floor(max_share_ / most);
    (own.priced ? priced_ : solved_).push_back(rows_.size());
    rows_.push_back(std::move(own));
  }
  prices_.of_rows.resize(n * priced_.size());
  prices_.of_main.resize(priced_.size());
  picks_.resize(n * n);
  slack_.resize(n * n);
  for (std::vector<double>* v : {&costs_, &count_, &x_, &main_}) {
    v->resize(n);
  }
}

void ProductBound::enter(const Propagation& values) {
  open_.clear();
  constant_ = 0.0;
  costs_ = linear_;
  const std::vector<std::uint8_t>& all = values.values();
  for (std::int32_t i = 0; i < p_.size(); ++i) {
    if (all[at(i)] == Propagation::kUnset) {
      open_.push_back(i);
    } else if (all[at(i)] == 1) {
      constant_ += costs_[at(i)];
      for (std::int32_t k = 0; k < p_.size(); ++k) {
        costs_[at(k)] += products_[cell(i, k)];
      }
    }
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    row.entries.clear();
    std::int64_t ones = 0;
    for (const auto& [i, weight] : p_.rows[k].entries) {
      if (all[at(i)] == Propagation::kUnset) {
        row.entries.emplace_back(i, static_cast<double>(weight));
      } else if (all[at(i)] == 1) {
        ones += weight;
      }
    }
    row.low = static_cast<double>(p_.rows[k].low - ones);
    row.high = static_cast<double>(p_.rows[k].high - ones);
  }
}

/// Changes x, the minimum without the row, to the minimum with the row; variables may
/// be fractions.  Returns the price of the row.  `one` is 1, and not of x.
double ProductBound::close(const Row& row,
                           std::span<const double> costs,
                           std::span<double> x,
                           std::int32_t one) {
  const double own = one < 0 ? 0.0 : row.weights[at(one)];
  double sum = own;
  for (const auto& [i, a] : row.entries) {
    sum += i == one ? 0.0 : x[at(i)] * a;
  }
  const bool lowers = sum > row.high;
  if (!lowers && sum >= row.low) {
    return 0.0;
  }
  double missing = lowers ? sum - row.high : row.low - sum;
  changes_.clear();
  for (const auto& [i, a] : row.entries) {
    const double gain = (x[at(i)] > 0.5) == lowers ? a : -a;
    if (i != one && gain > 0.0) {
      changes_.push_back({std::abs(costs[at(i)]) / gain, gain, i});
    }
  }
  double ratio = kMaxRatio;
  auto first = changes_.begin();
  auto last = changes_.end();
  while (first != last) {  // the cheapest changes come first
    const auto middle = first + (last - first) / 2;
    std::ranges::nth_element(first, middle, last, {}, &Change::ratio);
    double gain = 0.0;
    std::for_each(first, middle, [&](const Change& c) { gain += c.size; });
    if (gain >= missing) {
      last = middle;
      continue;
    }
    for (; first != middle; ++first) {
      x[at(first->variable)] = 1.0 - x[at(first->variable)];
    }
    missing -= gain;
    const double part = std::min(1.0, missing / middle->size);
    if (missing <= middle->size) {
      double& value = x[at(middle->variable)];
      value = value > 0.5 ? 1.0 - part : part;
      ratio = middle->ratio;
      break;
    }
    x[at(middle->variable)] = 1.0 - x[at(middle->variable)];
    missing -= middle->size;
    first = middle + 1;
  }
  const double most = one < 0 ? row.max_price * p_.size() : row.max_price;
  const double price = std::min(std::nearbyint(ratio), most);
  return lowers ? price : -price;
}

/// Minimises costs over open variables except `one`, which is 1, and over the rows
/// without prices.  Subtracts the prices of these rows from the costs.
double ProductBound::solve(std::span<double> costs,
                           std::span<double> x,
                           std::int32_t one) {
  for (const std::int32_t i : open_) {
    x[at(i)] = costs[at(i)] < 0.0 ? 1.0 : 0.0;
  }
  double bound = 0.0;
  for (const std::size_t k : solved_) {
    const Row& row = rows_[k];
    const double price = close(row, costs, x, one);
    if (price != 0.0) {
      for (const auto& [i, a] : row.entries) {
        costs[at(i)] += price * a;
      }
      const double limit = price < 0.0 ? row.low : row.high;
      bound -= price * (one < 0 ? limit : limit - row.weights[at(one)]);
    }
  }
  for (const std::int32_t i : open_) {
    bound += i == one ? 0.0 : std::min(0.0, costs[at(i)]);
  }
  return bound;
}

double ProductBound::solve_subproblem(std::int32_t j) {
  const std::size_t row_prices = at(j) * priced_.size();
  const std::span<double> costs = std::span(slack_).subspan(cell(j, 0), x_.size());
  const std::span<double> x = std::span(picks_).subspan(cell(j, 0), x_.size());
  for (const std::int32_t i : open_) {
    costs[at(i)] = prices_.shares[cell(j, i)];
  }
  double bound = 0.0;
  for (std::size_t k = 0; k < priced_.size(); ++k) {
    const double price = prices_.of_rows[row_prices + k];
    if (price != 0.0) {
      const Row& row = rows_[priced_[k]];
      for (const auto& [i, a] : row.entries) {
        costs[at(i)] += price * a;
      }
      bound -= price * ((price < 0.0 ? row.low : row.high) - row.weights[at(j)]);
    }
  }
  bound += solve(costs, x, j);
  x[at(j)] = 0.0;
  costs[at(j)] = 0.0;
  double ones = 0.0;
  for (const std::int32_t i : open_) {
    ones += x[at(i)];
  }
  count_[at(j)] = std::max(1.0, ones);
  return bound;
}

double ProductBound::evaluate() {
  double bound = constant_;
  for (const std::int32_t j : open_) {
    main_[at(j)] = costs_[at(j)] + solve_subproblem(j);
  }
  for (std::size_t k = 0; k < priced_.size(); ++k) {
    const Row& row = rows_[priced_[k]];
    const double price = prices_.of_main[k];
    for (const auto& [i, a] : row.entries) {
      main_[at(i)] += price * a;
    }
    bound -= price * (price < 0.0 ? row.low : row.high);
  }
  return bound + solve(main_, x_, -1);
}

/// Moves cost between the shares of x_j x_i.
bool ProductBound::shift_share(std::int32_t j, std::int32_t i, double change) {
  double& from = prices_.shares[cell(j, i)];
  double& to = prices_.shares[cell(i, j)];
  if (std::abs(from - change) > max_share_ || std::abs(to + change) > max_share_) {
    return false;
  }
  from -= change;
  to += change;
  return true;
}

/// Evens out the reduced costs of the shares of x_j.  The reduced cost of a variable in
/// the main problem belongs to the ones of its subproblem in equal parts.
void ProductBound::even_out(std::int32_t j) {
  solve_subproblem(j);
  const double own = main_[at(j)] / count_[at(j)];
  for (const std::int32_t i : open_) {
    if (i == j) {
      continue;
    }
    const double other = main_[at(i)] / count_[at(i)];
    double& slack = slack_[cell(j, i)];
    double& back = slack_[cell(i, j)];
    const double change = std::nearbyint(0.5 * kEven * (slack + own - back - other));
    if (shift_share(j, i, change)) {
      slack -= change;
      back += change;
    }
  }
}

void ProductBound::improve(Way way, double pace, double missing) {
  if (way == Way::Step) {
    step(pace, missing, true);
    return;
  }
  for (const std::int32_t j : open_) {
    even_out(j);
  }
  step(kRowPace, missing, false);
}

/// The part of a row's sum beyond its limits, or beyond the limit of its price.
double ProductBound::error(const Row& row, double sum, double price) {
  if (sum > row.high || price > 0.0) {
    return sum - row.high;
  }
  return sum < row.low || price < 0.0 ? sum - row.low : 0.0;
}

void ProductBound::step(double pace, double missing, bool shares) {
  const auto share_error = [&](std::int32_t j, std::int32_t i) {
    return x_[at(j)] * picks_[cell(j, i)] - x_[at(i)] * picks_[cell(i, j)];
  };
  double square = 0.0;
  if (shares) {
    for (const std::int32_t j : open_) {
      for (const std::int32_t i : open_) {
        if (i == j) {
          break;
        }
        const double e = share_error(j, i);
        square += 2.0 * e * e;
      }
    }
  }
  std::vector<double> errors;
  for (std::size_t k = 0; k < priced_.size(); ++k) {
    const Row& row = rows_[priced_[k]];
    const auto add = [&](const double* x, double sum, double weight, double price) {
      for (const auto& [i, a] : row.entries) {
        sum += x[i] * a;
      }
      const double e = weight * error(row, sum, price);
      square += e * e / row.square;
      errors.push_back(e / row.square);
    };
    add(x_.data(), 0.0, 1.0, prices_.of_main[k]);
    for (const std::int32_t j : open_) {
      const double weight = shares ? x_[at(j)] : 0.3;
      if (weight > 0.0) {
        add(&picks_[cell(j, 0)],
            row.weights[at(j)],
            weight,
            prices_.of_rows[at(j) * priced_.size() + k]);
      }
    }
  }
  if (square == 0.0) {
    return;
  }
  const double size = pace * missing / square;
  if (shares) {
    for (const std::int32_t j : open_) {
      for (const std::int32_t i : open_) {
        if (i == j) {
          break;
        }
        shift_share(j, i, -std::nearbyint(size * share_error(j, i)));
      }
    }
  }
  const double* e = errors.data();
  for (std::size_t k = 0; k < priced_.size(); ++k) {
    const double most = rows_[priced_[k]].max_price;
    const auto move = [&](double& price) {
      price = std::clamp(price + std::nearbyint(size * *e++), -most, most);
    };
    move(prices_.of_main[k]);
    for (const std::int32_t j : open_) {
      if (!shares || x_[at(j)] > 0.0) {
        move(prices_.of_rows[at(j) * priced_.size() + k]);
      }
    }
  }
}

}  // namespace oa::solve
