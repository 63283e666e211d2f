#include "oa/cim/pack.h"

#include "oa/base/error.h"
#include "oa/cim/optima.h"
#include "oa/cim/single.h"
#include "oa/machine/machine.h"
#include "oa/machine/submission.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace oa;

namespace {

using Bins = std::vector<std::vector<int>>;

qubo::Problem image(std::uint64_t seed, int m = 10, int n = 6) {
  Rng rng(seed);
  return test::random_problem(rng, m, n, 4);
}

}  // namespace

TEST_SUITE_BEGIN("cim");

TEST_CASE("bins are filled, the largest first, and keep their order") {
  CHECK(cim::fill_bins({3, 5, 2, 4}, 7) == Bins{{0, 3}, {1, 2}});
  CHECK(cim::fill_bins({}, 7).empty());
  CHECK(cim::fill_bins({7, 7}, 7) == Bins{{0}, {1}});
  const auto eleven = cim::fill_bins(std::vector<int>(49, 49), 549);
  CHECK(eleven.size() == 5);
  CHECK(cim::fill_bins(std::vector<int>(49, 49), 999).size() == 3);
}

TEST_CASE("every query is in exactly one task that has room") {
  cim::PackSettings settings;
  settings.merge = true;
  settings.spins = 31;
  const machine::PackedImage packed = cim::pack(image(1), settings, "here");
  std::vector<int> seen(6);
  for (const auto& task : packed.tasks) {
    int size = 1;
    for (const int i : task) {
      ++seen[static_cast<std::size_t>(i)];
      size += packed.queries[static_cast<std::size_t>(i)].block->size();
    }
    CHECK(size <= 31);
  }
  CHECK(seen == std::vector<int>(6, 1));
  CHECK(packed.tasks.size() == 2);
}

TEST_CASE("proofs of a stream's problems have a limit") {
  for (const auto precision : {cim::Precision::Vendor, cim::Precision::Best}) {
    cim::PackSettings settings;
    settings.precision = precision;
    const machine::PackedImage packed = cim::pack(image(1, 301, 1), settings, "here");
    CHECK(packed.queries[0].block.has_value());
    CHECK_FALSE(packed.queries[0].kept.known);
  }
}

TEST_CASE("a problem that needs more spins than there are is refused") {
  cim::PackSettings settings;
  settings.spins = 10;
  CHECK(test::message_of<InputError>([&] {
          (void)cim::pack(image(1), settings, "a.oa:frame 1");
        }) == "a.oa:frame 1: query 0 needs 11 spins (the machine has 10)");
}

TEST_CASE("fixed and solved variables together give the optimum") {
  cim::PackSettings settings;
  settings.precision = cim::Precision::Best;
  int fixed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const machine::PackedImage packed = cim::pack(image(seed), settings, "here");
    const qubo::Matrix j(10, packed.problem.j);
    for (int i = 0; i < packed.problem.n; ++i) {
      const machine::PackedQuery& query = packed.queries[static_cast<std::size_t>(i)];
      const auto floats = packed.problem.query(i);
      const std::vector<double> h(floats.begin(), floats.end());
      cim::OptimaFinder finder(j);
      const cim::Optima optima = finder(h);
      fixed += 10 - query.free();
      if (query.kept.every) {
        CHECK(query.energy_lost == 0.0);
        const machine::Bits x = cim::restored(query.fixed, query.kept.optimum);
        CHECK(std::ranges::find(optima.x, x) != optima.x.end());
      } else {
        CHECK(query.energy_lost >= 0.0);
      }
    }
  }
  CHECK(fixed > 100);
}

TEST_CASE("a merged task has the sum of its blocks' energies") {
  const cim::PackSettings settings{.spins = 40, .merge = true};
  const machine::PackedImage packed = cim::pack(image(3), settings, "here");
  machine::SubmittedImage submitted;
  submitted.problem = packed.problem;
  for (std::size_t i = 0; i < packed.queries.size(); ++i) {
    machine::SubmittedQuery& query = submitted.queries.emplace_back();
    query.task = i < 3 ? 0 : 1;
    query.fixed = packed.queries[i].fixed;
    query.q = machine::task_matrix_of(*packed.queries[i].block);
  }
  const machine::Submission submission = machine::submission_of({submitted}, false);
  submitted = submission.store->image(0);
  REQUIRE(submission.tasks.size() == 2);
  CHECK(submission.tasks[0].n == 30);
  CHECK(submission.find(1) == &submission.tasks[1]);
  CHECK(submission.find(2) == nullptr);
  machine::Bits x(30, 1);
  x[4] = x[25] = 0;
  std::vector<int> scratch;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const auto& query = submitted.queries[static_cast<std::size_t>(i)];
    CHECK(query.first == 10 * i);
    sum += machine::block_energy(query.q, query.first, x, scratch);
  }
  CHECK(machine::task_energy(submission, submission.tasks[0], x, scratch) == sum);
}

TEST_CASE("queries of unequal size are packed as problems of their own") {
  const qubo::Problem whole = image(5);
  const std::vector<int> sizes{3, 10, 1, 6, 10, 4};
  const qubo::Problem problem = test::with_sizes(whole, sizes);
  cim::PackSettings settings{.precision = cim::Precision::Best, .fix = false};
  settings.spins = 16;
  settings.merge = true;
  const machine::PackedImage packed = cim::pack(problem, settings, "here");
  const qubo::Matrix j(10, problem.j);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const machine::PackedQuery& query = packed.queries[i];
    REQUIRE(query.fixed.size() == static_cast<std::size_t>(sizes[i]));
    CHECK(query.free() == sizes[i]);
    const auto floats = problem.query(static_cast<int>(i));
    const std::vector<double> h(floats.begin(), floats.end());
    const qubo::Matrix block = j.leading(sizes[i]);
    const cim::Optima optima = cim::OptimaFinder(block)(h);
    if (query.kept.every) {
      const machine::Bits x = cim::restored(query.fixed, query.kept.optimum);
      CHECK(std::ranges::find(optima.x, x) != optima.x.end());
    }
  }
  for (const std::vector<int>& task : packed.tasks) {
    int spins = 1;
    for (const int i : task) {
      spins += packed.queries[static_cast<std::size_t>(i)].block->size();
    }
    CHECK(spins <= 16);
  }
}

namespace {

/// A ring of spins with these weights, a cut to be maximised.
std::shared_ptr<const machine::Single> ring(int n, auto weight) {
  auto single = std::make_shared<machine::Single>();
  single->f = qubo::Quadratic(n);
  single->f.vartype = qubo::Vartype::Spin;
  single->f.sense = qubo::Sense::Max;
  std::vector<qubo::Term> terms;
  for (int i = 0; i + 1 < n; ++i) {
    terms.push_back({i, i + 1, weight(i)});
  }
  single->f.add(terms);
  return single;
}

}  // namespace

TEST_CASE("a single problem keeps its optima, or does not claim so") {
  const auto equal = ring(12, [](int i) { return i % 3 == 0 ? 0.7 : -0.7; });
  const machine::PackedImage small = cim::pack(equal, 5, {}, "here");
  CHECK(small.single == equal);
  CHECK(small.problem.index == 5);
  CHECK(small.queries[0].kept.known);
  CHECK(small.queries[0].kept.every);
  CHECK(small.tasks == Bins{{0}});
  // Too large for a proof: known only if the matrix is a multiple of the problem.
  const auto large = ring(400, [](int i) { return i % 3 == 0 ? 0.5 : -0.5; });
  CHECK(cim::pack(large, 0, {}, "here").queries[0].kept.every);
  const auto uneven = ring(400, [](int i) { return 1.0 + i; });
  const cim::PackSettings best{.precision = cim::Precision::Best};
  CHECK_FALSE(cim::pack(uneven, 0, best, "here").queries[0].kept.known);
  CHECK(test::message_of<InputError>([] {
          (void)cim::pack(ring(5000, [](int) { return 1.0; }), 0, {}, "a.rud");
        }) == "a.rud: 5,000 variables (expected at most 4,096)");
}

TEST_CASE("spins without fields need as many spins of the machine") {
  const auto single = ring(12, [](int i) { return 1.0 + i % 3; });
  const cim::PackSettings settings{.spins = 12};
  const machine::PackedImage packed = cim::pack(single, 0, settings, "here");
  const machine::PackedQuery& query = packed.queries[0];
  REQUIRE(query.block);
  CHECK(query.block->spins() == 12);
  CHECK(query.fixed.back() == 1);
  CHECK(query.free() == 11);
  CHECK(query.kept.every);
  CHECK(query.effort.whole);
  CHECK(query.effort.auxiliaries == 0);
  // The couplings of the ring, the last spin as the shared one.
  for (int i = 0; i < 12; ++i) {
    for (int k = 0; k < i; ++k) {
      CHECK(query.block->row(i)[k] == (i == k + 1 ? 42 * (1 + k % 3) : 0));
    }
  }
  // Repeats the test as a QUBO, and with a field.
  auto binary = std::make_shared<machine::Single>(*single);
  binary->f = qubo::converted(single->f, qubo::Vartype::Binary).f;
  CHECK(cim::pack(binary, 0, settings, "here").queries[0].block == query.block);
  binary->f.linear[3] += 1.0;
  CHECK(test::message_of<InputError>([&] {
          (void)cim::pack(binary, 0, settings, "a.csv");
        }) == "a.csv needs 13 spins (the machine has 12)");
}

TEST_CASE("a matrix that fits the machine is packed as it is") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    cim::PackSettings settings{.precision = cim::Precision::Best, .fix = false};
    const machine::PackedImage first = cim::pack(image(seed), settings, "here");
    const machine::Block& block = *first.queries[0].block;
    if (block.extra > 0) {
      continue;
    }
    const machine::TaskMatrix q = machine::task_matrix_of(block);
    auto single = std::make_shared<machine::Single>();
    single->f = qubo::Quadratic(q.n);
    std::vector<qubo::Term> terms;
    for (int i = 0; i < q.n; ++i) {
      single->f.linear[static_cast<std::size_t>(i)] = double{q.row(i)[0]};
      for (int k = i + 1; k < q.n; ++k) {
        terms.push_back({i, k, double{q.row(i)[k - i]}});
      }
    }
    single->f.add(terms);
    for (const auto precision : {cim::Precision::Auto, cim::Precision::Best}) {
      settings.precision = precision;
      const machine::PackedImage again = cim::pack(single, 0, settings, "here");
      CHECK(again.queries[0].block == block);
      CHECK(again.queries[0].kept.every);
    }
  }
}

TEST_CASE("the image of a single problem has its energies, times a power of two") {
  for (const int exponent : {0, -600, 600}) {
    const auto single = ring(6, [&](int i) { return std::ldexp(i - 2.0, exponent); });
    const cim::DenseSingle dense = cim::dense_single(single->f);
    const qubo::Problem image = cim::image_of(dense);
    std::vector<std::uint8_t> x(6);
    const std::vector<std::uint8_t> zero(6);
    const double begin = cim::minimised_energy(single->f, zero);
    double factor = 0.0;
    for (unsigned k = 1; k < 64; ++k) {
      for (unsigned i = 0; i < 6; ++i) {
        x[i] = (k >> i) & 1U;
      }
      const double own = cim::minimised_energy(single->f, x) - begin;
      const double other = qubo::energy(image, 0, x);
      CHECK((own == 0.0) == (other == 0.0));
      if (own != 0.0) {
        factor = factor == 0.0 ? other / own : factor;
        CHECK(other / own == doctest::Approx(factor));
        CHECK(factor > 0.0);
      }
    }
  }
}

TEST_SUITE_END();
