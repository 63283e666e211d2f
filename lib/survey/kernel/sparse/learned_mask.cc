#include "survey/kernel/sparse/learned_mask.h"

#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/num/rows.h"
#include "survey/kernel/pattern/patterns.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace oa::attention {
namespace {

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

double logistic(Rng& rng) {
  constexpr double kHalfStep = 0x1p-54;  // uniform() may be 0, but this sum may not
  const double u = rng.uniform() + kHalfStep;
  return std::log(u) - std::log1p(-u);
}

double inner(const float* a, const float* b, int count) {
  double sum = 0.0;
  for (int c = 0; c < count; ++c) {
    sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  }
  return sum;
}

// Computes gradients of the tiles of one group, and sums dM for each parameter.
class GateGradients {
 public:
  GateGradients(const HeadsView& x,
                const OpenedMask& mask,
                const MaskForward& forward,
                num::ConstView d_o,
                std::span<float> keep,
                std::span<float> gates,
                std::span<float> sums)
      : x_(x),
        mask_(mask),
        forward_(forward),
        d_o_(d_o),
        keep_(keep),
        gates_(gates),
        sums_(sums) {}

  void visit(const Tile& tile) {
    const int block = mask_.shape.block;
    int rows_block = -1;
    for (int r = 0; r < tile.logits.rows; ++r) {
      const int query_block = (tile.first_query + r) / block;
      if (query_block != rows_block) {
        finish(tile, rows_block);
        rows_block = query_block;
        begin(tile, rows_block);
      }
      differentiate_row(tile, r);
    }
    finish(tile, rows_block);
  }

 private:
  void begin(const Tile& tile, int query_block) {
    for (int j = 0; j < tile.logits.cols; ++j) {
      const int key_block = (tile.first_key + j) / mask_.shape.block;
      keep_[at(j)] = mask_.keeps(query_block, key_block) ? 1.0F : 0.0F;
    }
    std::ranges::fill(gates_, 0.0F);
  }

  void finish(const Tile& tile, int query_block) {
    for (int j = 0; query_block >= 0 && j < tile.logits.cols; ++j) {
      const int key_block = (tile.first_key + j) / mask_.shape.block;
      if (key_block != query_block) {
        sums_[at(mask_.shape.parameter(query_block, key_block))] += gates_[at(j)];
      }
    }
  }

  void differentiate_row(const Tile& tile, int r) {
    const int i = tile.first_query + r;
    const int seen = tile.seen(r, mask_.causal);
    const int first = tile.head * x_.width();
    const double mean =
        inner(d_o_.row(i) + first, forward_.o.row(i) + first, x_.width());
    differentiate({first_of_row(tile.logits, r, seen),
                   first_of_row(tile.d_weights, r, seen),
                   keep_.first(at(seen)),
                   gates_.first(at(seen)),
                   forward_.log_sums(tile.head, i),
                   static_cast<float>(mean),
                   x_.scale});
    for (const num::View& part : {tile.logits, tile.d_weights}) {
      std::fill(part.row(r) + seen, part.row(r) + part.cols, 0.0F);
    }
  }

  const HeadsView& x_;
  const OpenedMask& mask_;
  const MaskForward& forward_;
  num::ConstView d_o_;
  std::span<float> keep_;
  std::span<float> gates_;
  std::span<float> sums_;
};

}  // namespace

void open_gates(std::span<const float> theta,
                float temperature,
                std::optional<Rng> rng,
                std::span<float> gates) {
  assert(theta.size() == gates.size() && temperature > 0.0F);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double noise = rng ? logistic(*rng) : 0.0;
    const double logit = static_cast<double>(theta[p]) + noise;
    gates[p] = static_cast<float>(sigmoid(logit / static_cast<double>(temperature)));
  }
}

Pattern mask_pattern(const MaskShape& shape,
                     std::span<const float> gates,
                     int n,
                     bool causal) {
  assert(std::ssize(gates) == shape.parameters());
  const int blocks = (n + shape.block - 1) / shape.block;
  assert(blocks <= shape.blocks);
  const OpenedMask mask{shape, gates, 1.0F, causal};
  std::vector<std::uint8_t> allowed;
  for (int i = 0; i < blocks; ++i) {
    for (int j = 0; j < blocks; ++j) {
      allowed.push_back(mask.keeps(i, j) ? 1 : 0);
    }
  }
  return blocks_pattern(n, shape.block, allowed, causal);
}

double mask_penalty(std::span<const float> theta,
                    float lambda,
                    std::span<float> d_theta) {
  assert(theta.size() == d_theta.size());
  const double share = static_cast<double>(lambda) / static_cast<double>(theta.size());
  double sum = 0.0;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double s = sigmoid(static_cast<double>(theta[p]));
    sum += s;
    d_theta[p] += static_cast<float>(share * s * (1.0 - s));
  }
  return share * sum;
}

MaskScratch mask_scratch(const HeadsView& x,
                         const MaskShape& shape,
                         int threads,
                         Arena& arena) {
  MaskScratch s;
  for (int w = 0; w < threads; ++w) {
    s.tiles.push_back(tile_scratch(x, arena));
  }
  const int keys = s.tiles.front().logits.cols;
  s.keep = num::zeros(threads, keys, arena);
  s.gates = num::zeros(threads, keys, arena);
  s.parameters = num::zeros(x.groups, shape.parameters(), arena);
  return s;
}

void mask_backward(const HeadsView& x,
                   const OpenedMask& mask,
                   const MaskForward& forward,
                   num::ConstView d_o,
                   const HeadsGradient& gradient,
                   std::span<float> d_theta,
                   const MaskScratch& scratch,
                   int threads) {
  assert(well_formed(x) && x.q.rows == x.k.rows);
  assert(std::ssize(d_theta) == mask.shape.parameters());
  num::fill(scratch.parameters, 0.0F);
  parallel_for(x.groups, threads, [&](std::int64_t job, int w) {
    const auto group = static_cast<int>(job);
    GateGradients gates(
        x,
        mask,
        forward,
        d_o,
        first_of_row(scratch.keep, w, scratch.keep.cols),
        first_of_row(scratch.gates, w, scratch.gates.cols),
        first_of_row(scratch.parameters, group, mask.shape.parameters()));
    backward_by_tiles(x,
                      group,
                      mask.causal,
                      d_o,
                      gradient,
                      scratch.tiles[at(w)],
                      [&](const Tile& tile) { gates.visit(tile); });
  });
  for (int group = 0; group < x.groups; ++group) {
    for (std::size_t p = 0; p < d_theta.size(); ++p) {
      const float g = mask.gates[p];
      d_theta[p] +=
          scratch.parameters.row(group)[p] * g * (1.0F - g) / mask.temperature;
    }
  }
}

}  // namespace oa::attention
