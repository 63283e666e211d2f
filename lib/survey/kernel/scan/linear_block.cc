#include "survey/kernel/scan/linear_block.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace oa::attention {
namespace {

constexpr float kLargestSum = 20.0F;

float log_sigmoid(float x) {
  return std::fmin(x, 0.0F) - std::log1p(std::exp(-std::fabs(x)));
}

float sigmoid(float x) {
  return 1.0F / (1.0F + std::exp(-x));
}

}  // namespace

float log_factor(const LinearShape& s,
                 const LinearInput& in,
                 num::ConstView reference,
                 float before,
                 int t,
                 int head) {
  float log = 0.0F;
  if (s.features.kind == Feature::Positive) {
    log += before - reference(t, head);
  }
  if (in.gate.data != nullptr) {
    log += log_sigmoid(in.gate(t, head));
  }
  return log;
}

float key_weight(const LinearInput& in, int t, int head) {
  return in.gate.data == nullptr ? 1.0F : sigmoid(-in.gate(t, head));
}

void ScalarDecays::make(int count) {
  std::array<float, kScanSteps + 1> factor;
  used = 0;
  ScanSegment segment{0, 0, nullptr};
  float sum = 0.0F;
  bool moves = false;
  for (int t = 0; t < count; ++t) {
    sum += logs[at(t)];
    moves = moves || sum != 0.0F;
    begins[at(t)] = 1.0F;
    if (std::fabs(sum) > kLargestSum) {
      segment.end = t;
      segments[at(used)] = segment;
      begins[at(t)] = factor[at(used)] = std::exp(sum);
      segment = {t, t, factors + used++ * width};
      sum = 0.0F;
    }
    shrink[at(t)] = moves ? std::exp(sum) : 1.0F;
    grow[at(t)] = moves ? std::exp(-sum) : 1.0F;
  }
  segment.end = count;
  segments[at(used)] = segment;
  if (moves) {
    factor[at(used)] = std::exp(sum);
    segments[at(used) + 1] = {count, count, factors + used * width};
    ++used;
  }
  for (int i = 0; i < used; ++i) {
    std::fill_n(factors + i * width, width, factor[at(i)]);
  }
  last = moves ? factor[at(used - 1)] : 1.0F;
}

}  // namespace oa::attention
