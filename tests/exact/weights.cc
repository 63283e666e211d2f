#include "exact/weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace oa::exact {
namespace {

/// A whole number from -most to most.
double whole(Rng& rng, int most) {
  return static_cast<double>(rng.below(2 * static_cast<std::uint32_t>(most) + 1)) -
         most;
}

double sign(Rng& rng) {
  return rng.below(2) != 0 ? 1.0 : -1.0;
}

bool one_in(Rng& rng, std::uint32_t n) {
  return rng.below(n) == 0;
}

Draw integers(Rng& rng) {
  const int most = std::array{1, 3, 9, 100}[rng.below(4)];
  return [most](Rng& r) { return whole(r, most); };
}

Draw signs(Rng&) {
  return [](Rng& r) { return sign(r); };
}

Draw ones(Rng& rng) {
  const double weight = sign(rng);
  return [weight](Rng& r) { return one_in(r, 6) ? 0.0 : weight; };
}

Draw one_decimal(Rng& rng) {
  // A repeated number ties in decimals, and in doubles if exact.
  const double same = whole(rng, 9) / 10.0;
  return [same](Rng& r) { return one_in(r, 2) ? same : whole(r, 9) / 10.0; };
}

Draw decimals(Rng&) {
  return [](Rng& r) { return whole(r, 99999) / 1000.0; };
}

Draw thirds(Rng&) {
  return [](Rng& r) { return whole(r, 9) / 3.0; };
}

Draw dyadic(Rng&) {
  return [](Rng& r) { return whole(r, 40) / 8.0; };
}

Draw gaussian(Rng&) {
  return [](Rng& r) { return r.normal(); };
}

Draw floats(Rng&) {
  return [](Rng& r) { return static_cast<double>(static_cast<float>(r.normal())); };
}

Draw near_2_53(Rng&) {
  return [](Rng& r) { return sign(r) * (0x1p53 + whole(r, 3)); };
}

Draw half_of_2_53(Rng&) {
  return [](Rng& r) { return sign(r) * (0x1p52 + 0.5 * whole(r, 6)); };
}

Draw near_2_62(Rng&) {
  // Sums of some are beyond 64 bits, those of others just within them.
  return [](Rng& r) {
    const double large = std::ldexp(1.0, 56 + static_cast<int>(r.below(7)));
    return one_in(r, 3) ? whole(r, 9) : sign(r) * large + 1024.0 * whole(r, 9);
  };
}

Draw large_and_small(Rng& rng) {
  // A few that cancel or decide, beside which the others are rounded away.
  const double large = std::pow(10.0, 14 + static_cast<int>(rng.below(6)));
  return [large](Rng& r) { return one_in(r, 3) ? sign(r) * large : whole(r, 3); };
}

Draw magnitudes(Rng&) {
  return [](Rng& r) {
    return whole(r, 9) * std::pow(10.0, static_cast<int>(r.below(13)) - 6);
  };
}

Draw powers_of_two(Rng&) {
  return [](Rng& r) {
    return sign(r) * std::ldexp(1.0, static_cast<int>(r.below(81)) - 40);
  };
}

Draw wide_powers(Rng&) {
  return [](Rng& r) {
    return sign(r) * std::ldexp(1.0, static_cast<int>(r.below(241)) - 120);
  };
}

Draw one_ulp(Rng& rng) {
  const double weight = rng.uniform(0.1, 10.0);
  const double ulp = std::nextafter(weight, 100.0) - weight;
  return [weight, ulp](Rng& r) { return sign(r) * (weight + ulp * whole(r, 2)); };
}

Draw cancelling(Rng& rng) {
  const double large = rng.normal() * 1e8;
  return [large](Rng& r) {
    return one_in(r, 2) ? sign(r) * large : large * whole(r, 1) + whole(r, 9) / 1e9;
  };
}

Draw zeros(Rng&) {
  return [](Rng& r) { return one_in(r, 8) ? sign(r) : (one_in(r, 2) ? 0.0 : -0.0); };
}

Draw huge(Rng& rng) {
  const double unit = std::pow(10.0, 280 + static_cast<int>(rng.below(19)));
  return [unit](Rng& r) { return whole(r, 9) * unit; };
}

Draw beyond(Rng&) {
  return [](Rng& r) { return sign(r) * std::pow(10.0, 298.0 + 2.0 * r.uniform()); };
}

Draw tiny(Rng&) {
  return [](Rng& r) { return whole(r, 9) * 1e-300; };
}

Draw subnormal(Rng& rng) {
  const int most = std::array{1, 9, 1000}[rng.below(3)];
  return [most](Rng& r) {
    return whole(r, most) * std::numeric_limits<double>::denorm_min();
  };
}

Draw smallest_normal(Rng&) {
  return [](Rng& r) {
    return sign(r) * (std::numeric_limits<double>::min() +
                      whole(r, 3) * std::numeric_limits<double>::denorm_min());
  };
}

Draw ends(Rng&) {
  return [](Rng& r) {
    constexpr std::array kSizes{1e296, 1e-300, 1.0, 5e-324, 1e16};
    return sign(r) * kSizes[r.below(kSizes.size())];
  };
}

constexpr std::array kFamilies{
    Family{"integers", integers},
    Family{"signs", signs},
    Family{"ones", ones},
    Family{"tenths", one_decimal},
    Family{"decimals", decimals},
    Family{"thirds", thirds},
    Family{"dyadic", dyadic},
    Family{"gaussian", gaussian},
    Family{"floats", floats},
    Family{"2^53 +- 3", near_2_53},
    Family{"2^52 +- 3", half_of_2_53},
    Family{"near 2^62", near_2_62},
    Family{"large and small", large_and_small},
    Family{"magnitudes", magnitudes},
    Family{"powers of two", powers_of_two},
    Family{"one ulp apart", one_ulp},
    Family{"cancelling", cancelling},
    Family{"zeros", zeros},
    Family{"huge", huge, true},
    Family{"beyond 1e300", beyond, true},
    Family{"tiny", tiny, true},
    Family{"subnormal", subnormal, true},
    Family{"smallest normal", smallest_normal, true},
    Family{"wide powers", wide_powers, true},
    Family{"both ends", ends, true},
};

using Edges = std::vector<std::pair<int, int>>;

Edges random_edges(Rng& rng, int n) {
  const double density = rng.uniform();
  Edges edges;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      if (rng.uniform() < density) {
        edges.emplace_back(i, k);
      }
    }
  }
  return edges;
}

Edges all_edges(Rng&, int n) {
  Edges edges;
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      edges.emplace_back(i, k);
    }
  }
  return edges;
}

Edges tree(Rng& rng, int n) {
  Edges edges;
  for (int i = 1; i < n; ++i) {
    edges.emplace_back(static_cast<int>(rng.below(static_cast<std::uint32_t>(i))), i);
  }
  return edges;
}

Edges path(Rng&, int n) {
  Edges edges;
  for (int i = 1; i < n; ++i) {
    edges.emplace_back(i - 1, i);
  }
  return edges;
}

Edges cycle(Rng& rng, int n) {
  Edges edges = path(rng, n);
  if (n > 2) {
    edges.emplace_back(0, n - 1);
  }
  return edges;
}

Edges grid(Rng& rng, int n) {
  const int width = 2 + static_cast<int>(rng.below(3));
  Edges edges;
  for (int i = 0; i < n; ++i) {
    if ((i + 1) % width != 0 && i + 1 < n) {
      edges.emplace_back(i, i + 1);
    }
    if (i + width < n) {
      edges.emplace_back(i, i + width);
    }
  }
  return edges;
}

Edges components(Rng& rng, int n) {
  const auto parts = 2 + rng.below(3);
  std::vector<std::uint32_t> part;
  for (int i = 0; i < n; ++i) {
    part.push_back(rng.below(parts));
  }
  Edges edges = random_edges(rng, n);
  std::erase_if(edges, [&](const auto& e) {
    return part[static_cast<std::size_t>(e.first)] !=
           part[static_cast<std::size_t>(e.second)];
  });
  return edges;
}

Edges no_edges(Rng&, int) {
  return {};
}

struct Structure {
  std::string_view name;
  Edges (*edges)(Rng&, int);
};

constexpr std::array kStructures{
    Structure{"random", random_edges},
    Structure{"random", random_edges},
    Structure{"dense", all_edges},
    Structure{"tree", tree},
    Structure{"path", path},
    Structure{"cycle", cycle},
    Structure{"grid", grid},
    Structure{"components", components},
    Structure{"empty", no_edges},
};

/// Makes variable 1 a copy of variable 0, so that they may trade places.
void make_twins(Weights& w) {
  std::erase_if(w.pairs, [](const Pair& p) { return p.i == 1; });
  const std::vector<Pair> before = w.pairs;
  for (const Pair& p : before) {
    if (p.i == 0 && p.k > 1) {
      w.pairs.push_back({1, p.k, p.weight});
    }
  }
  w.linear[1] = w.linear[0];
}

/// Adds P (sum of a_i x_i - b)^2 over most variables, with a P that may be too small.
void add_square(Weights& w, Rng& rng) {
  const double penalty = 1.0 + rng.below(one_in(rng, 2) ? 12 : 400);
  const std::uint32_t most = one_in(rng, 3) ? 4 : 1;
  std::vector<double> a;
  double sum = 0.0;
  for (int i = 0; i < w.n; ++i) {
    a.push_back(i > 1 && one_in(rng, 12) ? 0.0 : 1.0 + rng.below(most));
    sum += a.back();
  }
  const double right = 1.0 + rng.below(static_cast<std::uint32_t>(sum));
  std::vector<double> products(a.size() * a.size());
  for (const Pair& p : w.pairs) {
    products[static_cast<std::size_t>(p.i) * a.size() +
             static_cast<std::size_t>(p.k)] += p.weight;
  }
  w.pairs.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    w.linear[i] += penalty * a[i] * (a[i] - 2.0 * right);
    for (std::size_t k = i + 1; k < a.size(); ++k) {
      const double weight = products[i * a.size() + k] + 2.0 * penalty * a[i] * a[k];
      if (weight != 0.0) {
        w.pairs.push_back({static_cast<int>(i), static_cast<int>(k), weight});
      }
    }
  }
}

/// True if all are whole numbers up to 100.
bool small_numbers(const Weights& w) {
  const auto small = [](double x) {
    return std::abs(x) <= 100.0 && x == std::floor(x);
  };
  return std::ranges::all_of(w.linear, small) &&
         std::ranges::all_of(w.pairs, [&](const Pair& p) { return small(p.weight); });
}

}  // namespace

std::span<const Family> families() {
  return kFamilies;
}

Weights random_weights(Rng& rng, const Draw& draw, int most) {
  Weights w;
  w.n = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(most)));
  const Structure& structure = kStructures[rng.below(kStructures.size())];
  w.structure = structure.name;
  for (const auto& [i, k] : structure.edges(rng, w.n)) {
    w.pairs.push_back({i, k, draw(rng)});
  }
  // Without linear terms all spins may be reversed.
  const bool linear = !one_in(rng, 3);
  for (int i = 0; i < w.n; ++i) {
    w.linear.push_back(linear ? draw(rng) : 0.0);
  }
  if (w.n > 1 && one_in(rng, 8)) {
    w.structure = "twins";
    make_twins(w);
  } else if (small_numbers(w) && one_in(rng, 3)) {
    w.structure = "square";
    add_square(w, rng);
  }
  rng.shuffle(std::span(w.pairs));
  return w;
}

}  // namespace oa::exact
