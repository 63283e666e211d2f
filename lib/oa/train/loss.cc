#include "oa/train/loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace oa::train {
namespace {

// p = softmax(x); returns log(sum exp(x)).
template <class T>
double softmax(std::span<const T> x, std::vector<double>& p) {
  const auto top = static_cast<double>(*std::ranges::max_element(x));
  double sum = 0.0;
  p.clear();
  for (const T value : x) {
    p.push_back(std::exp(static_cast<double>(value) - top));
    sum += p.back();
  }
  for (double& value : p) {
    value /= sum;
  }
  return top + std::log(sum);
}

// -sum_k y_k (x_k - log_sum), y the smoothed label.
template <class T>
double entropy(std::span<const T> x, double log_sum, int label, double smoothing) {
  double loss = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double y = smoothing / static_cast<double>(x.size()) +
                     (static_cast<int>(k) == label ? 1.0 - smoothing : 0.0);
    loss -= y * (static_cast<double>(x[k]) - log_sum);
  }
  return loss;
}

}  // namespace

double cross_entropy(std::span<const float> scores,
                     int label,
                     const LossSettings& settings,
                     double weight,
                     std::span<float> dscores) {
  std::vector<double> p;
  std::vector<double> again;
  const double log_sum = softmax(scores, p);
  double loss = 0.0;
  if (settings.double_softmax) {
    const double outer = softmax<double>(p, again);
    loss = entropy<double>(p, outer, label, settings.smoothing);
  } else {
    loss = entropy(scores, log_sum, label, settings.smoothing);
  }
  // With r the last softmax, the gradient before it is r - y; the first one of two
  // passes on p (d - <p,d>).
  const std::vector<double>& last = settings.double_softmax ? again : p;
  std::vector<double> d(last.size());
  double along = 0.0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    const double y = settings.smoothing / static_cast<double>(d.size()) +
                     (static_cast<int>(k) == label ? 1.0 - settings.smoothing : 0.0);
    d[k] = last[k] - y;
    along += p[k] * d[k];
  }
  for (std::size_t k = 0; k < d.size(); ++k) {
    const double g = settings.double_softmax ? p[k] * (d[k] - along) : d[k];
    dscores[k] = static_cast<float>(weight * g);
  }
  return loss;
}

}  // namespace oa::train
