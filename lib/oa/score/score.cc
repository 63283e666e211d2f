#include "oa/score/score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace oa::score {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Wilson's interval: its middle and half its width.
struct Wilson {
  double middle;
  double half;

  Wilson(std::int64_t count, std::int64_t total) {
    const auto n = static_cast<double>(total);
    const double p = static_cast<double>(count) / n;
    const double z2 = kHalfOf95 * kHalfOf95;
    middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    half =
        kHalfOf95 * std::sqrt(p * (1.0 - p) / n + z2 / (4.0 * n * n)) / (1.0 + z2 / n);
  }
};

double order_statistic(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

using ByIndex = std::map<std::int64_t, const ImageResult*>;

ByIndex by_index(std::span<const ImageResult> run) {
  ByIndex map;
  for (const ImageResult& result : run) {
    map[result.prediction.index] = &result;
  }
  return map;
}

/// The probability of the true class, or nothing.
std::optional<double> true_confidence(const Prediction& p) {
  if (!p.label || *p.label < 0 || *p.label >= std::ssize(p.probabilities)) {
    return std::nullopt;
  }
  return p.probabilities[static_cast<std::size_t>(*p.label)];
}

void collect(const Prediction& p, std::vector<std::vector<double>>& by_class) {
  if (const auto confidence = true_confidence(p)) {
    const auto label = static_cast<std::size_t>(*p.label);
    by_class.resize(std::max(by_class.size(), label + 1));
    by_class[label].push_back(*confidence);
  }
}

std::vector<Quartiles> quartiles_of(std::vector<std::vector<double>> by_class) {
  std::vector<Quartiles> all;
  for (auto& values : by_class) {
    all.push_back(quartiles(std::move(values)));
  }
  return all;
}

}  // namespace

double Share::value() const {
  return total == 0 ? kNaN : static_cast<double>(count) / static_cast<double>(total);
}

double Share::low() const {
  if (total == 0) {
    return kNaN;
  }
  const Wilson w(count, total);
  return count == 0 ? 0.0 : std::max(0.0, w.middle - w.half);
}

double Share::high() const {
  if (total == 0) {
    return kNaN;
  }
  const Wilson w(count, total);
  return count == total ? 1.0 : std::min(1.0, w.middle + w.half);
}

void Accuracy::grow(std::int64_t classes) {
  if (classes > std::ssize(confusion_)) {
    const auto size = static_cast<std::size_t>(classes);
    confusion_.resize(size);
    for (auto& row : confusion_) {
      row.resize(size);
    }
    ranks_.resize(size);
  }
}

void Accuracy::add(const Prediction& p) {
  ++images_;
  const auto& probabilities = p.probabilities;
  grow(std::max<std::int64_t>(std::ssize(probabilities), p.predicted + 1));
  if (p.predicted < std::ssize(probabilities)) {
    confidence_ += probabilities[static_cast<std::size_t>(p.predicted)];
  }
  if (!p.label) {
    return;
  }
  grow(*p.label + 1);
  ++confusion_[static_cast<std::size_t>(*p.label)]
              [static_cast<std::size_t>(p.predicted)];
  const auto own = true_confidence(p);
  const auto above =
      own ? std::ranges::count_if(probabilities, [&](double v) { return v > *own; })
          : std::ssize(ranks_) - 1;
  ++ranks_[static_cast<std::size_t>(above)];
}

Share Accuracy::overall() const {
  Share share;
  for (int label = 0; label < classes(); ++label) {
    const Share own = of_class(label);
    share.count += own.count;
    share.total += own.total;
  }
  return share;
}

Share Accuracy::within(int k) const {
  Share share;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    share.total += ranks_[rank];
    share.count += static_cast<int>(rank) < k ? ranks_[rank] : 0;
  }
  return share;
}

Share Accuracy::of_class(int label) const {
  Share share;
  for (const std::int64_t count : confusion_[static_cast<std::size_t>(label)]) {
    share.total += count;
  }
  share.count = confusion(label, label);
  return share;
}

std::int64_t Accuracy::confusion(int label, int predicted) const {
  return confusion_[static_cast<std::size_t>(label)]
                   [static_cast<std::size_t>(predicted)];
}

double Accuracy::mean_confidence() const {
  return images_ == 0 ? kNaN : confidence_ / static_cast<double>(images_);
}

Quartiles quartiles(std::vector<double> values) {
  if (values.empty()) {
    return {0, kNaN, kNaN, kNaN};
  }
  std::ranges::sort(values);
  return {std::ssize(values),
          order_statistic(values, 0.25),
          order_statistic(values, 0.5),
          order_statistic(values, 0.75)};
}

double mcnemar(std::int64_t a, std::int64_t b) {
  const std::int64_t n = a + b;
  if (n == 0) {
    return 1.0;
  }
  // Sums 2 C(n,k) / 2^n over k <= min(a,b), by logarithms.
  const auto log_term = [n](std::int64_t k) {
    const auto dn = static_cast<double>(n);
    const auto dk = static_cast<double>(k);
    return std::lgamma(dn + 1) - std::lgamma(dk + 1) - std::lgamma(dn - dk + 1) -
           dn * std::log(2.0);
  };
  double tail = 0.0;
  for (std::int64_t k = 0; k <= std::min(a, b); ++k) {
    tail += std::exp(log_term(k));
  }
  return std::min(1.0, 2.0 * tail);
}

void EnergyGaps::add(const Solved& a, const Solved& b) {
  if (a.energies.empty() || b.energies.empty()) {
    return;
  }
  ++images;
  if (a.problem != b.problem || a.energies.size() != b.energies.size()) {
    ++other;
    return;
  }
  for (std::size_t i = 0; i < a.energies.size(); ++i) {
    const double gap = a.energies[i] - b.energies[i];
    ++problems;
    equal += gap == 0.0 ? 1 : 0;
    lower_a += gap < 0.0 ? 1 : 0;
    lower_b += gap > 0.0 ? 1 : 0;
    sum_b += b.energies[i];
    sum += gap;
    most_a = std::max(most_a, -gap);
    most_b = std::max(most_b, gap);
  }
}

double EnergyGaps::distance() const {
  return sum / std::abs(sum_b);
}

double Comparison::accuracy_difference() const {
  return labelled == 0
             ? kNaN
             : static_cast<double>(right_a - right_b) / static_cast<double>(labelled);
}

namespace {

/// An end of the difference's interval: the lower for `sign` -1, the upper for 1.
double end_of_difference(const Comparison& c, double sign) {
  if (c.labelled == 0) {
    return kNaN;
  }
  const double n = static_cast<double>(c.labelled) + 2.0;
  const double a = static_cast<double>(c.a_not_b) + 0.5;
  const double b = static_cast<double>(c.b_not_a) + 0.5;
  const double difference = (a - b) / n;
  const double deviation = std::sqrt(a + b - (a - b) * difference) / n;
  return std::clamp(difference + sign * kHalfOf95 * deviation, -1.0, 1.0);
}

}  // namespace

double Comparison::difference_low() const {
  return end_of_difference(*this, -1.0);
}

double Comparison::difference_high() const {
  return end_of_difference(*this, 1.0);
}

Comparison compare(std::span<const ImageResult> a, std::span<const ImageResult> b) {
  const ByIndex in_a = by_index(a);
  const ByIndex in_b = by_index(b);
  Comparison c;
  std::vector<std::vector<double>> confidence_a;
  std::vector<std::vector<double>> confidence_b;
  for (const auto& [index, result] : in_a) {
    const auto found = in_b.find(index);
    if (found == in_b.end()) {
      ++c.only_a;
      continue;
    }
    const Prediction& pa = result->prediction;
    const Prediction& pb = found->second->prediction;
    ++c.images;
    c.agree += pa.predicted == pb.predicted ? 1 : 0;
    c.energy.add(result->solved, found->second->solved);
    collect(pa, confidence_a);
    collect(pb, confidence_b);
    if (!pa.label || pa.label != pb.label) {
      continue;
    }
    ++c.labelled;
    c.right_a += pa.correct() ? 1 : 0;
    c.right_b += pb.correct() ? 1 : 0;
    c.a_not_b += pa.correct() && !pb.correct() ? 1 : 0;
    c.b_not_a += pb.correct() && !pa.correct() ? 1 : 0;
  }
  c.only_b = std::ssize(in_b) - c.images;
  c.mcnemar_p = mcnemar(c.a_not_b, c.b_not_a);
  c.confidence_a = quartiles_of(std::move(confidence_a));
  c.confidence_b = quartiles_of(std::move(confidence_b));
  return c;
}

}  // namespace oa::score
