#include "oa/solve/recover/squares.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/recover/square_cliques.h"
#include "oa/solve/recover/square_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

using Entry = qubo::ProgramRow::Entry;

constexpr std::size_t kSample = 8;     // couplings of a variable that are examined
constexpr double kMinFit = 0.25;       // squared correlation of sample and square
constexpr double kMinLoss = 0.5;       // of squared couplings / the square's own
constexpr double kConflictGain = 0.6;  // / penalty
constexpr double kMinPenalty = 0.25;   // / reach of the rest
constexpr double kMaxBetween = 0.25;   // distance of a right side from a whole number
constexpr double kAnyLoss = -HUGE_VAL;
constexpr std::int64_t kMaxWeight = std::int64_t{1} << 30;
constexpr std::int64_t kWorkEach = 400;  // per coupling and variable
// Limits for squares without slack, and between two such squares.
constexpr std::int64_t kCliqueWork = 4'000'000;
constexpr std::int64_t kCliqueWorkEach = 10;  // per coupling
constexpr std::int64_t kVainWork = 300'000;
// Shares of local minima where a constraint holds: with others of the same penalty, and
// alone.
constexpr double kMinHolding = 0.4;
constexpr double kMinHoldingAlone = 0.6;
constexpr int kMinFamily = 2;       // squares of the same penalty that are not alone
constexpr int kMinima = 16;         // local minima that test squares
constexpr double kMinLarge = 0.25;  // share of large couplings in one square

/// A sample of a variable's couplings, spread over its row if sparse.
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

/// True if couplings between some neighbours of i look like products of their
/// couplings with i.
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
  return fit > 0.0 && fit * fit >= kMinFit * seen * products;
}

using Row = SquareRows::Row;
using Weight = SquareRows::Weight;
using Found = FoundSquare;

double largest_of(const Row& row) {
  double most = 0.0;
  for (const Weight& w : row) {
    most = std::max(most, std::abs(static_cast<double>(w.weight)));
  }
  return most;
}

class SquareFinder {
 public:
  SquareFinder(const qubo::Quadratic& f, const Stop& stop) : f_(f), pace_(stop) {}

  Squares find() {
    std::vector<int> digits;
    std::vector<Candidate> members;
    for (int i = 0; i < f_.size() && !pace_(kSample * kSample); ++i) {
      if (may_be_slack(f_, i, kSample) && may_be_slack(f_, i, 3 * kSample)) {
        digits.push_back(i);
      }
      if (const double largest = largest_in_clique(f_, i); largest > 0.0) {
        members.push_back({i, largest});
      }
      (void)pace_(std::ssize(f_.row(i)));
    }
    if ((!digits.empty() || !members.empty()) && begin()) {
      sort(digits);
      for (const int i : digits) {
        if (spent(1)) {
          break;
        }
        try_slack(i);
      }
      find_cliques(std::move(members));
      drop_small();
    }
    return result();
  }

 private:
  /// A variable that may be in a clique,
  /// with its largest coupling after squares found before were subtracted.
  struct Candidate {
    int variable;
    double largest;
  };

  /// Copies linear terms in units.  Returns false if numbers span too many digits.
  bool begin() {
    const Digits digits = digits_of(f_);
    unit_ = digits.unit - 1;
    if (digits.top - unit_ > kMaxSquareBits || !f_.rests().empty()) {
      return false;
    }
    rows_.emplace(f_, unit_);
    most_work_ = kWorkEach * (f_.pairs() + f_.size());
    for (const double h : f_.linear) {
      linear_.push_back(rows_->units(h));
    }
    return true;
  }

  const Row& row(std::int32_t i) { return rows_->row(i); }

  /// Adds work; returns true if the search should end.
  bool spent(std::int64_t work) { return pace_(work) || rows_->work() > most_work_; }

  /// Sorts by least weight, since digits of weight 1 reveal other digits,
  /// then by the sum of weights, which is larger for variables in several squares.
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

  /// Returns the reduced factor u / v with v row(k) = u row(i), except at i and k.
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
      rows_->spend(1);
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

  /// Finds the square in which i is a slack digit, if there is one.
  void try_slack(std::int32_t i) {
    const Row own = row(i);
    if (own.size() < 2) {
      return;
    }
    Found s;
    s.slack.push_back(i);
    Whole self = 0;  // weight of i as a coupling with itself
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
      self = common;  // weight of 1
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
    // The common factor is 2 P a_i.
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

  /// Subtracts the couplings of s if the couplings shrink a lot.
  bool subtract(const Found& s) {
    for (const Entry& e : s.entries) {
      if (std::abs(e.weight) > kMaxWeight) {
        return false;
      }
    }
    const SquareRows::Change some = rows_->sampled_change(s);
    return some.lost >= 0.5 * kMinLoss * some.own && subtract(s, 1, kMinLoss);
  }

  /// Takes s, with the right side from `digit`, if the couplings shrink a lot.
  void take(Found s, std::int32_t digit) {
    if (!subtract(s)) {
      return;
    }
    const auto here = std::ranges::find(s.entries, digit, &Entry::variable);
    const auto weight = static_cast<double>(here->weight);
    s.right =
        std::llround(0.5 * (weight - 2.0 * static_cast<double>(linear_[at(digit)]) /
                                         (static_cast<double>(s.twice) * weight)));
    settle(std::move(s));
  }

  /// Finds squares without slack digits in the remaining couplings,
  /// until a lot of work finds no square.
  void find_cliques(std::vector<Candidate> candidates) {
    const std::int64_t end = rows_->work() + kCliqueWork + kCliqueWorkEach * f_.pairs();
    const auto next = [&] {
      most_work_ = std::min(end, rows_->work() + kVainWork + f_.pairs() / 4);
    };
    next();
    if (!found_.empty()) {
      for (Candidate& c : candidates) {
        c.largest = std::ldexp(largest_of(row(c.variable)), unit_);
      }
    }
    std::vector<Found> cliques;
    for (const auto& [i, largest] : candidates) {
      const double least = kMinLarge * std::ldexp(largest, -unit_);
      for (std::optional<Found> s; !spent(std::ssize(row(i))) &&
                                   largest_of(row(i)) >= least &&
                                   (s = clique_with(*rows_, i)) && subtract(*s);) {
        cliques.push_back(*std::move(s));
        next();
      }
    }
    set_rights(std::move(cliques));
  }

  /// Restores squares with unclear right sides.  After a stop, no right side is known.
  void set_rights(std::vector<Found> cliques) {
    const auto sums = fractional_sums(*rows_, linear_, cliques, pace_);
    if (pace_.stopped()) {
      lost_ = lost_ || !cliques.empty();
      return;
    }
    const auto minima = local_minima(f_, cliques.empty() ? 0 : kMinima, Rng(0), pace_);
    std::vector<double> shares;
    std::map<std::int64_t, int> likely;  // number of likely constraints of each penalty
    for (std::size_t k = 0; k < cliques.size(); ++k) {
      Found& s = cliques[k];
      s.right = std::llround(sums[k]);
      const double between = std::abs(sums[k] - static_cast<double>(s.right));
      shares.push_back(between <= kMaxBetween ? holding_share(s, minima) : 0.0);
      likely[s.twice] += shares[k] >= kMinHolding ? 1 : 0;
    }
    for (std::size_t k = 0; k < cliques.size(); ++k) {
      const bool alone = likely[cliques[k].twice] < kMinFamily;
      shares[k] >= (alone ? kMinHoldingAlone : kMinHolding)
          ? settle(std::move(cliques[k]))
          : put_back(cliques[k]);
    }
  }

  /// Keeps s, which is already subtracted, if its linear terms are not too large.
  void settle(Found s) {
    if (std::abs(s.right) > kMaxWeight || !std::ranges::all_of(s.entries, [&](auto& e) {
          return fits(linear_with(s, -1, e));
        })) {
      put_back(s);
      return;
    }
    shift(s, -1);
    found_.push_back(std::move(s));
  }

  /// Adds the couplings of s back.
  void put_back(const Found& s) {
    lost_ = lost_ || pace_.stopped() || !subtract(s, -1, kAnyLoss);
  }

  bool subtract(const Found& s, int sign, double least_loss) {
    const std::int64_t before = rows_->work();
    const bool done = rows_->subtract(s, sign, least_loss);
    (void)pace_(8 * (rows_->work() - before));
    return done;
  }

  /// Returns a linear term plus `sign` times that of a square.
  [[nodiscard]] Whole linear_with(const Found& s, int sign, const Entry& e) const {
    return linear_[at(e.variable)] +
           sign * (Whole{s.twice / 2} * e.weight * (e.weight - 2 * s.right));
  }

  /// Adds `sign` times a square's linear terms.
  void shift(const Found& s, int sign) {
    for (const Entry& e : s.entries) {
      linear_[at(e.variable)] = static_cast<std::int64_t>(linear_with(s, sign, e));
    }
    constant_ += sign * (Whole{s.twice / 2} * s.right * s.right);
  }

  /// Estimates the largest change of the rest by flipping i,
  /// if a share of the variables is 1.
  double reach(std::int32_t i, double share) {
    double sum = 0.0;
    for (const Weight& w : row(i)) {
      sum += std::abs(static_cast<double>(w.weight));
    }
    return std::abs(static_cast<double>(linear_[at(i)])) + share * sum;
  }

  /// True if most variables of a clique gain by being 0:
  /// the square says "at most one", or is left over from such squares.
  bool is_conflict(const Found& s) {
    if (s.right < 0 || s.right > 1 || !s.slack.empty()) {
      return false;
    }
    if (s.right == 0) {
      return std::ranges::all_of(s.entries, [](auto& e) { return e.weight > 0; });
    }
    const auto gain = 0.5 * kConflictGain * static_cast<double>(s.twice);
    return 2 * std::ranges::count_if(
                   s.entries,
                   [&](const Entry& e) {
                     return static_cast<double>(linear_[at(e.variable)]) > gain;
                   }) >
           std::ssize(s.entries);
  }

  /// True if the penalty is small relative to the rest, so that s is no constraint.
  bool small(const Found& s) {
    double most = 0.0;
    for (const Entry& e : s.entries) {
      most += std::abs(static_cast<double>(e.weight));
    }
    const double share =
        s.slack.empty() ? std::abs(static_cast<double>(s.right)) / most : 1.0;
    std::vector<double> all;
    for (const Entry& e : s.entries) {
      all.push_back(reach(e.variable, std::min(share, 1.0)) /
                    std::abs(static_cast<double>(e.weight)));
    }
    const auto middle = all.begin() + std::ssize(all) / 2;
    std::ranges::nth_element(all, middle);
    return 0.5 * static_cast<double>(s.twice) < kMinPenalty * *middle;
  }

  /// Restores conflicts, and squares that are too small for constraints.
  void drop_small() {
    const auto first =
        std::stable_partition(found_.begin(), found_.end(), [&](const Found& s) {
          return !small(s) && !is_conflict(s);
        });
    for (auto s = first; s != found_.end(); ++s) {
      shift(*s, 1);
      put_back(*s);
    }
    found_.erase(first, found_.end());
  }

  Squares result() {
    Squares all;
    if (found_.empty() || lost_ || pace_.stopped()) {
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
  std::vector<std::int64_t> linear_;  // remaining linear terms of f, in units
  std::optional<SquareRows> rows_;
  Whole constant_ = 0;
  std::vector<Found> found_;
  bool lost_ = false;  // numbers became too large, or a stop left squares half done
  std::int64_t most_work_ = 0;
};

}  // namespace

bool Square::one_hot() const {
  return slack.empty() && right == 1 &&
         std::ranges::all_of(entries, [](const Entry& e) { return e.weight == 1; });
}

Squares find_squares(const qubo::Quadratic& f, const Stop& stop) {
  return SquareFinder(f, stop).find();
}

}  // namespace oa::solve
