#include "oa/solve/exact/spin/odd_clique.h"

#include "oa/base/index.h"
#include "oa/solve/exact/spin/clique_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace oa::solve {
namespace {

constexpr double kHelps = 1e-9;    // smaller gains of an exchange do not count
constexpr int kMaxExchanges = 10;  // maximum of exchange rounds
constexpr std::size_t kMany = 4;   // candidates / cliques kept in the end

/// Adds violated triangles of spins i < j < k.
void add_violated(int i,
                  int j,
                  int k,
                  const std::array<double, 3>& product,
                  double least,
                  std::vector<Violated>& found) {
  const auto& [ij, ik, jk] = product;
  // The signs: one spin differs from the two others, or all three are equal.
  const std::array side{ij + ik + jk, jk - ij - ik, ik - ij - jk, ij - ik - jk};
  for (std::size_t odd = 0; odd < side.size(); ++odd) {
    if (const double violation = -1.0 - side[odd]; violation > least) {
      const std::array<Signed, 3> members{
          {{i, odd == 1}, {j, odd == 2}, {k, odd == 3}}};
      found.push_back({OddClique::of(members), violation});
    }
  }
}

/// A set of spins that grows to the five spins of a pentagon.
class Growing {
 public:
  Growing(int n, Products x) : n_(n), x_(x), pull_(at(n)), taken_(at(n)) {}

  Violated grow(const OddClique& from) {
    std::ranges::fill(pull_, 0.0);
    std::ranges::fill(taken_, 0);
    size_ = 0;
    while (size_ < from.size) {
      put(size_, from.member(size_));
      ++size_;
    }
    while (size_ < OddClique::kMax) {
      put(size_, best());
      ++size_;
    }
    for (int round = 0; round < kMaxExchanges && exchange(); ++round) {
    }
    double square = 0.0;  // expected square of the signed sum
    for (const Signed& m : members_) {
      square += m.sign() * pull_[at(m.spin)];
    }
    const OddClique clique = OddClique::of(members_);
    return {clique, clique.least() - 0.5 * (square - size_)};
  }

 private:
  void put(int place, Signed m) {
    members_[at(place)] = m;
    taken_[at(m.spin)] = 1;
    add_row(m.spin, m.sign());
  }

  void take(int place) {
    const Signed m = members_[at(place)];
    taken_[at(m.spin)] = 0;
    add_row(m.spin, -m.sign());
  }

  void add_row(int i, double factor) {
    const Products row = x_.subspan(at(i) * at(n_), at(n_));
    for (std::size_t k = 0; k < pull_.size(); ++k) {
      pull_[k] += factor * row[k];
    }
  }

  /// The spin outside the set, with its sign, that minimises the sum.
  [[nodiscard]] Signed best() const {
    int spin = -1;
    double most = -1.0;
    for (int k = 0; k < n_; ++k) {
      const double pull = std::abs(pull_[at(k)]);
      if (pull > most && taken_[at(k)] == 0) {
        most = pull;
        spin = k;
      }
    }
    return {spin, pull_[at(spin)] > 0.0};
  }

  /// Exchanges each member for a better spin; returns true if a member changed.
  bool exchange() {
    bool changed = false;
    for (int place = 0; place < size_; ++place) {
      const Signed before = members_[at(place)];
      take(place);
      const Signed now = best();
      const double gain =
          std::abs(pull_[at(now.spin)]) + before.sign() * pull_[at(before.spin)];
      put(place, gain > kHelps ? now : before);
      changed = changed || gain > kHelps;
    }
    return changed;
  }

  int n_;
  Products x_;
  std::array<Signed, OddClique::kMax> members_{};
  int size_ = 0;
  std::vector<double> pull_;  // sum of a spin's products with members, for each spin
  std::vector<std::uint8_t> taken_;
};

std::pair<double, decltype(OddClique().key())> order(const Violated& v) {
  return {-v.violation, v.clique.key()};
}

}  // namespace

OddClique OddClique::of(std::span<const Signed> members) {
  std::array<Signed, kMax> sorted{};
  std::size_t count = 0;
  for (const Signed& m : members) {
    std::size_t a = count++;
    for (; a > 0 && sorted[a - 1].spin > m.spin; --a) {
      sorted[a] = sorted[a - 1];
    }
    sorted[a] = m;
  }
  OddClique clique;
  clique.size = static_cast<std::uint8_t>(members.size());
  for (std::size_t a = 0; a < members.size(); ++a) {
    clique.spin[a] = static_cast<std::int16_t>(sorted[a].spin);
    // Inverting all signs gives the same inequality.
    const unsigned minus = sorted[a].minus != sorted[0].minus ? 1 : 0;
    clique.minus = static_cast<std::uint8_t>(clique.minus | minus << a);
  }
  return clique;
}

std::vector<OddClique> contracted(std::span<const OddClique> cliques,
                                  int n,
                                  int i,
                                  double sign) {
  std::vector<OddClique> all;
  for (const OddClique& clique : cliques) {
    std::array<Signed, OddClique::kMax> members{};
    bool has = false;
    for (int a = 0; a < clique.size; ++a) {
      Signed& member = members[at(a)] = clique.member(a);
      if (member.spin == i) {
        has = true;
        member = {n - 1, member.minus != (sign < 0.0)};
      }
      member.spin -= member.spin > i ? 1 : 0;
    }
    const bool has_last = clique.member(clique.size - 1).spin == n - 1;
    if (!has || !has_last) {
      all.push_back(OddClique::of({members.data(), clique.size}));
      all.back().weight = clique.weight;
    }
  }
  std::ranges::sort(all, {}, &OddClique::key);
  std::vector<OddClique> merged;
  for (const OddClique& clique : all) {
    if (!merged.empty() && merged.back().key() == clique.key()) {
      merged.back().weight += clique.weight;
    } else {
      merged.push_back(clique);
    }
  }
  return merged;
}

std::vector<Violated> violated_triangles(
    int n, Products x, double least, std::size_t most, const Stop& stop) {
  std::vector<Violated> found;
  std::vector<int> third;
  for (int i = 0; i < n && !stop(); ++i) {
    const Products row = x.subspan(at(i) * at(n), at(n));
    const double limit = -1.0 - least;
    for (int j = i + 1; j < n; ++j) {
      const Products other = x.subspan(at(j) * at(n), at(n));
      const double product = row[at(j)];
      third.clear();
      find_far(row, other, j, product - limit, -product - limit, third);
      for (const int k : third) {
        add_violated(i, j, k, {product, row[at(k)], other[at(k)]}, least, found);
      }
    }
    if (found.size() > kMany * most) {
      keep_most_violated(most, found);
      least = std::nextafter(found.back().violation, 0.0);
    }
  }
  keep_most_violated(most, found);
  return found;
}

std::vector<Violated> violated_pentagons(int n,
                                         Products x,
                                         std::span<const OddClique> from,
                                         double least,
                                         const Stop& stop) {
  std::vector<Violated> found;
  if (n < OddClique::kMax) {
    return found;
  }
  Growing growing(n, x);
  for (const OddClique& clique : from) {
    if (stop()) {
      break;
    }
    if (const Violated grown = growing.grow(clique); grown.violation > least) {
      found.push_back(grown);
    }
  }
  const auto key = [](const Violated& v) { return v.clique.key(); };
  std::ranges::sort(found, {}, key);
  const auto same = std::ranges::unique(found, {}, key);
  found.erase(same.begin(), same.end());
  return found;
}

void keep_most_violated(std::size_t most, std::vector<Violated>& found) {
  const auto end =
      found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
  std::ranges::partial_sort(found, end, {}, order);
  found.erase(end, found.end());
}

}  // namespace oa::solve
