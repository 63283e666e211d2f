#include "survey/kernel/scan/linear_scan.h"

#include "unit/survey/kernel/scan_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace oa;
using attention::Feature;
using attention::LinearShape;
using test::Inside;
using test::Table;

namespace {

constexpr std::array kAllFeatures = {Feature::Identity,
                                     Feature::Relu,
                                     Feature::Elu,
                                     Feature::Exp,
                                     Feature::Positive,
                                     Feature::Fourier};

bool is_random(Feature kind) {
  return kind == Feature::Positive || kind == Feature::Fourier;
}

// A problem and its answer in double.
struct LinearCase {
  LinearCase(Rng& rng, LinearShape s, int n, int m, bool gated)
      : shape(s),
        directions(s.key_width, m),
        transposed(m, s.key_width),
        q(test::drawn_table(rng, n, s.heads * s.key_width)),
        k(test::drawn_table(rng, n, s.heads * s.key_width)),
        v(test::drawn_table(rng, n, s.heads * s.value_width)),
        gate(test::drawn_table(rng, gated ? n : 0, s.heads, 2.0)),
        sigma(test::drawn_table(rng, 1, s.heads)),
        weight(test::drawn_table(rng, n, s.heads * s.value_width)),
        reference(n, s.heads) {
    Arena arena(1U << 16U);
    attention::draw_directions(rng, true, directions, transposed, arena);
    shape.features.head_width = s.key_width;
    shape.features.directions = directions.view();
    shape.features.transposed = transposed.view();
    for (Table* table : {&q, &k}) {
      for (double& x : table->data) {
        x = std::abs(x) < 1e-3 ? 0.1 : x;  // differences across a kink say nothing
      }
    }
    for (double& x : sigma.data) {
      x = 1.0 + 0.25 * std::abs(x);
    }
  }

  // The logits of a head's token for positive features, z for Fourier, x for others.
  [[nodiscard]] std::vector<double> logits(const Table& x, int t, int h) const {
    const int d = shape.key_width;
    const bool positive = shape.features.kind == Feature::Positive;
    std::vector<double> row(static_cast<std::size_t>(d));
    double square = 0.0;
    for (int j = 0; j < d; ++j) {
      row[static_cast<std::size_t>(j)] = x(t, h * d + j);
      square += x(t, h * d + j) * x(t, h * d + j);
    }
    if (!is_random(shape.features.kind)) {
      return row;
    }
    const double scale =
        positive ? std::pow(d, -0.25) : sigma(0, h) / std::sqrt(square);
    std::vector<double> z;
    for (int m = 0; m < directions.cols(); ++m) {
      double sum = positive ? -0.5 * square * scale * scale : 0.0;
      for (int j = 0; j < d; ++j) {
        sum += scale * row[static_cast<std::size_t>(j)] *
               static_cast<double>(directions(j, m));
      }
      z.push_back(sum);
    }
    return z;
  }

  [[nodiscard]] std::vector<double> phi(std::vector<double> z, double r) const {
    const double root = 1.0 / std::sqrt(static_cast<double>(z.size()));
    std::vector<double> y;
    for (const double x : z) {
      switch (shape.features.kind) {
        case Feature::Identity: y.push_back(x); break;
        case Feature::Relu: y.push_back(std::max(x, 0.0)); break;
        case Feature::Elu: y.push_back(x > 0.0 ? x + 1.0 : std::exp(x)); break;
        case Feature::Exp: y.push_back(std::exp(x)); break;
        case Feature::Positive: y.push_back(root * (std::exp(x - r) + 1e-6)); break;
        case Feature::Fourier:
          y.push_back(root * std::sin(x));
          y.push_back(root * std::cos(x));
          break;
      }
    }
    return y;
  }

  // References as the header says; gradients hold those of the first call fixed.
  void fix_references() {
    query_reference = Table(q.rows, shape.heads);
    if (shape.features.kind != Feature::Positive) {
      return;
    }
    for (int h = 0; h < shape.heads; ++h) {
      double top = -1e300;
      for (int t = 0; t < q.rows; ++t) {
        const auto z = logits(q, t, h);
        query_reference(t, h) = *std::max_element(z.begin(), z.end());
        const auto y = logits(k, t, h);
        top = std::max(top, *std::max_element(y.begin(), y.end()));
        reference(t, h) = top;
      }
      for (int t = 0; t < q.rows && !shape.causal; ++t) {
        reference(t, h) = top;
      }
    }
  }

  [[nodiscard]] double gate_of(int t, int h) const {
    return 1.0 / (1.0 + std::exp(-gate(t, h)));
  }

  [[nodiscard]] Table plain() const {
    Table o(v.rows, v.cols);
    for (int h = 0; h < shape.heads; ++h) {
      plain_head(h, o);
    }
    return o;
  }

  void plain_head(int h, Table& o) const {
    const int n = q.rows;
    std::vector<std::vector<double>> keys;
    for (int t = 0; t < n; ++t) {
      keys.push_back(phi(logits(k, t, h), reference(t, h)));
    }
    for (int i = 0; i < n; ++i) {
      const auto query = phi(logits(q, i, h), query_reference(i, h));
      double sum = 0.0;
      double factor = 1.0;  // of the key at j, seen from i
      std::vector<double> top(static_cast<std::size_t>(shape.value_width));
      for (int j = shape.causal ? i : n - 1; j >= 0; --j) {
        double product = 0.0;
        for (std::size_t c = 0; c < query.size(); ++c) {
          product += query[c] * keys[static_cast<std::size_t>(j)][c];
        }
        const double shrunk = std::exp(reference(j, h) - reference(i, h));
        product *= factor * shrunk;
        if (gate.rows > 0) {
          product *= 1.0 - gate_of(j, h);
          factor *= gate_of(j, h);
        }
        sum += product;
        for (int e = 0; e < shape.value_width; ++e) {
          top[static_cast<std::size_t>(e)] += product * v(j, h * shape.value_width + e);
        }
      }
      const double epsilon = static_cast<double>(shape.epsilon);
      const double den =
          shape.clamped ? std::max(std::abs(sum), epsilon) : sum + epsilon;
      for (int e = 0; e < shape.value_width; ++e) {
        o(i, h * shape.value_width + e) = top[static_cast<std::size_t>(e)] / den;
      }
    }
  }

  LinearShape shape;
  num::Matrix directions, transposed;
  Table q, k, v, gate, sigma, weight;
  Table reference, query_reference;
};

struct LinearFast {
  explicit LinearFast(const LinearCase& c)
      : shape(c.shape),
        q(c.q),
        k(c.k),
        v(c.v),
        gate(c.gate),
        weight(c.weight),
        o(c.v.rows, c.v.cols),
        sum(c.v.rows, c.shape.heads),
        reference(c.v.rows, c.shape.heads),
        gated(c.gate.rows > 0) {
    for (const double x : c.sigma.data) {
      sigma.push_back(static_cast<float>(x));
    }
  }
  [[nodiscard]] attention::LinearInput in() {
    return {q, k, v, gated ? gate.view() : num::View{}, sigma};
  }
  [[nodiscard]] attention::LinearOutput out() { return {o, sum, reference}; }
  std::int64_t run() {
    if (!shape.causal) {
      return attention::linear_sums(shape, in(), out(), arena);
    }
    num::Buffer state(static_cast<std::size_t>(attention::linear_state_size(shape)));
    return attention::linear_scan(shape, in(), out(), state.span(), arena);
  }

  LinearShape shape;
  Inside q, k, v, gate, weight, o, sum, reference;
  bool gated;
  std::vector<float> sigma;
  Arena arena{8U << 20U};
};

LinearShape shape_of(Feature kind, int heads, int key, int value, bool causal) {
  LinearShape s;
  s.heads = heads;
  s.key_width = key;
  s.value_width = value;
  s.features.kind = kind;
  s.causal = causal;
  s.clamped = kind == Feature::Fourier || kind == Feature::Identity;
  s.epsilon = s.clamped ? 1e-3F : 1e-6F;
  return s;
}

// Sums of features of both signs, or of features that may be 0, may be near 0, where
// differences say nothing: a large epsilon keeps away from there.
LinearCase drawn_linear(Rng& rng, LinearShape s, int n, int m, bool gated) {
  if (s.clamped || s.features.kind == Feature::Relu) {
    s.epsilon = 0.5F;
  }
  LinearCase c(rng, s, n, m, gated);
  c.fix_references();
  return c;
}

}  // namespace

TEST_SUITE_BEGIN("attention");

TEST_CASE("linear attention is its double sum, for all features") {
  test::for_simd_targets([] {
    Rng rng(1);
    for (const Feature kind : kAllFeatures) {
      for (const bool causal : {false, true}) {
        for (const auto& [n, heads, key, value, m] : {std::array{0, 1, 4, 4, 5},
                                                      std::array{1, 2, 16, 16, 16},
                                                      std::array{33, 1, 1, 5, 3},
                                                      std::array{70, 2, 7, 70, 20}}) {
          const LinearCase c =
              drawn_linear(rng, shape_of(kind, heads, key, value, causal), n, m, false);
          LinearFast fast(c);
          fast.run();
          INFO(static_cast<int>(kind), " ", causal, " ", n);
          test::check_near(fast.o, c.plain(), 2e-5);
        }
      }
    }
  });
}

TEST_CASE("gradients of linear attention are its differences") {
  test::for_simd_targets([] {
    Rng rng(2);
    for (const Feature kind : kAllFeatures) {
      for (const int variant : {0, 1, 2}) {  // all tokens, causal, causal with a gate
        LinearCase c = drawn_linear(
            rng, shape_of(kind, 2, 3, 2, variant > 0), 37, 4, variant == 2);
        LinearFast fast(c);
        fast.run();
        Inside dq(37, 6);
        Inside dk(37, 6);
        Inside dv(37, 4);
        Inside dgate(variant == 2 ? 37 : 0, 2);
        std::vector<float> dsigma(2);
        attention::linear_backward(
            c.shape,
            fast.in(),
            fast.out(),
            fast.weight,
            {dq, dk, dv, variant == 2 ? dgate.view() : num::View{}, dsigma},
            fast.arena);
        const auto loss = [&] { return test::dot(c.plain(), c.weight); };
        INFO(static_cast<int>(kind), " ", variant);
        test::check_near(dq, test::differences(c.q, loss), 3e-5);
        test::check_near(dk, test::differences(c.k, loss), 3e-5);
        test::check_near(dv, test::differences(c.v, loss), 3e-5);
        if (variant == 2) {
          test::check_near(dgate, test::differences(c.gate, loss), 3e-5);
        }
        if (kind == Feature::Fourier) {
          const Table slope = test::differences(c.sigma, loss);
          for (int h = 0; h < 2; ++h) {
            CHECK(static_cast<double>(dsigma[static_cast<std::size_t>(h)]) ==
                  doctest::Approx(slope(0, h)).epsilon(1e-4).scale(1.0));
          }
        }
      }
    }
  });
}

TEST_CASE("linear attention token by token is the whole, and threads change no bit") {
  Rng rng(3);
  for (const Feature kind : kAllFeatures) {
    for (const bool gated : {false, true}) {
      const LinearCase c =
          drawn_linear(rng, shape_of(kind, 3, 6, 10, true), 50, 9, gated);
      LinearFast whole(c);
      whole.run();
      LinearFast steps(c);
      num::Buffer state(
          static_cast<std::size_t>(attention::linear_state_size(c.shape)));
      const auto row = [](num::View x, int t) {
        return num::View{x.row(t), 1, x.cols, x.stride};
      };
      for (int t = 0; t < 50; ++t) {
        attention::linear_scan(
            c.shape,
            {row(steps.q, t),
             row(steps.k, t),
             row(steps.v, t),
             gated ? row(steps.gate, t) : num::View{},
             steps.sigma},
            {row(steps.o, t), row(steps.sum, t), row(steps.reference, t)},
            state.span(),
            steps.arena);
      }
      test::check_near(steps.o, c.plain(), 2e-5);
      for (const int threads : {2, 4}) {
        LinearFast shared(c);
        shared.shape.threads = threads;
        shared.run();
        CHECK(test::equal(shared.o.view(), whole.o.view()));
      }
    }
  }
}

TEST_CASE("causal features know of no later token, not even by their reference") {
  Rng rng(4);
  for (const Feature kind : kAllFeatures) {
    LinearCase c = drawn_linear(rng, shape_of(kind, 1, 8, 8, true), 60, 16, false);
    LinearFast before(c);
    before.run();
    for (int j = 0; j < 8; ++j) {
      c.k(40, j) *= 30.0;
    }
    LinearFast after(c);
    after.run();
    for (int t = 0; t < 40; ++t) {
      for (int j = 0; j < 8; ++j) {
        CHECK(after.o(t, j) == before.o(t, j));
      }
    }
  }
}

TEST_CASE("linear attention of large numbers stays finite, and clamps are counted") {
  Rng rng(5);
  for (const Feature kind :
       {Feature::Relu, Feature::Elu, Feature::Positive, Feature::Fourier}) {
    for (const bool causal : {false, true}) {
      LinearCase c = drawn_linear(rng, shape_of(kind, 1, 4, 4, causal), 70, 16, false);
      for (std::size_t i = 0; i < c.k.data.size(); ++i) {
        c.k.data[i] *= 100.0;
        c.q.data[i] *= 100.0;
      }
      LinearFast fast(c);
      fast.shape.epsilon = 1e9F;
      CHECK(fast.run() == (fast.shape.clamped ? 70 : 0));
      for (int t = 0; t < 70; ++t) {
        CHECK(std::isfinite(fast.o(t, 3)));
      }
    }
  }
}

TEST_CASE("directions are orthogonal within a block and as long as normal vectors") {
  Rng rng(6);
  constexpr int kWidth = 8;
  num::Matrix directions(kWidth, 4000);
  num::Matrix transposed(4000, kWidth);
  Arena arena(1U << 16U);
  attention::draw_directions(rng, true, directions, transposed, arena);
  double length = 0.0;
  double fourth = 0.0;
  for (int m = 0; m < 4000; ++m) {
    double square = 0.0;
    double product = 0.0;
    for (int j = 0; j < kWidth; ++j) {
      CHECK(directions(j, m) == transposed(m, j));
      square += std::pow(static_cast<double>(transposed(m, j)), 2);
      product += static_cast<double>(transposed(m, j)) *
                 static_cast<double>(transposed(m % 8 == 0 ? m + 3 : m / 8 * 8, j));
    }
    CHECK(std::abs(product) < 1e-4);
    length += square / 4000.0;
    fourth += square * square / 4000.0;
  }
  // Squares are chi-squared of 8 degrees: mean 8, variance 16.
  CHECK(length == doctest::Approx(8.0).epsilon(0.04));
  CHECK(fourth - length * length == doctest::Approx(16.0).epsilon(0.2));
}

namespace {

constexpr int kKernelWidth = 6;
constexpr int kKernelFeatures = 12;

/// Products phi(x_0)'phi(x_1) with directions drawn again and again.
std::vector<double> products(
    Feature kind, const Table& x, bool orthogonal, float inverse_sigma, int draws) {
  Rng rng(7);
  std::vector<double> all;
  for (int draw = 0; draw < draws; ++draw) {
    num::Matrix directions(kKernelWidth, kKernelFeatures);
    num::Matrix transposed(kKernelFeatures, kKernelWidth);
    Arena arena(1U << 16U);
    attention::draw_directions(rng, orthogonal, directions, transposed, arena);
    const attention::FeatureMap map{
        kind, kKernelWidth, directions.view(), transposed.view()};
    attention::FeatureBlock block(map, arena);
    Inside tokens(x);
    block.read(tokens, inverse_sigma);
    const std::array zero = {0.0F, 0.0F};
    block.finish(zero.data());
    const int width = attention::feature_width(map);
    double sum = 0.0;
    for (int m = 0; m < width; ++m) {
      sum += static_cast<double>(block.phi()[m]) *
             static_cast<double>(block.phi()[width + m]);
    }
    all.push_back(sum);
  }
  return all;
}

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Moments m;
  for (const double value : values) {
    m.mean += value / n;
  }
  for (const double value : values) {
    m.variance += (value - m.mean) * (value - m.mean) / (n - 1.0);
  }
  return m;
}

double dot(const Table& x, int a, int b) {
  double sum = 0.0;
  for (int j = 0; j < kKernelWidth; ++j) {
    sum += x(a, j) * x(b, j);
  }
  return sum;
}

}  // namespace

TEST_CASE("products of random features are equal to kernels, on average") {
  Rng rng(7);
  constexpr int kDraws = 2000;
  const Table x = test::drawn_table(rng, 2, kKernelWidth, 0.8);
  const double positive =
      std::exp(dot(x, 0, 1) / std::sqrt(static_cast<double>(kKernelWidth)));
  const double cosine = dot(x, 0, 1) / std::sqrt(dot(x, 0, 0) * dot(x, 1, 1));
  for (const bool orthogonal : {false, true}) {
    CAPTURE(orthogonal);
    const Moments p = moments(products(Feature::Positive, x, orthogonal, 1.0F, kDraws));
    CHECK(std::abs(p.mean - positive) < 4.0 * std::sqrt(p.variance / kDraws));
    // |x - y|^2 = 2 - 2 cos of vectors of length 1.
    for (const float inverse_sigma : {0.5F, 1.0F, 1.5F}) {
      CAPTURE(inverse_sigma);
      const double gaussian = std::exp(
          -static_cast<double>(inverse_sigma * inverse_sigma) * (1.0 - cosine));
      const Moments f =
          moments(products(Feature::Fourier, x, orthogonal, inverse_sigma, kDraws));
      CHECK(std::abs(f.mean - gaussian) < 4.0 * std::sqrt(f.variance / kDraws));
    }
  }
}

TEST_CASE(
    "the variance of positive features follows from the norms, and is less for "
    "orthogonal ones") {
  Rng rng(9);
  constexpr int kDraws = 20000;
  const Table x = test::drawn_table(rng, 2, kKernelWidth, 0.4);
  // exp(x.y)^2 (exp(|x + y|^2) - 1) / m, with x and y divided by d^(1/4).
  const double root = std::sqrt(static_cast<double>(kKernelWidth));
  const double product = dot(x, 0, 1) / root;
  const double norm = (dot(x, 0, 0) + 2.0 * dot(x, 0, 1) + dot(x, 1, 1)) / root;
  const double expected = std::exp(2.0 * product) * std::expm1(norm) / kKernelFeatures;
  const Moments drawn = moments(products(Feature::Positive, x, false, 1.0F, kDraws));
  CHECK(drawn.variance == doctest::Approx(expected).epsilon(0.1));
  const Moments orthogonal =
      moments(products(Feature::Positive, x, true, 1.0F, kDraws));
  CHECK(orthogonal.variance < 0.95 * expected);
}

TEST_SUITE_END();
