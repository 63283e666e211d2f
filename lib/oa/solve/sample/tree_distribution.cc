#include "oa/solve/sample/tree_distribution.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace oa::solve {
namespace {

constexpr int kMaxWidth = 22;

/// The graph of couplings and of digits of numbers, with arbitrary weights.
WholeFunction graph_of(const qubo::Quadratic& f,
                       const std::vector<NumberShares>& numbers) {
  WholeFunction graph;
  graph.linear.resize(at(f.size()));
  graph.rows.resize(at(f.size()));
  for (int i = 0; i < f.size(); ++i) {
    f.row(i).each([&](std::int32_t k, double) { graph.rows[at(i)].push_back({k, 1}); });
  }
  for (const NumberShares& number : numbers) {
    for (const int i : number.variables) {
      std::vector<WholeCoupling>& row = graph.rows[at(i)];
      for (const int k : number.variables) {
        if (i != k && std::ranges::find(row, k, &WholeCoupling::other) == row.end()) {
          row.push_back({k, 1});
        }
      }
    }
  }
  return graph;
}

}  // namespace

std::optional<TreeDistribution> TreeDistribution::make(
    const qubo::Quadratic& f,
    std::vector<NumberShares> numbers,
    double temperature,
    double most_entries,
    const Stop& stop) {
  if (f.pairs() > std::int64_t{kMaxWidth} * f.size()) {
    return std::nullopt;  // more couplings than the width allows
  }
  auto order = eliminate(graph_of(f, numbers), kMaxWidth, stop);
  if (!order || order->entries > most_entries) {
    return std::nullopt;
  }
  TreeDistribution tree(*std::move(order), std::move(numbers));
  if (!tree.sum(f, temperature, stop)) {
    return std::nullopt;
  }
  return tree;
}

TreeDistribution::TreeDistribution(Elimination order, std::vector<NumberShares> numbers)
    : order_(std::move(order)),
      numbers_(std::move(numbers)),
      at_(order_.steps.size()),
      ones_(order_.steps.size()) {
  std::vector<std::size_t> turn(order_.steps.size());
  for (std::size_t k = 0; k < turn.size(); ++k) {
    turn[at(order_.steps[k].variable)] = k;
  }
  for (std::size_t number = 0; number < numbers_.size(); ++number) {
    std::size_t first = turn.size();
    for (const int i : numbers_[number].variables) {
      first = std::min(first, turn[at(i)]);
    }
    at_[first].push_back(number);
  }
}

bool TreeDistribution::sum(const qubo::Quadratic& f,
                           double temperature,
                           const Stop& stop) {
  Pace pace(stop);
  // Logarithms of sums over the variables below each step, relative to the largest.
  std::vector<std::vector<double>> sums(order_.steps.size());
  std::vector<double> coupling(at(f.size()));
  std::vector<double> fields;
  for (std::size_t k = 0; k < order_.steps.size(); ++k) {
    const Elimination::Step& step = order_.steps[k];
    const std::size_t entries = std::size_t{1} << step.others.size();
    if (pace(static_cast<std::int64_t>(entries * (1 + step.children.size()) * 32))) {
      return false;
    }
    f.row(step.variable).each([&](std::int32_t other, double weight) {
      coupling[at(other)] = weight;
    });
    fields.assign(entries, f.linear[at(step.variable)]);
    for (std::size_t e = 1; e < entries; ++e) {
      const std::size_t rest = e & (e - 1);
      const auto bit = static_cast<std::size_t>(std::countr_zero(e));
      fields[e] = fields[rest] + coupling[at(step.others[bit])];
    }
    f.row(step.variable).each([&](std::int32_t other, double) {
      coupling[at(other)] = 0.0;
    });
    std::vector<double>& own = sums[k];
    std::vector<double>& ones = ones_[k];
    own.resize(entries);
    ones.resize(entries);
    for (std::size_t e = 0; e < entries; ++e) {
      double zero = 0.0;
      double one = -fields[e] / temperature;
      for (const Elimination::Child& child : order_.steps[k].children) {
        zero += sums[child.step][child.entry(e, 0)];
        one += sums[child.step][child.entry(e, 1)];
      }
      const double most = std::max(zero, one);
      const double rest = std::exp(std::min(zero, one) - most);
      own[e] = most + std::log1p(rest);
      ones[e] = (one >= zero ? 1.0 : rest) / (1.0 + rest);
    }
    for (const Elimination::Child& child : order_.steps[k].children) {
      sums[child.step] = {};
    }
  }
  return true;
}

std::vector<std::uint8_t> TreeDistribution::draw(Rng& rng) const {
  std::vector<std::uint8_t> x(order_.steps.size());
  for (std::size_t k = order_.steps.size(); k-- > 0;) {
    const Elimination::Step& step = order_.steps[k];
    std::size_t entry = 0;
    for (std::size_t b = 0; b < step.others.size(); ++b) {
      entry |= std::size_t{x[at(step.others[b])]} << b;
    }
    x[at(step.variable)] = rng.uniform() < ones_[k][entry] ? 1 : 0;
  }
  return x;
}

void TreeDistribution::add_shares(std::size_t k,
                                  const std::vector<double>& probabilities,
                                  NumberShares& number) const {
  const Elimination::Step& step = order_.steps[k];
  std::size_t own = 0;                                    // bit of the step's variable
  std::vector<std::pair<std::size_t, std::size_t>> bits;  // among others, in a choice
  for (std::size_t digit = 0; digit < number.variables.size(); ++digit) {
    const auto found = std::ranges::find(step.others, number.variables[digit]);
    if (found == step.others.end()) {
      own = digit;
    } else {
      bits.emplace_back(at(found - step.others.begin()), digit);
    }
  }
  for (std::size_t e = 0; e < probabilities.size(); ++e) {
    std::size_t choice = 0;
    for (const auto& [from, to] : bits) {
      choice |= (e >> from & 1U) << to;
    }
    const double one = probabilities[e] * ones_[k][e];
    number.shares[choice] += probabilities[e] - one;
    number.shares[choice | std::size_t{1} << own] += one;
  }
}

Marginals TreeDistribution::marginals() const {
  Marginals all{.ones = std::vector<double>(order_.steps.size()),
                .numbers = numbers_,
                .exact = true};
  // For each step, the probabilities of the values of its variables `others`.
  std::vector<std::vector<double>> shares(order_.steps.size());
  for (std::size_t k = order_.steps.size(); k-- > 0;) {
    std::vector<double> own = std::move(shares[k]);
    if (order_.steps[k].others.empty()) {
      own = {1.0};
    }
    for (const Elimination::Child& child : order_.steps[k].children) {
      shares[child.step].resize(ones_[child.step].size());
    }
    double total = 0.0;
    for (std::size_t e = 0; e < own.size(); ++e) {
      const double one = own[e] * ones_[k][e];
      total += one;
      for (const Elimination::Child& child : order_.steps[k].children) {
        shares[child.step][child.entry(e, 0)] += own[e] - one;
        shares[child.step][child.entry(e, 1)] += one;
      }
    }
    all.ones[at(order_.steps[k].variable)] = total;
    for (const std::size_t number : at_[k]) {
      add_shares(k, own, all.numbers[number]);
    }
  }
  return all;
}

}  // namespace oa::solve
