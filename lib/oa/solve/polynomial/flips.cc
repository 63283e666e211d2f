#include "oa/solve/polynomial/flips.h"

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

// The number of bits for which sums of 4 times the weights stay below 2^63.
constexpr int kMaxDigits64 = 60;

/// Returns units / 2^shift, rounded.
std::int64_t rounded(Whole units, int shift) {
  const Whole half = shift > 0 ? Whole{1} << (shift - 1) : Whole{0};
  return static_cast<std::int64_t>((units + half) >> shift);
}

/// Returns -value if all bits of `mask` are set, and `value` if no bit is.
std::int64_t negated_if(std::int64_t mask, std::int64_t value) {
  return (value ^ mask) - mask;
}

}  // namespace

FlipTable::FlipTable(const WholePolynomial& p)
    : n_(p.n),
      spin_(p.spin),
      shift_(std::max(0, p.digits - kMaxDigits64)),
      rows_(at(p.n)),
      begins_(p.begins),
      variables_(p.variables),
      work_(at(p.n)) {
  for (const Whole w : p.weights) {
    all_weights_.push_back(rounded(w, shift_));
    step_ = std::gcd(step_, all_weights_.back());
  }
  step_ *= spin_ ? 2 : 1;
  add_rows(p, MonomialIndex(p));
}

void FlipTable::add_rows(const WholePolynomial& p, const MonomialIndex& index) {
  std::array<std::vector<std::int32_t>, kShort + 1> sized;  // monomials by size
  for (int i = 0; i < n_; ++i) {
    Row& row = rows_[at(i)];
    row.long_begin = long_of_.size();
    std::ranges::for_each(sized, [](auto& some) { some.clear(); });
    for (const std::int32_t m : index.of(i)) {
      const std::size_t size = p.monomial(at(m)).size();
      work_[at(i)] += static_cast<std::int64_t>(size);
      (size > kShort ? long_of_ : sized[size]).push_back(m);
    }
    for (std::size_t others = 0; others < kShort; ++others) {
      row.other[others] = others_.size();
      row.weight[others] = weights_.size();
      if (others + 2 > kShort) {
        continue;
      }
      for (const std::int32_t m : sized[others + 2]) {
        std::ranges::remove_copy(p.monomial(at(m)), std::back_inserter(others_), i);
        weights_.push_back((spin_ ? 4 : 1) * all_weights_[at(m)]);
      }
    }
    row.long_end = long_of_.size();
  }
}

FlipState::FlipState(const FlipTable& table) : table_(&table) {
  set(std::vector<std::uint8_t>(at(table.size())));
}

void FlipState::set(std::span<const std::uint8_t> x) {
  const FlipTable& t = *table_;
  x_.assign(x.begin(), x.end());
  mask_.resize(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    mask_[i] = (x_[i] != 0) == t.spin_ ? 0 : -1;
  }
  gains_.assign(x_.size(), 0);
  zeros_.assign(t.all_weights_.size(), 0);
  value_ = 0;
  for (std::size_t m = 0; m < t.all_weights_.size(); ++m) {
    const std::int64_t w = t.all_weights_[m];
    const auto monomial =
        std::span(t.variables_).subspan(t.begins_[m], t.begins_[m + 1] - t.begins_[m]);
    std::int32_t& zeros = zeros_[m];
    std::int32_t last = 0;
    for (const std::int32_t i : monomial) {
      zeros += x_[at(i)] == 0 ? 1 : 0;
      last = x_[at(i)] == 0 ? i : last;
    }
    if (t.spin_) {
      const std::int64_t v = zeros % 2 == 0 ? w : -w;
      value_ += v;
      for (const std::int32_t i : monomial) {
        gains_[at(i)] -= 2 * v;
      }
    } else if (zeros == 0) {
      value_ += w;
      for (const std::int32_t i : monomial) {
        gains_[at(i)] -= w;
      }
    } else if (zeros == 1) {
      gains_[at(last)] += w;
    }
  }
}

template <int kOthers>
void FlipState::flip_short(int i) {
  const FlipTable& t = *table_;
  const FlipTable::Row& row = t.rows_[at(i)];
  const std::int32_t* other = t.others_.data() + row.other[kOthers - 1];
  const std::int64_t* weight = t.weights_.data() + row.weight[kOthers - 1];
  const std::int64_t* const end = t.weights_.data() + row.weight[kOthers];
  const std::int64_t* const mask = mask_.data();
  std::int64_t* const gains = gains_.data();
  const std::int64_t own = mask[i];  // before the flip
  if (t.spin_) {
    for (; weight != end; ++weight, other += kOthers) {
      std::int64_t sign = own;
      for (int k = 0; k < kOthers; ++k) {
        sign ^= mask[other[k]];
      }
      const std::int64_t change = negated_if(sign, *weight);
      for (int k = 0; k < kOthers; ++k) {
        gains[other[k]] += change;
      }
    }
    return;
  }
  for (; weight != end; ++weight, other += kOthers) {
    for (int k = 0; k < kOthers; ++k) {
      std::int64_t value = *weight;
      for (int l = 0; l < kOthers; ++l) {
        value &= l != k ? mask[other[l]] : -1;
      }
      gains[other[k]] += negated_if(own ^ mask[other[k]], value);
    }
  }
}

void FlipState::flip_long(int i) {
  const FlipTable& t = *table_;
  const FlipTable::Row& row = t.rows_[at(i)];
  const bool one = x_[at(i)] == 0;  // the new value
  for (std::size_t k = row.long_begin; k < row.long_end; ++k) {
    const auto m = at(t.long_of_[k]);
    const std::int64_t w = t.all_weights_[m];
    const auto monomial =
        std::span(t.variables_).subspan(t.begins_[m], t.begins_[m + 1] - t.begins_[m]);
    std::int32_t& zeros = zeros_[m];
    const std::int32_t rest = zeros - (one ? 1 : 0);  // zeros among other variables
    if (t.spin_) {
      const std::int64_t change = zeros % 2 == 0 ? 4 * w : -4 * w;
      for (const std::int32_t other : monomial) {
        gains_[at(other)] += other != i ? change : 0;
      }
    } else if (rest == 0) {
      for (const std::int32_t other : monomial) {
        gains_[at(other)] += other == i ? 0 : one ? -w : w;
      }
    } else if (rest == 1) {
      const auto zero = std::ranges::find_if(monomial, [&](std::int32_t other) {
        return other != i && x_[at(other)] == 0;
      });
      gains_[at(*zero)] += one ? w : -w;
    }
    zeros += one ? -1 : 1;
  }
}

void FlipState::flip(int i) {
  flip_short<1>(i);
  flip_short<2>(i);
  flip_short<3>(i);
  flip_long(i);
  value_ += gains_[at(i)];
  gains_[at(i)] = -gains_[at(i)];
  x_[at(i)] ^= 1U;
  mask_[at(i)] = ~mask_[at(i)];
}

}  // namespace oa::solve
