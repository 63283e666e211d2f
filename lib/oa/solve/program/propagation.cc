#include "oa/solve/program/propagation.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {

Propagation::Propagation(std::span<const qubo::ProgramRow> rows, int n)
    : rows_(rows),
      values_(at(n), kUnset),
      in_(at(n)),
      failed_(rows.size(), 1.0) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    bounds_.push_back(
        {rows[k].least, rows[k].most, static_cast<int>(std::ssize(rows[k].entries))});
    queue_.push_back(k);
    for (const auto& [i, weight] : rows[k].entries) {
      in_[at(i)].push_back({k, weight});
    }
  }
  queued_.assign(rows.size(), true);
}

bool Propagation::set(std::int32_t i, std::uint8_t value) {
  values_[at(i)] = value;
  trail_.push_back(i);
  bool right = true;
  for (const Effect& e : in_[at(i)]) {
    Bounds& b = bounds_[e.row];
    --b.open;
    count(b, e.weight, value, 1);
    if (b.least > rows_[e.row].high || b.most < rows_[e.row].low) {
      failed_[e.row] += right ? 1.0 : 0.0;
      right = false;
    }
    if (!queued_[e.row]) {
      queued_[e.row] = true;
      queue_.push_back(e.row);
    }
  }
  return right;
}

/// Adds `sign` times the effect of a variable's value to the bounds of a row.
void Propagation::count(Bounds& b, std::int64_t weight, std::uint8_t value, int sign) {
  const bool raises =
      (weight > 0) == (value != 0);  // raises the least sum; else lowers the greatest
  (raises ? b.least : b.most) += sign * (value != 0 ? weight : -weight);
}

void Propagation::undo(std::size_t length) {
  while (trail_.size() > length) {
    const std::int32_t i = trail_.back();
    trail_.pop_back();
    for (const Effect& e : in_[at(i)]) {
      Bounds& b = bounds_[e.row];
      ++b.open;
      count(b, e.weight, values_[at(i)], -1);
    }
    values_[at(i)] = kUnset;
  }
  for (const std::size_t k : queue_) {
    queued_[k] = false;
  }
  queue_.clear();
}

bool Propagation::propagate(Pace& pace) {
  while (!queue_.empty()) {
    const std::size_t k = queue_.back();
    queue_.pop_back();
    queued_[k] = false;
    if (pace(std::ssize(rows_[k].entries)) || !propagate(k)) {
      return false;
    }
  }
  return true;
}

bool Propagation::propagate(std::size_t row) {
  const auto& [entries, least, most, low, high] = rows_[row];
  for (const auto& [i, weight] : entries) {
    if (!open(i)) {
      continue;
    }
    const Bounds& b = bounds_[row];
    const std::int64_t up = std::max<std::int64_t>(weight, 0);
    const std::int64_t down = std::min<std::int64_t>(weight, 0);
    const bool one = b.least - down + weight <= high &&  // 1 is possible
                     b.most - up + weight >= low;
    const bool zero = b.least - down <= high && b.most - up >= low;
    if (!one && !zero) {
      failed_[row] += 1.0;
      return false;
    }
    if (one != zero && !set(i, one ? 1 : 0)) {
      return false;
    }
  }
  return true;
}

}  // namespace oa::solve
