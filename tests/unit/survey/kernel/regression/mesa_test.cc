#include "survey/kernel/regression/mesa.h"

#include "unit/survey/kernel/scan_test.h"

#include <algorithm>
#include <array>

using namespace oa;
using attention::MesaShape;
using test::Inside;
using test::Table;

namespace {

struct MesaCase {
  Table q, k, v, gate, b, ridge, weight;
};

double share(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

MesaCase drawn_mesa(Rng& rng, const MesaShape& s, int n) {
  const int width = s.heads * s.width;
  MesaCase c{test::drawn_table(rng, n, width, 1.0 / std::sqrt(s.width)),
             test::drawn_table(rng, n, width, 1.0 / std::sqrt(s.width)),
             test::drawn_table(rng, n, width),
             test::drawn_table(rng, n, s.heads),
             test::drawn_table(rng, n, s.heads),
             test::drawn_table(rng, 1, width),
             test::drawn_table(rng, n, width)};
  for (double& x : c.gate.data) {
    x = share(x + 3.0);
  }
  for (double& x : c.b.data) {
    x = share(x);
  }
  for (double& x : c.ridge.data) {
    x = 0.5 + share(x);
  }
  return c;
}

// Conjugate gradients to the end.
std::vector<double> solve(const Table& h, const double* ridge, std::vector<double> r) {
  std::vector<double> x(r.size());
  std::vector<double> p = r;
  const auto product = [](const auto& a, const auto& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += a[i] * b[i];
    }
    return sum;
  };
  double square = product(r, r);
  for (int step = 0; step < 200 && square > 1e-26; ++step) {
    std::vector<double> hp(r.size());
    for (int i = 0; i < h.rows; ++i) {
      for (int j = 0; j < h.rows; ++j) {
        hp[static_cast<std::size_t>(i)] += h(i, j) * p[static_cast<std::size_t>(j)];
      }
      hp[static_cast<std::size_t>(i)] += ridge[i] * p[static_cast<std::size_t>(i)];
    }
    const double alpha = square / product(p, hp);
    for (std::size_t i = 0; i < r.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * hp[i];
    }
    const double next = product(r, r);
    for (std::size_t i = 0; i < r.size(); ++i) {
      p[i] = r[i] + next / square * p[i];
    }
    square = next;
  }
  return x;
}

Table plain_mesa(const MesaShape& s, const MesaCase& c) {
  const int d = s.width;
  Table o(c.v.rows, c.v.cols);
  for (int head = 0; head < s.heads; ++head) {
    const int first = head * d;
    Table h(d, d);
    Table state(d, d);
    const auto take_in = [&](int t, double gate) {
      for (int i = 0; i < d; ++i) {
        const double key = c.b(t, head) * c.k(t, first + i);
        for (int j = 0; j < d; ++j) {
          h(i, j) = gate * h(i, j) + key * c.k(t, first + j);
          state(i, j) = gate * state(i, j) + key * c.v(t, first + j);
        }
      }
    };
    for (int t = 0; t < o.rows && !s.causal; ++t) {
      take_in(t, 1.0);
    }
    for (int t = 0; t < o.rows; ++t) {
      if (s.causal) {
        take_in(t, c.gate(t, head));
      }
      std::vector<double> q;
      for (int i = 0; i < d; ++i) {
        q.push_back(c.q(t, first + i));
      }
      const std::vector<double> z =
          solve(h, &c.ridge.data[static_cast<std::size_t>(first)], q);
      for (int i = 0; i < d; ++i) {
        for (int j = 0; j < d; ++j) {
          o(t, first + j) += z[static_cast<std::size_t>(i)] * state(i, j);
        }
      }
    }
  }
  return o;
}

struct MesaFast {
  MesaFast(const MesaShape& s, const MesaCase& c)
      : shape(s),
        q(c.q),
        k(c.k),
        v(c.v),
        gate(c.gate),
        b(c.b),
        weight(c.weight),
        ridge(c.ridge.data.begin(), c.ridge.data.end()),
        o(c.v.rows, c.v.cols),
        z(c.v.rows, c.v.cols),
        states(static_cast<std::size_t>(attention::mesa_states(s, c.v.rows) *
                                        attention::mesa_state_size(s))) {}

  [[nodiscard]] attention::MesaInput in() { return {q, k, v, gate, b, ridge}; }
  void run() { run(states.span()); }
  void run(std::span<float> kept) {
    attention::mesa_forward(shape, in(), o, z, kept, arena);
  }

  MesaShape shape;
  Inside q, k, v, gate, b, weight;
  std::vector<float> ridge;
  Inside o, z;
  num::Buffer states;
  Arena arena{8U << 20U};
};

num::View row(num::View x, int t) {
  return {x.row(t), 1, x.cols, x.stride};
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("mesa is its recurrence, for any number of chunks") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const bool causal : {true, false}) {
      for (const auto& [n, heads, width] :
           {std::array{1, 2, 5}, std::array{33, 1, 16}, std::array{100, 3, 7}}) {
        const MesaShape s{heads, width, 40, causal, 1};
        const MesaCase c = drawn_mesa(rng, s, n);
        MesaFast fast(s, c);
        fast.run();
        test::check_near(fast.o, plain_mesa(s, c), 3e-6);
      }
    }
  });
}

TEST_CASE("gradients of mesa are its differences") {
  Rng rng(2);
  for (const bool causal : {true, false}) {
    const MesaShape s{2, 3, 40, causal, 1};
    constexpr int kTokens = 70;
    MesaCase c = drawn_mesa(rng, s, kTokens);
    MesaFast fast(s, c);
    fast.run();
    Inside dq(kTokens, 6);
    Inside dk(kTokens, 6);
    Inside dv(kTokens, 6);
    Inside da(kTokens, 2);
    Inside db(kTokens, 2);
    std::vector<float> d_ridge(6);
    attention::mesa_backward(s,
                             fast.in(),
                             fast.z,
                             fast.states.span(),
                             fast.weight,
                             {dq, dk, dv, da, db, d_ridge},
                             fast.arena);
    const auto loss = [&] { return test::dot(plain_mesa(s, c), c.weight); };
    test::check_near(dq, test::differences(c.q, loss), 1e-5);
    test::check_near(dk, test::differences(c.k, loss), 1e-5);
    test::check_near(dv, test::differences(c.v, loss), 1e-5);
    test::check_near(db, test::differences(c.b, loss), 1e-5);
    const Table by_ridge = test::differences(c.ridge, loss);
    for (int i = 0; i < 6; ++i) {
      CHECK(std::abs(static_cast<double>(d_ridge[static_cast<std::size_t>(i)]) -
                     by_ridge(0, i)) < 1e-4 * std::max(1.0, std::abs(by_ridge(0, i))));
    }
    if (causal) {
      Table by_log = test::differences(c.gate, loss);
      for (std::size_t i = 0; i < by_log.data.size(); ++i) {
        by_log.data[i] *= c.gate.data[i];
      }
      test::check_near(da, by_log, 1e-5);
    }
  }
}

TEST_CASE("mesa token by token is the whole, and threads change no bit") {
  Rng rng(3);
  const MesaShape s{3, 20, 40, true, 1};
  const MesaCase c = drawn_mesa(rng, s, 90);
  MesaFast whole(s, c);
  whole.run();
  MesaFast steps(s, c);
  num::Buffer state(static_cast<std::size_t>(attention::mesa_state_size(s)));
  for (int t = 0; t < 90; ++t) {
    attention::mesa_step(s,
                         {row(steps.q, t),
                          row(steps.k, t),
                          row(steps.v, t),
                          row(steps.gate, t),
                          row(steps.b, t),
                          steps.ridge},
                         row(steps.o, t),
                         state.span(),
                         steps.arena);
  }
  test::check_near(steps.o, plain_mesa(s, c), 3e-6);
  MesaShape more = s;
  more.threads = 2;
  MesaFast shared(more, c);
  shared.run();
  CHECK(test::equal(shared.o.view(), whole.o.view()));
}

TEST_CASE("mesa without backward has room for one state, and computes the same") {
  Rng rng(4);
  const MesaShape s{2, 6, 40, true, 1};
  const MesaCase c = drawn_mesa(rng, s, 130);
  MesaFast all(s, c);
  all.run();
  MesaFast one(s, c);
  one.states = num::Buffer(static_cast<std::size_t>(attention::mesa_state_size(s)));
  one.run();
  CHECK(test::equal(one.o.view(), all.o.view()));
}

TEST_CASE("mesa keeps the same states where there is room for more than 2^32 floats") {
  Rng rng(6);
  const MesaShape s{2, 6, 40, true, 1};
  const MesaCase c = drawn_mesa(rng, s, 130);
  MesaFast exact(s, c);
  exact.run();
  MesaFast more(s, c);
  // Only the states of this sequence are written.
  more.run({more.states.data(), std::size_t{1} << 32U});
  CHECK(test::equal(more.o.view(), exact.o.view()));
  CHECK(std::ranges::equal(more.states.span(), exact.states.span()));
}

TEST_CASE("few steps of mesa do not depend on the other queries of a chunk") {
  Rng rng(5);
  const MesaShape s{1, 12, 3, true, 1};
  MesaCase c = drawn_mesa(rng, s, 32);
  MesaFast before(s, c);
  before.run();
  for (int t = 20; t < 32; ++t) {
    for (int j = 0; j < 12; ++j) {
      c.q(t, j) *= -3.0;
      c.k(t, j) *= 2.0;
    }
  }
  MesaFast after(s, c);
  after.run();
  CHECK(test::equal(after.o.view().top(20), before.o.view().top(20)));
}

TEST_SUITE_END();
