#include "survey/kernel/scan/gated_scan.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using attention::GatedShape;
using test::Inside;
using test::Table;

namespace {

struct GatedCase {
  Table q, k, log_decay, v, weight;
};

GatedCase drawn_gated(Rng& rng, const GatedShape& s, int n, double strength) {
  GatedCase c{test::drawn_table(rng, n, s.heads * s.key_width),
              test::drawn_table(rng, n, s.heads * s.key_width),
              test::drawn_table(rng, n, s.heads * s.key_width, strength),
              test::drawn_table(rng, n, s.heads * s.value_width),
              test::drawn_table(rng, n, s.heads * s.value_width)};
  for (double& x : c.log_decay.data) {
    x = -std::abs(x);
  }
  return c;
}

Table plain_gated(const GatedShape& s, const GatedCase& c) {
  Table o(c.v.rows, c.v.cols);
  for (int h = 0; h < s.heads; ++h) {
    Table state(s.key_width, s.value_width);
    for (int t = 0; t < o.rows; ++t) {
      for (int i = 0; i < s.key_width; ++i) {
        const int key = h * s.key_width + i;
        const double decay = std::exp(c.log_decay(t, key));
        for (int j = 0; j < s.value_width; ++j) {
          const int value = h * s.value_width + j;
          state(i, j) = decay * state(i, j) + c.k(t, key) * c.v(t, value);
          o(t, value) += static_cast<double>(s.scale) * c.q(t, key) * state(i, j);
        }
      }
    }
  }
  return o;
}

struct GatedFast {
  explicit GatedFast(const GatedCase& c)
      : q(c.q),
        k(c.k),
        log_decay(c.log_decay),
        v(c.v),
        weight(c.weight),
        o(c.v.rows, c.v.cols) {}

  [[nodiscard]] attention::GatedInput in() { return {q, k, log_decay, v}; }
  void run(const GatedShape& s) {
    num::Buffer state(static_cast<std::size_t>(attention::gated_state_size(s)));
    attention::gated_scan(s, in(), o, state.span(), arena);
  }

  Inside q, k, log_decay, v, weight, o;
  Arena arena{4U << 20U};
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("a gated scan is its recurrence, for decays from 0 to 1") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const auto& [n, heads, key, value] : {std::array{0, 1, 4, 4},
                                               std::array{1, 2, 16, 16},
                                               std::array{33, 1, 1, 5},
                                               std::array{100, 3, 7, 70},
                                               std::array{64, 2, 64, 64}}) {
      for (const double strength : {0.05, 1.0, 30.0}) {
        const GatedShape s{heads, key, value, 0.5F, 1};
        const GatedCase c = drawn_gated(rng, s, n, strength);
        GatedFast fast(c);
        fast.run(s);
        test::check_near(fast.o, plain_gated(s, c), 2e-6);
      }
    }
  });
}

TEST_CASE("gradients of a gated scan are its differences") {
  test::for_simd_targets([] {
    Rng rng(2);
    for (const double strength : {0.1, 8.0}) {
      const GatedShape s{2, 3, 2, 0.7F, 1};
      GatedCase c = drawn_gated(rng, s, 41, strength);
      GatedFast fast(c);
      Inside dq(41, 6);
      Inside dk(41, 6);
      Inside da(41, 6);
      Inside dv(41, 4);
      attention::gated_scan_backward(
          s, fast.in(), fast.weight, {dq, dk, da, dv}, fast.arena);
      const auto loss = [&] { return test::dot(plain_gated(s, c), c.weight); };
      test::check_near(dq, test::differences(c.q, loss), 3e-6);
      test::check_near(dk, test::differences(c.k, loss), 3e-6);
      test::check_near(da, test::differences(c.log_decay, loss), 1e-5);
      test::check_near(dv, test::differences(c.v, loss), 3e-6);
    }
  });
}

TEST_CASE("a gated scan token by token is the whole, and threads change no bit") {
  Rng rng(3);
  const GatedShape s{3, 20, 12, 1.0F, 1};
  const GatedCase c = drawn_gated(rng, s, 75, 0.3);
  GatedFast whole(c);
  whole.run(s);

  GatedFast steps(c);
  num::Buffer state(static_cast<std::size_t>(attention::gated_state_size(s)));
  const auto row = [](num::View x, int t) {
    return num::View{x.row(t), 1, x.cols, x.stride};
  };
  for (int t = 0; t < 75; ++t) {
    attention::gated_scan(
        s,
        {row(steps.q, t), row(steps.k, t), row(steps.log_decay, t), row(steps.v, t)},
        row(steps.o, t),
        state.span(),
        steps.arena);
  }
  test::check_near(steps.o, plain_gated(s, c), 2e-6);

  for (const int threads : {2, 4}) {
    GatedShape more = s;
    more.threads = threads;
    GatedFast shared(c);
    shared.run(more);
    CHECK(test::equal(shared.o.view(), whole.o.view()));
  }
}

TEST_CASE("a gated scan looks at no later token and keeps NaN behind its own") {
  Rng rng(4);
  const GatedShape s{2, 8, 8, 1.0F, 1};
  GatedCase c = drawn_gated(rng, s, 60, 2.0);
  GatedFast before(c);
  before.run(s);
  for (int j = 0; j < 8; ++j) {
    c.k(40, j) = std::numeric_limits<double>::quiet_NaN();
    c.log_decay(41, j) = -std::numeric_limits<double>::infinity();
  }
  GatedFast after(c);
  after.run(s);
  for (int t = 0; t < 60; ++t) {
    for (int j = 0; j < 8; ++j) {
      CHECK(after.o(t, 8 + j) == before.o(t, 8 + j));
      CHECK((t < 40 ? after.o(t, j) == before.o(t, j) : std::isnan(after.o(t, j))));
    }
  }
}

TEST_CASE("a gated scan of large numbers stays finite") {
  const GatedShape s{1, 4, 4, 1.0F, 1};
  Table ones(50, 4);
  for (double& x : ones.data) {
    x = 1e4;
  }
  Table decay(50, 4);
  for (double& x : decay.data) {
    x = -5.0;
  }
  const GatedCase c{ones, ones, decay, ones, ones};
  GatedFast fast(c);
  fast.run(s);
  test::check_near(fast.o, plain_gated(s, c), 2e-6);
}

TEST_CASE("a gated scan takes the memory that it declares") {
  Rng rng(5);
  for (const int threads : {1, 2, 4}) {
    const GatedShape s{3, 20, 12, 1.0F, threads};
    const GatedCase c = drawn_gated(rng, s, 40, 0.3);
    GatedFast fast(c);
    fast.run(s);
    CHECK(fast.arena.high_water() == attention::gated_scan_bytes(s));
    Inside dq(40, 60);
    Inside dk(40, 60);
    Inside da(40, 60);
    Inside dv(40, 36);
    Arena arena(attention::gated_scan_backward_bytes(s));
    attention::gated_scan_backward(s, fast.in(), fast.weight, {dq, dk, da, dv}, arena);
    CHECK(arena.high_water() == attention::gated_scan_backward_bytes(s));
  }
}

TEST_SUITE_END();
