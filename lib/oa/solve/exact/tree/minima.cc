#include "oa/solve/exact/tree/minima.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {
namespace {

constexpr std::size_t kMaxReached = std::size_t{1} << 20;
constexpr std::size_t kMaxCounted = std::size_t{1} << 25;  // 12 bytes an entry

constexpr std::uint64_t kMaxCount = ~std::uint64_t{0};

std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMaxCount : sum;
}

std::uint64_t product_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMaxCount : product;
}

}  // namespace

Minima::Minima(const Elimination& order, const std::vector<Decisions>& decisions)
    : order_(order),
      decisions_(decisions),
      first_(order.steps.size()) {
  for (std::size_t k = order.steps.size(); k-- > 0;) {
    const Elimination::Step& step = order.steps[k];
    std::size_t entry = 0;
    for (std::size_t b = 0; b < step.others.size(); ++b) {
      entry |= std::size_t{first_[at(step.others[b])]} << b;
    }
    const bool tie = decisions[k].tied(entry);
    first_[at(step.variable)] = !tie && decisions[k].one(entry) ? 1 : 0;
    tied_ = tied_ || tie;
  }
}

/// The table entries that some minimum reaches.  Each entry stores the smallest values
/// of the variables below it, or the number of minima.  Subtrees are independent:
/// the smallest whole consists of smallest parts, and counts multiply.
class Minima::Reached {
 public:
  Reached(const Elimination& order, const std::vector<Decisions>& decisions)
      : order_(order),
        decisions_(decisions),
        words_((order.steps.size() + 63) / 64),
        entries_(order.steps.size()),
        least_(order.steps.size()),
        counts_(order.steps.size()) {
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      if (order.steps[k].others.empty()) {
        entries_[k].push_back(0);
      }
    }
  }

  /// Finds the entries of all minima, root first.  False if there are too many.
  bool find(std::size_t most, const Stop& stop) {
    std::size_t all = 0;
    for (std::size_t k = entries_.size(); k-- > 0;) {
      std::vector<std::uint32_t>& mine = entries_[k];
      std::ranges::sort(mine);
      const auto repeated = std::ranges::unique(mine);
      mine.erase(repeated.begin(), repeated.end());
      all += mine.size();
      if (all > most || stop()) {
        return false;
      }
      for (const std::uint32_t entry : mine) {
        for (std::uint32_t value = 0; value < 2; ++value) {
          for (const Elimination::Child& child : order_.steps[k].children) {
            if (allowed(k, entry, value)) {
              entries_[child.step].push_back(
                  static_cast<std::uint32_t>(child.entry(entry, value)));
            }
          }
        }
      }
    }
    return true;
  }

  /// Combines the smallest parts, from leaves to root.
  std::vector<std::uint8_t> smallest() {
    Values whole(words_);
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      for (const std::uint32_t entry : entries_[k]) {
        least_[k].push_back(least(k, entry));
      }
      for (const Elimination::Child& child : order_.steps[k].children) {
        least_[child.step] = {};
      }
      if (order_.steps[k].others.empty()) {
        add(whole, least_[k].front());
      }
    }
    std::vector<std::uint8_t> x(entries_.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = (whole[i / 64] & bit(i)) != 0 ? 1 : 0;
    }
    return x;
  }

  /// Multiplies and adds counts, from leaves to root.
  std::uint64_t count() {
    std::uint64_t whole = 1;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      for (const std::uint32_t entry : entries_[k]) {
        counts_[k].push_back(count_of(k, entry));
      }
      for (const Elimination::Child& child : order_.steps[k].children) {
        counts_[child.step] = {};
      }
      if (order_.steps[k].others.empty()) {
        whole = product_of(whole, counts_[k].front());
      }
    }
    return whole;
  }

 private:
  /// Values as bits, the first variable highest: comparisons order them as x.
  using Values = std::vector<std::uint64_t>;

  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (63 - i % 64); }

  static void add(Values& to, const Values& from) {
    for (std::size_t w = 0; w < to.size(); ++w) {
      to[w] |= from[w];
    }
  }

  [[nodiscard]] bool allowed(std::size_t k,
                             std::uint32_t entry,
                             std::uint32_t value) const {
    return decisions_[k].tied(entry) || decisions_[k].one(entry) == (value == 1);
  }

  /// The index of a child's entry among the reached entries.
  [[nodiscard]] std::size_t place(const Elimination::Child& child,
                                  std::size_t entry) const {
    const std::vector<std::uint32_t>& theirs = entries_[child.step];
    return at(std::ranges::lower_bound(theirs, entry) - theirs.begin());
  }

  [[nodiscard]] std::uint64_t count_of(std::size_t k, std::uint32_t entry) const {
    std::uint64_t count = 0;
    for (std::uint32_t value = 0; value < 2; ++value) {
      if (!allowed(k, entry, value)) {
        continue;
      }
      std::uint64_t product = 1;
      for (const Elimination::Child& child : order_.steps[k].children) {
        product = product_of(
            product, counts_[child.step][place(child, child.entry(entry, value))]);
      }
      count = sum_of(count, product);
    }
    return count;
  }

  [[nodiscard]] Values least(std::size_t k, std::uint32_t entry) const {
    Values best;
    const auto variable = at(order_.steps[k].variable);
    for (std::uint32_t value = 0; value < 2; ++value) {
      if (!allowed(k, entry, value)) {
        continue;
      }
      Values values(words_);
      values[variable / 64] |= value == 1 ? bit(variable) : 0;
      for (const Elimination::Child& child : order_.steps[k].children) {
        add(values, least_[child.step][place(child, child.entry(entry, value))]);
      }
      if (best.empty() || values < best) {
        best = std::move(values);
      }
    }
    return best;
  }

  const Elimination& order_;
  const std::vector<Decisions>& decisions_;
  std::size_t words_;
  std::vector<std::vector<std::uint32_t>> entries_;  // of each step, sorted
  std::vector<std::vector<Values>> least_;           // smallest values of each entry
  std::vector<std::vector<std::uint64_t>> counts_;   // count of each entry
};

std::optional<std::vector<std::uint8_t>> Minima::smallest(const Stop& stop) const {
  Reached reached(order_, decisions_);
  if (!reached.find(kMaxReached, stop)) {
    return std::nullopt;
  }
  return reached.smallest();
}

std::optional<std::uint64_t> Minima::count(const Stop& stop) const {
  Reached reached(order_, decisions_);
  if (!reached.find(kMaxCounted, stop)) {
    return std::nullopt;
  }
  return reached.count();
}

}  // namespace oa::solve
