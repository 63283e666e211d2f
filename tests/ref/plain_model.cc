#include "ref/plain_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace oa::test {
namespace {

Plain multiplied(Plain a, double by) {
  for (double& v : a.data) {
    v *= by;
  }
  return a;
}

Plain sum(Plain a, const Plain& b) {
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    a.data[i] += b.data[i];
  }
  return a;
}

void softmax_rows(Plain& a) {
  for (int i = 0; i < a.rows; ++i) {
    double total = 0.0;
    for (int j = 0; j < a.cols; ++j) {
      a(i, j) = std::exp(a(i, j));
      total += a(i, j);
    }
    for (int j = 0; j < a.cols; ++j) {
      a(i, j) /= total;
    }
  }
}

double best_value(double centre, double curvature, double penalty) {
  if (penalty == 0.0) {
    return std::clamp(centre, 0.0, 1.0);
  }
  const double size = std::max(0.0, std::abs(centre) - penalty / curvature);
  return centre < 0.0 ? -size : size;
}

}  // namespace

Plain plain(num::ConstView a) {
  Plain p(a.rows, a.cols);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; ++j) {
      p(i, j) = static_cast<double>(a(i, j));
    }
  }
  return p;
}

Plain product(const Plain& a, const Plain& b) {
  Plain c(a.rows, b.cols);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.cols; ++j) {
      for (int k = 0; k < a.cols; ++k) {
        c(i, j) += a(i, k) * b(k, j);
      }
    }
  }
  return c;
}

Plain transposed(const Plain& a) {
  Plain t(a.cols, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.cols; ++j) {
      t(j, i) = a(i, j);
    }
  }
  return t;
}

Plain layer_norm(const Plain& x,
                 std::span<const double> gain,
                 std::span<const double> shift) {
  Plain y(x.rows, x.cols);
  for (int i = 0; i < x.rows; ++i) {
    double mean = 0.0;
    double variance = 0.0;
    for (int j = 0; j < x.cols; ++j) {
      mean += x(i, j) / x.cols;
    }
    for (int j = 0; j < x.cols; ++j) {
      variance += (x(i, j) - mean) * (x(i, j) - mean) / x.cols;
    }
    for (int j = 0; j < x.cols; ++j) {
      const auto k = static_cast<std::size_t>(j);
      y(i, j) = (x(i, j) - mean) / std::sqrt(variance + 1e-5) * gain[k] + shift[k];
    }
  }
  return y;
}

double gelu(double x) {
  const double u = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1.0 + std::tanh(u));
}

Plain plain_coefficients(const Plain& j, const Plain& h, double penalty) {
  Plain x(h.rows, h.cols);
  for (int q = 0; q < h.rows; ++q) {
    for (int round = 0; round < 1000000; ++round) {
      double moved = 0.0;
      for (int i = 0; i < j.rows; ++i) {
        double gradient = h(q, i);
        for (int k = 0; k < j.rows; ++k) {
          gradient += j(i, k) * x(q, k);
        }
        const double next = best_value(x(q, i) - gradient / j(i, i), j(i, i), penalty);
        moved = std::max(moved, std::abs(next - x(q, i)));
        x(q, i) = next;
      }
      if (moved < 1e-13) {
        break;
      }
    }
  }
  return x;
}

PlainModel::PlainModel(const model::Model& model) : config_(model.config) {
  for (int k = 0; k < static_cast<int>(std::ssize(model.layout.tensors())); ++k) {
    names_.push_back(model.layout[k].name);
    values_.push_back(plain(model.values.matrix(k)));
  }
}

double& PlainModel::parameter(int tensor, int row, int col) {
  return values_[static_cast<std::size_t>(tensor)](row, col);
}

bool PlainModel::has(const std::string& name) const {
  return std::ranges::find(names_, name) != names_.end();
}

const Plain& PlainModel::get(const std::string& name) const {
  return values_[static_cast<std::size_t>(std::ranges::find(names_, name) -
                                          names_.begin())];
}

Plain PlainModel::linear(const std::string& name, const Plain& x) const {
  Plain y = product(x, transposed(get(name + ".weight")));
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.cols; ++j) {
      y(i, j) += get(name + ".bias")(0, j);
    }
  }
  return y;
}

Plain PlainModel::norm(const std::string& name, const Plain& x) const {
  return layer_norm(x, get(name + ".weight").data, get(name + ".bias").data);
}

Plain PlainModel::mlp(const std::string& a,
                      const std::string& b,
                      const Plain& x) const {
  Plain hidden = linear(a, x);
  std::ranges::transform(hidden.data, hidden.data.begin(), gelu);
  return linear(b, hidden);
}

Plain PlainModel::tokens(std::span<const float> image) const {
  const model::Config& c = config_;
  Plain x(c.tokens(), c.window_size());
  for (int t = 0; t < x.rows; ++t) {
    for (int k = 0; k < x.cols; ++k) {
      const int row = t / c.grid_cols() * c.stride - c.margin + k / c.window;
      const int col = t % c.grid_cols() * c.stride - c.margin + k % c.window;
      const bool inside = row >= 0 && row < c.rows && col >= 0 && col < c.cols;
      const auto at = static_cast<std::size_t>(row * c.cols + col);
      x(t, k) = inside ? static_cast<double>(image[at]) : -1.0;
    }
  }
  if (c.patch_norm) {
    x = norm("to_patch_embedding.1", x);
  }
  if (c.embedding == model::Embedding::Mlp) {
    x = mlp("embedding.0", "embedding.2", x);
  }
  if (has("pos_embedding")) {
    const Plain& positions = get("pos_embedding");
    for (int t = 0; t < x.rows; ++t) {
      for (int k = 0; k < x.cols; ++k) {
        x(t, k) += positions(t, k);
      }
    }
  }
  return x;
}

Plain PlainModel::optimize(const Plain& q, const Plain& v) const {
  const bool lasso = config_.coefficients == Coefficients::Lasso;
  const double penalty = config_.lambda / v.rows;
  const Plain scaled = multiplied(v, config_.value_scale / v.rows);
  const Plain j = multiplied(product(scaled, transposed(scaled)), 2.0);
  Plain h = multiplied(product(q, transposed(scaled)), -2.0);
  for (double& value : h.data) {
    value += lasso ? 0.0 : penalty;
  }
  Plain x = plain_coefficients(j, h, lasso ? penalty : 0.0);
  for (int i = 0; i < x.rows; ++i) {
    double total = 1e-10;
    for (int k = 0; k < x.cols; ++k) {
      if (config_.coefficients == Coefficients::Binary) {
        x(i, k) = x(i, k) > 0.5 ? 1.0 : 0.0;
      }
      if (config_.normalization == attention::Normalization::Fifth) {
        x(i, k) = std::pow(x(i, k), 5.0);
      }
      total += std::abs(x(i, k));
    }
    const bool plain = config_.normalization == attention::Normalization::None;
    for (int k = 0; k < x.cols && !plain; ++k) {
      x(i, k) /= total;
    }
  }
  return product(x, v);
}

Plain PlainModel::attend(const std::string& prefix, const Plain& x) const {
  const std::string& kind = config_.attention;
  if (kind == "mlp") {
    Plain o = linear(prefix + "mlp.0", x);
    std::ranges::transform(
        o.data, o.data.begin(), [](double v) { return std::max(v, 0.0); });
    return o;
  }
  const auto projected = [&](const std::string& name) {
    return norm(prefix + name + ".1", linear(prefix + name + ".0", x));
  };
  const double divisor = config_.divide_output ? 1.0 / x.rows : 1.0;
  if (kind == "query") {
    return multiplied(projected("Wq"), divisor);
  }
  const Plain v = projected("Wv");
  if (kind == "uniform") {
    Plain even(config_.query_count(), x.rows);
    std::ranges::fill(even.data, 1.0 / x.rows);
    return multiplied(product(even, v), divisor);
  }
  const Plain q = config_.queries > 0 ? get("queries") : projected("Wq");
  if (kind == "softmax") {
    Plain s = multiplied(product(q, transposed(projected("Wk"))),
                         1.0 / std::sqrt(static_cast<double>(config_.dim)));
    softmax_rows(s);
    return product(s, v);
  }
  return multiplied(optimize(q, v), divisor);
}

std::vector<double> PlainModel::scores(std::span<const float> image) const {
  Plain x = tokens(image);
  for (int l = 0; l < config_.layers; ++l) {
    const std::string prefix = l == 0 ? "" : "layers." + std::to_string(l) + ".";
    x = attend(prefix, x);
    if (config_.token_mlp > 0) {
      Plain in = norm(prefix + "token_mlp.0", x);
      if (config_.query_positions) {
        in = sum(in, get(prefix + "query_embedding"));
      }
      x = sum(x, mlp(prefix + "token_mlp.1", prefix + "token_mlp.3", in));
    }
  }
  Plain pooled(1, x.rows * x.cols);
  pooled.data = x.data;
  if (config_.pooling == model::Pooling::Mean) {
    pooled = Plain(1, x.cols);
    for (int i = 0; i < x.rows; ++i) {
      for (int k = 0; k < x.cols; ++k) {
        pooled(0, k) += x(i, k) / x.rows;
      }
    }
  }
  const std::string head = config_.attention == "mlp" ? "softmax" : "mlp.net";
  const Plain in = norm(head + ".0", pooled);
  return (config_.head > 0 ? mlp(head + ".1", head + ".3", in)
                           : linear(head + ".1", in))
      .data;
}

double PlainModel::loss(std::span<const float> image, int label) const {
  const std::vector<double> s = scores(image);
  double total = 0.0;
  for (const double value : s) {
    total += std::exp(value);
  }
  return std::log(total) - s[static_cast<std::size_t>(label)];
}

}  // namespace oa::test
