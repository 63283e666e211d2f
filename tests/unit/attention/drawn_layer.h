#pragma once

#include "oa/attention/kind.h"
#include "oa/base/arena.h"
#include "oa/base/rng.h"
#include "oa/num/matrix.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace oa::test {

/// A layer whose parameters are drawn from a seed.
struct DrawnLayer {
  attention::Site site;
  parts::Layout layout;
  std::unique_ptr<const attention::Layer> layer;
  parts::Values values;
  parts::Weights weights;

  DrawnLayer(const attention::Kind& kind, attention::Site at, std::uint64_t seed)
      : site(std::move(at)),
        layer(kind.declare(site, layout)),
        values(layout),
        weights(layout) {
    parts::initialize(layout, Rng(seed), values);
    weights.set(values);
  }
};

/// Such a layer over one sequence, in just the memory that it takes.
struct DrawnAttention : DrawnLayer {
  Arena kept;
  Arena scratch;
  std::unique_ptr<attention::Attention> attention;

  DrawnAttention(const attention::Kind& kind,
                 const attention::Site& at,
                 std::uint64_t seed,
                 int tokens,
                 bool backward = true)
      : DrawnLayer(kind, at, seed) {
    const auto make = [&] {
      return layer->make(attention::Batch::of_one(tokens),
                         {.kept = kept, .scratch = scratch, .backward = backward});
    };
    (void)make();  // counts
    kept = Arena(kept.high_water());
    scratch = Arena(scratch.high_water());
    attention = make();
  }

  num::Matrix forward(num::ConstView x) {
    num::Matrix o(site.queries(x.rows), site.dim);
    attention->forward(weights, x, o);
    return o;
  }

  /// Adds the derivatives of the parameters to `gradient`.
  num::Matrix backward(num::ConstView x, num::ConstView d_o, parts::Values& gradient) {
    num::Matrix dx(x.rows, x.cols);
    attention->backward(weights, x, d_o, dx, gradient);
    return dx;
  }
};

/// The rows of a decoder that gets those of x one by one.
[[nodiscard]] inline num::Matrix decoded(attention::Decoder& decoder,
                                         const parts::Weights& weights,
                                         num::ConstView x,
                                         int width) {
  num::Matrix o(x.rows, width);
  for (int i = 0; i < x.rows; ++i) {
    decoder.step(
        weights, attention::row_block(x, i, 1), attention::row_block(o.view(), i, 1));
  }
  return o;
}

}  // namespace oa::test
