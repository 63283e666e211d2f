#include "oa/train/adam.h"

#include <cmath>

namespace oa::train {

void Adam::step(const parts::Layout& layout,
                const parts::Values& gradient,
                double rate,
                double weight_decay,
                std::int64_t count,
                parts::Values& values) {
  const auto t = static_cast<double>(count + 1);
  const double correct1 = 1.0 - std::pow(static_cast<double>(kBeta1), t);
  const double correct2 = 1.0 - std::pow(static_cast<double>(kBeta2), t);
  const auto scale = static_cast<float>(rate / correct1);
  const auto inverse = static_cast<float>(1.0 / std::sqrt(correct2));
  for (int k = 0; k < static_cast<int>(std::ssize(layout.tensors())); ++k) {
    const bool matrix = layout[k].shape.size() == 2;
    const auto keep = static_cast<float>(matrix ? 1.0 - rate * weight_decay : 1.0);
    const num::ConstView g = gradient.matrix(k);
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(g.rows) * g.stride;
    float* const w = values.matrix(k).data;
    float* const m = first.matrix(k).data;
    float* const v = second.matrix(k).data;
    for (std::ptrdiff_t i = 0; i < size; ++i) {
      const float gi = g.data[i];
      m[i] = kBeta1 * m[i] + (1.0F - kBeta1) * gi;
      v[i] = kBeta2 * v[i] + (1.0F - kBeta2) * gi * gi;
      w[i] = keep * w[i] - scale * m[i] / (std::sqrt(v[i]) * inverse + kEpsilon);
    }
  }
}

}  // namespace oa::train
