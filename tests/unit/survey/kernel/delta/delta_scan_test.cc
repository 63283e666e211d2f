#include "survey/kernel/delta/delta_scan.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using attention::DeltaShape;
using test::Inside;
using test::Table;

namespace {

struct DeltaCase {
  Table q, k, v, step, log_decay, weight;
};

DeltaCase drawn_delta(
    Rng& rng, const DeltaShape& s, int decay_width, int n, double strength) {
  const double short_keys = 1.0 / std::sqrt(s.key_width);
  DeltaCase c{test::drawn_table(rng, n, s.heads * s.key_width, short_keys),
              test::drawn_table(rng, n, s.heads * s.key_width, short_keys),
              test::drawn_table(rng, n, s.heads * s.value_width),
              Table(n, s.heads),
              test::drawn_table(rng, n, s.heads * decay_width, strength),
              test::drawn_table(rng, n, s.heads * s.value_width)};
  for (double& x : c.step.data) {
    x = static_cast<double>(static_cast<float>(rng.uniform()));
  }
  for (double& x : c.log_decay.data) {
    x = -std::abs(x);
  }
  return c;
}

Table plain_delta(const DeltaShape& s, const DeltaCase& c) {
  Table o(c.v.rows, c.v.cols);
  const int decays = c.log_decay.cols / s.heads;
  for (int h = 0; h < s.heads; ++h) {
    Table state(s.key_width, s.value_width);
    for (int t = 0; t < o.rows; ++t) {
      for (int i = 0; i < s.key_width && decays > 0; ++i) {
        for (int j = 0; j < s.value_width; ++j) {
          state(i, j) *= std::exp(c.log_decay(t, h * decays + (decays > 1 ? i : 0)));
        }
      }
      for (int j = 0; j < s.value_width; ++j) {
        const int value = h * s.value_width + j;
        double error = c.v(t, value);
        for (int i = 0; i < s.key_width; ++i) {
          error -= c.k(t, h * s.key_width + i) * state(i, j);
        }
        const double u = c.step(t, h) * error;
        for (int i = 0; i < s.key_width; ++i) {
          state(i, j) += c.k(t, h * s.key_width + i) * u;
          o(t, value) += c.q(t, h * s.key_width + i) * state(i, j);
        }
      }
    }
  }
  return o;
}

struct DeltaFast {
  DeltaFast(const DeltaShape& s, const DeltaCase& c)
      : q(c.q),
        k(c.k),
        v(c.v),
        step(c.step),
        log_decay(c.log_decay),
        weight(c.weight),
        o(c.v.rows, c.v.cols),
        checkpoints(attention::delta_checkpoints(c.v.rows),
                    attention::delta_state_size(s)) {}

  [[nodiscard]] attention::DeltaInput in() { return {q, k, v, step, log_decay}; }
  void run(const DeltaShape& s) {
    num::Buffer state(static_cast<std::size_t>(attention::delta_state_size(s)));
    attention::delta_scan(s, in(), o, state.span(), checkpoints, arena);
  }

  Inside q, k, v, step, log_decay, weight, o;
  num::Matrix checkpoints;
  Arena arena{8U << 20U};
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("a delta scan is its recurrence, for decays from 0 to 1") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const auto& [n, heads, key, value] : {std::array{0, 1, 4, 4},
                                               std::array{1, 2, 16, 16},
                                               std::array{33, 1, 1, 5},
                                               std::array{100, 3, 7, 70},
                                               std::array{64, 2, 64, 64}}) {
      for (const double strength : {0.05, 1.0, 30.0}) {
        for (const int decay_width : {0, 1, key}) {
          const DeltaShape s{heads, key, value, 1};
          const DeltaCase c = drawn_delta(rng, s, decay_width, n, strength);
          DeltaFast fast(s, c);
          fast.run(s);
          test::check_near(fast.o, plain_delta(s, c), 3e-6);
        }
      }
    }
  });
}

TEST_CASE("gradients of a delta scan are its differences") {
  test::for_simd_targets([] {
    Rng rng(2);
    for (const double strength : {0.1, 8.0}) {
      for (const int decay_width : {0, 1, 3}) {
        const DeltaShape s{2, 3, 2, 1};
        DeltaCase c = drawn_delta(rng, s, decay_width, 71, strength);
        DeltaFast fast(s, c);
        fast.run(s);
        Inside dq(71, 6);
        Inside dk(71, 6);
        Inside dv(71, 4);
        Inside d_step(71, 2);
        Inside d_decay(71, 2 * decay_width);
        attention::delta_scan_backward(s,
                                       fast.in(),
                                       fast.checkpoints,
                                       fast.weight,
                                       {dq, dk, dv, d_step, d_decay},
                                       fast.arena);
        const auto loss = [&] { return test::dot(plain_delta(s, c), c.weight); };
        test::check_near(dq, test::differences(c.q, loss), 3e-6);
        test::check_near(dk, test::differences(c.k, loss), 5e-6);
        test::check_near(dv, test::differences(c.v, loss), 3e-6);
        test::check_near(d_step, test::differences(c.step, loss), 5e-6);
        test::check_near(d_decay, test::differences(c.log_decay, loss), 1e-5);
      }
    }
  });
}

TEST_CASE("gradients of decays stay exact over many tokens") {
  // The first decay changes nothing: the state before it is zero.
  Rng rng(6);
  const int n = 40000;
  const DeltaShape s{1, 4, 4, 1};
  const DeltaCase c = drawn_delta(rng, s, 1, n, 0.01);
  DeltaFast fast(s, c);
  fast.run(s);
  Inside dq(n, 4);
  Inside dk(n, 4);
  Inside dv(n, 4);
  Inside d_step(n, 1);
  Inside d_decay(n, 1);
  attention::delta_scan_backward(s,
                                 fast.in(),
                                 fast.checkpoints,
                                 fast.weight,
                                 {dq, dk, dv, d_step, d_decay},
                                 fast.arena);
  CHECK(std::abs(d_decay(0, 0)) < 2e-5);
}

TEST_CASE("a delta scan token by token is the whole, and threads change no bit") {
  Rng rng(3);
  const DeltaShape s{3, 20, 12, 1};
  const DeltaCase c = drawn_delta(rng, s, 1, 75, 0.3);
  DeltaFast whole(s, c);
  whole.run(s);

  DeltaFast steps(s, c);
  num::Buffer state(static_cast<std::size_t>(attention::delta_state_size(s)));
  const auto row = [](num::View x, int t) {
    return num::View{x.row(t), 1, x.cols, x.stride};
  };
  for (int t = 0; t < 75; ++t) {
    attention::delta_scan(s,
                          {row(steps.q, t),
                           row(steps.k, t),
                           row(steps.v, t),
                           row(steps.step, t),
                           row(steps.log_decay, t)},
                          row(steps.o, t),
                          state.span(),
                          {},
                          steps.arena);
  }
  test::check_near(steps.o, plain_delta(s, c), 2e-6);

  for (const int threads : {2, 4}) {
    DeltaShape more = s;
    more.threads = threads;
    DeltaFast shared(s, c);
    shared.run(more);
    CHECK(test::equal(shared.o.view(), whole.o.view()));
  }
}

TEST_CASE("a delta scan looks at no later token and keeps NaN behind its own") {
  Rng rng(4);
  const DeltaShape s{2, 8, 8, 1};
  DeltaCase c = drawn_delta(rng, s, 8, 60, 2.0);
  DeltaFast before(s, c);
  before.run(s);
  for (int j = 0; j < 8; ++j) {
    c.k(40, j) = std::numeric_limits<double>::quiet_NaN();
    c.log_decay(41, j) = -std::numeric_limits<double>::infinity();
  }
  DeltaFast after(s, c);
  after.run(s);
  for (int t = 0; t < 60; ++t) {
    for (int j = 0; j < 8; ++j) {
      CHECK(after.o(t, 8 + j) == before.o(t, 8 + j));
      CHECK((t < 40 ? after.o(t, j) == before.o(t, j) : std::isnan(after.o(t, j))));
    }
  }
}

TEST_CASE("a step of 1 makes the state say the value of the key") {
  // With keys of length 1 and no decay, o_t = v_t where q_t = k_t.
  Rng rng(5);
  const DeltaShape s{1, 16, 9, 1};
  DeltaCase c = drawn_delta(rng, s, 0, 50, 0.0);
  for (int t = 0; t < 50; ++t) {
    double square = 0.0;
    for (int i = 0; i < 16; ++i) {
      square += c.k(t, i) * c.k(t, i);
    }
    for (int i = 0; i < 16; ++i) {
      c.k(t, i) /= std::sqrt(square);
      c.q(t, i) = c.k(t, i);
    }
    c.step(t, 0) = 1.0;
  }
  DeltaFast fast(s, c);
  fast.run(s);
  test::check_near(fast.o, c.v, 2e-6);
}

TEST_CASE("a delta scan takes the memory that it declares") {
  Rng rng(5);
  for (const int threads : {1, 2, 4}) {
    const DeltaShape s{3, 20, 12, threads};
    const DeltaCase c = drawn_delta(rng, s, 1, 40, 0.3);
    DeltaFast fast(s, c);
    fast.run(s);
    CHECK(fast.arena.high_water() == attention::delta_scan_bytes(s));
    Inside dq(40, 60);
    Inside dk(40, 60);
    Inside dv(40, 36);
    Inside d_step(40, 3);
    Inside d_decay(40, 3);
    Arena arena(attention::delta_scan_backward_bytes(s));
    attention::delta_scan_backward(s,
                                   fast.in(),
                                   fast.checkpoints,
                                   fast.weight,
                                   {dq, dk, dv, d_step, d_decay},
                                   arena);
    CHECK(arena.high_water() == attention::delta_scan_backward_bytes(s));
  }
}

TEST_SUITE_END();
