// Bytes as a small problem, through every solver: no crash, energies are those of the x
// returned, no bound is above an energy, nothing is better than the best of all
// vectors, and what is proved is that best.
#include "fuzz/fuzz.h"
#include "oa/solve/single/solve_model.h"
#include "oa/solve/stream/image.h"
#include "ref/random_quadratic.h"

#include <array>
#include <cmath>
#include <cstring>

namespace oa {
namespace {

using fuzz::require;

/// The bytes as numbers, 0 behind their end.
class Source {
 public:
  explicit Source(fuzz::Bytes bytes) : bytes_(bytes) {}

  unsigned below(unsigned n) { return byte() % n; }

  /// A small integer, a fraction, or any float whose sums are finite.
  float weight() {
    const unsigned kind = below(8);
    if (kind < 5) {
      return static_cast<float>(below(19)) - 9.0F;
    }
    if (kind < 7) {
      return std::ldexp(static_cast<float>(byte()) - 128.0F,
                        static_cast<int>(below(80)) - 40);
    }
    std::array<std::uint8_t, sizeof(float)> raw{byte(), byte(), byte(), byte()};
    float value = 0.0F;
    std::memcpy(&value, raw.data(), raw.size());
    return std::isfinite(value) ? value : 1.0F;
  }

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) {
      return 0;
    }
    const auto first = std::to_integer<std::uint8_t>(bytes_.front());
    bytes_ = bytes_.subspan(1);
    return first;
  }

  fuzz::Bytes bytes_;
};

qubo::Quadratic draw_quadratic(Source& source) {
  qubo::Quadratic f(1 + static_cast<int>(source.below(9)));
  f.vartype = source.below(2) != 0 ? qubo::Vartype::Spin : qubo::Vartype::Binary;
  f.sense = source.below(2) != 0 ? qubo::Sense::Max : qubo::Sense::Min;
  f.offset = source.weight();
  for (double& h : f.linear) {
    h = source.weight();
  }
  std::vector<qubo::Term> terms;
  for (unsigned left = source.below(40); left > 0; --left) {
    const auto i = static_cast<int>(source.below(static_cast<unsigned>(f.size())));
    const auto k = static_cast<int>(source.below(static_cast<unsigned>(f.size())));
    if (i != k) {
      terms.push_back({i, k, source.weight()});
    }
  }
  f.add(terms);
  return f;
}

solve::Settings draw_settings(Source& source) {
  solve::Settings settings;
  settings.top = 1 + static_cast<int>(source.below(4));
  settings.reads = static_cast<int>(source.below(3));
  settings.sweeps = 1 + static_cast<int>(source.below(20));
  settings.schedule =
      source.below(2) != 0 ? solve::Schedule::Linear : solve::Schedule::Geometric;
  if (source.below(8) == 0) {
    settings.max_nodes = source.below(20);
  }
  return settings;
}

void general(Source& source, const solve::Method& method) {
  const qubo::Quadratic f = draw_quadratic(source);
  solve::ModelSettings settings;
  settings.method = &method;
  settings.solver = draw_settings(source);
  settings.presolve = source.below(2) != 0;
  const auto found = solve::solve_model(f, settings, Rng(source.below(256)), {});
  const double best = ref::best_value(f);
  require(!found.best.empty());
  for (const solve::Solution& s : found.best) {
    require(s.energy == qubo::energy(f, s.x));
    require(!qubo::better(f.sense, s.energy, best));
  }
  require(!qubo::better(f.sense, best, found.bound));
  require(found.status != qubo::Status::ProvedOptimal ||
          found.best.front().energy == best);
}

void image(Source& source, const solve::Method& method) {
  qubo::Problem problem;
  problem.m = 1 + static_cast<int>(source.below(8));
  problem.n = 1 + static_cast<int>(source.below(2));
  problem.d = 1;
  const auto m = static_cast<std::size_t>(problem.m);
  const auto n = static_cast<std::size_t>(problem.n);
  problem.v.assign(m, 1.0F);
  problem.j.assign(m * m, 0.0F);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      problem.j[i * m + k] = problem.j[k * m + i] = source.weight();
    }
  }
  for (std::size_t i = 0; i < n * m; ++i) {
    problem.h.push_back(source.weight());
  }
  const solve::Settings settings = draw_settings(source);
  const auto found = solve::solve_image(std::move(problem),
                                        {.method = method, .solver = settings},
                                        Rng(source.below(256)));
  for (std::size_t i = 0; i < n; ++i) {
    const std::span h = std::span(found.problem.h).subspan(i * m, m);
    double best = qubo::energy(found.problem.j, h, ref::bits_of(0, found.problem.m));
    for (unsigned bits = 1; bits < 1U << m; ++bits) {
      best = std::min(
          best, qubo::energy(found.problem.j, h, ref::bits_of(bits, found.problem.m)));
    }
    const std::vector<std::uint8_t> x(
        found.x.begin() + static_cast<std::ptrdiff_t>(i * m),
        found.x.begin() + static_cast<std::ptrdiff_t>((i + 1) * m));
    require(found.energy[i] == qubo::energy(found.problem.j, h, x));
    require(found.energy[i] >= best && found.bound[i] <= best);
    require(found.status[i] != qubo::Status::ProvedOptimal || found.energy[i] == best);
  }
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  Source source(bytes);
  const auto methods = solve::methods();
  const auto& method = methods[source.below(static_cast<unsigned>(methods.size()))];
  if (source.below(2) != 0) {
    general(source, method);
  } else {
    image(source, method);
  }
}

}  // namespace oa
