#include "oa/solve/exact/assignments.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace oa::solve {
namespace {

using test::between;

constexpr int kSide = 5;

/// Costs of five objects at five places, with penalties.  With a small price, some
/// object may have no place.
struct Assignment {
  qubo::Quadratic f{kSide * kSide};
  double price = 0.0;

  Assignment(Rng& rng, double price_of_a_gap) : price(price_of_a_gap) {
    std::vector<qubo::Term> terms;
    for (int a = 0; a < f.size(); ++a) {
      f.linear[at(a)] = between(rng, -3, 9) - 2.0 * price;
      for (int b = 0; b < a; ++b) {
        const bool conflict = a / kSide == b / kSide || a % kSide == b % kSide;
        const double cost = between(rng, 0, 9);
        terms.push_back({b, a, conflict ? 2.0 * price + 40.0 : cost});
      }
    }
    f.add(terms);
    f.offset = 2.0 * kSide * price + 0.25;
  }

  /// The least value of all partial assignments.
  [[nodiscard]] double least() const {
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::uint8_t> x(at(f.size()));
    const auto assign = [&](const auto& self, int object, unsigned used) -> void {
      if (object == kSide) {
        best = std::min(best, exact_energy(f, x).value());
        return;
      }
      self(self, object + 1, used);
      for (int k = 0; k < kSide; ++k) {
        if ((used >> k & 1U) == 0) {
          x[at(object * kSide + k)] = 1;
          self(self, object + 1, used | 1U << k);
          x[at(object * kSide + k)] = 0;
        }
      }
    };
    assign(assign, 0, 0);
    return best;
  }
};

TEST_SUITE("solve: assignments") {
  TEST_CASE("assignments with penalties have the least value of all, and bounds hold") {
    const Rng root(9);
    for (std::uint64_t t = 0; t < 30; ++t) {
      CAPTURE(t);
      Rng rng = root.fork(t);
      const Assignment a(rng, t % 3 == 0 ? 8.0 : 60.0);
      const double least = a.least();
      const Solution known(
          exact_energy(a.f, std::vector<std::uint8_t>(at(a.f.size()))).two(),
          std::vector<std::uint8_t>(at(a.f.size())));
      const PartTask task{.f = a.f, .settings = {}, .known = known};
      const auto conflicts = find_conflicts(a.f, Stop());
      const auto found =
          conflicts ? prove_assignments(task, *conflicts, Stop()) : std::nullopt;
      if (found) {
        CHECK(found->bound <= least);
        CHECK(found->best.front().energy >= least);
        CHECK(exact_energy(a.f, found->best.front().x).value() ==
              found->best.front().energy);
        CHECK((found->status != qubo::Status::ProvedOptimal || found->bound == least));
      }
      if (t % 3 != 0) {
        REQUIRE(found.has_value());
        CHECK(found->status == qubo::Status::ProvedOptimal);
      }
    }
  }
}

}  // namespace
}  // namespace oa::solve
