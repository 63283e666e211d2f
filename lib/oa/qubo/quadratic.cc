#include "oa/qubo/quadratic.h"

#include "oa/base/index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace oa::qubo {
Quadratic::Quadratic(int n, Vartype type, Numbers q) : vartype(type) {
  Pairs::Square square = Pairs::of_square(n, std::move(q), rests_);
  pairs_ = std::make_shared<Pairs>(std::move(square.pairs));
  factor_ = square.factor;
  if (type == Vartype::Binary) {
    linear = std::move(square.diagonal);
    return;
  }
  linear.resize(at(n));
  ExactSum constant;
  for (const double weight : square.diagonal) {
    constant.add(weight);
  }
  add_constant(constant);
}

void Quadratic::add(std::span<const Term> terms, const std::stop_token& stop) {
  const std::vector<Term> before = this->terms();
  std::vector<Term> pairs;  // later calls add remainders of earlier sums again
  std::erase_if(rests_, [&](const Term& t) {
    const bool pair = t.first != t.second;
    if (pair) {
      pairs.push_back(t);
    }
    return pair;
  });
  const std::array<std::span<const Term>, 3> lists{before, terms, pairs};
  pairs_ = std::make_shared<Pairs>(size(), lists, rests_, stop);
  factor_ = 1.0;
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
  std::map<std::int32_t, ExactSum> sums;  // of variables whose sum may not be a double
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

void Quadratic::halve_pairs() {
  factor_ *= 0.5;
  for (Term& t : rests_) {
    t.weight *= t.first != t.second ? 0.5 : 1.0;
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
  all.reserve(static_cast<std::size_t>(pairs()));
  for (int i = 0; i < size(); ++i) {
    for (const Coupling& c : row(i)) {
      if (c.other > i) {
        all.push_back({i, c.other, c.weight});
      }
    }
  }
  return all;
}

namespace {

/// Sums the couplings of variable i to earlier variables.
/// Weights are whole, with a sum below 2^63.
template <class T>
std::int64_t sum_before(std::span<const T> weights,
                        const std::int32_t* others,
                        std::int32_t i,
                        std::span<const std::int8_t> value) {
  std::int64_t sum = 0;
  if (others == nullptr) {
    constexpr std::size_t kBlock = 1 << 15;  // a block's sum stays below 2^31
    for (std::size_t from = 0; from < at(i); from += kBlock) {
      const std::size_t to = std::min(from + kBlock, at(i));
      std::int32_t part = 0;
      for (std::size_t k = from; k < to; ++k) {
        part += std::int32_t{weights[k]} * std::int32_t{value[k]};
      }
      sum += part;
    }
    return sum;
  }
  for (std::size_t k = 0; k < weights.size() && others[k] < i; ++k) {
    sum += weights[k] * value[at(others[k])];
  }
  return sum;
}

/// Does the same for any weights; `terms` is scratch memory.
template <class T>
ExactSum sum_before(std::span<const T> weights,
                    const std::int32_t* others,
                    std::int32_t i,
                    std::span<const std::int8_t> value,
                    double factor,
                    std::vector<double>& terms) {
  const std::size_t count = others == nullptr ? at(i) : weights.size();
  terms.resize(count);
  std::size_t used = 0;  // avoids unpredictable branches on values
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t other = others == nullptr ? k : at(others[k]);
    if (other >= at(i)) {
      break;
    }
    terms[used] = factor * value[other] * double{weights[k]};
    used += value[other] != 0 ? 1 : 0;
  }
  ExactSum sum;
  sum.add(std::span<const double>(terms).first(used));
  return sum;
}

/// Returns the sum over pairs; `value` has -1, 0 or 1 for each variable.
ExactSum pairs_energy(const Quadratic& f, std::span<const std::int8_t> value) {
  const Pairs& pairs = f.couplings();
  const auto n = value.size();
  ExactSum sum;
  pairs.weights().visit([&]<class T>(std::span<T> weights) {
    std::int64_t whole = 0;
    std::vector<double> terms;
    for (int i = 0; i < f.size(); ++i) {
      if (value[at(i)] == 0) {
        continue;
      }
      const std::size_t from = pairs.dense() ? at(i) * n : pairs.begins()[at(i)];
      const std::size_t to = pairs.dense() ? from + n : pairs.begins()[at(i) + 1];
      if (from == to) {
        continue;
      }
      const std::span<const T> row = weights.subspan(from, to - from);
      const std::int32_t* others =
          pairs.dense() ? nullptr : pairs.others().data() + from;
      if constexpr (std::numeric_limits<T>::is_integer) {
        whole += value[at(i)] * sum_before(row, others, i, value);
      } else {
        // Each row has a sum of its own, so that the processor overlaps rows.
        sum.add(sum_before(row, others, i, value, f.factor() * value[at(i)], terms));
      }
    }
    sum.add(f.factor() * static_cast<double>(whole));
  });
  return sum;
}

}  // namespace

ExactSum exact_energy(const Quadratic& f, std::span<const std::uint8_t> x) {
  const std::int8_t zero = f.vartype == Vartype::Spin ? -1 : 0;
  std::vector<std::int8_t> value(x.size());
  std::ranges::transform(x, value.begin(), [&](std::uint8_t one) {
    return one != 0 ? std::int8_t{1} : zero;
  });
  ExactSum sum = pairs_energy(f, value);
  sum.add(f.offset);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum.add(value[i] * f.linear[i]);
  }
  for (const Term& t : f.rests()) {
    const int sign = t.first == kConstant  ? 1
                     : t.first == t.second ? value[at(t.first)]
                                           : value[at(t.first)] * value[at(t.second)];
    sum.add(sign * t.weight);
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
  std::vector<Term> fields;  // remainders, added to g.linear
  for (int i = 0; i < f.size(); ++i) {
    const double h = f.linear[at(i)];
    ExactSum sum;
    sum.add(times(linear, h));
    constant.add(to_binary ? -h : times(0.5, h));
    if (const auto sums = f.pairs_->sums(); !sums.empty()) {
      const auto whole =
          static_cast<double>(sums[at(i)].negative + sums[at(i)].positive);
      const double row = f.factor_ * whole;  // counts each pair of i
      sum.add(times(of_pair, row));
      constant.add(to_binary ? 0.5 * row : times(0.125, row));
    } else {
      f.row(i).each([&](std::int32_t other, double weight) {
        sum.add(times(of_pair, weight));
        if (other > i) {
          constant.add(to_binary ? weight : times(0.25, weight));
        }
      });
    }
    g.linear[at(i)] = split(sum, i, i, fields);
  }
  g.pairs_ = f.pairs_;
  g.factor_ = pair * f.factor_;
  for (const Term& t : f.rests()) {
    if (t.first == kConstant) {
      constant.add(t.weight);
    } else if (t.first == t.second) {
      constant.add(to_binary ? -t.weight : times(0.5, t.weight));
      fields.push_back({t.first, t.first, times(linear, t.weight)});
    } else {
      constant.add(to_binary ? t.weight : times(0.25, t.weight));
      g.rests_.push_back({t.first, t.second, times(pair, t.weight)});
      fields.push_back({t.first, t.first, times(of_pair, t.weight)});
      fields.push_back({t.second, t.second, times(of_pair, t.weight)});
    }
  }
  g.add_linear(fields);
  g.add_constant(constant);
  return result;
}

Quadratic negated(Quadratic f) {
  f.sense = f.sense == Sense::Min ? Sense::Max : Sense::Min;
  f.offset = 0.0 - f.offset;  // avoids -0
  for (double& h : f.linear) {
    h = 0.0 - h;
  }
  f.factor_ = -f.factor_;
  for (Term& t : f.rests_) {
    t.weight = -t.weight;
  }
  return f;
}

Matrix dense_matrix(const Quadratic& f) {
  const std::size_t n = f.linear.size();
  Matrix::Values j(n * n, 0.0);
  if (f.couplings().dense()) {
    f.couplings().weights().visit([&](const auto& all) {
      for (std::size_t k = 0; k < j.size(); ++k) {
        j[k] = f.factor() * static_cast<double>(all[k]);
      }
    });
    for (std::size_t i = 0; i < n; ++i) {
      j[i * n + i] = 0.0;
    }
    return {f.size(), std::move(j)};
  }
  for (int i = 0; i < f.size(); ++i) {
    f.row(i).each([row = j.data() + at(i) * n](std::int32_t other, double weight) {
      row[other] = weight;
    });
  }
  return {f.size(), std::move(j)};
}

}  // namespace oa::qubo
