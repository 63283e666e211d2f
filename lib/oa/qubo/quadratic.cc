#include "oa/qubo/quadratic.h"

#include <algorithm>
#include <map>
#include <utility>

namespace oa::qubo {
namespace {

std::size_t at(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// The double nearest to a sum; what is left of it goes to `rests` as terms of these
/// variables.
double split(ExactSum sum,
             std::int32_t first,
             std::int32_t second,
             std::vector<Term>& rests) {
  const double nearest = sum.value();
  sum.add(-nearest);
  for (double left = sum.value(); left != 0.0; left = sum.value()) {
    rests.push_back({first, second, left});
    sum.add(-left);
  }
  return nearest;
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

/// Sums runs of the same pair within [from, to) of row i, which is sorted by pair;
/// returns the new end.
template <class Iterator>
Iterator merge(std::int32_t i, Iterator from, Iterator to, std::vector<Term>& rests) {
  std::vector<Term> twice;  // a pair stands in two rows, its rest only once
  Iterator out = from;
  while (from != to) {
    const auto other = from->other;
    double weight = from->weight;
    if (std::next(from) != to && std::next(from)->other == other) {
      ExactSum sum;
      for (; from != to && from->other == other; ++from) {
        sum.add(from->weight);
      }
      weight = split(sum, i, other, other > i ? rests : twice);
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

void Quadratic::add(std::span<const Term> terms) {
  std::vector<Term> pairs;  // what earlier sums of pairs have left takes part again
  std::erase_if(rests_, [&](const Term& t) {
    const bool pair = t.first != t.second;
    if (pair) {
      pairs.push_back(t);
    }
    return pair;
  });
  const auto each_pair = [&](const auto& take) {
    for (const std::span<const Term> list : {terms, std::span<const Term>(pairs)}) {
      for (const Term& t : list) {
        if (t.first != t.second) {
          take(t);
        }
      }
    }
  };
  // Counts, then places: two passes over the terms, no sort of them all.
  std::vector<std::size_t> begin(begin_.size() + 1);
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    begin[i + 2] = begin_[i + 1] - begin_[i];
  }
  each_pair([&](const Term& t) {
    ++begin[at(t.first) + 2];
    ++begin[at(t.second) + 2];
  });
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
  each_pair([&](const Term& t) {
    all[begin[at(t.first) + 1]++] = {t.second, t.weight};
    all[begin[at(t.second) + 1]++] = {t.first, t.weight};
  });
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
    const auto end = order == Order::Strict
                         ? last
                         : merge(static_cast<std::int32_t>(i), first, last, rests_);
    out = out == first ? end : std::copy(first, end, out);
  }
  begin_.back() = static_cast<std::size_t>(out - all.begin());
  all.erase(out, all.end());
  couplings_ = std::move(all);

  if (vartype == Vartype::Binary) {
    add_linear(terms);
    return;
  }
  ExactSum constant;
  for (const Term& t : terms) {
    constant.add(t.first == t.second ? t.weight : 0.0);
  }
  add_constant(constant);
}

void Quadratic::add_linear(std::span<const Term> terms) {
  std::map<std::int32_t, ExactSum> sums;  // of variables whose sum may be no double
  std::erase_if(rests_, [&](const Term& t) {
    const bool is_linear = t.first == t.second && t.first != kConstant;
    if (is_linear) {
      sums[t.first].add(t.weight);
    }
    return is_linear;
  });
  for (auto& [i, sum] : sums) {
    sum.add(linear[at(i)]);
  }
  for (const Term& t : terms) {
    if (t.first != t.second) {
      continue;
    }
    double& h = linear[at(t.first)];
    if (const auto found = sums.find(t.first); found != sums.end()) {
      found->second.add(t.weight);
    } else if (const double sum = h + t.weight;
               sum - t.weight == h && sum - h == t.weight) {
      h = sum;
    } else {
      ExactSum& both = sums[t.first];
      both.add(h);
      both.add(t.weight);
    }
  }
  for (const auto& [i, sum] : sums) {
    linear[at(i)] = split(sum, i, i, rests_);
  }
}

void Quadratic::add_constant(double weight) {
  ExactSum sum;
  sum.add(weight);
  add_constant(sum);
}

void Quadratic::add_constant(ExactSum sum) {
  std::erase_if(rests_, [&](const Term& t) {
    if (t.first == kConstant) {
      sum.add(t.weight);
    }
    return t.first == kConstant;
  });
  sum.add(offset);
  offset = split(sum, kConstant, kConstant, rests_);
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

ExactSum exact_energy(const Quadratic& f, std::span<const std::uint8_t> x) {
  ExactSum sum;
  sum.add(f.offset);
  const bool spins = f.vartype == Vartype::Spin;
  const auto sign = [&](std::int32_t i, std::int32_t k) {  // of x_i x_k
    const bool one = x[at(i)] != 0;
    const bool other = x[at(k)] != 0;
    return spins ? (one == other ? 1.0 : -1.0) : (one && other ? 1.0 : 0.0);
  };
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
  for (const Term& t : f.rests()) {
    if (t.first == kConstant) {
      sum.add(t.weight);
    } else if (t.first == t.second) {
      const bool one = x[at(t.first)] != 0;
      sum.add(one ? t.weight : (spins ? -t.weight : 0.0));
    } else {
      sum.add(sign(t.first, t.second) * t.weight);
    }
  }
  return sum;
}

double energy(const Quadratic& f, std::span<const std::uint8_t> x) {
  return exact_energy(f, x).value();
}

Converted converted(const Quadratic& f, Vartype vartype) {
  if (f.vartype == vartype) {
    return {f};
  }
  // s = 2x - 1:  h s = 2h x - h,  J s t = 4J xy - 2J x - 2J y + J.
  // x = (s + 1) / 2:  h x = h/2 s + h/2,  J xy = J/4 (st + s + t + 1).
  const bool to_binary = vartype == Vartype::Binary;
  const double linear = to_binary ? 2.0 : 0.5;
  const double pair = to_binary ? 4.0 : 0.25;
  const double of_pair = to_binary ? -2.0 : 0.25;
  Converted result{Quadratic(f.size())};
  Quadratic& g = result.f;
  g.vartype = vartype;
  g.sense = f.sense;
  g.names = f.names;
  g.offset = f.offset;
  const auto times = [&](double factor, double weight) {
    const double product = factor * weight;
    result.exact = result.exact && product / factor == weight;
    return product;
  };
  ExactSum constant;
  std::vector<Term> fields;  // beside g.linear
  for (int i = 0; i < f.size(); ++i) {
    const double h = f.linear[at(i)];
    ExactSum sum;
    sum.add(times(linear, h));
    constant.add(to_binary ? -h : times(0.5, h));
    for (const Coupling& c : f.row(i)) {
      sum.add(times(of_pair, c.weight));
      if (c.other > i) {
        constant.add(to_binary ? c.weight : times(0.25, c.weight));
      }
    }
    g.linear[at(i)] = split(sum, i, i, fields);
  }
  std::vector<Term> pairs = f.terms();
  for (Term& t : pairs) {
    t.weight = times(pair, t.weight);
  }
  for (const Term& t : f.rests()) {
    if (t.first == kConstant) {
      constant.add(t.weight);
    } else if (t.first == t.second) {
      constant.add(to_binary ? -t.weight : times(0.5, t.weight));
      fields.push_back({t.first, t.first, times(linear, t.weight)});
    } else {
      constant.add(to_binary ? t.weight : times(0.25, t.weight));
      pairs.push_back({t.first, t.second, times(pair, t.weight)});
      fields.push_back({t.first, t.first, times(of_pair, t.weight)});
      fields.push_back({t.second, t.second, times(of_pair, t.weight)});
    }
  }
  g.add_linear(fields);
  g.add_constant(constant);
  g.add(pairs);
  return result;
}

Quadratic negated(Quadratic f) {
  const auto minus = [](std::span<const Term> terms) {
    std::vector<Term> all(terms.begin(), terms.end());
    for (Term& t : all) {
      t.weight = -t.weight;
    }
    return all;
  };
  Quadratic g(f.size());
  g.vartype = f.vartype;
  g.sense = f.sense == Sense::Min ? Sense::Max : Sense::Min;
  g.names = std::move(f.names);
  for (std::size_t i = 0; i < f.linear.size(); ++i) {
    g.linear[i] = 0.0 - f.linear[i];  // of 0 not -0
  }
  g.offset = 0.0 - f.offset;
  g.add(minus(f.terms()));
  g.rests_ = minus(f.rests_);
  return g;
}

}  // namespace oa::qubo
