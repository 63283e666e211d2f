#include "oa/solve/recover/square_rows.h"

#include "oa/base/index.h"
#include "oa/solve/arithmetic/whole.h"

#include <algorithm>
#include <utility>

namespace oa::solve {

double coupling(const qubo::Quadratic& f, int i, int k) {
  const qubo::Pairs& pairs = f.couplings();
  if (pairs.dense()) {
    return f.factor() * pairs.weights()[at(i) * at(f.size()) + at(k)];
  }
  const auto others = pairs.others();
  const auto begin =
      others.begin() + static_cast<std::ptrdiff_t>(pairs.begins()[at(i)]);
  const auto end =
      others.begin() + static_cast<std::ptrdiff_t>(pairs.begins()[at(i) + 1]);
  const auto found = std::lower_bound(begin, end, k);
  return found != end && *found == k
             ? f.factor() * pairs.weights()[at(found - others.begin())]
             : 0.0;
}

const SquareRows::Row& SquareRows::row(std::int32_t i) {
  if (!copied_[at(i)]) {
    copied_[at(i)] = true;
    f_->row(i).each([&](std::int32_t k, double weight) {
      rows_[at(i)].push_back({k, units(weight)});
    });
    work_ += std::ssize(rows_[at(i)]);
  }
  return rows_[at(i)];
}

std::int64_t SquareRows::left(std::int32_t i, std::int32_t k) {
  ++work_;
  if (!copied_[at(i)]) {
    return units(coupling(*f_, i, k));
  }
  const Row& row = rows_[at(i)];
  const auto found = std::ranges::lower_bound(row, k, {}, &Weight::other);
  return found != row.end() && found->other == k ? found->weight : 0;
}

SquareRows::Change SquareRows::sampled_change(const FoundSquare& s) {
  constexpr std::size_t kSome = 24;
  const std::size_t step = (s.entries.size() + kSome - 1) / kSome;
  Change change;
  for (std::size_t a = 0; a < s.entries.size(); a += step) {
    for (std::size_t b = 0; b < a; b += step) {
      const auto& x = s.entries[a];
      const auto& y = s.entries[b];
      const double product = static_cast<double>(s.twice) *
                             static_cast<double>(x.weight) *
                             static_cast<double>(y.weight);
      const auto now = static_cast<double>(left(x.variable, y.variable));
      change.lost += product * (2.0 * now - product);
      change.own += product * product;
    }
  }
  return change;
}

bool SquareRows::subtract(const FoundSquare& s, int sign, double least_loss) {
  std::vector<Row> after;
  Change change;
  for (const auto& e : s.entries) {
    if (!subtract(s, sign, e, after.emplace_back(), change)) {
      return false;
    }
  }
  if (change.lost < least_loss * change.own) {
    return false;
  }
  for (std::size_t k = 0; k < s.entries.size(); ++k) {
    rows_[at(s.entries[k].variable)] = std::move(after[k]);
  }
  return true;
}

/// Returns row(e) minus the products of a square.
bool SquareRows::subtract(const FoundSquare& s,
                          int sign,
                          const qubo::ProgramRow::Entry& e,
                          Row& left,
                          Change& change) {
  const Row& before = row(e.variable);
  work_ += std::ssize(before) + std::ssize(s.entries);
  auto k = before.begin();
  for (const auto& other : s.entries) {
    for (; k != before.end() && k->other < other.variable; ++k) {
      left.push_back(*k);
    }
    const bool both = k != before.end() && k->other == other.variable;
    if (other.variable != e.variable) {
      const Whole product = Whole{sign * s.twice} * e.weight * other.weight;
      const Whole rest = (both ? k->weight : 0) - product;
      if (!fits(rest)) {
        return false;
      }
      const auto x = static_cast<double>(both ? k->weight : 0);
      const auto y = static_cast<double>(rest);
      change.lost += x * x - y * y;
      change.own += static_cast<double>(product) * static_cast<double>(product);
      if (rest != 0) {
        left.push_back({other.variable, static_cast<std::int64_t>(rest)});
      }
    }
    k += both ? 1 : 0;
  }
  left.insert(left.end(), k, before.end());
  return true;
}

}  // namespace oa::solve
