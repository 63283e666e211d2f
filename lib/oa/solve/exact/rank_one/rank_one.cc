#include "oa/solve/exact/rank_one/rank_one.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr int kMin = 16;  // below, branching is as fast
constexpr int kMaxHalf = 64;
constexpr std::int64_t kMaxSums = std::int64_t{1} << 21;
constexpr int kBits = 62;  // sum of magnitudes is below 2^kBits
constexpr Whole kMaxWhole = Whole{1} << kBits;
constexpr Whole kMaxScale = Whole{1} << 20;

Whole magnitude(Whole a) {
  return a < 0 ? -a : a;
}

Whole common_divisor(Whole a, Whole b) {
  while (b != 0) {
    a = std::exchange(b, a % b);
  }
  return magnitude(a);
}

/// scale * f as the sum of linear_i x_i + factor a_i a_k x_i x_k over pairs.
struct Products {
  Whole scale = 1;
  std::int64_t factor = 1;
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> linear;
};

/// Derives a from the couplings of variables 0, 1 and 2.
/// Empty if numbers are too large.  Does not compare other couplings.
std::optional<Products> products_like_first_row(const WholeFunction& f, int bits) {
  const int n = f.size();
  std::vector<Whole> a(at(n));
  Whole common = 0;
  for (const WholeCoupling& c : f.rows[0]) {
    a[at(c.other)] = c.weight;
    common = common_divisor(common, c.weight);
  }
  for (Whole& w : a) {
    w /= common;
  }
  // J_12 = above / below * a_1 a_2.
  const auto pair = std::ranges::find(f.rows[1], 2, &WholeCoupling::other);
  Whole above = pair->weight;
  Whole below = a[1] * a[2];
  const Whole shared = common_divisor(above, below) * (below < 0 ? -1 : 1);
  above /= shared;
  below /= shared;
  if (below > kMaxScale) {
    return std::nullopt;
  }
  // a_0 = common * below / above = first / divisor.
  const Whole sign = above < 0 ? -1 : 1;
  const Whole shorter = common_divisor(common * below, above);
  const Whole first = sign * common * below / shorter;
  const Whole divisor = sign * above / shorter;
  if (divisor > kMaxScale) {
    return std::nullopt;
  }
  const Whole square = divisor * divisor;
  const Whole reduced = common_divisor(above, square);
  Products found{
      below * (square / reduced), static_cast<std::int64_t>(above / reduced), {}, {}};
  if (found.scale > kMaxWhole >> bits) {
    return std::nullopt;
  }
  for (int i = 0; i < n; ++i) {
    const Whole number = i == 0 ? first : a[at(i)] * divisor;
    if (magnitude(number) >= kMaxWhole) {
      return std::nullopt;
    }
    found.a.push_back(static_cast<std::int64_t>(number));
    found.linear.push_back(static_cast<std::int64_t>(f.linear[at(i)] * found.scale));
  }
  return found;
}

/// True if every coupling equals the product of its variables.
bool holds(const Products& p, const WholeFunction& f) {
  for (int i = 0; i < f.size(); ++i) {
    for (const WholeCoupling& c : f.rows[at(i)]) {
      const Whole product = Whole{p.a[at(i)]} * p.a[at(c.other)];
      if (magnitude(product) > kMaxWhole || p.factor * product != p.scale * c.weight) {
        return false;
      }
    }
  }
  return true;
}

std::optional<Products> find_products(const qubo::Quadratic& f, const Stop& stop) {
  const std::int64_t n = f.size();
  if (n < kMin || n > 2 * kMaxHalf || f.pairs() != n * (n - 1) / 2) {
    return std::nullopt;
  }
  const Digits digits = digits_of(f);
  const int bits = digits.top - digits.unit;
  if (bits > kBits) {
    return std::nullopt;
  }
  Pace pace(stop);
  const WholeFunction whole = in_whole_numbers(f, digits.unit, pace);
  if (pace.stopped()) {
    return std::nullopt;
  }
  auto found = products_like_first_row(whole, bits);
  return found && holds(*found, whole) ? std::move(found) : std::nullopt;
}

/// A choice for half of the variables:
/// the sum of a, the value, and the variables, the first variable in the highest bit.
struct Choice {
  std::int64_t sum = 0;
  std::int64_t value = 0;
  std::uint64_t ones = 0;
};

/// True if `a` is better than `b`, for equal sums.
bool comes_before(const Choice& a, const Choice& b) {
  return std::pair(a.value, a.ones) < std::pair(b.value, b.ones);
}

/// Merges lists of increasing sums; of two equal sums, keeps the better choice.
void merge(const std::vector<Choice>& a,
           const std::vector<Choice>& b,
           std::vector<Choice>& merged) {
  merged.clear();
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (right == b.end() || (left != a.end() && left->sum < right->sum)) {
      merged.push_back(*left++);
    } else if (left == a.end() || right->sum < left->sum) {
      merged.push_back(*right++);
    } else {
      merged.push_back(comes_before(*left, *right) ? *left : *right);
      ++left;
      ++right;
    }
  }
}

/// Returns the best choice of each sum over variables first .. end-1,
/// by increasing sum.  Empty if there are too many sums, or if stopped.
std::vector<Choice> choices(const Products& p, int first, int end, const Stop& stop) {
  Whole range = 1;
  for (int i = first; i < end; ++i) {
    range += magnitude(p.a[at(i)]);
  }
  if (range > kMaxSums && end - first > std::countr_zero(std::uint64_t{kMaxSums})) {
    return {};
  }
  std::vector<Choice> list{{}};
  std::vector<Choice> shifted;
  std::vector<Choice> merged;
  for (int i = first; i < end && !stop(); ++i) {
    shifted = list;
    for (Choice& c : shifted) {
      c.value += p.linear[at(i)] + p.factor * p.a[at(i)] * c.sum;
      c.sum += p.a[at(i)];
      c.ones |= std::uint64_t{1} << (kMaxHalf - 1 - (i - first));
    }
    merge(list, shifted, merged);
    list.swap(merged);
  }
  return stop() ? std::vector<Choice>{} : list;
}

/// The lower envelope of lines.  A choice of the right half is the line of points
/// value + factor * sum * t, where t is the sum of the left half.
class Envelope {
 public:
  Envelope(std::span<const Choice> right, std::int64_t factor) : factor_(factor) {
    // Slopes decrease.
    for (std::size_t k = 0; k < right.size(); ++k) {
      add(right[factor > 0 ? right.size() - 1 - k : k]);
    }
  }

  /// Returns the minimum at `sum`; successive sums must not decrease.
  std::int64_t minimum(std::int64_t sum) {
    while (next_ + 1 < lines_.size() &&
           value(lines_[next_ + 1], sum) <= value(lines_[next_], sum)) {
      ++next_;
    }
    return value(lines_[next_], sum);
  }

  [[nodiscard]] std::int64_t value(const Choice& line, std::int64_t sum) const {
    return line.value + factor_ * line.sum * sum;
  }

 private:
  void add(const Choice& line) {
    while (lines_.size() >= 2 &&
           hides(lines_[lines_.size() - 2], lines_.back(), line)) {
      lines_.pop_back();
    }
    lines_.push_back(line);
  }

  /// True if `second` is never below both of its neighbours.
  [[nodiscard]] bool hides(const Choice& first,
                           const Choice& second,
                           const Choice& third) const {
    const auto fall = [&](const Choice& to) {
      return Whole{factor_} * (Whole{first.sum} - to.sum);
    };
    const auto rise = [&](const Choice& to) { return Whole{to.value} - first.value; };
    return rise(third) * fall(second) <= rise(second) * fall(third);
  }

  std::int64_t factor_;
  std::vector<Choice> lines_;
  std::size_t next_ = 0;
};

/// Returns the lexicographically smallest minimum.
std::vector<std::uint8_t> minimum(const Products& p,
                                  std::span<const Choice> left,
                                  std::span<const Choice> right) {
  Envelope envelope(right, p.factor);
  Choice first;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Choice& c : left) {
    const std::int64_t value = c.value + envelope.minimum(c.sum);
    if (std::pair(value, c.ones) < std::pair(least, first.ones)) {
      least = value;
      first = c;
    }
  }
  std::uint64_t second = std::numeric_limits<std::uint64_t>::max();
  for (const Choice& c : right) {
    if (first.value + envelope.value(c, first.sum) == least) {
      second = std::min(second, c.ones);
    }
  }
  std::vector<std::uint8_t> x;
  const int n = static_cast<int>(p.a.size());
  for (int i = 0; i < n; ++i) {
    const int place = i < n / 2 ? i : i - n / 2;
    const std::uint64_t ones = i < n / 2 ? first.ones : second;
    x.push_back(ones >> (kMaxHalf - 1 - place) & 1);
  }
  return x;
}

}  // namespace

std::optional<Result> solve_rank_one(const PartTask& task, const Stop& stop) {
  const auto products = find_products(task.f, stop);
  if (!products) {
    return std::nullopt;
  }
  const int n = task.f.size();
  const auto left = choices(*products, 0, n / 2, stop);
  const auto right = choices(*products, n / 2, n, stop);
  if (left.empty() || right.empty()) {
    return std::nullopt;
  }
  auto x = minimum(*products, left, right);
  const ExactSum energy = exact_energy(task.f, x);
  Result result;
  result.best.emplace_back(energy.two(), std::move(x));
  result.bound = energy.rounded_down();
  result.status = qubo::Status::ProvedOptimal;
  result.method = "exact";
  result.proof = "products";
  return result;
}

}  // namespace oa::solve
