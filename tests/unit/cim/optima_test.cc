#include "oa/cim/optima.h"

#include "oa/cim/precision.h"
#include "oa/cim/quantise.h"
#include "oa_test.h"
#include "ref/exhaustive.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oa;

namespace {

/// Finds the optima by trying every x.
cim::Optima optima(const qubo::Matrix& j, std::span<const double> h) {
  const auto all = ref::exhaustive(j, h, 1 << j.size());
  cim::Optima found{all.front().energy, {}};
  for (const auto& s : all) {
    if (s.energy == found.energy) {
      found.x.push_back(s.x);
    }
  }
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("all optima are found, also of ties") {
  // Two equal pairs: four optima.
  const qubo::Matrix j(
      4, std::vector<double>{0, 9, 0, 0, 9, 0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0});
  const std::vector<double> h{-2, -2, -2, -2};
  cim::OptimaFinder finder(j);
  const cim::Optima found = finder(h);
  CHECK(found.energy == -4.0);
  CHECK(found.x.size() == 4);
  CHECK(found.x == optima(j, h).x);
  const std::vector<double> none(4, 0.0);
  CHECK(finder(none).x.size() == 9);
}

TEST_CASE("three counts of kept optima agree with trying every x") {
  Rng rng(4);
  int some = 0;
  int first = 0;
  int every = 0;
  for (int round = 0; round < 200; ++round) {
    const qubo::Problem p = test::random_problem(rng, 7, 1, 3);
    const qubo::Matrix j(7, p.j);
    const std::vector<double> h(p.h.begin(), p.h.end());
    const machine::Spins spins = machine::spins_of(j, h);
    cim::Rule rule;
    rule.top_level = 5;
    rule.scale = cim::largest_scale(spins, rule);
    const auto block = cim::quantise(spins, rule);
    const cim::Optima original = optima(j, h);
    const machine::KeptOptima kept = cim::kept_by(*block, original);
    const machine::Reduced small = machine::reduced(machine::task_matrix_of(*block), 0);
    const cim::Optima rounded = optima(small.j, small.h);
    const auto is = [&](const machine::Bits& x) {
      return std::ranges::find(original.x, x) != original.x.end();
    };
    CHECK(kept.some == std::ranges::any_of(rounded.x, is));
    CHECK(kept.first == is(rounded.x.front()));
    CHECK(kept.every == std::ranges::all_of(rounded.x, is));
    some += kept.some ? 1 : 0;
    first += kept.first ? 1 : 0;
    every += kept.every ? 1 : 0;
  }
  CHECK(every < first);  // else the counts do not differ and this test shows nothing
  CHECK(first < some);
  CHECK(some < 200);
}

TEST_CASE("the best precision keeps optima that the vendor's rule loses") {
  Rng rng(5);
  int vendor = 0;
  int best = 0;
  for (int round = 0; round < 60; ++round) {
    const qubo::Problem p = test::random_problem(rng, 12, 1, 4);
    const qubo::Matrix j(12, p.j);
    const std::vector<double> h(p.h.begin(), p.h.end());
    cim::OptimaFinder finder(j);
    const cim::Optima original = finder(h);
    const machine::Spins spins = machine::spins_of(j, h);
    vendor += cim::quantise_as_vendor(spins, original, 7).kept.every ? 1 : 0;
    const cim::Quantised q = cim::quantise_best(spins, original, 7, 0);
    best += q.kept.every ? 1 : 0;
    CHECK(q.block.extra == q.effort.auxiliaries - 1);
    const cim::Quantised small = cim::quantise_best(spins, original, 7, 14);
    CHECK(small.block.spins() <= 14);
  }
  CHECK(vendor < 40);
  CHECK(best > vendor + 10);
}

TEST_SUITE_END();
