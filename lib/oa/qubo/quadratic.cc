#include "oa/qubo/quadratic.h"

#include "oa/base/exact_sum.h"

#include <algorithm>
#include <cmath>

namespace oa::qubo {
namespace {

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// A sum rounded once, and how far it can be from the exact one.
struct Rounded {
  double value = 0.0;
  double error = 0.0;
};

Rounded rounded(ExactSum sum) {
  const double value = sum.value();
  sum.add(-value);
  const double rest = std::abs(sum.value());
  return {value, rest == 0.0 ? 0.0 : std::nextafter(rest, 2.0 * rest)};
}

/// How a row is sorted; strictly: no pair twice, and no weight of 0.
enum class Order : std::uint8_t { None, Ascending, Strict };

template <class Iterator>
Order order_of(Iterator from, Iterator to) {
  bool strict = true;
  for (std::int32_t before = -1; from != to; ++from) {
    if (from->other < before) {
      return Order::None;
    }
    strict = strict && from->other > before && from->weight != 0.0;
    before = from->other;
  }
  return strict ? Order::Strict : Order::Ascending;
}

/// Sums runs of the same pair within [from, to) of `row`, which is sorted by pair;
/// returns the new end.
template <class Iterator>
Iterator merge(Iterator from, Iterator to, bool& exact) {
  Iterator out = from;
  while (from != to) {
    const auto other = from->other;
    double weight = from->weight;
    if (std::next(from) != to && std::next(from)->other == other) {
      ExactSum sum;
      for (; from != to && from->other == other; ++from) {
        sum.add(from->weight);
      }
      const Rounded r = rounded(sum);
      weight = r.value;
      exact = exact && r.error == 0.0;
    } else {
      ++from;
    }
    if (weight != 0.0) {
      *out++ = {other, weight};
    }
  }
  return out;
}

}  // namespace

bool Quadratic::add(std::span<const Term> terms) {
  // Counts, then places: two passes over the terms, no sort of them all.
  bool exact = true;
  std::vector<std::size_t> begin(begin_.size() + 1);
  ExactSum constant;
  constant.add(offset);
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    begin[i + 2] = begin_[i + 1] - begin_[i];
  }
  for (const Term& t : terms) {
    if (t.first != t.second) {
      ++begin[at(t.first) + 2];
      ++begin[at(t.second) + 2];
    } else if (vartype == Vartype::Spin) {
      constant.add(t.weight);
    } else {
      const double sum = linear[at(t.first)] + t.weight;
      exact = exact && sum - t.weight == linear[at(t.first)] &&
              sum - linear[at(t.first)] == t.weight;
      linear[at(t.first)] = sum;
    }
  }
  const Rounded r = rounded(constant);
  offset = r.value;
  exact = exact && r.error == 0.0;
  for (std::size_t i = 2; i < begin.size(); ++i) {
    begin[i] += begin[i - 1];
  }
  // begin[i + 1] is where the next entry of row i goes, and ends as where it ends.
  decltype(couplings_) all(begin.back());
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
      all[begin[i + 1]++] = couplings_[k];
    }
  }
  for (const Term& t : terms) {
    if (t.first != t.second) {
      all[begin[at(t.first) + 1]++] = {t.second, t.weight};
      all[begin[at(t.second) + 1]++] = {t.first, t.weight};
    }
  }
  auto out = all.begin();
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin[i]);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]);
    begin_[i] = static_cast<std::size_t>(out - all.begin());
    const Order order = order_of(first, last);
    if (order == Order::None) {
      std::stable_sort(first, last, [](const Coupling& a, const Coupling& b) {
        return a.other < b.other;
      });
    }
    const auto end = order == Order::Strict ? last : merge(first, last, exact);
    out = out == first ? end : std::copy(first, end, out);
  }
  begin_.back() = static_cast<std::size_t>(out - all.begin());
  all.erase(out, all.end());
  couplings_ = std::move(all);
  return exact;
}

std::vector<Term> Quadratic::terms() const {
  std::vector<Term> all;
  all.reserve(couplings_.size() / 2);
  for (int i = 0; i < size(); ++i) {
    for (const Coupling& c : row(i)) {
      if (c.other > i) {
        all.push_back({i, c.other, c.weight});
      }
    }
  }
  return all;
}

double energy(const Quadratic& f, std::span<const std::uint8_t> x) {
  ExactSum sum;
  sum.add(f.offset);
  const bool spins = f.vartype == Vartype::Spin;
  for (int i = 0; i < f.size(); ++i) {
    const bool one = x[at(i)] != 0;
    if (!one && !spins) {
      continue;
    }
    ExactSum part;  // rows are summed independently, hence at the same time
    part.add(one ? f.linear[at(i)] : -f.linear[at(i)]);
    for (const Coupling& c : f.row(i)) {
      if (c.other >= i) {
        break;
      }
      const bool same = (x[at(c.other)] != 0) == one;
      if (spins) {
        part.add(same ? c.weight : -c.weight);
      } else if (same) {
        part.add(c.weight);
      }
    }
    sum.add(part);
  }
  return sum.value();
}

Converted converted(const Quadratic& f, Vartype vartype) {
  if (f.vartype == vartype) {
    return {f, 0.0};
  }
  // s = 2x - 1:  h s = 2h x - h,  J s t = 4J xy - 2J x - 2J y + J.
  // x = (s + 1) / 2:  h x = h/2 s + h/2,  J xy = J/4 (st + s + t + 1).
  const bool to_binary = vartype == Vartype::Binary;
  const double linear = to_binary ? 2.0 : 0.5;
  const double pair = to_binary ? 4.0 : 0.25;
  const double of_pair = to_binary ? -2.0 : 0.25;
  Converted result{Quadratic(f.size()), 0.0};
  Quadratic& g = result.f;
  g.vartype = vartype;
  g.sense = f.sense;
  g.names = f.names;
  ExactSum constant;
  constant.add(f.offset);
  for (int i = 0; i < f.size(); ++i) {
    ExactSum sum;
    sum.add(linear * f.linear[at(i)]);
    constant.add(to_binary ? -f.linear[at(i)] : 0.5 * f.linear[at(i)]);
    for (const Coupling& c : f.row(i)) {
      sum.add(of_pair * c.weight);
      if (c.other > i) {
        constant.add(to_binary ? c.weight : 0.25 * c.weight);
      }
    }
    const Rounded r = rounded(sum);
    g.linear[at(i)] = r.value;
    result.error += r.error;
  }
  const Rounded r = rounded(constant);
  g.offset = r.value;
  result.error = 2.0 * (result.error + r.error);
  std::vector<Term> terms = f.terms();
  for (Term& t : terms) {
    t.weight *= pair;
  }
  g.add(terms);
  return result;
}

Quadratic negated(Quadratic f) {
  std::vector<Term> terms = f.terms();
  Quadratic g(f.size());
  g.vartype = f.vartype;
  g.sense = f.sense == Sense::Min ? Sense::Max : Sense::Min;
  g.offset = 0.0 - f.offset;  // of 0 not -0
  g.names = std::move(f.names);
  for (std::size_t i = 0; i < f.linear.size(); ++i) {
    g.linear[i] = 0.0 - f.linear[i];
  }
  for (Term& t : terms) {
    t.weight = -t.weight;
  }
  g.add(terms);
  return g;
}

}  // namespace oa::qubo
