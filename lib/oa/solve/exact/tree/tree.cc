#include "oa/solve/exact/tree/tree.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/exact/tree/elimination.h"
#include "oa/solve/exact/tree/minima.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

// The share of the time for order and tables,
// so that a problem that needs half the limit is solved.
constexpr double kShare = 0.6;
constexpr double kOrderShare = 0.85;  // of kShare, for the order
constexpr int kMaxWidth = 26;
// Wider tables that depend on more than half of the variables are slower than
// branching: 4.7 s instead of 0.05 s for 28 fully coupled variables.
constexpr int kNarrowTables = 14;
constexpr double kMaxBytes = 0x1p30;
constexpr double kEntryRate = 3e8;    // double entries a second, roughly
constexpr double kWholeFactor = 4.0;  // time with integers / time with doubles
constexpr double kMaxSeconds = 10.0;  // limit for the tables
constexpr double kRough = 2.0;        // the estimate may be too high by this factor
constexpr int kDigits = 52;           // bits of doubles whose sums are exact

constexpr int kEntryBits = 8;
constexpr std::size_t kEntries = 1U << kEntryBits;  // entries computed at a time
constexpr std::size_t kPiece = 256;                 // blocks between clock readings

/// The function in a number type with exact sums.
template <class Number>
struct Exactly {
  std::vector<Number> linear;
  std::vector<std::vector<std::pair<int, Number>>> rows;
  /// Values of f that differ by at most `margin` may be ordered wrongly.
  Number margin = 0;
};

Exactly<Whole> as_they_are(const WholeFunction& f) {
  Exactly<Whole> g{f.linear, {}, 0};
  for (const auto& row : f.rows) {
    auto& to = g.rows.emplace_back();
    for (const WholeCoupling& c : row) {
      to.emplace_back(c.other, c.weight);
    }
  }
  return g;
}

/// f in units of 2^dropped, as doubles whose sum is below 2^53.
Exactly<double> rounded(const WholeFunction& f, int dropped) {
  Exactly<double> g;
  double changed = 0.0;
  const auto round = [&](Whole weight) {
    const Whole half = dropped > 0 ? Whole{1} << (dropped - 1) : 0;
    const Whole units = (weight + half) >> dropped;
    changed += (units << dropped) != weight ? 1.0 : 0.0;
    return static_cast<double>(units);
  };
  for (std::size_t i = 0; i < f.rows.size(); ++i) {
    g.linear.push_back(round(f.linear[i]));
    auto& to = g.rows.emplace_back();
    for (const WholeCoupling& c : f.rows[i]) {
      to.emplace_back(c.other, round(c.weight));
    }
  }
  // Each coefficient errs by at most half a unit.  So a value errs by half of
  // `changed`, and a difference of two values by `changed`.  (Pairs count twice.)
  g.margin = changed;
  return g;
}

/// Memory for the values of a step; the size is a power of 2.
template <class Number>
struct Table {
  std::unique_ptr<Number[]> values;
  std::size_t size = 0;
};

/// The table of an earlier step whose others[0] is the current step's variable.
template <class Number>
struct Input {
  const Number* table;
  /// place[k] is the bit of the current step's others[k] in this table's index, or 0.
  std::vector<std::size_t> place;
  std::array<std::uint32_t, kEntries> low;  ///< indices of a block's entries
};

std::size_t place_of(std::span<const std::size_t> places, std::size_t bits) {
  std::size_t place = 0;
  for (; bits != 0; bits &= bits - 1) {
    place += places[static_cast<std::size_t>(std::countr_zero(bits))];
  }
  return place;
}

template <class Number>
class Tables {
 public:
  /// Keeps used tables for later steps, up to `most` numbers in all.
  Tables(const Exactly<Number>& f,
         const Elimination& order,
         std::size_t most,
         int threads)
      : f_(f),
        order_(order),
        most_(most),
        threads_(threads),
        tables_(order.steps.size()) {}

  /// Computes the decisions of every step.  Returns false if stopped.
  bool make(std::vector<Decisions>& decisions, const Stop& stop) {
    decisions.resize(tables_.size());
    for (std::size_t k = 0; k < tables_.size(); ++k) {
      if (stop() || !step(k, decisions[k], stop)) {
        return false;
      }
      for (const Elimination::Child& child : order_.steps[k].children) {
        spare_.push_back(std::exchange(tables_[child.step], {}));
      }
    }
    return true;
  }

 private:
  /// Returns the memory of a used table of this size if possible: fresh memory is slow.
  Table<Number> take(std::size_t size) {
    const auto found = std::ranges::find(spare_, size, &Table<Number>::size);
    if (found != spare_.end()) {
      std::swap(*found, spare_.back());
      Table<Number> table = std::move(spare_.back());
      spare_.pop_back();
      return table;
    }
    made_ += size;
    while (made_ > most_ && !spare_.empty()) {
      made_ -= spare_.back().size;
      spare_.pop_back();
    }
    return {std::make_unique_for_overwrite<Number[]>(size), size};
  }

  /// The terms of the variable of a step.
  struct Own {
    Number constant = 0;
    std::vector<Number> weight;  // couplings with `others`
    std::array<Number, kEntries> low;
  };

  bool step(std::size_t k, Decisions& decisions, const Stop& stop) {
    const std::vector<int>& others = order_.steps[k].others;
    const std::size_t count = std::size_t{1} << others.size();
    const std::size_t some = std::min(count, kEntries);
    const Own own = own_of(k, some);
    std::vector<Input<Number>> inputs;
    for (const Elimination::Child& child : order_.steps[k].children) {
      inputs.push_back(input(child, others.size(), some));
    }
    tables_[k] = take(count);
    decisions = Decisions(count);
    const auto blocks = static_cast<std::int64_t>((count + kEntries - 1) / kEntries);
    const auto piece = static_cast<std::int64_t>(kPiece);
    const std::int64_t pieces = (blocks + piece - 1) / piece;
    parallel_for(pieces, pieces > 1 ? threads_ : 1, [&](std::int64_t p, int) {
      const std::int64_t end = std::min(blocks, (p + 1) * piece);
      for (std::int64_t b = p * piece; b < end && !(b == p * piece && stop()); ++b) {
        block(at(b) * kEntries, some, own, inputs, tables_[k].values.get(), decisions);
      }
    });
    return !stop();
  }

  Own own_of(std::size_t k, std::size_t some) const {
    const Elimination::Step& step = order_.steps[k];
    Own own;
    own.constant = f_.linear[at(step.variable)];
    own.weight.resize(step.others.size());
    for (const auto& [other, weight] : f_.rows[at(step.variable)]) {
      const auto found = std::ranges::find(step.others, other);
      if (found != step.others.end()) {
        own.weight[at(found - step.others.begin())] = weight;
      }
    }
    for (std::size_t s = 0; s < some; ++s) {
      own.low[s] = sum_of(own, s);
    }
    return own;
  }

  static Number sum_of(const Own& own, std::size_t bits) {
    Number sum = 0;
    for (; bits != 0; bits &= bits - 1) {
      sum += own.weight[at(std::countr_zero(bits))];
    }
    return sum;
  }

  Input<Number> input(const Elimination::Child& child,
                      std::size_t others,
                      std::size_t some) const {
    Input<Number> in{
        tables_[child.step].values.get(), std::vector<std::size_t>(others), {}};
    for (std::size_t b = 0; b < child.bits.size(); ++b) {
      in.place[at(child.bits[b])] = std::size_t{2} << b;
    }
    for (std::size_t s = 0; s < some; ++s) {
      in.low[s] = static_cast<std::uint32_t>(place_of(in.place, s));
    }
    return in;
  }

  /// Computes entries first .. first + some - 1 of the table:
  /// the lower value over the variable, and the value of the variable that gives it.
  void block(std::size_t first,
             std::size_t some,
             const Own& own,
             std::span<const Input<Number>> inputs,
             Number* table,
             Decisions& decisions) const {
    std::array<Number, kEntries> zero;
    std::array<Number, kEntries> one;
    const Number high = own.constant + sum_of(own, first);
    for (std::size_t s = 0; s < some; ++s) {
      zero[s] = 0;
      one[s] = high + own.low[s];
    }
    for (const Input<Number>& in : inputs) {
      const Number* from = in.table + place_of(in.place, first);
      for (std::size_t s = 0; s < some; ++s) {
        zero[s] += from[in.low[s]];
        one[s] += from[in.low[s] + 1];
      }
    }
    for (std::size_t s = 0; s < some; ++s) {
      table[first + s] = std::min(zero[s], one[s]);
    }
    for (std::size_t word = 0; word < some; word += 64) {
      std::uint64_t ones = 0;
      std::uint64_t ties = 0;
      const std::size_t bits = std::min<std::size_t>(64, some - word);
      for (std::size_t b = 0; b < bits; ++b) {
        const Number more = one[word + b] - zero[word + b];
        ones |= std::uint64_t{more < 0} << b;
        ties |= std::uint64_t{more <= f_.margin && -more <= f_.margin} << b;
      }
      decisions.set((first + word) / 64, ones, ties);
    }
  }

  const Exactly<Number>& f_;
  const Elimination& order_;
  std::size_t most_;
  std::size_t made_ = 0;  // numbers allocated in tables_ and spare_
  int threads_;
  std::vector<Table<Number>> tables_;
  std::vector<Table<Number>> spare_;
};

/// The maximum number of table entries in memory at one time.
double peak(const Elimination& order) {
  std::vector<double> waiting(order.steps.size());  // tables to be read at each step
  double now = 0.0;
  double most = 0.0;
  for (const Elimination::Step& step : order.steps) {
    const double made = std::ldexp(1.0, static_cast<int>(step.others.size()));
    most = std::max(most, now + made);
    now -= waiting[at(step.variable)];
    if (!step.others.empty()) {
      waiting[at(step.others.front())] += made;
      now += made;
    }
  }
  return most;
}

/// Computes the decisions of every step; empty if too much time or memory is needed.
template <class Number>
std::optional<std::vector<Decisions>> decide(const Exactly<Number>& f,
                                             const Elimination& order,
                                             int threads,
                                             const Stop& stop) {
  constexpr double kDouble = sizeof(double);
  constexpr double kFactor = std::is_same_v<Number, double> ? 1.0 : kWholeFactor;
  const double seconds = kFactor * order.entries / kEntryRate;
  const double most_seconds = std::min(kMaxSeconds, kRough * threads * stop.left_s());
  const double together = peak(order);
  const double bytes = sizeof(Number) * together + order.entries / 4.0;
  if (seconds > most_seconds || bytes > kMaxBytes) {
    return std::nullopt;
  }
  static_assert(sizeof(Number) >= kDouble);
  std::vector<Decisions> decisions;
  const auto most =
      static_cast<std::size_t>(std::min(2.0 * together, kMaxBytes / sizeof(Number)));
  if (!Tables<Number>(f, order, most, threads).make(decisions, stop)) {
    return std::nullopt;
  }
  return decisions;
}

/// The minimum in `Number` arithmetic; empty if rounding leaves it undecided.
template <class Number>
std::optional<std::vector<std::uint8_t>> minimum(const Exactly<Number>& f,
                                                 const Elimination& order,
                                                 const PartTask& task,
                                                 const Stop& stop) {
  const auto decisions = decide(f, order, task.threads, stop);
  if (!decisions) {
    return std::nullopt;
  }
  const Minima minima(order, *decisions);
  if (!minima.tied()) {
    return minima.first();
  }
  if (f.margin > 0) {
    return std::nullopt;
  }
  return task.f.size() <= kMaxOrdered ? minima.smallest(stop) : minima.first();
}

/// True if there are more pairs than steps of width kMaxWidth can have.
bool is_too_dense(const qubo::Quadratic& f) {
  return f.pairs() > std::int64_t{kMaxWidth} * f.size();
}

}  // namespace

std::optional<Result> solve_tree(const PartTask& task, const Stop& stop) {
  if (is_too_dense(task.f)) {
    return std::nullopt;
  }
  const Digits digits = digits_of(task.f);
  Pace pace(stop);
  const WholeFunction whole = in_whole_numbers(task.f, digits.unit, pace);
  if (pace.stopped()) {
    return std::nullopt;
  }
  const Stop end = stop.share(kShare);
  const auto order = eliminate(whole, kMaxWidth, end.share(kOrderShare));
  if (!order || order->width > std::max(kNarrowTables, task.f.size() / 2)) {
    return std::nullopt;
  }
  const int dropped = std::max(0, digits.top - digits.unit - kDigits);
  auto x = minimum(rounded(whole, dropped), *order, task, end);
  if (!x && dropped > 0) {
    x = minimum(as_they_are(whole), *order, task, end);
  }
  if (!x) {
    return std::nullopt;
  }
  const ExactSum energy = exact_energy(task.f, *x);
  Result result;
  result.best.emplace_back(energy.two(), std::move(*x));
  result.bound = energy.rounded_down();
  result.status = qubo::Status::ProvedOptimal;
  result.method = "tree";
  result.proof = "tree";
  return result;
}

MinimaCount count_minima(const qubo::Quadratic& f, int threads, const Stop& stop) {
  constexpr int kMaxReported = 60;  // larger widths are not reported
  const std::string most = " (expected at most " + std::to_string(kMaxWidth) + ")";
  if (is_too_dense(f)) {
    return {{}, "too many couplings for a tree decomposition"};
  }
  const Digits digits = digits_of(f);
  Pace pace(stop);
  const WholeFunction whole = in_whole_numbers(f, digits.unit, pace);
  const auto order =
      pace.stopped() ? std::nullopt : eliminate(whole, kMaxReported, stop);
  if (!order && stop()) {
    return {{}, "no time was left"};
  }
  if (!order || order->width > kMaxWidth) {
    return {{},
            "tree decompositions " +
                (order ? std::to_string(order->width) + " wide need tables of 2^" +
                             std::to_string(order->width) + " numbers"
                       : "are more than " + std::to_string(kMaxReported) + " wide") +
                most};
  }
  const bool fits = digits.top - digits.unit <= kDigits;
  const auto decisions = fits ? decide(rounded(whole, 0), *order, threads, stop)
                              : decide(as_they_are(whole), *order, threads, stop);
  if (!decisions) {
    return {{}, "its tables need more time or memory"};
  }
  const auto count = Minima(*order, *decisions).count(stop);
  return {count, count ? "" : "too many states lead to an optimum"};
}

}  // namespace oa::solve
