#include "survey/bench/approximation.h"

#include "oa/base/arena.h"
#include "oa/base/index.h"
#include "oa/base/rng.h"
#include "oa/num/matrix.h"
#include "oa/num/symmetric_eigen.h"
#include "survey/kernel/scan/feature_map.h"
#include "survey/kernel/scan/outer_scan.h"

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace oa::attention {
namespace {

using Dense = Eigen::MatrixXd;

Dense drawn(int rows, int cols, double deviation, Rng& rng) {
  Dense all(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      all(i, j) = deviation * rng.normal();
    }
  }
  return all;
}

double relative_error(const Dense& found, const Dense& exact) {
  return (found - exact).norm() / exact.norm();
}

/// Divides rows by their sums, which may be 0 or negative with random features.
Dense normalised(Dense weights) {
  constexpr double kMin = 1e-6;
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    weights.row(i) /= std::max(weights.row(i).sum(), kMin);
  }
  return weights;
}

Dense unit_rows(Dense x) {
  x.rowwise().normalize();
  return x;
}

/// Random queries, keys and values of a head, with their exact attention.
struct Head {
  Dense q;
  Dense k;
  Dense v;
  Dense kernel;   ///< exp(logits)
  Dense weights;  ///< softmax(logits)
  Dense outputs;

  Head(const ApproximationSettings& s, Rng& rng)
      : q(drawn(s.tokens, s.head_width, std::sqrt(s.spread), rng)),
        k(drawn(s.tokens, s.head_width, std::sqrt(s.spread), rng)),
        v(drawn(s.tokens, s.head_width, 1.0, rng)),
        kernel((q * k.transpose() / std::sqrt(s.head_width)).array().exp()),
        weights(normalised(kernel)),
        outputs(weights * v) {}
};

num::Matrix to_floats(const Dense& x) {
  num::Matrix all(static_cast<int>(x.rows()), static_cast<int>(x.cols()));
  for (int i = 0; i < all.rows(); ++i) {
    for (int j = 0; j < all.cols(); ++j) {
      all(i, j) = static_cast<float>(x(i, j));
    }
  }
  return all;
}

/// Computes features by the library's kernel, a token per row.
Dense features_of(const FeatureMap& map, const Dense& tokens) {
  const num::Matrix x = to_floats(tokens);
  const int width = feature_width(map);
  Arena arena(
      bytes_taken([&](Arena& counting) { return FeatureBlock(map, counting); }));
  FeatureBlock block(map, arena);
  const std::array<float, kScanSteps> reference{};
  Dense all(x.rows(), width);
  for (int begin = 0; begin < x.rows(); begin += kScanSteps) {
    const int count = std::min(kScanSteps, x.rows() - begin);
    block.read({x.row(begin), count, x.cols(), x.view().stride}, 1.0F);
    block.finish(reference.data());
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < width; ++j) {
        all(begin + i, j) = static_cast<double>(
            block.phi()[static_cast<std::ptrdiff_t>(i) * width + j]);
      }
    }
  }
  return all;
}

/// Returns phi(q)'phi(k) for all queries and keys, where phi are features.
Dense feature_products(Feature kind, int m, const Dense& q, const Dense& k, Rng& rng) {
  const int d = static_cast<int>(q.cols());
  num::Matrix directions(d, m);
  num::Matrix transposed(m, d);
  Arena arena((static_cast<std::size_t>(d) * static_cast<std::size_t>(d + 1) + 16) *
              sizeof(double));
  draw_directions(rng, true, directions, transposed, arena);
  const FeatureMap map{.kind = kind,
                       .head_width = d,
                       .directions = directions,
                       .transposed = transposed};
  return features_of(map, q) * features_of(map, k).transpose();
}

Approximation positive_features(const Head& head, int m, Rng& rng) {
  const Dense kernel = feature_products(Feature::Positive, m, head.q, head.k, rng);
  const double root = std::sqrt(static_cast<double>(head.q.cols()));
  const double square = std::max(head.q.rowwise().squaredNorm().maxCoeff(),
                                 head.k.rowwise().squaredNorm().maxCoeff()) /
                        root;  // R^2
  return {.weights = relative_error(kernel, head.kernel),
          .bound = std::sqrt((std::exp(4.0 * square) - 1.0) / m),
          .outputs = relative_error(normalised(kernel) * head.v, head.outputs)};
}

Approximation fourier_features(const Head& head, int m, Rng& rng) {
  const Dense q = unit_rows(head.q);
  const Dense k = unit_rows(head.k);
  // exp(-|q-k|^2 / 2) of unit vectors
  const Dense exact = ((q * k.transpose()).array() - 1.0).exp();
  const Dense kernel = feature_products(Feature::Fourier, m, head.q, head.k, rng);
  return {.weights = relative_error(kernel, exact),
          .outputs =
              relative_error(normalised(kernel) * head.v, normalised(exact) * head.v)};
}

Approximation largest_logits(const Head& head, int count, Rng& /*rng*/) {
  Dense kept = Dense::Zero(head.weights.rows(), head.weights.cols());
  double left_out = 0.0;
  std::vector<Eigen::Index> order(static_cast<std::size_t>(kept.cols()));
  for (Eigen::Index i = 0; i < kept.rows(); ++i) {
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::ranges::stable_sort(
        order, std::greater{}, [&](Eigen::Index j) { return head.weights(i, j); });
    for (const Eigen::Index j : std::span(order).first(
             std::min(order.size(), static_cast<std::size_t>(count)))) {
      kept(i, j) = head.weights(i, j);
    }
    left_out += 1.0 - kept.row(i).sum();
  }
  kept = normalised(kept);
  const auto rows = static_cast<double>(kept.rows());
  return {.weights = (kept - head.weights).lpNorm<1>() / rows,
          .bound = 2.0 * left_out / rows,
          .outputs = relative_error(kept * head.v, head.outputs)};
}

Approximation random_projection(const Head& head, int rank, Rng& rng) {
  const Dense e =
      drawn(rank, static_cast<int>(head.k.rows()), std::sqrt(1.0 / rank), rng);
  const double root = std::sqrt(static_cast<double>(head.q.cols()));
  const Dense weights =
      normalised((head.q * (e * head.k).transpose() / root).array().exp().matrix()) * e;
  return {.weights = relative_error(weights, head.weights),
          .outputs = relative_error(weights * head.v, head.outputs)};
}

Approximation best_of_rank(const Head& head, int rank, Rng& /*rng*/) {
  Dense vectors = head.weights.transpose() * head.weights;
  num::replace_by_eigenvectors({vectors.data(), at(vectors.size())},
                               static_cast<int>(vectors.rows()));
  const Dense largest =
      vectors.rightCols(std::min<Eigen::Index>(rank, head.weights.cols()));
  const Dense weights = head.weights * largest * largest.transpose();
  return {.weights = relative_error(weights, head.weights),
          .outputs = relative_error(weights * head.v, head.outputs)};
}

struct Method {
  const char* name;
  std::array<int, 3> sizes;
  Approximation (*measure)(const Head& head, int size, Rng& rng);
};

constexpr std::array kMethods{Method{"positive", {16, 64, 256}, positive_features},
                              Method{"fourier", {16, 64, 256}, fourier_features},
                              Method{"topk", {4, 16, 64}, largest_logits},
                              Method{"linformer", {16, 64, 256}, random_projection},
                              Method{"rank", {4, 16, 64}, best_of_rank}};

}  // namespace

std::vector<Approximation> approximation_errors(const ApproximationSettings& s) {
  std::vector<Approximation> all;
  for (const Method& method : kMethods) {
    for (const int size : method.sizes) {
      Approximation mean{.method = method.name, .size = size};
      for (int draw = 0; draw < s.draws; ++draw) {
        Rng rng = Rng(1).fork(static_cast<std::uint64_t>(draw));
        const Head head(s, rng);
        const Approximation one = method.measure(head, size, rng);
        mean.weights += one.weights / s.draws;
        mean.outputs += one.outputs / s.draws;
        if (one.bound) {
          mean.bound = mean.bound.value_or(0.0) + *one.bound / s.draws;
        }
      }
      all.push_back(std::move(mean));
    }
  }
  return all;
}

}  // namespace oa::attention
