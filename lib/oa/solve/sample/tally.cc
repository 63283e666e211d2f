#include "oa/solve/sample/tally.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {
namespace {

constexpr std::int64_t kMaxBatches = 16;
constexpr std::int64_t kMinOfBatch = 4;  // states; with fewer there is one batch

/// Returns the effective size of a number with the given means of batches.
double effective_of(std::span<const double> means, double variance, double states) {
  if (means.size() < 2 || variance <= 0.0) {
    return states;
  }
  const auto count = static_cast<double>(means.size());
  double mean = 0.0;
  for (const double m : means) {
    mean += m / count;
  }
  double of_means = 0.0;
  for (const double m : means) {
    of_means += (m - mean) * (m - mean) / (count - 1.0);
  }
  return of_means <= 0.0 ? states : std::min(states, variance / of_means * count);
}

}  // namespace

Tally::Tally(int n, std::int64_t total)
    : total_(std::max<std::int64_t>(1, total)),
      batches_(at(std::clamp<std::int64_t>(total / kMinOfBatch, 1, kMaxBatches))) {
  for (Batch& batch : batches_) {
    batch.ones.resize(at(n));
  }
}

void Tally::add(std::span<const std::uint8_t> x, double energy) {
  if (states_ == 0) {
    first_ = energy;
  }
  const std::int64_t now = states_++ * std::ssize(batches_) / total_;
  Batch& batch = batches_[at(std::min(now, std::ssize(batches_) - 1))];
  ++batch.states;
  batch.energies += energy - first_;
  batch.squares += (energy - first_) * (energy - first_);
  for (std::size_t i = 0; i < x.size(); ++i) {
    batch.ones[i] += x[i];
  }
}

std::vector<std::int64_t> Tally::ones() const {
  std::vector<std::int64_t> sums(batches_.front().ones.size());
  for (const Batch& batch : batches_) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += batch.ones[i];
    }
  }
  return sums;
}

double effective_size(std::span<const Tally> tallies) {
  double states = 0.0;
  double energies = 0.0;
  double squares = 0.0;
  std::vector<const Tally::Batch*> batches;
  std::vector<double> means;
  const double origin = tallies.empty() ? 0.0 : tallies.front().first_;
  for (const Tally& tally : tallies) {
    const double shift = tally.first_ - origin;
    for (const Tally::Batch& batch : tally.batches_) {
      if (batch.states == 0) {
        continue;
      }
      const auto count = static_cast<double>(batch.states);
      states += count;
      energies += batch.energies + count * shift;
      squares += batch.squares + 2.0 * shift * batch.energies + count * shift * shift;
      batches.push_back(&batch);
      means.push_back(batch.energies / count + shift);
    }
  }
  if (batches.empty()) {
    return 0.0;
  }
  const double mean = energies / states;
  double least = effective_of(means, squares / states - mean * mean, states);
  for (std::size_t i = 0; i < batches.front()->ones.size(); ++i) {
    double ones = 0.0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
      ones += batches[b]->ones[i];
      means[b] = batches[b]->ones[i] / static_cast<double>(batches[b]->states);
    }
    const double one = ones / states;
    least = std::min(least, effective_of(means, one * (1.0 - one), states));
  }
  return least;
}

}  // namespace oa::solve
