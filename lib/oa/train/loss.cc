#include "oa/train/loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace oa::train {
namespace {

// Sets p = softmax(x); returns log(sum exp(x)).
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

// Returns -sum_k y_k (x_k - log_sum), where y is the smoothed label.
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

// Returns -log of the probability of the truth `there`,
// where sigmoid(score) is the probability that the class is present.
double binary_entropy(float score, bool there, double weight, float& dscore) {
  const auto s = static_cast<double>(score);
  const double p = 1.0 / (1.0 + std::exp(-s));
  dscore = static_cast<float>(weight * (p - (there ? 1.0 : 0.0)));
  return std::max(s, 0.0) - (there ? s : 0.0) + std::log1p(std::exp(-std::abs(s)));
}

double loss_of_positions(num::ConstView scores,
                         const model::Answer& answer,
                         num::View dscores) {
  const auto asked = static_cast<double>(
      std::ranges::count_if(answer.numbers, [](int target) { return target >= 0; }));
  double loss = 0.0;
  for (int i = 0; i < scores.rows; ++i) {
    const int target = answer.row(i)[0];
    const auto width = static_cast<std::size_t>(scores.cols);
    if (target < 0) {
      std::fill_n(dscores.row(i), width, 0.0F);
    } else {
      loss += cross_entropy({scores.row(i), width},
                            target,
                            {},
                            1.0 / asked,
                            {dscores.row(i), width}) /
              asked;
    }
  }
  return loss;
}

double loss_of_sets(num::ConstView scores,
                    const model::Answer& answer,
                    num::View dscores) {
  const double weight = 1.0 / (double{1} * scores.rows * scores.cols);
  double loss = 0.0;
  for (int i = 0; i < scores.rows; ++i) {
    const auto set = answer.row(i);
    for (int c = 0; c < scores.cols; ++c) {
      const bool there = std::ranges::find(set, c) != set.end();
      loss += weight * binary_entropy(scores(i, c), there, weight, dscores(i, c));
    }
  }
  return loss;
}

double loss_of_cells(num::ConstView scores,
                     const model::Answer& answer,
                     num::View dscores) {
  const auto there = static_cast<double>(
      std::ranges::count_if(answer.numbers, [](int cell) { return cell >= 0; }));
  double loss = 0.0;
  for (int i = 0; i < scores.rows; ++i) {
    const int cell = answer.row(i)[0];
    const auto cells = static_cast<std::size_t>(scores.cols) - 1;
    const double weight = 1.0 / scores.rows;
    loss += weight * binary_entropy(scores(i, 0), cell >= 0, weight, dscores(i, 0));
    if (cell < 0) {
      std::fill_n(dscores.row(i) + 1, cells, 0.0F);
    } else {
      loss += cross_entropy({scores.row(i) + 1, cells},
                            cell,
                            {},
                            1.0 / there,
                            {dscores.row(i) + 1, cells}) /
              there;
    }
  }
  return loss;
}

}  // namespace

double loss_of(Objective objective,
               num::ConstView scores,
               const model::Answer& answer,
               const LossSettings& settings,
               num::View dscores) {
  switch (objective) {
    case Objective::Positions: return loss_of_positions(scores, answer, dscores);
    case Objective::Sets: return loss_of_sets(scores, answer, dscores);
    case Objective::Cells: return loss_of_cells(scores, answer, dscores);
    case Objective::Class: break;
  }
  const auto classes = static_cast<std::size_t>(scores.cols);
  return cross_entropy(
      {scores.row(0), classes}, answer.label, settings, 1.0, {dscores.row(0), classes});
}

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
  // r is the gradient before the last softmax: r - y.
  // If there are two softmaxes, the first one, p, maps a gradient d to p (d - <p,d>).
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
