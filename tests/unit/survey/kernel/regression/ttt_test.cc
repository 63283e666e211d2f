#include "survey/kernel/regression/ttt.h"

#include "unit/survey/kernel/scan_test.h"

#include <algorithm>

using namespace oa;
using attention::TttShape;
using test::Inside;
using test::Table;

namespace {

struct TttFast {
  TttFast(const TttShape& s, int n, std::uint64_t seed)
      : shape(s),
        start(s.heads * s.width, s.width) {
    Rng rng(seed);
    const int width = s.heads * s.width;
    for (Table* t : {&q, &k, &v}) {
      *t = test::drawn_table(rng, n, width, 1.0 / std::sqrt(s.width));
    }
    eta = test::drawn_table(rng, n, s.heads, 0.3);
    for (double& x : eta.data) {
      x = std::abs(x);
    }
    for (int i = 0; i < start.rows(); ++i) {
      for (int j = 0; j < s.width; ++j) {
        start(i, j) = static_cast<float>(rng.normal());
      }
    }
    for (int c = 0; c < width; ++c) {
      gain.push_back(static_cast<float>(1.0 + 0.1 * rng.normal()));
      shift.push_back(static_cast<float>(0.1 * rng.normal()));
    }
  }

  [[nodiscard]] Table run(int states) {
    num::Buffer kept(
        static_cast<std::size_t>(states * attention::ttt_state_size(shape)));
    return run(kept.span());
  }

  [[nodiscard]] Table run(std::span<float> states) {
    Inside qs(q);
    Inside ks(k);
    Inside vs(v);
    Inside etas(eta);
    Inside y(q.rows, q.cols);
    Arena arena(attention::ttt_bytes(shape));
    attention::ttt_forward(
        shape, {qs, ks, vs, etas, gain, shift, start}, y, states, arena);
    return table_of(y);
  }

  [[nodiscard]] Table run_steps() {
    Inside qs(q);
    Inside ks(k);
    Inside vs(v);
    Inside etas(eta);
    Inside y(q.rows, q.cols);
    num::Buffer kept(static_cast<std::size_t>(2 * attention::ttt_state_size(shape)));
    Arena arena(attention::ttt_bytes(shape));
    const auto row = [](num::View x, int t) {
      return num::View{x.row(t), 1, x.cols, x.stride};
    };
    for (int t = 0; t < q.rows; ++t) {
      attention::ttt_step(
          shape,
          {row(qs, t), row(ks, t), row(vs, t), row(etas, t), gain, shift, start},
          t,
          row(y, t),
          kept.span(),
          arena);
    }
    return table_of(y);
  }

  static Table table_of(Inside& x) {
    Table t(x.view().rows, x.view().cols);
    for (int i = 0; i < t.rows; ++i) {
      for (int j = 0; j < t.cols; ++j) {
        t(i, j) = static_cast<double>(x(i, j));
      }
    }
    return t;
  }

  TttShape shape;
  Table q, k, v, eta;
  num::Matrix start;
  std::vector<float> gain;
  std::vector<float> shift;
};

double largest_difference(const Table& a, const Table& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    most = std::max(most, std::abs(a.data[i] - b.data[i]));
  }
  return most;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("ttt token by token is the dual form of its batches") {
  test::for_simd_targets([] {
    for (const int batch : {1, 5, 16}) {
      TttFast fast({.heads = 2, .width = 9, .batch = batch, .threads = 1}, 53, 1);
      const Table whole = fast.run(attention::ttt_states(fast.shape, 53));
      CHECK(largest_difference(whole, fast.run_steps()) < 1e-5);
    }
  });
}

TEST_CASE("ttt keeps the same states where there is room for more than 2^32 floats") {
  TttFast fast({.heads = 2, .width = 16, .batch = 8, .threads = 1}, 70, 3);
  const int states = attention::ttt_states(fast.shape, 70);
  const auto size =
      static_cast<std::size_t>(states * attention::ttt_state_size(fast.shape));
  num::Buffer exact(size);
  num::Buffer more(size);
  const Table first = fast.run(exact.span());
  // Only the states of this sequence are written.
  const Table second = fast.run({more.data(), std::size_t{1} << 32U});
  CHECK(first.data == second.data);
  CHECK(std::ranges::equal(exact.span(), more.span()));
}

TEST_CASE("ttt with room for one state, or more threads, has the same bits") {
  TttFast fast({.heads = 3, .width = 20, .batch = 8, .threads = 1}, 70, 2);
  const Table whole = fast.run(attention::ttt_states(fast.shape, 70));
  CHECK(fast.run(1).data == whole.data);
  fast.shape.threads = 2;
  CHECK(fast.run(1).data == whole.data);
}

TEST_SUITE_END();
