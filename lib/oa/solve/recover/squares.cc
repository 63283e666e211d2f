#include "oa/solve/recover/squares.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

using Entry = qubo::ProgramRow::Entry;

constexpr std::size_t kSample = 8;  // couplings of a variable that are looked at
constexpr double kLeastFit = 0.25;  // squared correlation of the sample with a square
constexpr double kLeastLoss = 0.5;  // of the squares of couplings, beside a square's
constexpr double kLeastPenalty = 0.25;  // beside the reach of the rest
constexpr int kMaxSquareBits = 51;      // of numbers in units
constexpr std::int64_t kMostWeight = std::int64_t{1} << 30;
constexpr std::int64_t kWorkEach = 400;  // for each coupling and variable

double coupling(const qubo::Quadratic& f, int i, int k) {
  const qubo::Pairs& pairs = f.couplings();
  if (pairs.dense()) {
    return f.factor() * pairs.weights()[at(i) * at(f.size()) + at(k)];
  }
  const auto others = pairs.others();
  const auto begin =
      others.begin() + static_cast<std::ptrdiff_t>(pairs.begins()[at(i)]);
  const auto end =
      others.begin() + static_cast<std::ptrdiff_t>(pairs.begins()[at(i) + 1]);
  const auto found = std::lower_bound(begin, end, k);
  return found != end && *found == k
             ? f.factor() * pairs.weights()[at(found - others.begin())]
             : 0.0;
}

/// Some couplings of a variable, spread over its row if that is sparse.
std::vector<qubo::Coupling> sample(const qubo::Quadratic& f, int i, std::size_t size) {
  std::vector<qubo::Coupling> some;
  const qubo::Pairs& pairs = f.couplings();
  if (pairs.dense()) {
    for (const qubo::Coupling& c : f.row(i)) {
      some.push_back(c);
      if (some.size() == size) {
        break;
      }
    }
    return some;
  }
  const std::size_t first = pairs.begins()[at(i)];
  const std::size_t count = pairs.begins()[at(i) + 1] - first;
  const std::size_t step = std::max<std::size_t>(1, count / size);
  for (std::size_t k = 0; k < count && some.size() < size; k += step) {
    some.push_back(
        {pairs.others()[first + k], f.factor() * pairs.weights()[first + k]});
  }
  return some;
}

/// True if the couplings among some neighbours of i look like products of their
/// couplings to i.
bool may_be_slack(const qubo::Quadratic& f, int i, std::size_t size) {
  const std::vector<qubo::Coupling> some = sample(f, i, size);
  if (some.size() < 2) {
    return false;
  }
  double fit = 0.0;
  double seen = 0.0;
  double products = 0.0;
  int pairs = 0;
  int zeros = 0;
  for (std::size_t b = 1; b < some.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const double weight = coupling(f, some[a].other, some[b].other);
      const double product = some[a].weight * some[b].weight;
      fit += weight * product;
      seen += weight * weight;
      products += product * product;
      ++pairs;
      zeros += weight == 0.0 ? 1 : 0;
    }
    if (pairs >= 6 && 6 * zeros > 5 * pairs) {
      return false;
    }
  }
  return fit > 0.0 && fit * fit >= kLeastFit * seen * products;
}

struct Weight {
  std::int32_t other;
  std::int64_t weight;
};
using Row = std::vector<Weight>;

/// a (sum of entries - right)^2 / 2 in units.
struct Found {
  std::vector<Entry> entries;
  std::int64_t right = 0;
  std::int64_t twice = 0;  // the penalty
  std::vector<std::int32_t> slack;
};

class SquareFinder {
 public:
  SquareFinder(const qubo::Quadratic& f, const Stop& stop) : f_(f), pace_(stop) {}

  Squares find() {
    std::vector<int> candidates;
    for (int i = 0; i < f_.size() && !pace_(kSample * kSample); ++i) {
      if (may_be_slack(f_, i, kSample) && may_be_slack(f_, i, 3 * kSample)) {
        candidates.push_back(i);
      }
    }
    if (!candidates.empty() && begin()) {
      sort(candidates);
      for (const int i : candidates) {
        if (pace_(1) || work_ > most_work_) {
          break;
        }
        try_slack(i);
      }
      drop_small();
    }
    return result();
  }

 private:
  /// Copies the linear terms in units.  False if numbers span too many digits.
  bool begin() {
    const Digits digits = digits_of(f_);
    unit_ = digits.unit - 1;
    if (digits.top - unit_ > kMaxSquareBits || !f_.rests().empty()) {
      return false;
    }
    most_work_ = kWorkEach * (f_.pairs() + f_.size());
    for (const double h : f_.linear) {
      linear_.push_back(units(h));
    }
    rows_.resize(f_.linear.size());
    copied_.resize(f_.linear.size());
    return true;
  }

  [[nodiscard]] std::int64_t units(double weight) const {
    return static_cast<std::int64_t>(std::ldexp(weight, -unit_));
  }

  Row& row(std::int32_t i) {
    if (!copied_[at(i)]) {
      copied_[at(i)] = true;
      f_.row(i).each([&](std::int32_t k, double weight) {
        rows_[at(i)].push_back({k, units(weight)});
      });
      work_ += std::ssize(rows_[at(i)]);
    }
    return rows_[at(i)];
  }

  /// Sorts by the least weight, since digits that are 1 show the others, then by the
  /// sum of weights: variables in several squares have larger ones.
  void sort(std::vector<int>& candidates) {
    std::vector<std::array<std::int64_t, 3>> order;
    for (const int i : candidates) {
      std::int64_t least = std::int64_t{1} << 62;
      std::int64_t sum = 0;
      for (const Weight& w : row(i)) {
        least = std::min(least, std::abs(w.weight));
        sum += std::abs(w.weight);
      }
      order.push_back({least, sum, i});
    }
    std::ranges::sort(order);
    std::ranges::transform(order, candidates.begin(), [](const auto& o) {
      return static_cast<int>(o[2]);
    });
  }

  /// The factor u / v, in lowest terms, with v row(k) = u row(i) outside both.
  std::optional<std::pair<std::int64_t, std::int64_t>> ratio(std::int32_t i,
                                                             std::int32_t k) {
    const Row& x = row(i);
    const Row& y = row(k);
    if (x.size() != y.size() || x.size() < 2) {
      return std::nullopt;
    }
    std::int64_t u = 0;
    std::int64_t v = 0;
    std::size_t a = 0;
    std::size_t b = 0;
    for (std::size_t seen = 1; seen < x.size(); ++seen, ++a, ++b) {
      a += x[a].other == k ? 1U : 0U;
      b += y[b].other == i ? 1U : 0U;
      ++work_;
      if (x[a].other != y[b].other) {
        return std::nullopt;
      }
      if (v == 0) {
        const std::int64_t common = std::gcd(x[a].weight, y[b].weight);
        u = y[b].weight / common;
        v = x[a].weight / common;
      } else if (Whole{y[b].weight} * v != Whole{x[a].weight} * u) {
        return std::nullopt;
      }
    }
    return v > 0 ? std::pair(u, v) : std::pair(-u, -v);
  }

  /// Takes the square in which i is a slack digit, if there is one.
  void try_slack(std::int32_t i) {
    const Row own = row(i);
    if (own.size() < 2) {
      return;
    }
    Found s;
    s.slack.push_back(i);
    Whole self = 0;  // the weight of i as a coupling with itself
    for (const Weight& w : own) {
      if (const auto r = ratio(i, w.other)) {
        s.slack.push_back(w.other);
        const auto [u, v] = *r;
        if (self == 0 && (Whole{w.weight} * v) % u == 0) {
          self = Whole{w.weight} * v / u;
        }
      }
    }
    std::int64_t common = 0;
    for (const Weight& w : own) {
      common = std::gcd(common, w.weight);
    }
    if (self == 0) {
      self = common;  // a weight of 1
    }
    if (self < 0 || self > (Whole{1} << kMaxSquareBits)) {
      return;
    }
    common = std::gcd(common, static_cast<std::int64_t>(self));
    for (const Weight& w : own) {
      s.entries.push_back({w.other, w.weight / common});
    }
    s.entries.push_back({i, static_cast<std::int64_t>(self) / common});
    std::ranges::sort(s.entries, {}, &Entry::variable);
    // common = 2 P a_i
    const std::int64_t weight = static_cast<std::int64_t>(self) / common;
    if (common % weight != 0) {
      return;
    }
    s.twice = common / weight;
    if (s.twice % 2 != 0) {
      return;
    }
    std::ranges::sort(s.slack);
    take(std::move(s), i);
  }

  /// The coupling of i and k in what is left.
  [[nodiscard]] std::int64_t left(std::int32_t i, std::int32_t k) const {
    if (!copied_[at(i)]) {
      return units(coupling(f_, i, k));
    }
    const Row& row = rows_[at(i)];
    const auto found = std::ranges::lower_bound(row, k, {}, &Weight::other);
    return found != row.end() && found->other == k ? found->weight : 0;
  }

  /// True if couplings of some variables of s would become smaller.
  [[nodiscard]] bool plausible(const Found& s) const {
    constexpr std::size_t kSome = 24;
    const std::size_t step = (s.entries.size() + kSome - 1) / kSome;
    double lost = 0.0;
    double own = 0.0;
    for (std::size_t a = 0; a < s.entries.size(); a += step) {
      for (std::size_t b = 0; b < a; b += step) {
        const Entry& x = s.entries[a];
        const Entry& y = s.entries[b];
        const double product = static_cast<double>(s.twice) *
                               static_cast<double>(x.weight) *
                               static_cast<double>(y.weight);
        const auto now = static_cast<double>(left(x.variable, y.variable));
        lost += product * (2.0 * now - product);
        own += product * product;
      }
    }
    return lost >= 0.5 * kLeastLoss * own;
  }

  /// Subtracts the square if couplings become much smaller.
  void take(Found s, std::int32_t digit) {
    if (!plausible(s)) {
      return;
    }
    std::vector<Row> after;
    double lost = 0.0;
    double own = 0.0;
    for (const Entry& e : s.entries) {
      if (std::abs(e.weight) > kMostWeight) {
        return;
      }
      Row& left = after.emplace_back();
      if (!subtract(s, e, left, lost, own)) {
        return;
      }
    }
    if (lost < kLeastLoss * own) {
      return;
    }
    const auto here = std::ranges::find(s.entries, digit, &Entry::variable);
    const auto weight = static_cast<double>(here->weight);
    s.right =
        std::llround(0.5 * (weight - 2.0 * static_cast<double>(linear_[at(digit)]) /
                                         (static_cast<double>(s.twice) * weight)));
    if (std::abs(s.right) > kMostWeight ||
        !std::ranges::all_of(s.entries,
                             [&](auto& e) { return fits(linear_with(s, -1, e)); })) {
      return;
    }
    for (std::size_t k = 0; k < s.entries.size(); ++k) {
      rows_[at(s.entries[k].variable)] = std::move(after[k]);
    }
    shift(s, -1);
    found_.push_back(std::move(s));
  }

  [[nodiscard]] static bool fits(Whole number) {
    return std::abs(static_cast<double>(number)) <= std::ldexp(1.0, kMaxSquareBits);
  }

  /// A linear term with `sign` times that of a square.
  [[nodiscard]] Whole linear_with(const Found& s, int sign, const Entry& e) const {
    return linear_[at(e.variable)] +
           sign * (Whole{s.twice / 2} * e.weight * (e.weight - 2 * s.right));
  }

  /// Adds sign times the linear terms of a square.
  void shift(const Found& s, int sign) {
    for (const Entry& e : s.entries) {
      linear_[at(e.variable)] = static_cast<std::int64_t>(linear_with(s, sign, e));
    }
    constant_ += sign * (Whole{s.twice / 2} * s.right * s.right);
  }

  /// row(e) without the products of a square.  Adds the loss of squared couplings and
  /// those of the square.
  bool subtract(const Found& s, const Entry& e, Row& left, double& lost, double& own) {
    const Row& before = row(e.variable);
    work_ += std::ssize(before) + std::ssize(s.entries);
    auto k = before.begin();
    for (const Entry& other : s.entries) {
      for (; k != before.end() && k->other < other.variable; ++k) {
        left.push_back(*k);
      }
      const bool both = k != before.end() && k->other == other.variable;
      if (other.variable != e.variable) {
        const Whole product = Whole{s.twice} * e.weight * other.weight;
        const Whole rest = (both ? k->weight : 0) - product;
        if (!fits(rest)) {
          return false;
        }
        const auto x = static_cast<double>(both ? k->weight : 0);
        const auto y = static_cast<double>(rest);
        lost += x * x - y * y;
        own += static_cast<double>(product) * static_cast<double>(product);
        if (rest != 0) {
          left.push_back({other.variable, static_cast<std::int64_t>(rest)});
        }
      }
      k += both ? 1 : 0;
    }
    left.insert(left.end(), k, before.end());
    return true;
  }

  /// The largest change of the rest by a flip, rounded.
  double reach(std::int32_t i) {
    double sum = std::abs(static_cast<double>(linear_[at(i)]));
    for (const Weight& w : row(i)) {
      sum += std::abs(static_cast<double>(w.weight));
    }
    return sum;
  }

  /// True if the penalty is small beside the rest, so that it is no constraint.
  bool small(const Found& s) {
    std::vector<double> all;
    for (const Entry& e : s.entries) {
      all.push_back(reach(e.variable) / std::abs(static_cast<double>(e.weight)));
    }
    const auto middle = all.begin() + std::ssize(all) / 2;
    std::ranges::nth_element(all, middle);
    return 0.5 * static_cast<double>(s.twice) < kLeastPenalty * *middle;
  }

  /// Puts small squares back; drops all if numbers become too large.
  void drop_small() {
    const auto first = std::stable_partition(
        found_.begin(), found_.end(), [&](const Found& s) { return !small(s); });
    for (auto s = first; s != found_.end(); ++s) {
      shift(*s, 1);
      s->twice = -s->twice;
      double lost = 0.0;
      for (const Entry& e : s->entries) {
        Row sum;
        if (!subtract(*s, e, sum, lost, lost)) {
          found_.clear();
          return;
        }
        rows_[at(e.variable)] = std::move(sum);
      }
    }
    found_.erase(first, found_.end());
  }

  Squares result() {
    Squares all;
    if (found_.empty()) {
      return all;
    }
    std::vector<qubo::Term> terms;
    all.rest = qubo::Quadratic(f_.size());
    for (int i = 0; i < f_.size(); ++i) {
      all.rest.linear[at(i)] = std::ldexp(static_cast<double>(linear_[at(i)]), unit_);
      for (const Weight& w : row(i)) {
        if (w.other > i) {
          terms.push_back(
              {i, w.other, std::ldexp(static_cast<double>(w.weight), unit_)});
        }
      }
    }
    all.rest.add(terms);
    all.rest.add_constant(f_.offset);
    const TwoDoubles constant = in_doubles(constant_, unit_);
    all.rest.add_constant(constant.value);
    all.rest.add_constant(constant.rest);
    std::vector<int> squares(f_.linear.size());  // of each variable
    for (const Found& s : found_) {
      for (const Entry& e : s.entries) {
        ++squares[at(e.variable)];
      }
    }
    for (Found& s : found_) {
      std::erase_if(s.slack, [&](std::int32_t i) {
        return squares[at(i)] > 1 || !row(i).empty();
      });
      all.squares.push_back({std::move(s.entries),
                             s.right,
                             std::ldexp(static_cast<double>(s.twice), unit_ - 1),
                             std::move(s.slack)});
    }
    return all;
  }

  const qubo::Quadratic& f_;
  Pace pace_;
  int unit_ = 0;
  std::vector<std::int64_t> linear_;  // what is left of f, in units
  std::vector<Row> rows_;
  std::vector<bool> copied_;
  Whole constant_ = 0;
  std::vector<Found> found_;
  std::int64_t work_ = 0;
  std::int64_t most_work_ = 0;
};

}  // namespace

Squares find_squares(const qubo::Quadratic& f, const Stop& stop) {
  return SquareFinder(f, stop).find();
}

}  // namespace oa::solve
