#include "oa/solve/structure/structure.h"

#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/solve/exact/presolve/presolve.h"
#include "oa/solve/single/posed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stop_token>
#include <vector>

using namespace oa;

namespace {

/// x'Qx of a matrix of numbers.
qubo::Quadratic quadratic(const std::vector<std::vector<double>>& q) {
  const auto n = static_cast<int>(q.size());
  qubo::Quadratic f(n);
  std::vector<qubo::Term> terms;
  for (int i = 0; i < n; ++i) {
    f.linear[at(i)] = q[at(i)][at(i)];
    for (int k = i + 1; k < n; ++k) {
      terms.push_back({i, k, q[at(i)][at(k)] + q[at(k)][at(i)]});
    }
  }
  f.add(terms);
  return f;
}

/// Least squares over `count` numbers of `digits` digits, whose variables are permuted:
/// variable order[number * digits + digit].
qubo::Quadratic numbers(int count,
                        int digits,
                        const std::vector<int>& order,
                        Rng& rng) {
  std::vector<std::vector<double>> columns;
  const int rows = count + 2;
  for (int k = 0; k < count; ++k) {
    std::vector<double> column;
    for (int r = 0; r < rows; ++r) {
      column.push_back(rng.normal());
    }
    columns.push_back(column);
  }
  const int n = count * digits;
  std::vector<std::vector<double>> q(at(n), std::vector<double>(at(n)));
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      const std::vector<double>& u = columns[at(a / digits)];
      const std::vector<double>& v = columns[at(b / digits)];
      q[at(order[at(a)])][at(order[at(b)])] =
          std::ldexp(std::inner_product(u.begin(), u.end(), v.begin(), 0.0),
                     a % digits + b % digits);
    }
  }
  return quadratic(q);
}

std::vector<int> shuffled(int n, Rng& rng) {
  std::vector<int> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(std::span(order));
  return order;
}

/// Adds weight (sum of x - 1)^2 over some variables.
void add_one_hot(std::vector<std::vector<double>>& q,
                 const std::vector<int>& group,
                 double weight) {
  for (const int i : group) {
    q[at(i)][at(i)] -= weight;
    for (const int k : group) {
      q[at(i)][at(k)] += i != k ? weight : 0.0;
    }
  }
}

}  // namespace

TEST_SUITE("solve") {
  TEST_CASE("digits of numbers are found, whatever their order") {
    Rng rng(3);
    for (const int digits : {2, 3, 4}) {
      const int count = 12;
      const std::vector<int> order = shuffled(count * digits, rng);
      const qubo::Quadratic f = numbers(count, digits, order, rng);
      const solve::Structure s = solve::find_structure(f, {});
      REQUIRE(s.numbers.size() == at(count));
      CHECK(s.groups.empty());
      for (const solve::Number& number : s.numbers) {
        REQUIRE(number.variables.size() == at(digits));
        const auto place = [&](int variable) {
          return static_cast<int>(std::ranges::find(order, variable) - order.begin());
        };
        const int first = place(number.variables.front());
        for (std::size_t k = 0; k < number.variables.size(); ++k) {
          const int own = place(number.variables[k]);
          CHECK(own / digits == first / digits);
          CHECK(number.weights[k] ==
                doctest::Approx(std::ldexp(1.0, own % digits - first % digits)));
        }
      }
    }
  }
  TEST_CASE("a coupling that differs makes a digit another number") {
    Rng rng(5);
    std::vector<int> order(20);
    std::iota(order.begin(), order.end(), 0);
    qubo::Quadratic f = numbers(10, 2, order, rng);
    f.add(qubo::Terms{{0, 7, 1e-3}});
    const solve::Structure s = solve::find_structure(f, {});
    CHECK(s.numbers.size() == 8);  // without 0 and 1, 6 and 7
  }
  TEST_CASE("rows and columns of a permutation are groups") {
    Rng rng(11);
    const int side = 5;
    std::vector<std::vector<double>> q(25, std::vector<double>(25));
    for (auto& row : q) {
      std::ranges::generate(row, [&] { return rng.uniform(); });
    }
    const std::vector<int> order = shuffled(25, rng);
    std::vector<std::vector<int>> groups;
    for (int k = 0; k < side; ++k) {
      std::vector<int>& row = groups.emplace_back();
      std::vector<int> column;
      for (int i = 0; i < side; ++i) {
        row.push_back(order[at(side * k + i)]);
        column.push_back(order[at(side * i + k)]);
      }
      groups.push_back(column);
    }
    // Pairs of a group have no other coupling.
    for (std::vector<int>& group : groups) {
      std::ranges::sort(group);
      for (const int a : group) {
        for (const int b : group) {
          q[at(a)][at(b)] = a == b ? q[at(a)][at(a)] : 0.0;
        }
      }
    }
    for (const std::vector<int>& group : groups) {
      add_one_hot(q, group, 50.0);
    }
    solve::Structure s = solve::find_structure(quadratic(q), {});
    std::vector<std::vector<int>> found;
    for (const solve::Group& group : s.groups) {
      found.push_back(group.variables);
    }
    std::ranges::sort(found);
    std::ranges::sort(groups);
    CHECK(found == groups);
    CHECK(s.numbers.empty());
  }
  TEST_CASE("structure survives posing and presolving, in binary and in spin form") {
    Rng rng(7);
    // Numbers of irrational size are rounded when they are posed.
    const int count = 12;
    const qubo::Quadratic squares = numbers(count, 2, shuffled(2 * count, rng), rng);
    std::vector<std::vector<double>> q(16, std::vector<double>(16));
    for (auto& row : q) {
      std::ranges::generate(row, [&] { return 0.1 * rng.below(100); });
    }
    for (int k = 0; k < 16; k += 4) {
      for (int i = k; i < k + 4; ++i) {
        for (int j = k; j < k + 4; ++j) {
          q[at(i)][at(j)] = i == j ? q[at(i)][at(i)] : 0.0;
        }
      }
      add_one_hot(q, {k, k + 1, k + 2, k + 3}, 400.3);
    }
    for (const auto vartype : {qubo::Vartype::Binary, qubo::Vartype::Spin}) {
      const solve::Posed first = solve::pose(qubo::converted(squares, vartype).f);
      CHECK(solve::find_structure(first.g, {}).numbers.size() == at(count));
      const solve::Posed second = solve::pose(qubo::converted(quadratic(q), vartype).f);
      const solve::Presolve reduced(second.g, second.unit, {});
      REQUIRE(reduced.rest().size() == 16);
      CHECK(solve::find_structure(reduced.rest(), {}).groups.size() == 4);
    }
  }
  TEST_CASE("random couplings have no structure") {
    Rng rng(2);
    for (const bool spins : {false, true}) {
      std::vector<std::vector<double>> q(60, std::vector<double>(60));
      for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
          q[i][k] = spins ? 4.0 * rng.below(2) - 2.0 : rng.below(201) - 100.0;
          q[i][i] -= spins ? q[i][k] / 2.0 : 0.0;
          q[k][k] -= spins ? q[i][k] / 2.0 : 0.0;
        }
      }
      CHECK(solve::find_structure(quadratic(q), {}).empty());
    }
  }
  TEST_CASE("tangled cliques have no groups, and the search for them ends") {
    constexpr int kVariables = 1500;
    Rng rng(7);
    qubo::Quadratic f(kVariables);
    std::ranges::fill(f.linear, -1.0);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < kVariables; ++i) {
      for (int k = i + 1; k < kVariables; ++k) {
        if (rng.uniform() < 0.75) {
          terms.push_back({i, k, 2.0});
        }
      }
    }
    f.add(terms);
    CHECK(solve::find_structure(f, {}).groups.empty());
  }

  TEST_CASE("a search for structure that is stopped finds nothing more") {
    std::stop_source source;
    source.request_stop();
    Rng rng(8);
    const qubo::Quadratic f = numbers(12, 3, shuffled(36, rng), rng);
    CHECK(!solve::find_structure(f, {}).empty());
    CHECK(solve::find_structure(f, solve::Stop(source.get_token(), 1e9)).empty());
  }

  TEST_CASE("a search for structure may be stopped at any time") {
    constexpr int kVariables = 600;
    constexpr int kGroups = 3;
    std::vector<std::vector<double>> q(kVariables, std::vector<double>(kVariables));
    for (int first = 0; first < kGroups; ++first) {
      std::vector<int> group;
      for (int i = first; i < kVariables; i += kGroups) {
        group.push_back(i);
      }
      add_one_hot(q, group, 3.0);
    }
    const qubo::Quadratic f = quadratic(q);
    CHECK(solve::find_structure(f, {}).groups.size() == kGroups);
    for (double seconds = 1e-5; seconds < 0.02; seconds *= 1.03) {
      const solve::Stop stop(std::stop_token(), seconds);
      CHECK(solve::find_structure(f, stop).groups.size() <= kGroups);
    }
  }
}
