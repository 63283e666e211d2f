#include "oa/base/index.h"
#include "oa/qubo/model.h"
#include "oa/solve/method/states.h"
#include "oa/solve/recover/squares.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace oa::solve {
namespace {

/// Slack digits of equal price for 1 whose sums are all whole numbers from the least to
/// the greatest; empty if there are none.
struct Slack {
  double price = 0.0;
  std::vector<qubo::ProgramRow::Entry> digits;  // smallest magnitude first
};

/// True if `price` times each weight of s is exact.
bool is_exact(const Square& s, double price) {
  return std::ranges::all_of(s.entries, [&](const qubo::ProgramRow::Entry& e) {
    const auto weight = static_cast<double>(e.weight);
    return std::fma(price, weight, -(price * weight)) == 0.0;
  });
}

Slack slack_of(const Square& s, const qubo::Quadratic& rest) {
  const auto price = [&](const qubo::ProgramRow::Entry& e) {
    return rest.linear[at(e.variable)] / static_cast<double>(e.weight);
  };
  std::vector<qubo::ProgramRow::Entry> all;
  for (const qubo::ProgramRow::Entry& e : s.entries) {
    if (std::ranges::binary_search(s.slack, e.variable)) {
      all.push_back(e);
    }
  }
  std::ranges::stable_sort(all, {}, [&](const qubo::ProgramRow::Entry& e) {
    return std::pair(price(e), std::abs(e.weight));
  });
  Slack best;
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    Slack slack{.price = price(all[from]), .digits = {}};
    std::int64_t sum = 0;
    for (; to < all.size() && price(all[to]) == slack.price; ++to) {
      if (std::abs(all[to].weight) <= sum + 1) {
        slack.digits.push_back(all[to]);
        sum += std::abs(all[to].weight);
      }
    }
    if (slack.digits.size() > best.digits.size() && is_exact(s, slack.price)) {
      best = std::move(slack);
    }
  }
  return best;
}

/// Divides by the greatest common divisor, and clips the range to possible sums.
qubo::ProgramRow row_of(std::vector<qubo::ProgramRow::Entry> entries,
                        std::int64_t low,
                        std::int64_t high) {
  qubo::ProgramRow row;
  std::int64_t common = 0;
  for (const qubo::ProgramRow::Entry& e : entries) {
    common = std::gcd(common, e.weight);
  }
  common = std::max<std::int64_t>(common, 1);
  const auto floor = [&](std::int64_t a) {
    return a / common - (a % common < 0 ? 1 : 0);
  };
  for (qubo::ProgramRow::Entry& e : entries) {
    e.weight /= common;
    row.least += std::min<std::int64_t>(e.weight, 0);
    row.most += std::max<std::int64_t>(e.weight, 0);
  }
  row.entries = std::move(entries);
  row.low = std::clamp(-floor(-low), row.least, row.most + 1);
  row.high = std::clamp(floor(high), row.least - 1, row.most);
  return row;
}

}  // namespace

SquareProgram::SquareProgram(const Squares& squares) : n_(squares.rest.size()) {
  qubo::Quadratic rest = squares.rest;
  std::vector<bool> dropped(at(n_));
  std::vector<Range> ranges;
  for (const Square& s : squares.squares) {
    Range& range = ranges.emplace_back();
    range.low = s.right;
    range.high = s.right;
    Slack slack = slack_of(s, squares.rest);
    for (const qubo::ProgramRow::Entry& e : slack.digits) {
      dropped[at(e.variable)] = true;
      (e.weight > 0 ? range.low : range.high) -= e.weight;
    }
    std::vector<qubo::Term> costs;
    for (const qubo::ProgramRow::Entry& e : s.entries) {
      if (!dropped[at(e.variable)]) {
        range.others.push_back(e);
        costs.push_back(
            {e.variable, e.variable, -slack.price * static_cast<double>(e.weight)});
      }
    }
    rest.add_linear(costs);
    rest.add_constant(slack.price * static_cast<double>(s.right));
    range.slack.assign(slack.digits.rbegin(), slack.digits.rend());
  }
  std::vector<std::int32_t> place(at(n_));
  for (int i = 0; i < n_; ++i) {
    place[at(i)] = static_cast<std::int32_t>(variables_.size());
    if (!dropped[at(i)]) {
      variables_.push_back(i);
    }
  }
  shorten(rest, place, dropped);
  for (Range& range : ranges) {
    std::vector<qubo::ProgramRow::Entry> entries = range.others;
    for (qubo::ProgramRow::Entry& e : entries) {
      e.variable = place[at(e.variable)];
    }
    rows_.push_back(row_of(std::move(entries), range.low, range.high));
    if (!range.slack.empty()) {
      ranges_.push_back(std::move(range));
    }
  }
}

/// Sets the objective; dropped variables have no terms.
void SquareProgram::shorten(const qubo::Quadratic& rest,
                            std::span<const std::int32_t> place,
                            const std::vector<bool>& dropped) {
  std::vector<qubo::Term> terms;
  for (const qubo::Term& t : rest.terms()) {
    terms.push_back({place[at(t.first)], place[at(t.second)], t.weight});
  }
  objective_ = qubo::Quadratic(static_cast<int>(variables_.size()));
  objective_.add(terms);
  objective_.offset = rest.offset;
  terms.clear();
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    objective_.linear[k] = rest.linear[at(variables_[k])];
  }
  for (const qubo::Term& t : rest.rests()) {
    if (t.first == qubo::kConstant) {
      objective_.add_constant(t.weight);
    } else if (t.first == t.second && !dropped[at(t.first)]) {
      terms.push_back({place[at(t.first)], place[at(t.first)], t.weight});
    }
  }
  objective_.add_linear(terms);
}

qubo::Program SquareProgram::program() const {
  return {
      objective_.size(), qubo::polynomial_of(qubo::Model(objective_)).monomials, rows_};
}

std::vector<std::uint8_t> SquareProgram::shortened(
    std::span<const std::uint8_t> x) const {
  return part_of(x, variables_);
}

std::vector<std::uint8_t> SquareProgram::restored(
    std::span<const std::uint8_t> y) const {
  std::vector<std::uint8_t> x(at(n_));
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    x[at(variables_[k])] = y[k];
  }
  for (const Range& range : ranges_) {
    // The required sum of the digits, above their least sum.
    std::int64_t left = range.high;
    for (const qubo::ProgramRow::Entry& e : range.others) {
      left -= x[at(e.variable)] != 0 ? e.weight : 0;
    }
    for (const qubo::ProgramRow::Entry& e : range.slack) {
      const bool taken = left >= std::abs(e.weight);
      left -= taken ? std::abs(e.weight) : 0;
      x[at(e.variable)] = taken == (e.weight > 0) ? 1 : 0;
    }
  }
  return x;
}

}  // namespace oa::solve
