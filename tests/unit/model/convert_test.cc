#include "oa/model/convert.h"

#include "oa/base/error.h"
#include "oa/num/rows.h"
#include "oa_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace oa;
using model::Sharing;

namespace {

constexpr std::array kAll{
    Sharing::Mean, Sharing::First, Sharing::Aligned, Sharing::Svd};

model::Config config_of(const std::string& attention) {
  model::Config c;
  c.attention = attention;
  c.rows = c.cols = 12;
  c.dim = 32;
  c.layers = 2;
  c.classes = 5;
  return c;
}

model::Model random_model(const std::string& attention) {
  model::Model m(config_of(attention));
  parts::initialize(m.layout, Rng(7), m.values);
  return m;
}

num::View tensor(model::Model& m, const std::string& name) {
  const auto found = std::ranges::find(m.layout.tensors(), name, &parts::Tensor::name);
  REQUIRE(found != m.layout.tensors().end());
  return m.values.matrix(static_cast<int>(found - m.layout.tensors().begin()));
}

std::vector<float> scores(const model::Model& m, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> image(144);
  for (float& pixel : image) {
    pixel = static_cast<float>(rng.uniform(-1.0, 1.0));
  }
  model::Network network(m.config);
  parts::Weights weights(m.layout);
  weights.set(m.values);
  const auto all = model::first_row(network.forward(weights, image));
  return {all.begin(), all.end()};
}

double difference(const model::Model& a, const model::Model& b) {
  double most = 0.0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto x = scores(a, seed);
    const auto y = scores(b, seed);
    for (std::size_t k = 0; k < x.size(); ++k) {
      most = std::max(most,
                      std::abs(static_cast<double>(x[k]) - static_cast<double>(y[k])));
    }
  }
  return most;
}

// Rows (or columns) `first` and the next are rotated in their plane: what Wq_h and
// Wk_h, or Wv_h and Wo_h, can go through together.

void turn_rows(num::View w, int first, double angle) {
  const auto c = static_cast<float>(std::cos(angle));
  const auto s = static_cast<float>(std::sin(angle));
  for (int j = 0; j < w.cols; ++j) {
    const float a = w(first, j);
    const float b = w(first + 1, j);
    w(first, j) = c * a - s * b;
    w(first + 1, j) = s * a + c * b;
  }
}

void turn_columns(num::View w, int first, double angle) {
  const auto c = static_cast<float>(std::cos(angle));
  const auto s = static_cast<float>(std::sin(angle));
  for (int i = 0; i < w.rows; ++i) {
    const float a = w(i, first);
    const float b = w(i, first + 1);
    w(i, first) = c * a - s * b;
    w(i, first + 1) = s * a + c * b;
  }
}

/// The heads' logits X Wq_h' Wk_h X' one below the other, for random rows X.
std::vector<double> logits(model::Model& m, int heads, int key_heads) {
  const num::View q = tensor(m, "Wq.weight");
  const num::View k = tensor(m, "Wk.weight");
  const int d = q.rows / heads;
  constexpr int kRows = 40;
  Rng rng(3);
  std::vector<double> x(static_cast<std::size_t>(kRows * q.cols));
  for (double& value : x) {
    value = rng.normal();
  }
  const auto product = [&](num::View w, int row, int token) {
    double sum = 0.0;
    for (int j = 0; j < w.cols; ++j) {
      sum += static_cast<double>(w(row, j)) *
             x[static_cast<std::size_t>(token * w.cols + j)];
    }
    return sum;
  };
  std::vector<double> all;
  for (int h = 0; h < heads; ++h) {
    const int g = h * key_heads / heads;
    for (int a = 0; a < kRows; ++a) {
      for (int b = 0; b < kRows; ++b) {
        double sum = 0.0;
        for (int i = 0; i < d; ++i) {
          sum += product(q, h * d + i, a) * product(k, g * d + i, b);
        }
        all.push_back(sum);
      }
    }
  }
  return all;
}

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  double error = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    error += (a[k] - b[k]) * (a[k] - b[k]);
    size += a[k] * a[k];
  }
  return std::sqrt(error / size);
}

/// The first layer's heads of each group of `per_group` become rotations of the first.
void make_heads_turns_of_each_other(model::Model& m, int heads, int per_group) {
  const num::View q = tensor(m, "Wq.weight");
  const num::View k = tensor(m, "Wk.weight");
  const num::View v = tensor(m, "Wv.weight");
  const num::View o = tensor(m, "Wo.weight");
  const int d = q.rows / heads;
  for (int h = 0; h < heads; ++h) {
    const int first = h / per_group * per_group;
    for (int i = 0; i < d; ++i) {
      std::copy_n(k.row(first * d + i), k.cols, k.row(h * d + i));
      std::copy_n(v.row(first * d + i), v.cols, v.row(h * d + i));
    }
    for (int i = 0; i + 1 < d; ++i) {
      const double angle = 0.3 + h + i;
      turn_rows(q, h * d + i, angle);
      turn_rows(k, h * d + i, angle);
      turn_rows(v, h * d + i, 2.0 * angle);
      turn_columns(o, h * d + i, 2.0 * angle);
    }
  }
}

const std::string kPlain = ":heads=8,plain=true,output=true";

}  // namespace

TEST_SUITE_BEGIN("model");

TEST_CASE("a kind takes the parameters of another with the same tensors") {
  const model::Model from = random_model("softmax:heads=8");
  const model::Model to =
      model::with_config(from, config_of("flash2:heads=8"), "m.bin");
  CHECK(to.config.attention == "flash2:heads=8");
  CHECK(difference(from, to) < 1e-5);
}

TEST_CASE("the first tensor that does not fit is named") {
  const model::Model from = random_model("softmax:heads=8");
  const auto refusal = [&](const std::string& attention) {
    return test::message_of<InputError>(
        [&] { (void)model::with_config(from, config_of(attention), "m.bin"); });
  };
  CHECK(refusal("gqa:heads=8,groups=2") ==
        "m.bin: tensor Wk.0.weight is 32x16 (the new model's is 8x16)");
  CHECK(refusal("softmax:heads=8,output=true") ==
        "m.bin: no tensor Wo.weight (the new model has one of 32x32)");
  CHECK(refusal("identity-qk") == "m.bin: tensor Wq.0.weight (the new model has none)");
}

TEST_CASE("a conversion to as many groups as heads keeps the model, for every method") {
  const model::Model from = random_model("softmax" + kPlain);
  for (const Sharing how : kAll) {
    const model::Model to =
        model::convert(from, config_of("gqa" + kPlain + ",groups=8"), how, {}, "m");
    CHECK(difference(from, to) < 1e-5);
  }
}

TEST_CASE("heads that are rotations of one head are shared exactly") {
  model::Model from = random_model("softmax" + kPlain + ",softmax" + kPlain);
  make_heads_turns_of_each_other(from, 8, 4);
  const model::Config to = config_of("gqa" + kPlain + ",groups=2,softmax" + kPlain);
  CHECK(difference(from, model::convert(from, to, Sharing::Aligned, {}, "m")) < 1e-4);
  CHECK(difference(from, model::convert(from, to, Sharing::Svd, {}, "m")) < 1e-4);
  CHECK(difference(from, model::convert(from, to, Sharing::Mean, {}, "m")) > 1e-3);
}

TEST_CASE("equal heads are shared exactly with biases and normalisations, too") {
  model::Model from = random_model("softmax:heads=8");
  for (const char* layer : {"", "layers.1."}) {
    for (const char* map : {"Wk.0.", "Wv.0."}) {
      const std::string name = std::string(layer) + map;
      const num::View w = tensor(from, name + "weight");
      const num::View bias = tensor(from, name + "bias");
      for (int i = 4; i < w.rows; ++i) {
        std::copy_n(w.row(i % 4), w.cols, w.row(i));
        bias(0, i) = bias(0, i % 4);
      }
    }
  }
  for (const Sharing how : {Sharing::Mean, Sharing::First}) {
    const model::Model to =
        model::convert(from, config_of("mqa:heads=8"), how, {}, "m");
    CHECK(difference(from, to) < 1e-5);
  }
}

TEST_CASE("for random heads the singular vectors keep most, the first head least") {
  model::Config c = config_of("softmax" + kPlain);
  c.layers = 1;
  c.window = c.stride = 6;  // 36 pixels
  std::map<Sharing, double> error;
  constexpr int kRuns = 8;
  for (int run = 0; run < kRuns; ++run) {
    model::Model from(c);
    parts::initialize(from.layout, Rng(static_cast<std::uint64_t>(run)), from.values);
    model::Config shared = c;
    shared.attention = "mqa" + kPlain;
    for (const Sharing how : kAll) {
      model::Model to = model::convert(from, shared, how, {}, "m");
      error[how] += relative_error(logits(from, 8, 8), logits(to, 8, 1)) / kRuns;
    }
  }
  CHECK(error[Sharing::Svd] == doctest::Approx(0.81).epsilon(0.05));
  CHECK(error[Sharing::Aligned] < error[Sharing::Mean]);
  CHECK(error[Sharing::Mean] == doctest::Approx(0.93).epsilon(0.05));
  CHECK(error[Sharing::First] == doctest::Approx(1.32).epsilon(0.05));
}

TEST_CASE("heads that cannot be rotated or grouped are refused") {
  const auto refusal = [](const std::string& from, const std::string& to, Sharing how) {
    return test::message_of<InputError>(
        [&] { (void)model::convert(random_model(from), config_of(to), how, {}, "m"); });
  };
  CHECK(refusal("softmax:heads=8", "mqa:heads=8", Sharing::Svd) ==
        "m: heads can be turned only with plain=true,output=true (the conversions mean "
        "and first do not turn them)");
  CHECK(refusal("softmax:heads=8", "mqa:heads=4", Sharing::Mean) ==
        "m: heads=8 cannot become heads=4");
  CHECK(refusal("gqa:heads=8,groups=2", "gqa:heads=8,groups=4", Sharing::Mean) ==
        "m: 2 heads with keys cannot become 4");
}

TEST_CASE("groups may be shared again") {
  const model::Model heads = random_model("softmax" + kPlain);
  const model::Model groups = model::convert(
      heads, config_of("gqa" + kPlain + ",groups=4"), Sharing::Mean, {}, "m");
  const model::Model twice =
      model::convert(groups, config_of("mqa" + kPlain), Sharing::Mean, {}, "m");
  const model::Model once =
      model::convert(heads, config_of("mqa" + kPlain), Sharing::Mean, {}, "m");
  CHECK(difference(once, twice) < 1e-5);
}

TEST_CASE("heads that are merged entirely compute the same as shared heads") {
  for (const std::string& options : {std::string(":heads=8"), kPlain}) {
    const model::Model from = random_model("softmax" + options);
    const model::Config shared = config_of("gqa" + options + ",groups=2");
    const model::Config before = model::before_sharing(from, shared, "m");
    CHECK(before.attention == "gqa" + options + ",groups=8*2");
    model::Model own = model::with_config(from, before, "m");
    const model::GroupMeans means(own, shared);
    model::Model half = own;
    means.draw_together(0.5, half.values);
    means.draw_together(1.0, own.values);
    const model::Model result = model::convert(from, shared, Sharing::Mean, {}, "m");
    CHECK(difference(own, result) < 1e-5);
    CHECK(difference(half, result) > 1e-4);
    CHECK(difference(model::convert(half, shared, Sharing::Mean, {}, "m"), result) <
          1e-5);
  }
}

TEST_CASE("drawing together is its own transpose") {
  const model::Model a = random_model("softmax" + kPlain);
  model::Model b = a;
  parts::initialize(b.layout, Rng(8), b.values);
  const model::GroupMeans means(a, config_of("mqa" + kPlain));
  const auto inner = [](const parts::Values& x, const parts::Values& y) {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.flat().size(); ++k) {
      sum += static_cast<double>(x.flat()[k]) * static_cast<double>(y.flat()[k]);
    }
    return sum;
  };
  parts::Values drawn_a = a.values;
  parts::Values drawn_b = b.values;
  means.draw_together(0.3, drawn_a);
  means.draw_together(0.3, drawn_b);
  CHECK(inner(drawn_a, b.values) == doctest::Approx(inner(a.values, drawn_b)));
}

TEST_SUITE_END();
