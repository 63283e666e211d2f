#include "oa/qubo/fingerprint.h"

#include "oa/qubo/fixed.h"
#include "ref/random_quadratic.h"
#include "unit/draw.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace oa;

namespace {

std::string of(const qubo::Quadratic& f) {
  return qubo::fingerprint(f, {});
}

std::string of(const qubo::Polynomial& p) {
  return qubo::fingerprint(qubo::model_of(p), {});
}

/// Makes an equal function from the terms, last to first.
qubo::Quadratic reversed(const qubo::Quadratic& f) {
  qubo::Quadratic g(f.size());
  g.vartype = f.vartype;
  g.sense = f.sense;
  std::vector<qubo::Term> pairs = f.terms();
  std::vector<qubo::Term> fields;
  for (int i = 0; i < f.size(); ++i) {
    fields.push_back({i, i, f.linear[static_cast<std::size_t>(i)]});
  }
  for (const qubo::Term& t : f.rests()) {
    if (t.first == qubo::kConstant) {
      g.add_constant(t.weight);
    } else {
      (t.first == t.second ? fields : pairs).push_back(t);
    }
  }
  std::ranges::reverse(pairs);
  std::ranges::reverse(fields);
  g.add(pairs);
  g.add_linear(fields);
  g.add_constant(f.offset);
  return g;
}

}  // namespace

TEST_SUITE_BEGIN("qubo");

TEST_CASE("the order of terms does not change a fingerprint") {
  Rng rng(4);
  for (int round = 0; round < 200; ++round) {
    const qubo::Quadratic f = ref::random_quadratic(rng, 1 + test::below(rng, 12));
    CHECK(of(f) == of(reversed(f)));
  }
  // Sums that are not doubles, too.
  qubo::Quadratic f(3);
  f.add(qubo::Terms{{0, 1, 0.1}, {0, 1, 1e-30}, {1, 2, 3.0}, {1, 1, 0.2}});
  f.add(qubo::Terms{{1, 1, 1e-20}, {0, 2, 1e20}, {0, 2, 1.0}});
  CHECK(!f.rests().empty());
  CHECK(of(f) == of(reversed(f)));
}

TEST_CASE("names and the sign of zero do not change a fingerprint") {
  qubo::Quadratic f(2);
  f.add(qubo::Terms{{0, 1, 2.0}});
  qubo::Quadratic g = f;
  g.names = {"\"a\"", "\"b\""};
  g.offset = -0.0;
  g.linear[0] = -0.0;
  CHECK(of(f) == of(g));
  CHECK(of(f).size() == 16);
}

TEST_CASE("any other number, variable or sense changes it") {
  std::vector<qubo::Quadratic> all;
  qubo::Quadratic f(3);
  f.add(qubo::Terms{{0, 1, 2.0}, {1, 2, -2.0}, {0, 0, 1.0}});
  const auto add = [&](const auto& change) {
    qubo::Quadratic g = f;
    change(g);
    all.push_back(std::move(g));
  };
  add([](auto&) {});
  add([](auto& g) { g.vartype = qubo::Vartype::Spin; });
  add([](auto& g) { g.sense = qubo::Sense::Max; });
  add([](auto& g) { g.offset = 1.0; });
  add([](auto& g) { g.linear[0] = 2.0; });
  add([](auto& g) { std::swap(g.linear[0], g.linear[1]); });
  add([](auto& g) { g.linear[1] = 1e-300; });
  add([](auto& g) { g.add(qubo::Terms{{0, 1, 1e-30}}); });
  add([](auto& g) { g.add(qubo::Terms{{0, 2, 1.0}}); });
  add([](auto& g) { g.add(qubo::Terms{{0, 1, -4.0}}); });
  add([](auto& g) { g = qubo::negated(g); });
  add([](auto& g) { g = qubo::converted(g, qubo::Vartype::Spin).f; });
  all.emplace_back(3);
  all.emplace_back(4);
  std::set<std::string> different;
  for (const qubo::Quadratic& g : all) {
    different.insert(of(g));
  }
  CHECK(different.size() == all.size());
}

TEST_CASE("couplings have one fingerprint however they are stored") {
  qubo::Numbers square(qubo::Width::Int8, 9);
  square.set(1, 3.0);
  square.set(5, -4.0);
  square.set(8, 2.0);
  const qubo::Quadratic dense(3, qubo::Vartype::Binary, std::move(square));
  qubo::Quadratic sparse(3);
  sparse.add(qubo::Terms{{2, 2, 2.0}, {1, 2, -4.0}, {0, 1, 3.0}});
  CHECK(of(dense) == of(sparse));
}

TEST_CASE("a quadratic polynomial is the same problem as its function") {
  qubo::Polynomial p;
  p.n = 3;
  p.monomials = {{{1, 2}, -4.0}, {{}, 5.0}, {{0, 1}, 1.0}, {{2}, 2.0}, {{0, 1}, 2.0}};
  qubo::Quadratic f(3);
  f.add(qubo::Terms{{2, 2, 2.0}, {1, 2, -4.0}, {0, 1, 3.0}});
  f.offset = 5.0;
  CHECK(of(p) == of(f));
}

TEST_CASE("monomials and constraints count, but not their order or names") {
  qubo::Polynomial p;
  p.n = 4;
  p.monomials = {{{0, 1, 2}, 1.5}, {{3}, 2.0}, {{0, 1, 2}, 0.5}};
  p.constraints = {
      {"a", {{0, 0, 1.0}, {1, 1, 2.0}}, qubo::Relation::AtMost, 2.0},
      {"b", {{3, 3, 1.0}}, qubo::Relation::Equal, 1.0},
  };
  qubo::Polynomial q = p;
  q.monomials = {{{3}, 2.0}, {{0, 1, 2}, 2.0}};
  std::ranges::reverse(q.constraints);
  std::ranges::reverse(q.constraints[1].terms);
  q.constraints[0].name = "c";
  CHECK(of(p) == of(q));

  std::set<std::string> different{of(p)};
  q.monomials[1].weight = 3.0;
  different.insert(of(q));
  q = p;
  q.constraints[1].right = 0.0;
  different.insert(of(q));
  q = p;
  q.constraints[1].relation = qubo::Relation::AtLeast;
  different.insert(of(q));
  q = p;
  q.constraints.pop_back();
  different.insert(of(q));
  CHECK(different.size() == 5);
}

TEST_CASE("a problem with fixed variables is another problem") {
  qubo::Quadratic f(2);
  f.add(qubo::Terms{{0, 1, 2.0}});
  const auto fixed = [&](std::vector<std::uint8_t> values) {
    return qubo::fingerprint(f, values);
  };
  CHECK(fixed({qubo::kFree, qubo::kFree}) == of(f));
  CHECK(std::set{of(f), fixed({0, 2}), fixed({1, 2}), fixed({2, 1}), fixed({1, 1})}
            .size() == 5);
}

TEST_SUITE_END();
