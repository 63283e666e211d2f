#include "oa/cim/pack.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/cim/optima.h"
#include "oa/cim/precision.h"
#include "oa/cim/quantise.h"
#include "oa/cim/single.h"
#include "oa/cim/split.h"
#include "oa/qubo/levels.h"
#include "oa/solve/exact/box/level_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace oa::cim {
namespace {

// Node limit for quantised problems with levels; above it, optima count as lost.
constexpr std::int64_t kMaxSpinNodes = 2000;
constexpr int kMaxLevelOptima = 16;

/// The remaining problem after variables were fixed.
struct Rest {
  qubo::Matrix j;
  std::vector<double> h;
  Optima optima;
};

Rest rest_of(const qubo::Matrix& j,
             const std::vector<double>& h,
             const machine::Bits& fixed,
             const Optima& optima) {
  std::vector<int> free;
  for (int i = 0; i < j.size(); ++i) {
    if (fixed[at(i)] == qubo::kFree) {
      free.push_back(i);
    }
  }
  Rest rest{j.restricted(free), {}, {}};
  for (const int i : free) {
    double linear = h[at(i)];
    for (int k = 0; k < j.size(); ++k) {
      linear += fixed[at(k)] == 1 ? j(i, k) : 0.0;
    }
    rest.h.push_back(linear);
  }
  rest.optima.proved = optima.proved;
  for (const machine::Bits& whole : optima.x) {
    machine::Bits& x = rest.optima.x.emplace_back();
    for (const int i : free) {
      x.push_back(whole[at(i)]);
    }
  }
  if (optima.is_optimum) {
    rest.optima.is_optimum = [&fixed, &optima](const machine::Bits& x) {
      return optima.is_optimum(restored(fixed, x));
    };
  }
  return rest;
}

machine::Bits fixed_by_root(OptimaFinder& finder,
                            const std::vector<double>& h,
                            const Optima& optima) {
  machine::Bits fixed;
  for (const solve::Decision d : finder.decisions(h, optima.energy)) {
    fixed.push_back(d == solve::Decision::Zero  ? 0
                    : d == solve::Decision::One ? 1
                                                : qubo::kFree);
  }
  return fixed;
}

/// Packs problems that share a leading block.
class Packer {
 public:
  Packer(const PackSettings& settings,
         qubo::Matrix j,
         std::string where,
         std::int64_t max_nodes)
      : settings_(settings),
        where_(std::move(where)),
        j_(std::move(j)),
        max_nodes_(max_nodes),
        finder_(j_, max_nodes) {}

  [[nodiscard]] int size() const { return j_.size(); }

  machine::PackedQuery operator()(const std::vector<double>& h) {
    return (*this)(h, finder_(h));
  }
  machine::PackedQuery operator()(const std::vector<double>& h, const Optima& optima) {
    machine::PackedQuery query;
    query.fixed.assign(h.size(), qubo::kFree);
    const bool searched = settings_.precision == Precision::Best ||
                          settings_.precision == Precision::Split;
    if (searched && settings_.fix && !optima.x.empty()) {
      query.fixed = fixed_by_root(finder_, h, optima);
    }
    if (std::ranges::find(query.fixed, qubo::kFree) == query.fixed.end()) {
      query.kept = {true, true, true, true, {}};
      return query;
    }
    const Rest rest = rest_of(j_, h, query.fixed, optima);
    const machine::Spins spins = machine::spins_of(rest.j, rest.h);
    Quantised done = quantised(spins, rest.optima);
    query.copies = std::move(done.copies);
    query.loss =
        query.copies.empty() ? loss_of(spins, done.rule, done.block) : done.loss;
    query.effort = done.effort;
    query.kept = std::move(done.kept);
    query.block = std::move(done.block);
    if (query.copies.empty()) {
      query.effort.whole = is_multiple(*query.block, rest.j, rest.h);
    }
    if (query.kept.known) {
      query.energy_lost =
          qubo::energy(j_, h, restored(query.fixed, query.kept.optimum)) -
          optima.energy;
    } else if (query.effort.whole) {
      query.kept = {true, true, true, true, {}};
    }
    return query;
  }

 private:
  [[nodiscard]] Quantised quantised(const machine::Spins& spins,
                                    const Optima& optima) const {
    const int top_level = (1 << (settings_.bits - 1)) - 1;
    if (settings_.precision == Precision::Exact) {
      return quantise_as_it_is(spins, optima, top_level, max_nodes_, where_);
    }
    if (settings_.precision != Precision::Vendor) {
      if (auto done = quantise_whole(spins, optima, top_level, max_nodes_)) {
        return *std::move(done);
      }
    }
    if (settings_.precision == Precision::Split) {
      return quantise_split(
          spins, optima, top_level, settings_.spins, max_nodes_, where_);
    }
    return settings_.precision == Precision::Best
               ? quantise_best(spins, optima, top_level, settings_.spins, max_nodes_)
               : quantise_as_vendor(spins, optima, top_level, max_nodes_);
  }

  const PackSettings& settings_;
  std::string where_;
  qubo::Matrix j_;
  std::int64_t max_nodes_;
  OptimaFinder finder_;
};

/// Describes which problems with levels fit the machine.
std::string what_fits(const qubo::Problem& p, int i, int spins) {
  if (p.coefficients != Coefficients::Levels) {
    return "";
  }
  const int each = (spins - 1) / p.size(i);
  const auto levels_in = [&](Encoding encoding) {
    int levels = 1;
    while (levels < kMaxLevels && qubo::spins_of(encoding, levels + 1) <= each) {
      ++levels;
    }
    return levels;
  };
  const int fit = levels_in(p.encoding);
  if (fit < 2) {
    return "; " + format(p.size(i)) + " coefficients do not fit with one spin each";
  }
  return "; " + format(each) + " spins for each coefficient make " + format(fit) +
         " levels in " + field_text(p.encoding) + ", " +
         format(levels_in(Encoding::Binary)) + " in binary";
}

void check_spins(const machine::PackedQuery& query,
                 const qubo::Problem& problem,
                 int i,
                 const PackSettings& settings,
                 const std::string& where) {
  if (query.block && settings.spins > 0 && query.block->spins() > settings.spins) {
    throw InputError(where + " needs " + format(query.block->spins()) +
                     " spins (the machine has " + format(settings.spins) +
                     what_fits(problem, i, settings.spins) + ")");
  }
  // The cells of a QUBO, sums of levels times 4, are floats.
  const int most = (1 << 24) >> (settings.bits - 1);
  if (query.block && query.block->spins() > most) {
    throw InputError(where + " needs " + format(query.block->spins()) +
                     " spins (expected at most " + format(most) + " with " +
                     format(settings.bits) + " bits)");
  }
}

/// Packs queries, one at a time.
class QueryPacker {
 public:
  QueryPacker(const PackSettings& settings,
              const qubo::Problem& problem,
              const std::string& where)
      : settings_(settings),
        problem_(problem),
        where_(where),
        j_(problem.m, problem.j) {}

  machine::PackedQuery operator()(int i) {
    if (problem_.coefficients == Coefficients::Levels) {
      const qubo::SpinProblem spins = qubo::spin_problem(problem_, i);
      machine::PackedQuery query = Packer(settings_, spins.j, where_, kMaxSpinNodes)(
          spins.h, optima_in_levels(i));
      query.energy_lost /= spins.units;
      return query;
    }
    if (!packer_ || packer_->size() != problem_.size(i)) {
      const int size = problem_.size(i);
      packer_ = std::make_unique<Packer>(
          settings_, j_.leading(size), where_, proof_nodes(size));
    }
    const auto floats = problem_.query(i);
    return (*packer_)({floats.begin(), floats.end()});
  }

 private:
  Optima optima_in_levels(int i) {
    if (!search_) {
      solve::Settings settings;
      settings.top = kMaxLevelOptima;
      search_.emplace(j_, problem_.levels, settings);
    }
    std::vector<double> h;
    for (const float linear : problem_.query(i)) {
      h.push_back(double{problem_.steps[at(i)]} * double{linear});
    }
    const qubo::LevelCode code = qubo::code_of(problem_);
    const solve::Result found = search_->solve(h, {});
    Optima optima{.energy = found.best.front().energy,
                  .x = {},
                  .proved = found.status == qubo::Status::ProvedOptimal};
    std::vector<machine::Bits> levels;
    for (const solve::Solution& s : found.best) {
      if (s.energy == optima.energy) {
        optima.x.push_back(qubo::spins_of(code, s.x));
        levels.push_back(s.x);
      }
    }
    optima.is_optimum = [code, levels](const machine::Bits& y) {
      const auto decoded = qubo::levels_of(code, y);
      return std::ranges::find(levels, decoded) != levels.end();
    };
    return optima;
  }

  const PackSettings& settings_;
  const qubo::Problem& problem_;
  const std::string& where_;
  qubo::Matrix j_;
  std::unique_ptr<Packer> packer_;  // for the size of the last query
  std::optional<solve::LevelSearch> search_;
};

/// Distributes queries over tasks.
std::vector<std::vector<int>> spread(const std::vector<machine::PackedQuery>& queries,
                                     const PackSettings& settings) {
  std::vector<int> asked;
  std::vector<int> sizes;
  std::vector<std::vector<int>> tasks;
  for (int i = 0; i < std::ssize(queries); ++i) {
    const bool left = queries[at(i)].block.has_value();
    tasks.push_back(left ? std::vector{i} : std::vector<int>{});
    if (left) {
      asked.push_back(i);
      sizes.push_back(queries[at(i)].block->size());
    }
  }
  if (!settings.merge) {
    return tasks;
  }
  const int all = std::accumulate(sizes.begin(), sizes.end(), 0);
  tasks = fill_bins(sizes, settings.spins > 0 ? settings.spins - 1 : all);
  for (std::vector<int>& task : tasks) {
    for (int& item : task) {
      item = asked[at(item)];
    }
  }
  return tasks;
}

}  // namespace

machine::PackedImage pack(qubo::Problem problem,
                          const PackSettings& settings,
                          const std::string& where) {
  machine::PackedImage image;
  QueryPacker packer(settings, problem, where);
  for (int i = 0; i < problem.n; ++i) {
    image.queries.push_back(packer(i));
    check_spins(
        image.queries.back(), problem, i, settings, where + ": query " + format(i));
  }
  image.problem = std::move(problem);
  image.tasks = spread(image.queries, settings);
  return image;
}

machine::PackedImage pack(std::shared_ptr<const machine::Single> single,
                          std::int64_t index,
                          const PackSettings& settings,
                          const std::string& where) {
  const int n = single->f.size();
  if (n > kMaxSingleVariables) {
    throw InputError(where + ": " + format_grouped(n) +
                     " variables (expected at most " +
                     format_grouped(kMaxSingleVariables) + ")");
  }
  const auto [part, reference] = machine_part(*single);
  const int open = part.rest().size();
  machine::PackedImage image;
  image.problem = image_of(dense_single(single->f));
  image.problem.index = index;
  image.single = std::move(single);
  machine::PackedQuery& query = image.queries.emplace_back();
  if (open == 0) {
    query.kept = {true, true, true, true, {}};
  } else {
    DenseSingle dense = dense_single(part.rest().f);
    query = Packer(settings, std::move(dense.j), where, proof_nodes(open))(dense.h);
    query.energy_lost = std::ldexp(query.energy_lost, dense.scale);
    if (reference && query.effort.auxiliaries == 1) {
      query.effort.auxiliaries = 0;
    }
  }
  query.fixed = part.whole(query.fixed);
  check_spins(query, image.problem, 0, settings, where);
  image.tasks = spread(image.queries, settings);
  return image;
}

std::vector<std::vector<int>> fill_bins(const std::vector<int>& sizes, int room) {
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return sizes[at(a)] > sizes[at(b)]; });
  std::vector<std::vector<int>> bins;
  std::vector<int> left;
  for (const int item : order) {
    const int size = sizes[at(item)];
    const auto fits = std::ranges::find_if(left, [&](int l) { return l >= size; });
    const auto bin = fits - left.begin();
    if (fits == left.end()) {
      bins.emplace_back();
      left.push_back(room);
    }
    bins[static_cast<std::size_t>(bin)].push_back(item);
    left[static_cast<std::size_t>(bin)] -= size;
  }
  for (std::vector<int>& bin : bins) {
    std::ranges::sort(bin);
  }
  std::ranges::sort(bins);
  return bins;
}

machine::Bits restored(const machine::Bits& fixed,
                       std::span<const std::uint8_t> block_x) {
  machine::Bits x = fixed;
  std::size_t next = 0;
  for (std::uint8_t& value : x) {
    if (value == qubo::kFree) {
      value = block_x[next++];
    }
  }
  return x;
}

}  // namespace oa::cim
