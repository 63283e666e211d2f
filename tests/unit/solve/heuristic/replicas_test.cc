#include "oa/solve/heuristic/replicas.h"

#include "oa/base/index.h"
#include "ref/random_problem.h"
#include "ref/targets.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace oa::solve {

TEST_SUITE("solve") {
  TEST_CASE(
      "sixteen reads end where no flip of one or two variables lowers the energy") {
    ref::on_each_target([&] {
      test::each_fork(Rng(41), 40, [&](Rng& rng) {
        const int n = 1 + test::below(rng, 30);
        const auto problem = ref::random_problem(rng.fork(0), n);
        const Couplings j(problem.j);
        std::vector<float> own(static_cast<std::size_t>(j.stride()));
        j.fields(problem.h, own.data());
        std::vector<num::FloatLine> sign(static_cast<std::size_t>(n));
        std::vector<num::FloatLine> x(sign.size());
        std::vector<num::FloatLine> field(sign.size());
        for (std::size_t i = 0; i < sign.size(); ++i) {
          for (int l = 0; l < kReplicas; ++l) {
            x[i].lane[l] = static_cast<float>(rng.below(2));
            sign[i].lane[l] = 1.0F - 2.0F * x[i].lane[l];
          }
        }
        const Stop never;
        Pace pace(never);
        REQUIRE(replica_fields(j, own, x, field, pace));
        num::FloatLine energy = replica_energies(own, x, field);
        CAPTURE(problem.kind);
        double size = 1.0;
        for (int i = 0; i < n; ++i) {
          size += std::abs(double{own[static_cast<std::size_t>(i)]});
          for (int k = 0; k < n; ++k) {
            size += std::abs(double{j.row(i, nullptr).weights[k]});
          }
        }
        const double tolerance = 1e-6 * size;
        const auto check = [&] {
          for (int l = 0; l < kReplicas; ++l) {
            std::vector<std::uint8_t> state;
            for (const auto& line : sign) {
              state.push_back(line.lane[l] < 0.0F ? 1 : 0);
            }
            const double e = qubo::energy(problem.j, problem.h, state) * j.scale();
            CHECK(std::abs(double{energy.lane[l]} - e) <= tolerance);
          }
        };
        check();
        replica_descend(j, sign, field, energy, pace);
        check();
        for (int l = 0; l < kReplicas; ++l) {
          for (int i = 0; i < n; ++i) {
            const float one = sign[at(i)].lane[l];
            const float change = one * field[at(i)].lane[l];
            CHECK(double{change} >= -tolerance);
            for (int k = 0; k < i; ++k) {
              const float other = sign[at(k)].lane[l];
              const float coupling = one * other * j.row(i, nullptr).weights[k];
              CHECK(double{change + other * field[at(k)].lane[l] + coupling} >=
                    -tolerance);
            }
          }
        }
      });
    });
  }

  TEST_CASE("best states keep the lowest of each read") {
    const qubo::Matrix j(2, std::vector<double>{0, 1, 1, 0});
    const std::vector<double> h{-2, -3};  // energies of 00, 10, 01, 11: 0 -2 -3 -4
    std::vector<num::FloatLine> sign(2);
    num::FloatLine energy{};
    BestStates best(2);
    best.clear();
    best.each(kReplicas, BestStates::Which::All, [&](auto) { FAIL("none was seen"); });
    const auto show = [&](float s0, float s1, float e) {
      std::ranges::fill(sign[0].lane, s0);
      std::ranges::fill(sign[1].lane, s1);
      std::ranges::fill(energy.lane, e);
      best.update(sign, energy);
    };
    show(-1, 1, -2);
    show(1, -1, -3);
    show(1, 1, 0);
    Collector found(j, 3);
    found.begin(h);
    best.each(kReplicas, BestStates::Which::All, [&](auto x) { found.offer(x); });
    const Result result = found.take_result(false);
    REQUIRE(result.best.size() == 1);
    CHECK(result.best[0].energy == -3.0);
    CHECK(result.best[0].x == std::vector<std::uint8_t>{0, 1});
  }

  TEST_CASE("reads beyond those asked for do not count") {
    const qubo::Matrix j(2, std::vector<double>{0, 1, 1, 0});
    const std::vector<double> h{-2, -3};
    BestStates best(2);
    Collector found(j, 1);
    found.begin(h);
    std::vector<int> blocks;
    // Read 18 finds the best; the others find 10.
    const auto run = [&](const Rng&, int) {
      std::vector<num::FloatLine> sign(2);
      std::ranges::fill(sign[0].lane, -1.0F);
      std::ranges::fill(sign[1].lane, 1.0F);
      num::FloatLine energy{};
      std::ranges::fill(energy.lane, -2.0F);
      if (blocks.size() == 1) {
        sign[1].lane[18 - kReplicas] = -1.0F;
        energy.lane[18 - kReplicas] = -4.0F;
      }
      blocks.push_back(1);
      best.clear();
      best.update(sign, energy);
      return false;
    };
    const Rng rng(1);
    Settings settings;
    settings.reads = 18;
    CHECK(run_reads(settings, rng, {}, best, found, run).best[0].energy == -2.0);
    CHECK(blocks.size() == 2);
    blocks.clear();
    found.begin(h);
    settings.reads = 19;
    CHECK(run_reads(settings, rng, {}, best, found, run).best[0].energy == -4.0);
  }
}

}  // namespace oa::solve
