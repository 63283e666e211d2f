#include "oa/score/tasks.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace oa::score {
namespace {

Estimate nothing() {
  return {std::nan(""), std::nan(""), std::nan("")};
}

/// An example's sum of differences, and its number of questions.
struct Summand {
  double difference;
  double asked;
};

/// Returns sum(difference) / sum(questions), with the interval of a ratio estimator
/// over examples (W. G. Cochran, Sampling Techniques, section 2.11).
Estimate ratio(const std::vector<Summand>& all) {
  double difference = 0.0;
  double asked = 0.0;
  for (const Summand& one : all) {
    difference += one.difference;
    asked += one.asked;
  }
  if (asked == 0.0) {
    return nothing();
  }
  const double value = difference / asked;
  double squares = 0.0;
  for (const Summand& one : all) {
    const double rest = one.difference - value * one.asked;
    squares += rest * rest;
  }
  const auto n = static_cast<double>(all.size());
  const double half = all.size() < 2
                          ? std::nan("")
                          : kHalfOf95 * std::sqrt(squares * n / (n - 1.0)) / asked;
  return {value, value - half, value + half};
}

}  // namespace

TaskComparison compare(std::span<const TaskResult> a, std::span<const TaskResult> b) {
  std::map<std::int64_t, std::pair<const TaskResult*, const TaskResult*>> pairs;
  for (const TaskResult& one : a) {
    pairs[one.index].first = &one;
  }
  for (const TaskResult& one : b) {
    pairs[one.index].second = &one;
  }
  TaskComparison c;
  std::vector<Summand> answers;
  std::vector<Summand> bits;
  bool surprises = true;
  for (const auto& [index, pair] : pairs) {
    const auto [of_a, of_b] = pair;
    if (of_a == nullptr || of_b == nullptr) {
      ++(of_a == nullptr ? c.only_b : c.only_a);
      continue;
    }
    if (of_a->asked != of_b->asked) {
      throw InputError("example " + format(index) + ": " + format(of_a->asked) +
                       " questions in the first run, " + format(of_b->asked) +
                       " in the second (expected runs over the same data)");
    }
    ++c.examples;
    c.asked += of_a->asked;
    c.right_a += of_a->correct;
    c.right_b += of_b->correct;
    c.energy.add(of_a->solved, of_b->solved);
    const auto asked = static_cast<double>(of_a->asked);
    answers.push_back({static_cast<double>(of_a->correct - of_b->correct), asked});
    if (of_a->surprise && of_b->surprise) {
      c.bits_a += *of_a->surprise / std::numbers::ln2;
      c.bits_b += *of_b->surprise / std::numbers::ln2;
      bits.push_back({(*of_a->surprise - *of_b->surprise) / std::numbers::ln2, asked});
    } else {
      surprises = false;
    }
  }
  c.difference = ratio(answers);
  const double asked =
      surprises && c.asked > 0 ? static_cast<double>(c.asked) : std::nan("");
  c.bits_a /= asked;
  c.bits_b /= asked;
  c.bits_difference = surprises ? ratio(bits) : nothing();
  return c;
}

}  // namespace oa::score
