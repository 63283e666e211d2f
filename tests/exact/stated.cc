#include "exact/stated.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace oa::exact {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// What `entry` adds where its variables are `a` and `b`.
Exact added(const Entry& entry, bool a, bool b) {
  Exact weight = exactly(entry.weight);
  if (entry.twice) {
    weight += weight;
  }
  switch (entry.meaning) {
    case Meaning::Product: return a && b ? weight : Exact();
    case Meaning::Spins: return a == b ? weight : -weight;
    case Meaning::Field: return a ? weight : -weight;
    case Meaning::Cut: return a != b ? weight : Exact();
    case Meaning::Constant: return weight;
  }
  return {};
}

bool is_one(Mask x, int i, int n) {
  return (x >> (n - 1 - i) & 1U) != 0;
}

/// The lowest position of a bit of any number, and one that no sum reaches.
struct Bits {
  int lowest = 0;
  int end = 0;
};

Bits bits_of(const Stated& problem) {
  Exact total;
  int lowest = -1;
  for (const Entry& e : problem.entries) {
    const Exact weight = exactly(e.weight);
    if (weight == Exact()) {
      continue;
    }
    total += weight.magnitude();
    total += weight.magnitude();
    lowest = lowest < 0 ? weight.lowest_bit() : std::min(lowest, weight.lowest_bit());
  }
  return {std::max(lowest, 0), total.highest_bit() + 1};
}

/// Numbers in units of the lowest bit of all.
struct Units {
  int unit;
  Narrow operator()(const Exact& x) const { return narrowed(x, unit); }
};

struct AsTheyAre {
  const Exact& operator()(const Exact& x) const { return x; }
};

/// Tries all vectors in the order of a Gray code, which flips one variable at a time.
/// Negated to be made small.
template <class Number, class Convert>
class Enumeration {
 public:
  Enumeration(const Stated& problem, Convert convert)
      : n_(problem.n),
        alone_(at(n_)),
        beside_(at(n_), std::vector<std::array<Number, 2>>(at(n_))) {
    const auto taken = [&](Exact with, const Exact& without) {
      with -= without;
      return Number(convert(problem.maximise ? -with : with));
    };
    // What the energy gains when variable i becomes 1, by the value of the other.
    for (const Entry& e : problem.entries) {
      if (e.i == e.k) {
        alone_[at(e.i)] += taken(added(e, true, true), added(e, false, false));
        continue;
      }
      for (const bool other : {false, true}) {
        beside_[at(e.i)][at(e.k)][other ? 1 : 0] +=
            taken(added(e, true, other), added(e, false, other));
        beside_[at(e.k)][at(e.i)][other ? 1 : 0] +=
            taken(added(e, other, true), added(e, other, false));
      }
    }
  }

  std::vector<Mask> best(int top) {
    Number energy{};  // above that of the vector of zeros
    Mask x = 0;
    offer(energy, x, at(top));
    for (Mask step = 1; step < Mask{1} << n_; ++step) {
      const int i = std::countr_zero(step);
      const Number gain = gain_of(x, i);
      x ^= Mask{1} << (n_ - 1 - i);
      if (is_one(x, i, n_)) {
        energy += gain;
      } else {
        energy -= gain;
      }
      offer(energy, x, at(top));
    }
    std::vector<Mask> masks;
    for (const Kept& kept : kept_) {
      masks.push_back(kept.x);
    }
    return masks;
  }

 private:
  struct Kept {
    Number energy;
    Mask x;
    bool operator<(const Kept& other) const {
      return energy == other.energy ? x < other.x : energy < other.energy;
    }
  };

  Number gain_of(Mask x, int i) const {
    Number gain = alone_[at(i)];
    for (int k = 0; k < n_; ++k) {
      if (k != i) {
        gain += beside_[at(i)][at(k)][is_one(x, k, n_) ? 1 : 0];
      }
    }
    return gain;
  }

  void offer(const Number& energy, Mask x, std::size_t top) {
    const Kept one{energy, x};
    if (kept_.size() == top && !(one < kept_.back())) {
      return;
    }
    kept_.insert(std::ranges::upper_bound(kept_, one, std::less<>()), one);
    if (kept_.size() > top) {
      kept_.pop_back();
    }
  }

  int n_;
  std::vector<Number> alone_;
  std::vector<std::vector<std::array<Number, 2>>> beside_;
  std::vector<Kept> kept_;
};

}  // namespace

Mask mask_of(const std::vector<std::uint8_t>& x) {
  Mask mask = 0;
  for (const std::uint8_t one : x) {
    mask = mask << 1U | (one != 0 ? 1U : 0U);
  }
  return mask;
}

std::vector<std::uint8_t> vector_of(Mask mask, int n) {
  std::vector<std::uint8_t> x;
  for (int i = 0; i < n; ++i) {
    x.push_back(is_one(mask, i, n) ? 1 : 0);
  }
  return x;
}

Exact value(const Stated& problem, Mask x) {
  Exact sum;
  for (const Entry& e : problem.entries) {
    sum += added(e, is_one(x, e.i, problem.n), is_one(x, e.k, problem.n));
  }
  return sum;
}

int span_of(const Stated& problem) {
  const Bits bits = bits_of(problem);
  return bits.end - bits.lowest;
}

std::vector<Mask> best(const Stated& problem, int top) {
  constexpr int kRoom = 120;  // of 127 bits: gains are twice the weights
  if (span_of(problem) <= kRoom) {
    const Units units{bits_of(problem).lowest};
    return Enumeration<Narrow, Units>(problem, units).best(top);
  }
  return Enumeration<Exact, AsTheyAre>(problem, {}).best(top);
}

}  // namespace oa::exact
