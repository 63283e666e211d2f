#include "survey/kernel/delta/delta_scan.h"

#include "unit/survey/kernel/scan_test.h"

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

TEST_SUITE_END();
