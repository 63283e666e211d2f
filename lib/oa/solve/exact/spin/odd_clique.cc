#include "oa/solve/exact/spin/odd_clique.h"

#include "oa/base/index.h"

#include <algorithm>

namespace oa::solve {

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

}  // namespace oa::solve
