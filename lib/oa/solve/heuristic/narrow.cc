#include <hwy/foreach_target.h>
// Included after foreach_target.
#include "oa/base/index.h"
#include "oa/num/lines-inl.h"
#include "oa/solve/heuristic/narrow.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace oa::solve::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using namespace num::HWY_NAMESPACE::float_lines;

/// Doubles a table: upper half[x] = lower half[x] + low[x % 16] + high[x / 16].
void Extend(float* table, std::size_t count, const float* low, const float* high) {
  for (std::size_t x = 0; x < count; x += num::kFloatLine) {
    const auto more = hn::Set(d, high[x / num::kFloatLine]);
    for (std::size_t l = 0; l < num::kFloatLine; l += kLanes) {
      const auto own = hn::Add(hn::Load(d, low + l), more);
      hn::Store(hn::Add(hn::Load(d, table + x + l), own), d, table + count + x + l);
    }
  }
}

/// Minimises over the variable of `slot`; `count` entries remain.
void Reduce(float* table, std::size_t count, int slot, std::uint64_t* decisions) {
  const std::size_t stride = std::size_t{1} << slot;
#if HWY_TARGET != HWY_SCALAR
  const hn::RebindToSigned<D> di;
  // Moves entries with 0 in the slot to the lower half, the rest to the upper half.
  alignas(64) std::int32_t apart[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::size_t half = i % (kLanes / 2);
    const std::size_t from = (half / stride * 2 * stride) | (half % stride);
    apart[i] =
        static_cast<std::int32_t>((from + (i < kLanes / 2 ? 0 : stride)) % kLanes);
  }
  const auto parted = hn::IndicesFromVec(d, hn::Load(di, apart));
#endif
  for (std::size_t word = 0; word < count; word += 64) {
    std::uint64_t bits = 0;
    const std::size_t end = std::min<std::size_t>(64, count - word);
    for (std::size_t b = 0; b < end; b += kLanes) {
      const std::size_t x = word + b;
      auto zero = hn::Zero(d);
      auto one = hn::Zero(d);
#if HWY_TARGET != HWY_SCALAR
      if (stride < kLanes) {
        const auto first = hn::TableLookupLanes(hn::Load(d, table + 2 * x), parted);
        const auto second =
            hn::TableLookupLanes(hn::Load(d, table + 2 * x + kLanes), parted);
        zero = hn::ConcatLowerLower(d, second, first);
        one = hn::ConcatUpperUpper(d, second, first);
      } else
#endif
      {
        const std::size_t from = (x & ~(stride - 1)) * 2 | (x & (stride - 1));
        zero = hn::Load(d, table + from);
        one = hn::Load(d, table + from + stride);
      }
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Lt(one, zero), bytes);
      std::uint64_t some = 0;
      std::memcpy(&some, bytes, sizeof some);
      bits |= some << b;
      hn::Store(hn::Min(zero, one), d, table + x);
    }
    decisions[word / 64] = bits;
  }
}

}  // namespace
}  // namespace oa::solve::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace oa::solve {
namespace {

HWY_EXPORT(Extend);
HWY_EXPORT(Reduce);

constexpr int kLineBits = 4;
constexpr std::size_t kLine = std::size_t{1} << kLineBits;
static_assert(kLine == num::kFloatLine);

// Random noise, relative to the smallest energy difference, chooses among optima.
constexpr double kNoise = 0.01;

// In units of Pace (1 ns): the work for a variable, and for so many table entries.
constexpr std::int64_t kVariableWork = 100;
constexpr std::int64_t kEntriesOfWork = 8;

// Widths of moves.  The width grows if moves over n variables in total gain nothing.
// Measured on tori of 14,000 and 20,000 variables.
constexpr int kMinWidth = 8;
constexpr int kLastWidth = 14;

// Maximum of variables in a part.  Decisions take 2^14 bits each, 32 MiB in all.
constexpr std::ptrdiff_t kLongest = 1 << 14;

// Limits of suitable problems, by trials: the couplings of a part beyond those of a
// tree, as a share of all.  With width 8: 0.2 on tori, 0.02 on stacked planar graphs of
// 5000 variables, 0.01 on random graphs, where moves gained nothing.
constexpr int kMinVariables = 100;
constexpr double kMaxPairs = 8.0;  // for each variable
constexpr int kTrials = 3;
constexpr int kTrialWidth = 8;
constexpr double kMinLoops = 0.1;

bool bit_of(std::size_t bits, int k) {
  return (bits >> k & 1) != 0;
}

/// The index of entry x in a table with one more slot, at which the bit is 0.
std::size_t spread_at(std::size_t x, int slot) {
  const std::size_t below = (std::size_t{1} << slot) - 1;
  return (x & ~below) << 1 | (x & below);
}

}  // namespace

NarrowMoves::NarrowMoves(const qubo::Quadratic& f)
    : f_(f),
      scale_(scale_of(f)),
      x_(at(f.size())),
      field_(at(f.size())),
      decided_(at(f.size())),
      in_front_(at(f.size())),
      open_(at(f.size())),
      reached_(at(f.size())),
      touching_(at(f.size())) {
  begin_.push_back(0);
  for (int i = 0; i < f.size(); ++i) {
    f.row(i).each([&](std::int32_t other, double weight) {
      other_.push_back(other);
      weight_.push_back(static_cast<float>(weight * scale_.energy));
    });
    begin_.push_back(other_.size());
  }
}

void NarrowMoves::begin(std::span<const std::uint8_t> x) {
  x_.assign(x.begin(), x.end());
  for (int i = 0; i < f_.size(); ++i) {
    double field = f_.linear[at(i)];
    f_.row(i).each([&](std::int32_t other, double weight) {
      field += x_[at(other)] != 0 ? weight : 0.0;
    });
    field_[at(i)] = field * scale_.energy;
  }
}

double NarrowMoves::flip(int v) {
  const double sign = x_[at(v)] != 0 ? -1.0 : 1.0;
  const double change = sign * field_[at(v)];
  for (std::size_t k = begin_[at(v)]; k < begin_[at(v) + 1]; ++k) {
    field_[at(other_[k])] += sign * double{weight_[k]};
  }
  x_[at(v)] ^= 1;
  return change;
}

/// Returns the undecided variable with most neighbours in the front; in ties, one next
/// to the newest.  If the front is full, a variable that lets another leave; or -1.
int NarrowMoves::next(bool full) const {
  int best = -1;
  int most = 0;
  for (auto u = front_.rbegin(); u != front_.rend(); ++u) {
    for (std::size_t k = begin_[at(*u)]; k < begin_[at(*u) + 1]; ++k) {
      const int v = other_[k];
      if ((!full || open_[at(*u)] == 1) && !decided(v) && touching_[at(v)] > most) {
        most = touching_[at(v)];
        best = v;
      }
    }
  }
  return best;
}

void NarrowMoves::fix_around(int u) {
  for (std::size_t k = begin_[at(u)]; k < begin_[at(u) + 1]; ++k) {
    const int v = other_[k];
    if (!decided(v)) {
      decided_[at(v)] = turn_;
      for (std::size_t c = begin_[at(v)]; c < begin_[at(v) + 1]; ++c) {
        --open_[at(other_[c])];
      }
    }
  }
}

/// Adds v to the front, in the highest slot.
void NarrowMoves::add(int v, Rng& rng) {
  const int k = static_cast<int>(front_.size());
  const double sign = x_[at(v)] != 0 ? -1.0 : 1.0;
  const auto own = static_cast<float>(sign * field_[at(v)] +
                                      kNoise * scale_.step * (rng.uniform() - 0.5));
  std::array<float, kMaxWidth + 1> weight{};
  decided_[at(v)] = turn_;
  open_[at(v)] = 0;
  for (std::size_t c = begin_[at(v)]; c < begin_[at(v) + 1]; ++c) {
    const int other = other_[c];
    --open_[at(other)];
    if (!decided(other)) {
      ++open_[at(v)];
      touching_[at(other)] =
          reached_[at(other)] == turn_ ? touching_[at(other)] + 1 : 1;
      reached_[at(other)] = turn_;
    } else if (in_front_[at(other)] != 0) {
      const auto slot = std::ranges::find(front_, other) - front_.begin();
      ++pairs_of_part_;
      weight[at(slot)] = x_[at(v)] == x_[at(other)] ? weight_[c] : -weight_[c];
    }
  }
  in_front_[at(v)] = 1;
  front_.push_back(v);
  part_.push_back(v);
  steps_.push_back({.variable = v});

  const std::size_t count = std::size_t{1} << k;
  table_.resize(std::max(table_.size(), 2 * count / kLine + 1));
  high_.resize(table_.size());
  float* table = num::elements(table_.data());
  num::FloatLine low;
  for (std::size_t x = 0; x < kLine; ++x) {
    low.lane[x] = own;
    for (int s = 0; s < std::min(k, kLineBits); ++s) {
      low.lane[x] += bit_of(x, s) ? weight[at(s)] : 0.0F;
    }
  }
  if (count < kLine) {
    for (std::size_t x = 0; x < count; ++x) {
      table[count + x] = table[x] + low.lane[x];
    }
    return;
  }
  high_[0] = 0.0F;
  for (int s = kLineBits; s < k; ++s) {
    const std::size_t half = std::size_t{1} << (s - kLineBits);
    for (std::size_t x = 0; x < half; ++x) {
      high_[half + x] = high_[x] + weight[at(s)];
    }
  }
  HWY_DYNAMIC_DISPATCH(Extend)(table, count, low.lane, high_.data());
}

/// Removes a slot's variable from the front:
/// decides its better value for each choice of the remaining front.
void NarrowMoves::remove(int slot) {
  in_front_[at(front_[at(slot)])] = 0;
  front_.erase(front_.begin() + slot);
  steps_.push_back({.slot = slot, .word = words_});
  const std::size_t count = std::size_t{1} << front_.size();
  const std::size_t words = (count + 63) / 64;
  if (words_ + words > decisions_.size()) {
    decisions_.resize(2 * (words_ + words));
  }
  std::uint64_t* bits = decisions_.data() + words_;
  words_ += words;
  float* table = num::elements(table_.data());
  if (count >= 2 * kLine) {
    HWY_DYNAMIC_DISPATCH(Reduce)(table, count, slot, bits);
    return;
  }
  *bits = 0;
  for (std::size_t x = 0; x < count; ++x) {
    const float zero = table[spread_at(x, slot)];
    const float one = table[spread_at(x, slot) + (std::size_t{1} << slot)];
    *bits |= std::uint64_t{one < zero} << x;
    table[x] = std::min(zero, one);
  }
}

/// Applies the best flips, from the last decision to the first.
double NarrowMoves::choose() {
  flipped_.clear();
  double change = 0.0;
  std::size_t flips = 0;  // bit s: flip of slot s of the front
  int size = 0;
  for (auto s = steps_.rbegin(); s != steps_.rend(); ++s) {
    if (s->variable < 0) {
      const std::uint64_t one = decisions_[s->word + flips / 64] >> flips % 64 & 1;
      flips = spread_at(flips, s->slot) | one << s->slot;
      ++size;
    } else if (bit_of(flips, --size)) {
      flips ^= std::size_t{1} << size;
      change += flip(s->variable);
      flipped_.push_back(s->variable);
    }
  }
  if (change > 0.0) {  // due to rounding
    for (const int v : flipped_) {
      flip(v);
    }
    return 0.0;
  }
  return change / scale_.energy;
}

double NarrowMoves::move(int first, int width, Rng& rng, Pace& pace) {
  assert(0 < width && width <= kMaxWidth);
  ++turn_;
  front_.clear();
  steps_.clear();
  words_ = 0;
  part_.clear();
  pairs_of_part_ = 0;
  table_.resize(std::max<std::size_t>(table_.size(), 1));
  table_[0].lane[0] = 0.0F;
  for (int v = first; v >= 0 || !front_.empty();) {
    if (v >= 0) {
      add(v, rng);
    } else {
      fix_around(front_.front());
    }
    const auto entries = std::int64_t{1} << front_.size();
    if (pace(kVariableWork + entries / kEntriesOfWork)) {
      for (const int u : front_) {
        in_front_[at(u)] = 0;
      }
      part_.clear();
      return 0.0;
    }
    for (int s = static_cast<int>(front_.size()) - 1; s >= 0; --s) {
      if (open_[at(front_[at(s)])] == 0) {
        remove(s);
      }
    }
    v = std::ssize(part_) < kLongest ? next(std::ssize(front_) >= width) : -1;
  }
  return choose();
}

void NarrowMoves::run(Rng rng, const Stop& stop) {
  const auto n = static_cast<std::uint32_t>(f_.size());
  Pace pace(stop);
  int width = kMinWidth;
  std::int64_t idle = 0;  // variables in vain moves, in total
  while (!pace.stopped()) {
    const bool gained = move(static_cast<int>(rng.below(n)), width, rng, pace) < 0.0;
    idle = gained ? 0 : idle + std::ssize(part_);
    if (idle >= f_.size() && width < kLastWidth) {
      ++width;
      idle = 0;
    }
  }
}

bool suits_narrow_moves(const qubo::Quadratic& f,
                        std::span<const std::uint8_t> x,
                        const Stop& stop) {
  if (f.couplings().dense() || f.size() < kMinVariables ||
      static_cast<double>(f.pairs()) > kMaxPairs * f.size()) {
    return false;
  }
  NarrowMoves moves(f);
  moves.begin(x);
  Rng rng(1);
  Pace pace(stop);
  double most = 0.0;
  for (int k = 0; k < kTrials; ++k) {
    const auto first = rng.below(static_cast<std::uint32_t>(f.size()));
    moves.move(static_cast<int>(first), kTrialWidth, rng, pace);
    const auto loops =
        static_cast<double>(moves.pairs_of_part() - std::ssize(moves.part()));
    most = std::max(most, loops / static_cast<double>(f.pairs()));
  }
  return most >= kMinLoops;
}

}  // namespace oa::solve
#endif
