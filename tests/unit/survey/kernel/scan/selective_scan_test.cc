#include "survey/kernel/scan/selective_scan.h"

#include "unit/survey/kernel/scan_test.h"

#include <array>

using namespace oa;
using attention::SelectiveShape;
using test::Inside;
using test::Table;

namespace {

struct SelectiveCase {
  SelectiveCase(Rng& rng, const SelectiveShape& s, int n)
      : x(test::drawn_table(rng, n, s.channels)),
        dt(test::drawn_table(rng, n, s.channels, 0.3)),
        b(test::drawn_table(rng, n, s.states)),
        c(test::drawn_table(rng, n, s.states)),
        a(test::drawn_table(rng, s.states, s.channels)),
        skip(test::drawn_table(rng, 1, s.channels)),
        weight(test::drawn_table(rng, n, s.channels)) {
    for (double& value : dt.data) {
      value = std::abs(value) + 1e-3;
    }
    for (double& value : a.data) {
      value = -std::abs(value) - 1e-3;
    }
  }

  [[nodiscard]] Table plain() const {
    Table y(x.rows, x.cols);
    for (int e = 0; e < x.cols; ++e) {
      std::vector<double> h(static_cast<std::size_t>(a.rows));
      for (int t = 0; t < x.rows; ++t) {
        y(t, e) = skip(0, e) * x(t, e);
        for (int j = 0; j < a.rows; ++j) {
          double& state = h[static_cast<std::size_t>(j)];
          state = std::exp(dt(t, e) * a(j, e)) * state + dt(t, e) * x(t, e) * b(t, j);
          y(t, e) += state * c(t, j);
        }
      }
    }
    return y;
  }

  Table x, dt, b, c, a, skip, weight;
};

struct SelectiveFast {
  SelectiveFast(const SelectiveCase& from, const SelectiveShape& s)
      : shape(s),
        x(from.x),
        dt(from.dt),
        b(from.b),
        c(from.c),
        a(from.a),
        y(from.x.rows, from.x.cols),
        weight(from.weight),
        skip(from.skip.data.begin(), from.skip.data.end()),
        checkpoints(static_cast<std::size_t>(
            attention::selective_checkpoint_size(s, from.x.rows))) {}
  [[nodiscard]] attention::SelectiveInput in() { return {x, dt, b, c, a, skip}; }
  void run() {
    num::Buffer state(static_cast<std::size_t>(attention::selective_state_size(shape)));
    attention::selective_scan(shape, in(), y, state.span(), checkpoints, arena);
  }

  SelectiveShape shape;
  Inside x, dt, b, c, a, y, weight;
  std::vector<float> skip;
  std::vector<float> checkpoints;
  Arena arena{16U << 20U};
};

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("a selective scan is its recurrence") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const auto& [n, channels, states] : {std::array{0, 3, 4},
                                              std::array{1, 16, 16},
                                              std::array{65, 1, 1},
                                              std::array{130, 37, 11},
                                              std::array{70, 140, 8}}) {
      const SelectiveShape s{channels, states, 1};
      const SelectiveCase c(rng, s, n);
      SelectiveFast fast(c, s);
      fast.run();
      test::check_near(fast.y, c.plain(), 2e-6);
    }
  });
}

TEST_CASE("gradients of a selective scan are its differences") {
  test::for_simd_targets([] {
    Rng rng(2);
    const SelectiveShape s{3, 3, 1};
    constexpr int kTokens = 71;
    SelectiveCase c(rng, s, kTokens);
    SelectiveFast fast(c, s);
    fast.run();
    Inside dx(kTokens, 3);
    Inside ddt(kTokens, 3);
    Inside db(kTokens, 3);
    Inside dc(kTokens, 3);
    Inside da(3, 3);
    std::vector<float> dskip(3);
    attention::selective_scan_backward(s,
                                       fast.in(),
                                       fast.checkpoints,
                                       fast.weight,
                                       {dx, ddt, db, dc, da, dskip},
                                       fast.arena);
    const auto loss = [&] { return test::dot(c.plain(), c.weight); };
    test::check_near(dx, test::differences(c.x, loss), 3e-6);
    test::check_near(ddt, test::differences(c.dt, loss), 3e-6);
    test::check_near(db, test::differences(c.b, loss), 3e-6);
    test::check_near(dc, test::differences(c.c, loss), 3e-6);
    test::check_near(da, test::differences(c.a, loss), 3e-6);
    const Table slope = test::differences(c.skip, loss);
    for (int e = 0; e < 3; ++e) {
      CHECK(static_cast<double>(dskip[static_cast<std::size_t>(e)]) ==
            doctest::Approx(slope(0, e)).epsilon(1e-5).scale(1.0));
    }
  });
}

TEST_CASE("shared parameters get the sum of the gradients of all channels") {
  Rng rng(6);
  constexpr int kTokens = 5;
  const SelectiveShape s{150, 2, 1};  // more than a group of channels
  SelectiveCase c(rng, s, kTokens);
  SelectiveFast fast(c, s);
  fast.run();
  Inside dx(kTokens, 150);
  Inside ddt(kTokens, 150);
  Inside db(kTokens, 2);
  Inside dc(kTokens, 2);
  Inside da(2, 150);
  attention::selective_scan_backward(s,
                                     fast.in(),
                                     fast.checkpoints,
                                     fast.weight,
                                     {dx, ddt, db, dc, da, {}},
                                     fast.arena);
  const auto loss = [&] { return test::dot(c.plain(), c.weight); };
  test::check_near(db, test::differences(c.b, loss), 3e-5);
  test::check_near(dc, test::differences(c.c, loss), 3e-5);
}

TEST_CASE("a selective scan token by token is the whole, and threads change no bit") {
  Rng rng(3);
  const SelectiveShape s{300, 5, 1};
  constexpr int kTokens = 90;
  const SelectiveCase c(rng, s, kTokens);
  const auto gradients = [&](SelectiveFast& fast) {
    std::vector<float> bits;
    Inside dx(kTokens, 300);
    Inside ddt(kTokens, 300);
    Inside db(kTokens, 5);
    Inside dc(kTokens, 5);
    Inside da(5, 300);
    attention::selective_scan_backward(fast.shape,
                                       fast.in(),
                                       fast.checkpoints,
                                       fast.weight,
                                       {dx, ddt, db, dc, da, {}},
                                       fast.arena);
    for (int t = 0; t < kTokens; ++t) {
      for (int j = 0; j < 5; ++j) {
        bits.push_back(db(t, j));
        bits.push_back(dc(t, j));
        bits.push_back(dx(t, 7 * j));
      }
    }
    return bits;
  };
  SelectiveFast whole(c, s);
  whole.run();
  const std::vector<float> bits = gradients(whole);

  SelectiveFast steps(c, s);
  num::Buffer state(static_cast<std::size_t>(attention::selective_state_size(s)));
  const auto row = [](num::View v, int t) {
    return num::View{v.row(t), 1, v.cols, v.stride};
  };
  for (int t = 0; t < kTokens; ++t) {
    attention::selective_scan(s,
                              {row(steps.x, t),
                               row(steps.dt, t),
                               row(steps.b, t),
                               row(steps.c, t),
                               steps.a,
                               steps.skip},
                              row(steps.y, t),
                              state.span(),
                              {},
                              steps.arena);
  }
  CHECK(test::equal(steps.y.view(), whole.y.view()));

  for (const int threads : {2, 5}) {
    SelectiveFast shared(c, {300, 5, threads});
    shared.run();
    CHECK(test::equal(shared.y.view(), whole.y.view()));
    CHECK(gradients(shared) == bits);
  }
}

TEST_CASE("a selective scan of large numbers stays finite, NaN stays in its channel") {
  Rng rng(4);
  const SelectiveShape s{20, 4, 1};
  SelectiveCase c(rng, s, 40);
  for (double& value : c.dt.data) {
    value *= 1e4;
  }
  SelectiveFast before(c, s);
  before.run();
  c.x(10, 3) = std::numeric_limits<double>::quiet_NaN();
  SelectiveFast after(c, s);
  after.run();
  for (int t = 0; t < 40; ++t) {
    for (int e = 0; e < 20; ++e) {
      CHECK(std::isfinite(before.y(t, e)));
      CHECK((e == 3 && t >= 10 ? std::isnan(after.y(t, e))
                               : after.y(t, e) == before.y(t, e)));
    }
  }
}

TEST_CASE("a selective scan takes the memory that it declares") {
  Rng rng(5);
  for (const int threads : {1, 2, 4}) {
    const SelectiveShape s{300, 5, threads};
    constexpr int kTokens = 70;
    const SelectiveCase c(rng, s, kTokens);
    SelectiveFast fast(c, s);
    fast.run();
    CHECK(fast.arena.high_water() == attention::selective_scan_bytes(s));
    Inside dx(kTokens, 300);
    Inside ddt(kTokens, 300);
    Inside db(kTokens, 5);
    Inside dc(kTokens, 5);
    Inside da(5, 300);
    const std::size_t bytes = attention::selective_scan_backward_bytes(s, kTokens);
    Arena arena(bytes);
    attention::selective_scan_backward(
        s, fast.in(), fast.checkpoints, fast.weight, {dx, ddt, db, dc, da, {}}, arena);
    CHECK(arena.high_water() == bytes);
  }
}

TEST_SUITE_END();
