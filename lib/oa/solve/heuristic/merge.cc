#include "oa/solve/heuristic/merge.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"

namespace oa::solve {
namespace {

/// For each variable, a hash of the solutions in which the variable differs from the
/// first solution.  A collision (probability 2^-64) only enlarges a group.
std::vector<std::uint64_t> signatures(int n, std::span<const Solution> solutions) {
  std::vector<std::uint64_t> all(at(n));
  Rng rng(1);
  for (const Solution& s : solutions.subspan(1)) {
    const std::uint64_t word = std::uint64_t{rng.u32()} << 32 | rng.u32();
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] ^= s.x[i] != solutions[0].x[i] ? word : 0;
    }
  }
  return all;
}

/// Numbers the groups: connected variables with equal signatures.
int number_groups(const qubo::Quadratic& f,
                  std::span<const std::uint64_t> signature,
                  std::vector<int>& group) {
  group.assign(signature.size(), -1);
  int groups = 0;
  std::vector<int> reached;
  for (int first = 0; first < f.size(); ++first) {
    if (group[at(first)] >= 0) {
      continue;
    }
    group[at(first)] = groups;
    reached.assign(1, first);
    while (!reached.empty()) {
      const int i = reached.back();
      reached.pop_back();
      for (const qubo::Coupling& c : f.row(i)) {
        if (group[at(c.other)] < 0 && signature[at(c.other)] == signature[at(i)]) {
          group[at(c.other)] = groups;
          reached.push_back(c.other);
        }
      }
    }
    ++groups;
  }
  return groups;
}

}  // namespace

Merged::Merged(const qubo::Quadratic& f, std::span<const Solution> solutions)
    : first_(solutions[0].x),
      problem_(number_groups(f, signatures(f.size(), solutions), group_)) {
  problem_.offset = solutions[0].energy;
  std::vector<qubo::Term> terms;
  for (int i = 0; i < f.size(); ++i) {
    const double sign = first_[at(i)] != 0 ? -1.0 : 1.0;  // sign of a flip
    double change = f.linear[at(i)];
    double inside = 0.0;
    for (const qubo::Coupling& c : f.row(i)) {
      const double flips = first_[at(c.other)] != 0 ? -c.weight : c.weight;
      change += first_[at(c.other)] != 0 ? c.weight : 0.0;
      if (group_[at(c.other)] == group_[at(i)]) {
        inside += 0.5 * flips;  // the symmetric row adds the other half
      } else if (c.other > i) {
        terms.push_back({group_[at(i)], group_[at(c.other)], sign * flips});
      }
    }
    problem_.linear[at(group_[at(i)])] += sign * (change + inside);
  }
  problem_.add(terms);
}

std::vector<std::uint8_t> Merged::whole(std::span<const std::uint8_t> y) const {
  std::vector<std::uint8_t> x = first_;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] ^= y[at(group_[i])];
  }
  return x;
}

}  // namespace oa::solve
