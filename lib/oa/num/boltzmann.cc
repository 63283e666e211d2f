#include "oa/num/boltzmann.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace oa::num {
namespace {

// exp(-kCertain) is 0.
constexpr double kCertain = 750.0;

// The field of variables that fill a leaf.
constexpr double kNever = std::numeric_limits<double>::infinity();

void add(const std::array<double, 2>& from, std::array<double, 2>& to) {
  to[0] += from[0];
  to[1] += from[1];
}

}  // namespace

Boltzmann::Boltzmann(std::size_t n, std::span<const double> j)
    : n_(n),
      j_(j.begin(), j.end()),
      couplings_(kMaxVariables * kMaxVariables),
      levels_(std::max(kLeaf, n) + 1),
      pairs_(kMaxVariables * kMaxVariables) {
  assert(n <= kMaxVariables && j.size() == n * n);
  for (std::size_t level = kLeaf; level < levels_.size(); ++level) {
    levels_[level] = {.fields = std::vector<double>(level),
                      .ones = std::vector<Sums>(level)};
  }
}

void Boltzmann::marginals(std::span<const double> h,
                          double temperature,
                          std::span<double> p) {
  sum(h, temperature, {});
  std::ranges::fill(p, 0.0);
  for (std::size_t a = 0; a < free_.size(); ++a) {
    p[free_[a]] = ones(a)[0] / all_[0];
  }
}

void Boltzmann::gradient(std::span<const double> h,
                         double temperature,
                         std::span<const double> g,
                         std::span<double> dh,
                         std::span<double> dj) {
  sum(h, temperature, g);
  std::ranges::fill(dh, 0.0);
  const double mean = all_[1] / all_[0];
  const auto derivative = [&](const Sums& some) {
    return -(some[1] - mean * some[0]) / (all_[0] * temperature);
  };
  for (std::size_t a = 0; a < free_.size(); ++a) {
    const std::size_t k = free_[a];
    dh[k] = derivative(ones(a));
    dj[k * n_ + k] += 0.5 * dh[k];
    for (std::size_t b = 0; b < a; ++b) {
      const std::size_t l = free_[b];
      const double half = 0.5 * derivative(pairs_[a * kMaxVariables + b]);
      dj[k * n_ + l] += half;
      dj[l * n_ + k] += half;
    }
  }
}

/// Computes all sums.  Leaves out variables whose probability is below the smallest
/// number whatever the others are.
void Boltzmann::sum(std::span<const double> h,
                    double temperature,
                    std::span<const double> g) {
  assert(h.size() == n_ && temperature > 0.0);
  free_.clear();
  slope_.clear();
  const auto field = [&](std::size_t k) { return h[k] + 0.5 * j_[k * n_ + k]; };
  for (std::size_t k = 0; k < n_; ++k) {
    double least = field(k);
    for (std::size_t l = 0; l < n_; ++l) {
      least += l == k ? 0.0 : std::min(0.0, j_[k * n_ + l]);
    }
    if (least <= kCertain * temperature) {
      free_.push_back(k);
      slope_.push_back(g.empty() ? 0.0 : g[k]);
    }
  }
  const std::size_t n = std::max(kLeaf, free_.size());
  slope_.resize(n, 0.0);
  std::ranges::fill(levels_[n].fields, kNever);
  std::ranges::fill(couplings_, 0.0);
  for (std::size_t a = 0; a < free_.size(); ++a) {
    levels_[n].fields[a] = field(free_[a]);
    for (std::size_t b = 0; b < free_.size(); ++b) {
      coupling(a, b) = j_[free_[a] * n_ + free_[b]];
    }
  }
  inverse_temperature_ = 1.0 / temperature;
  std::ranges::fill(pairs_, Sums{});
  prepare_leaves();
  lowest_ = lowest(n, 0.0);
  all_ = visit(n, 0.0, 0.0);
  add_pairs_of_leaves();
}

void Boltzmann::prepare_leaves() {
  leaf_sums_ = {};
  for (std::size_t x = 1; x < kStates; ++x) {
    const auto top = static_cast<std::size_t>(std::bit_width(x)) - 1;
    const std::size_t rest = x - (1U << top);
    leaf_energy_[x] = leaf_energy_[rest];
    leaf_slope_[x] = leaf_slope_[rest] + slope_[top];
    for (std::size_t k = 0; k < top; ++k) {
      leaf_energy_[x] += (rest >> k & 1U) != 0 ? coupling(top, k) : 0.0;
    }
  }
}

void Boltzmann::add_pairs_of_leaves() {
  for (std::size_t a = 0; a < kLeaf; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t x = 0; x < kStates; ++x) {
        if ((x >> a & x >> b & 1U) != 0) {
          add(leaf_sums_[x], pairs_[a * kMaxVariables + b]);
        }
      }
    }
  }
}

/// Sets the fields below `variable` if it is 1.
void Boltzmann::decide_one(std::size_t variable) {
  for (std::size_t k = 0; k < variable; ++k) {
    levels_[variable].fields[k] =
        levels_[variable + 1].fields[k] + coupling(variable, k);
  }
}

/// The energies of the states of a leaf, after decided variables with `energy`.
Boltzmann::States Boltzmann::energies_of_leaf(double energy) const {
  const std::vector<double>& fields = levels_[kLeaf].fields;
  States all{energy};
  for (std::size_t k = 0; k < kLeaf; ++k) {
    for (std::size_t x = 0; x < std::size_t{1} << k; ++x) {
      all[x + (1U << k)] = all[x] + fields[k];
    }
  }
  for (std::size_t x = 0; x < kStates; ++x) {
    all[x] += leaf_energy_[x];
  }
  return all;
}

/// The lowest energy of states with the decided variables.
double Boltzmann::lowest(std::size_t level, double energy) {
  if (level == kLeaf) {
    return std::ranges::min(energies_of_leaf(energy));
  }
  const std::size_t top = level - 1;
  const Level& here = levels_[level];
  std::copy_n(here.fields.begin(), top, levels_[top].fields.begin());
  const double without = lowest(top, energy);
  decide_one(top);
  return std::min(without, lowest(top, energy + here.fields[top]));
}

/// Sums over all states of the undecided variables, after decided ones with `energy`
/// and s.
Boltzmann::Sums Boltzmann::visit(std::size_t level, double energy, double s) {
  if (level == kLeaf) {
    return visit_leaf(energy, s);
  }
  const std::size_t top = level - 1;
  Level& here = levels_[level];
  const Level& below = levels_[top];
  std::copy_n(here.fields.begin(), top, levels_[top].fields.begin());
  const Sums without = visit(top, energy, s);
  std::copy_n(below.ones.begin(), top, here.ones.begin());
  decide_one(top);
  const Sums with = visit(top, energy + here.fields[top], s + slope_[top]);
  for (std::size_t k = 0; k < top; ++k) {
    add(below.ones[k], here.ones[k]);
    add(below.ones[k], pairs_[top * kMaxVariables + k]);
  }
  here.ones[top] = with;
  return {without[0] + with[0], without[1] + with[1]};
}

Boltzmann::Sums Boltzmann::visit_leaf(double energy, double s) {
  const States energies = energies_of_leaf(energy);
  std::array<Sums, kStates> sums;
  for (std::size_t x = 0; x < kStates; ++x) {
    const double weight = std::exp((lowest_ - energies[x]) * inverse_temperature_);
    sums[x] = {weight, weight * (s + leaf_slope_[x])};
    add(sums[x], leaf_sums_[x]);
  }
  // Halves of the states, by their last variable, are added up.
  for (std::size_t k = kLeaf; k-- > 0;) {
    const std::size_t half = std::size_t{1} << k;
    Sums ones{};
    for (std::size_t x = 0; x < half; ++x) {
      add(sums[half + x], ones);
      add(sums[half + x], sums[x]);
    }
    levels_[kLeaf].ones[k] = ones;
  }
  return sums[0];
}

}  // namespace oa::num
