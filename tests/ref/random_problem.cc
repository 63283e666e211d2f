#include "random_problem.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace oa::ref {
namespace {

// A kind sets J, by set(), and h.
struct Draft {
  Rng& rng;
  int n;
  std::vector<double> j = std::vector<double>(static_cast<std::size_t>(n) * n);
  std::vector<double> h = std::vector<double>(static_cast<std::size_t>(n));

  double& at(int a, int b) { return j[static_cast<std::size_t>(a) * n + b]; }
  void set(int a, int b, double x) { at(a, b) = at(b, a) = x; }
  [[nodiscard]] int below(int k) const {
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(std::max(k, 1))));
  }
  [[nodiscard]] int within(int k) const { return below(2 * k + 1) - k; }

  template <class Draw>
  void fill(Draw draw) {
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b <= a; ++b) {
        set(a, b, draw());
      }
    }
    for (double& x : h) {
      x = draw();
    }
  }

  // J = 2VV' with V (n,rank), h such that about half of the variables are in doubt.
  void gram(int rank, double noise) {
    std::vector<double> v(static_cast<std::size_t>(n) * rank);
    for (double& x : v) {
      x = rng.normal();
    }
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b <= a; ++b) {
        double sum = 0.0;
        for (int k = 0; k < rank; ++k) {
          sum += v[static_cast<std::size_t>(a * rank + k)] *
                 v[static_cast<std::size_t>(b * rank + k)];
        }
        set(a, b, 2.0 * sum);
      }
    }
    for (int a = 0; a < n; ++a) {
      double sum = noise * rng.normal();
      for (int b = 0; b < n; ++b) {
        sum -= at(a, b) * rng.uniform();
      }
      h[static_cast<std::size_t>(a)] = sum;
    }
  }

  template <class Map>
  void map(Map map) {
    std::ranges::transform(j, j.begin(), map);
    std::ranges::transform(h, h.begin(), map);
  }
  void to_float() {
    map([](double x) { return double{static_cast<float>(x)}; });
  }
  [[nodiscard]] double largest() const {
    double most = 0.0;
    for (const double x : j) {
      most = std::max(most, std::abs(x));
    }
    return most;
  }
};

void low_rank(Draft& p) {
  p.gram(1 + p.below(p.n / 2), 0.3);
  p.to_float();
}

void full_rank(Draft& p) {
  p.gram(p.n + 3, 1.0);
  p.to_float();
}

void nearly_flat(Draft& p) {
  p.gram(1 + p.below(3), 1e-4);
  p.to_float();
}

void doubles(Draft& p) {
  p.gram(1 + p.below(p.n), 0.5);
}

void indefinite(Draft& p) {
  p.fill([&] { return p.rng.normal(); });
  p.to_float();
}

void small_integers(Draft& p) {
  const int most = 1 + p.below(3);
  p.fill([&] { return p.within(most); });
}

void sparse_integers(Draft& p) {
  p.fill([&] { return p.below(10) < 4 ? p.within(100) : 0; });
}

void quantised(Draft& p) {
  p.gram(3 + p.below(p.n), 0.3);
  const double levels = (8 << p.below(5)) / p.largest();
  p.map([&](double x) { return std::nearbyint(x * levels); });
}

void equal_and_idle(Draft& p) {
  p.gram(2 + p.below(p.n / 2), 0.3);
  p.to_float();
  for (int times = p.below(3); times > 0; --times) {
    const int k = p.below(p.n);
    for (int a = 0; a < p.n; ++a) {
      p.set(a, k, 0.0);
    }
    p.h[static_cast<std::size_t>(k)] *= p.below(2);
  }
  for (int times = 1 + p.below(3); times > 0; --times) {
    const int from = p.below(p.n);
    const int to = p.below(p.n);
    for (int a = 0; a < p.n; ++a) {
      if (a != from && a != to) {
        p.set(to, a, p.at(from, a));
      }
    }
    p.set(to, to, p.at(from, from));
    p.h[static_cast<std::size_t>(to)] = p.h[static_cast<std::size_t>(from)];
  }
}

void all_equal(Draft& p) {
  const double pair = p.rng.normal();
  const double own = p.below(2) * pair;
  const double linear = p.below(2) != 0 ? -pair * p.below(p.n) : p.rng.normal();
  p.fill([&] { return pair; });
  for (int a = 0; a < p.n; ++a) {
    p.set(a, a, own);
  }
  std::ranges::fill(p.h, linear);
}

void no_matrix(Draft& p) {
  for (double& x : p.h) {
    x = p.below(3) == 0 ? p.rng.normal() : 0.0;
  }
}

void scaled(Draft& p) {
  p.gram(2 + p.below(p.n), 0.3);
  const double factor = std::ldexp(1.0, p.within(100));
  p.map([&](double x) { return x * factor; });
  p.to_float();
}

void scaled_doubles(Draft& p) {
  p.gram(2, 0.1);
  const double factor = std::ldexp(1.0, p.within(900));
  p.map([&](double x) { return x * factor; });
}

void mixed_scales(Draft& p) {
  p.fill([&] { return p.rng.normal() * std::pow(10.0, p.rng.uniform(-15.0, 15.0)); });
  p.to_float();
}

void two_scales(Draft& p) {
  p.fill([&] { return p.within(2) * (p.below(2) != 0 ? 1e15 : 1.0); });
}

struct Kind {
  std::string_view name;
  void (*fill)(Draft&);
};
constexpr std::array kKinds{
    Kind{"low rank", low_rank},
    Kind{"full rank", full_rank},
    Kind{"nearly flat", nearly_flat},
    Kind{"doubles", doubles},
    Kind{"indefinite", indefinite},
    Kind{"small integers", small_integers},
    Kind{"sparse integers", sparse_integers},
    Kind{"quantised", quantised},
    Kind{"equal and idle", equal_and_idle},
    Kind{"all equal", all_equal},
    Kind{"no matrix", no_matrix},
    Kind{"scaled", scaled},
    Kind{"scaled doubles", scaled_doubles},
    Kind{"mixed scales", mixed_scales},
    Kind{"two scales", two_scales},
};

}  // namespace

RandomProblem random_problem(const Rng& rng, int n) {
  Rng draws = rng;
  const Kind& kind = kKinds[draws.below(kKinds.size())];
  Draft p{draws, n};
  kind.fill(p);
  return {kind.name, qubo::Matrix(n, p.j), p.h};
}

}  // namespace oa::ref
