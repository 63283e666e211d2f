#include "oa/solve/recover/local_minima.h"

#include "oa/base/index.h"

#include <numeric>

namespace oa::solve {
namespace {

constexpr std::int64_t kMaxWork = 100'000'000;  // couplings read

/// Descends from random values.  Adds the number of couplings read to `work`.
std::vector<std::uint8_t> local_minimum(const qubo::Quadratic& f,
                                        Rng rng,
                                        Pace& pace,
                                        std::int64_t& work) {
  std::vector<std::uint8_t> x(at(f.size()));
  std::vector<double> fields = f.linear;
  const auto set = [&](int i, double change) {
    x[at(i)] ^= 1U;
    const auto row = f.row(i);
    row.each([&](std::int32_t k, double weight) { fields[at(k)] += change * weight; });
    work += std::ssize(row);
    (void)pace(std::ssize(row));
  };
  std::vector<int> order(at(f.size()));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(std::span(order));
  for (const int i : order) {
    if (rng.below(2) == 1) {
      set(i, 1.0);
    }
  }
  for (bool lower = true; lower && !pace(f.size());) {
    lower = false;
    for (const int i : order) {
      const double change = x[at(i)] == 0 ? 1.0 : -1.0;
      if (change * fields[at(i)] < 0.0 && !pace.stopped()) {
        set(i, change);
        lower = true;
      }
    }
  }
  return x;
}

}  // namespace

std::vector<std::vector<std::uint8_t>> local_minima(const qubo::Quadratic& f,
                                                    int count,
                                                    const Rng& rng,
                                                    Pace& pace) {
  std::vector<std::vector<std::uint8_t>> all;
  std::int64_t work = 0;
  for (int k = 0; k < count && work <= kMaxWork; ++k) {
    std::vector<std::uint8_t> x = local_minimum(f, rng.fork(at(k)), pace, work);
    if (pace.stopped()) {
      return {};
    }
    all.push_back(std::move(x));
  }
  return all;
}

double holding_share(const FoundSquare& s,
                     std::span<const std::vector<std::uint8_t>> minima) {
  int seen = 0;
  int satisfied = 0;
  for (const std::vector<std::uint8_t>& x : minima) {
    std::int64_t sum = 0;
    bool any = s.right != 0;
    for (const qubo::ProgramRow::Entry& e : s.entries) {
      sum += x[at(e.variable)] != 0 ? e.weight : 0;
      any = any || x[at(e.variable)] != 0;
    }
    seen += any ? 1 : 0;
    satisfied += any && sum == s.right ? 1 : 0;
  }
  return static_cast<double>(satisfied) / (seen + 1);
}

}  // namespace oa::solve
