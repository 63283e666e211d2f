#include "oa/solve/exact/box/box.h"

#include "oa/solve/exact/box/convex.h"
#include "ref/random_problem.h"
#include "ref/random_quadratic.h"
#include "ref/targets.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa::solve {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A problem with a node and its linear term; expected values are computed plainly.
struct Fixture {
  ref::RandomProblem problem;
  Convex q;
  std::vector<num::Line> memory;
  Node node;
  double* c;
  double magnitude;
  Stop never;
  Pace pace{never};

  Fixture(const Rng& rng, int n)
      : problem(ref::random_problem(rng, n)),
        q(convexified(problem.j)),
        memory(static_cast<std::size_t>(5 * q.stride / num::kLine)),
        node(memory.data(), q.stride),
        c(node.g + q.stride),
        magnitude(q.magnitude + start(q, problem.h, c, node)) {}

  [[nodiscard]] double tolerance() const { return 1e-13 * magnitude; }

  [[nodiscard]] double gradient(int i) const {
    double sum = c[i];
    for (int k = 0; k < q.n; ++k) {
      sum += q.row(i)[k] * node.y[k];
    }
    return sum;
  }

  [[nodiscard]] bool holds(const std::vector<std::uint8_t>& x) const {
    for (int i = 0; i < q.n; ++i) {
      if (x[static_cast<std::size_t>(i)] < node.lo[i] ||
          x[static_cast<std::size_t>(i)] > node.hi[i]) {
        return false;
      }
    }
    return true;
  }

  // Calls `visit(x, E(x))` for all x.
  template <class Visit>
  void each(Visit visit) const {
    ref::each_x(
        q.n, [&](const auto& x) { visit(x, qubo::energy(problem.j, problem.h, x)); });
  }
};

void check_gradient(const Fixture& f) {
  for (int i = 0; i < f.q.stride; ++i) {
    CHECK(std::abs(f.node.g[i] - (i < f.q.n ? f.gradient(i) : 0.0)) <= f.tolerance());
    CHECK(f.node.y[i] >= 0.0);
    CHECK(f.node.y[i] <= 1.0);
  }
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("relax keeps the gradient, bounds every x, fixes only what cannot be") {
    ref::on_each_target([&] {
      test::each_fork(Rng(17), 60, [&](Rng& rng) {
        Fixture f(rng.fork(0), 1 + test::below(rng, 12));
        CAPTURE(f.problem.kind);
        double least = kInfinity;
        f.each([&](const auto&, double e) { least = std::min(least, e); });
        const double threshold = least + rng.uniform() * 0.05 * f.magnitude;
        const Relaxed r =
            relax(f.q, f.c, f.node, {threshold, 1 + test::below(rng, 20)}, f.pace);
        check_gradient(f);
        CHECK(r.bound <= least + f.tolerance());
        f.each([&](const auto& x, double e) {
          CHECK((f.holds(x) || e >= threshold - f.tolerance()));
        });
      });
    });
  }

  TEST_CASE("relax converges to the minimum over the box") {
    test::each_fork(Rng(18), 30, [&](Rng& rng) {
      Fixture f(rng, 30);
      relax(f.q, f.c, f.node, {kInfinity, 20000, 0, 1e-9}, f.pace);
      CAPTURE(f.problem.kind);
      for (int i = 0; i < f.q.n; ++i) {
        const double step = f.node.g[i] * num::elements(f.q.inverse.data())[i];
        const double y = std::clamp(f.node.y[i] - step, 0.0, 1.0);
        CHECK(std::abs(y - f.node.y[i]) <= 1e-6);
      }
    });
  }

  TEST_CASE("a rounded point is binary and no flip lowers it") {
    ref::on_each_target([&] {
      test::each_fork(Rng(19), 60, [&](Rng& rng) {
        Fixture f(rng, 12);
        relax(f.q, f.c, f.node, {kInfinity, 3}, f.pace);
        std::vector<num::Line> memory(f.memory.size());
        const Node to(memory.data(), f.q.stride);
        const double value = round(f.q, f.c, f.node, to, f.pace);
        std::vector<std::uint8_t> x;
        for (int i = 0; i < f.q.n; ++i) {
          CHECK((to.y[i] == 0.0 || to.y[i] == 1.0));
          x.push_back(to.y[i] != 0.0 ? 1 : 0);
        }
        const double e = qubo::energy(f.problem.j, f.problem.h, x);
        CHECK(std::abs(value - e) <= f.tolerance());
        for (auto& bit : x) {
          bit ^= 1;
          CHECK(qubo::energy(f.problem.j, f.problem.h, x) >= e - f.tolerance());
          bit ^= 1;
        }
      });
    });
  }

  TEST_CASE("enumeration lists the energies of the free variables") {
    ref::on_each_target([&] {
      test::each_fork(Rng(20), 60, [&](Rng& rng) {
        Fixture f(rng.fork(0), 12);
        relax(f.q, f.c, f.node, {kInfinity, 2}, f.pace);
        const int free = static_cast<int>(rng.below(kMaxEnumerated + 1));
        for (int i = 0; i < 12 - free;
             ++i) {  // no two equal indices: 5 and 12 are coprime
          const int k = 5 * i % 12;
          f.node.lo[k] = f.node.hi[k] = static_cast<double>(rng.below(2));
        }
        int moves = 0;
        const double base = settle(f.q, f.c, f.node, moves);
        check_gradient(f);
        Enumeration all;
        enumerate(f.q, f.node, base, all);
        REQUIRE(all.free == free);
        CHECK(all.count == std::max(8, 1 << free));
        double least = kInfinity;
        for (int s = 0; s < 1 << free; ++s) {
          std::vector<std::uint8_t> x;
          for (int i = 0; i < 12; ++i) {
            x.push_back(f.node.lo[i] != 0.0 ? 1 : 0);
          }
          for (int a = 0; a < free; ++a) {
            x[static_cast<std::size_t>(all.variables[static_cast<std::size_t>(a)])] =
                static_cast<std::uint8_t>(s >> a & 1);
          }
          const double e = qubo::energy(f.problem.j, f.problem.h, x);
          CHECK(std::abs(num::elements(all.energies.data())[s] - e) <= f.tolerance());
          least = std::min(least, num::elements(all.energies.data())[s]);
        }
        CHECK(all.least == least);
        std::vector<int> elements;
        select(all, least, elements);
        REQUIRE(!elements.empty());
        for (const int s : elements) {
          CHECK(num::elements(all.energies.data())[s] == least);
        }
      });
    });
  }
}

}  // namespace oa::solve
