#include "oa/solve/program/states.h"

#include "oa/base/index.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

using Activity = StateTables::Activity;

constexpr Whole kNone = Whole{1} << 125;  // above every value and bound

/// The state of one pass over the variables.
class Run {
 public:
  Run(const StateTables& tables,
      std::optional<Whole> known,
      std::size_t width,
      const Stop& stop)
      : t_(tables),
        best_(known ? *known << tables.shift : kNone),
        width_(width),
        stop_(stop),
        m_(tables.rows.size()),
        words_(tables.alive[0].size()) {
    sums_.resize(m_);
    bits_.resize(words_);
    fields_.resize(at(tables.n));
  }

  StatesFound run() {
    Layer layer;
    push(layer, 0, bound(0, 0));
    StatesFound found;
    Pace pace(stop_);
    for (place_ = 0; place_ < t_.n && layer.size() > 0; ++place_) {
      Layer next;
      seen_.assign(1024, kEmptySlot);
      for (std::size_t s = 0; s < layer.size(); ++s) {
        if (layer.bound[s] > best_ - t_.step) {
          continue;
        }
        if (pace(static_cast<std::int64_t>(64 + 8 * m_ + words_) +
                 static_cast<std::int64_t>(t_.products.size() - first_open()))) {
          lost_ = std::min(lost_, *std::ranges::min_element(layer.bound));
          return finished(std::move(found), {});
        }
        grow(layer, s, 0, next);
        grow(layer, s, 1, next);
      }
      found.states += static_cast<std::int64_t>(next.size());
      keep_undominated(next);
      keep_width(next);
      layer = std::move(next);
    }
    return finished(std::move(found), layer);
  }

 private:
  static constexpr std::uint32_t kEmptySlot = std::numeric_limits<std::uint32_t>::max();

  /// The states at one place.
  struct Layer {
    std::vector<Whole> value;
    std::vector<Whole> bound;
    std::vector<Activity> sums;       // sums of the rows
    std::vector<std::uint64_t> bits;  // values of the variables so far
    [[nodiscard]] std::size_t size() const { return value.size(); }
  };

  [[nodiscard]] std::size_t first_open() const { return t_.first_open[at(place_)]; }
  [[nodiscard]] bool bit(int place) const {
    return (bits_[at(place) / 64] >> (at(place) % 64) & 1U) != 0;
  }

  void push(Layer& layer, Whole value, Whole bound) const {
    layer.value.push_back(value);
    layer.bound.push_back(bound);
    layer.sums.insert(layer.sums.end(), sums_.begin(), sums_.end());
    layer.bits.insert(layer.bits.end(), bits_.begin(), bits_.end());
  }

  /// Adds the successor of state s in which the variable at this place has `value`.
  void grow(const Layer& layer, std::size_t s, unsigned value, Layer& next) {
    std::copy_n(
        layer.sums.begin() + static_cast<std::ptrdiff_t>(s * m_), m_, sums_.begin());
    std::copy_n(layer.bits.begin() + static_cast<std::ptrdiff_t>(s * words_),
                words_,
                bits_.begin());
    for (const StateTables::Effect& e : t_.effects[at(place_)]) {
      if (!take(e, value)) {
        return;
      }
    }
    Whole sum = layer.value[s];
    if (value != 0) {
      bits_[at(place_) / 64] |= std::uint64_t{1} << (at(place_) % 64);
      sum += t_.linear[at(place_)];
      for (std::size_t p = first_open();
           p < t_.products.size() && t_.products[p].places.back() == place_;
           ++p) {
        const bool all =
            std::ranges::all_of(t_.products[p].places, [&](int t) { return bit(t); });
        sum += all ? t_.products[p].weight : 0;
      }
    }
    const Whole least = bound(sum, place_ + 1);
    if (least <= best_ - t_.step) {
      insert(next, sum, least);
    }
  }

  /// Applies a value to a row.  Returns false if the row can no longer hold.
  bool take(const StateTables::Effect& e, unsigned value) {
    const qubo::ProgramRow& row = t_.rows[e.row];
    Activity& sum = sums_[e.row];
    sum += value != 0 ? e.weight : 0;
    const Activity least = t_.rest_least(place_ + 1, e.row);
    const Activity most = t_.rest_most(place_ + 1, e.row);
    if (sum + least > row.high || sum + most < row.low) {
      return false;
    }
    if (t_.last[e.row] == place_) {
      sum = 0;
    } else if (row.low <= row.least) {  // sums that cannot fail count as equal
      sum = std::max(sum, row.high - most);
    } else if (row.high >= row.most) {
      sum = std::min(sum, row.low - least);
    }
    return true;
  }

  /// A lower bound of all completions from `place` on.
  Whole bound(Whole value, int place) {
    const bool linear = t_.first_open[at(place)] == t_.products.size();
    if (!linear) {
      set_fields(place);
    }
    Whole highest = -kNone;
    for (const StateTables::Multipliers& m : t_.bounds) {
      Whole sum = value;
      for (std::size_t k = 0; k < m_; ++k) {
        sum += t_.last[k] >= place ? m.of_rows[k] * sums_[k] - m.sides[k] : 0;
      }
      if (linear) {
        sum += m.tails[at(place)];
      } else {
        for (int t = place; t < t_.n; ++t) {
          sum += std::min<Whole>(0, fields_[at(t)] + m.slopes[at(t)]);
        }
      }
      highest = std::max(highest, sum);
    }
    return highest;
  }

  /// Sets the lower bound of the cost of each variable from `place` on.
  void set_fields(int place) {
    std::copy(t_.linear.begin() + place, t_.linear.end(), fields_.begin() + place);
    for (std::size_t p = t_.first_open[at(place)]; p < t_.products.size(); ++p) {
      const StateTables::Product& product = t_.products[p];
      const auto open = std::ranges::lower_bound(product.places, place);
      if (std::all_of(product.places.begin(), open, [&](int t) { return bit(t); })) {
        const bool one = product.places.end() - open == 1;
        std::for_each(open, product.places.end(), [&](int t) {
          fields_[at(t)] += one ? product.weight : share(product, open);
        });
      }
    }
  }

  [[nodiscard]] static Whole share(const StateTables::Product& p,
                                   std::vector<int>::const_iterator open) {
    const auto count = static_cast<Whole>(p.places.end() - open);
    return count == static_cast<Whole>(p.places.size()) ? p.share
           : p.weight < 0 ? -((-p.weight + count - 1) / count)
                          : 0;
  }

  /// Inserts the state in sums_ and bits_, or improves an equal state.
  void insert(Layer& next, Whole value, Whole least) {
    if (2 * next.size() >= seen_.size()) {
      rehash(next);
    }
    const std::vector<std::uint64_t>& alive = t_.alive[at(place_) + 1];
    const auto equal = [&](std::size_t s) {
      if (!std::equal(sums_.begin(),
                      sums_.end(),
                      next.sums.begin() + static_cast<std::ptrdiff_t>(s * m_))) {
        return false;
      }
      for (std::size_t w = 0; w < words_; ++w) {
        if (((bits_[w] ^ next.bits[s * words_ + w]) & alive[w]) != 0) {
          return false;
        }
      }
      return true;
    };
    std::size_t slot = hash(sums_.data(), bits_.data()) & (seen_.size() - 1);
    for (; seen_[slot] != kEmptySlot; slot = (slot + 1) & (seen_.size() - 1)) {
      const std::size_t s = seen_[slot];
      if (equal(s)) {
        if (value < next.value[s]) {
          next.value[s] = value;
          next.bound[s] = least;
          std::ranges::copy(
              bits_, next.bits.begin() + static_cast<std::ptrdiff_t>(s * words_));
        }
        return;
      }
    }
    seen_[slot] = static_cast<std::uint32_t>(next.size());
    push(next, value, least);
  }

  [[nodiscard]] std::size_t hash(const Activity* sums,
                                 const std::uint64_t* bits) const {
    const std::vector<std::uint64_t>& alive = t_.alive[at(place_) + 1];
    std::uint64_t h = 0;
    const auto mix = [&](std::uint64_t word) {
      h = (h ^ word) * 0x9E3779B97F4A7C15U;
      h ^= h >> 29U;
    };
    for (std::size_t k = 0; k < m_; ++k) {
      mix(static_cast<std::uint64_t>(sums[k]));
    }
    for (std::size_t w = 0; w < words_; ++w) {
      mix(bits[w] & alive[w]);
    }
    return h;
  }

  void rehash(const Layer& next) {
    seen_.assign(2 * seen_.size(), kEmptySlot);
    for (std::size_t s = 0; s < next.size(); ++s) {
      std::size_t slot = hash(&next.sums[s * m_], &next.bits[s * words_]);
      for (slot &= seen_.size() - 1; seen_[slot] != kEmptySlot;) {
        slot = (slot + 1) & (seen_.size() - 1);
      }
      seen_[slot] = static_cast<std::uint32_t>(s);
    }
  }

  /// If there is a single row with one limit,
  /// drops states with less room in the row and no better value.
  void keep_undominated(Layer& layer) const {
    if (m_ != 1 || !t_.products.empty() ||
        (t_.rows[0].low > t_.rows[0].least && t_.rows[0].high < t_.rows[0].most)) {
      return;
    }
    const Activity sign = t_.rows[0].low <= t_.rows[0].least ? 1 : -1;
    std::vector<std::size_t> all(layer.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::ranges::sort(all, {}, [&](std::size_t s) { return sign * layer.sums[s]; });
    Whole least = kNone;
    std::vector<bool> kept(layer.size());
    for (const std::size_t s : all) {
      kept[s] = layer.value[s] < least;
      least = std::min(least, layer.value[s]);
    }
    keep(layer, kept);
  }

  void keep_width(Layer& layer) {
    if (layer.size() <= width_) {
      return;
    }
    std::vector<std::size_t> all(layer.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(width_);
    std::ranges::nth_element(
        all, end, {}, [&](std::size_t s) { return std::pair(layer.bound[s], s); });
    lost_ = std::min(lost_, layer.bound[*end]);
    std::vector<bool> kept(layer.size());
    std::for_each(all.begin(), end, [&](std::size_t s) { kept[s] = true; });
    keep(layer, kept);
  }

  void keep(Layer& layer, const std::vector<bool>& kept) const {
    std::size_t count = 0;
    for (std::size_t s = 0; s < layer.size(); ++s) {
      if (kept[s]) {
        layer.value[count] = layer.value[s];
        layer.bound[count] = layer.bound[s];
        std::copy_n(&layer.sums[s * m_], m_, &layer.sums[count * m_]);
        std::copy_n(&layer.bits[s * words_], words_, &layer.bits[count * words_]);
        ++count;
      }
    }
    layer.value.resize(count);
    layer.bound.resize(count);
    layer.sums.resize(count * m_);
    layer.bits.resize(count * words_);
  }

  StatesFound finished(StatesFound found, const Layer& layer) {
    if (layer.size() > 0) {
      const auto least = std::ranges::min_element(layer.value) - layer.value.begin();
      const auto s = static_cast<std::size_t>(least);
      best_ = layer.value[s];
      found.x.resize(at(t_.n));
      for (int t = 0; t < t_.n; ++t) {
        const std::uint64_t word = layer.bits[s * words_ + at(t) / 64];
        found.x[at(t_.order[at(t)])] =
            static_cast<std::uint8_t>(word >> (at(t) % 64) & 1U);
      }
    }
    found.proved = lost_ > best_ - t_.step;
    const Whole bound = found.proved ? best_ : lost_;
    if (bound < kNone) {
      const Whole steps = bound / t_.step + (bound % t_.step > 0 ? 1 : 0);
      found.bound = steps * (t_.step >> t_.shift);
    }
    return found;
  }

  const StateTables& t_;
  Whole best_;          // lowest known value
  Whole lost_ = kNone;  // least bound of states beyond the width
  std::size_t width_;
  const Stop& stop_;
  std::size_t m_;
  std::size_t words_;
  int place_ = 0;
  std::vector<Activity> sums_;
  std::vector<std::uint64_t> bits_;
  std::vector<Whole> fields_;
  std::vector<std::uint32_t> seen_;  // hash table of states
};

}  // namespace

StatesFound search_states(const StateTables& tables,
                          std::optional<Whole> known,
                          std::size_t width,
                          const Stop& stop) {
  return Run(tables, known, width, stop).run();
}

}  // namespace oa::solve
