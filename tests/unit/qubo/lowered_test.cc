#include "oa/qubo/lowered.h"

#include "oa/base/rng.h"
#include "oa/qubo/program.h"
#include "oa/qubo/reduce.h"
#include "oa_test.h"
#include "ref/random_polynomial.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace oa;

namespace {

constexpr double kNone = 1e9;  // larger than all values

qubo::Constraint random_constraint(Rng& rng, int n) {
  const auto drawn = [&] { return static_cast<double>(rng.below(9)) - 4.0; };
  qubo::Constraint c{"c", {}, static_cast<qubo::Relation>(rng.below(3)), drawn()};
  const double unit = rng.below(4) == 0 ? 0.1 : 1.0;
  for (int i = 0; i < n; ++i) {
    if (rng.below(2) == 0) {
      c.terms.push_back({i, i, unit * drawn()});
    }
    for (int k = 0; k < i; ++k) {
      if (rng.below(8) == 0) {
        c.products.push_back({{k, i}, unit * drawn()});
      }
    }
  }
  return c;
}

qubo::Model random_model(Rng& rng) {
  qubo::Polynomial p = ref::random_polynomial(rng, 1 + test::below(rng, 4), 3);
  p.vartype = qubo::Vartype::Binary;
  if (rng.below(2) == 0) {
    p.constraints.push_back(random_constraint(rng, p.n));
  }
  for (auto k = rng.below(3); k > 0; --k) {
    p.soft.push_back({random_constraint(rng, p.n),
                      static_cast<double>(rng.below(4)),
                      static_cast<qubo::Penalty>(rng.below(3))});
  }
  qubo::make_whole(p, "here");
  return qubo::model_of(std::move(p));
}

/// The value to be minimised; kNone where a constraint is violated.
double least_value(const qubo::Model& model, std::span<const std::uint8_t> x) {
  const double value = qubo::exact_value(model, x).value();
  return qubo::violated(model, x) >= 0       ? kNone
         : model.f.sense == qubo::Sense::Max ? -value
                                             : value;
}

bool equal(double a, double b) {
  return a == b || a == doctest::Approx(b);  // Approx has no infinity
}

}  // namespace

TEST_SUITE_BEGIN("qubo/lowered");

TEST_CASE("the best values of added variables give the value of the model") {
  Rng rng(1);
  for (int t = 0; t < 400; ++t) {
    CAPTURE(t);
    const qubo::Model model = random_model(rng);
    using enum qubo::Lowered::Products;
    const qubo::Lowered lowered(model, "here", t % 2 == 0 ? Relaxed : One);
    const qubo::Model& lower = lowered.model();
    CHECK_FALSE(qubo::Lowered::needed(lower));
    const int added = lower.size() - model.size();
    if (added > 12) {
      continue;
    }
    for (std::uint64_t k = 0; k < std::uint64_t{1} << model.size(); ++k) {
      const auto x = ref::nth_x(k, model.size());
      double best = kNone;
      for (std::uint64_t a = 0; a < std::uint64_t{1} << added; ++a) {
        auto all = x;
        std::ranges::copy(ref::nth_x(a, added), std::back_inserter(all));
        best = std::min(best, least_value(lower, all));
      }
      const double value = least_value(model, x);
      CHECK(equal(best, value));
      CHECK(lowered.back(lowered.forward(x)) == x);
      CHECK(equal(least_value(lower, lowered.forward(x)), value));
    }
  }
}

TEST_CASE("a quadratic function of a model has the same least value") {
  Rng rng(2);
  for (int t = 0; t < 60; ++t) {
    CAPTURE(t);
    const qubo::Model model = random_model(rng);
    const qubo::Quadratic f = qubo::quadratic_of(model, "here");
    if (f.size() > 14) {
      continue;
    }
    double best = kNone;
    for (std::uint64_t k = 0; k < std::uint64_t{1} << model.size(); ++k) {
      best = std::min(best, least_value(model, ref::nth_x(k, model.size())));
    }
    double least = kNone;
    for (std::uint64_t k = 0; k < std::uint64_t{1} << f.size(); ++k) {
      const double value = qubo::energy(f, ref::nth_x(k, f.size()));
      least = std::min(least, f.sense == qubo::Sense::Max ? -value : value);
    }
    if (best < kNone) {
      CHECK(equal(least, best));
    }
  }
}

TEST_CASE("digits have every value of their range, and one form for each") {
  for (int range = 0; range <= 40; ++range) {
    qubo::Integer integer{"n", -3.0, {}};
    for (const double weight : qubo::digit_weights(range)) {
      const auto i = static_cast<std::int32_t>(integer.digits.size());
      integer.digits.push_back({i, i, weight});
    }
    const auto count = static_cast<int>(integer.digits.size());
    CHECK(integer.unique() == (range + 1 == 1 << count));
    for (int value = -3; value <= range - 3; ++value) {
      std::vector<std::uint8_t> x(integer.digits.size());
      qubo::set_value(integer, value, x);
      CHECK(qubo::value_of(integer, x) == value);
    }
  }
}

TEST_CASE("the size of a violation is that of the numbers as they were written") {
  qubo::Polynomial p;
  p.n = 2;
  qubo::Constraint c{"c", {{0, 0, 0.2}, {1, 1, 0.2}}, qubo::Relation::Equal, 0.3};
  for (const auto& [penalty, price] : {std::pair{qubo::Penalty::Flat, 10.0},
                                       {qubo::Penalty::Linear, 1.0},
                                       {qubo::Penalty::Quadratic, 0.1}}) {
    p.soft = {{c, 10.0, penalty}};
    qubo::make_whole(p, "here");
    const std::vector<std::uint8_t> x{1, 1};
    CHECK(qubo::exact_price(p.soft.front(), x).value() == doctest::Approx(price));
  }
}

TEST_SUITE_END();
