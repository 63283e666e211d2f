#include "oa/solve/exact/spin/search.h"

#include "oa/base/exact_sum.h"
#include "oa/base/index.h"
#include "oa/base/parallel.h"
#include "oa/base/rng.h"
#include "oa/solve/arithmetic/whole.h"
#include "oa/solve/exact/box/exact.h"
#include "oa/solve/exact/spin/clique_bound.h"
#include "oa/solve/method/open_nodes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr int kTogether = 4;  // nodes branched at a time
constexpr int kCuts = 4;      // roundings of a node's vectors tried as solutions
constexpr double kOpenBytes =
    0x1p29;  // memory of open nodes above which the worst go first
constexpr double kSearchWork = 3e6;    // nodes * spins^2 in a few seconds
constexpr double kRootSeconds = 7e-6;  // of 20 rounds, per pair of spins

constexpr std::int8_t kUnfixed = -1;

/// The problem of the free variables as spins, with one more spin for linear terms.
struct Subproblem {
  std::vector<int> variables;    // the free variables
  std::vector<ExactSum> linear;  // their linear terms
  ExactSum constant;
  std::vector<double> m;  // couplings of free spins and the last spin
  ExactSum rest;          // lower bound of f - s'Ms / 2
};

class SpinSearch {
 public:
  SpinSearch(const PartTask& task, const CliqueBound::Effort& effort, const Stop& stop)
      : f_(task.f),
        task_(task),
        effort_(effort),
        stop_(stop),
        j_(dense_matrix(task.f)),
        nodes_(task, step_of(task.f)) {
    for (const qubo::Term& t : f_.rests()) {
      rest_.add(t.first == qubo::kConstant ? t.weight : std::min(0.0, t.weight));
    }
  }

  Result solve() {
    look({{std::vector<std::int8_t>(f_.linear.size(), kUnfixed), {}, -kEndless}});
    nodes_.report_bound();
    while (!nodes_.empty() && !stop_() && made_ < task_.settings.max_nodes) {
      branch();
      nodes_.report_bound();
    }
    return nodes_.result(made_);
  }

 private:
  struct SearchNode {
    double bound = 0.0;
    std::int64_t number = 0;
    std::vector<std::int8_t> value;
    CliqueBound::State state;
    int spin = 0;  // index of the branching variable among the free
  };

  [[nodiscard]] Subproblem left(const std::vector<std::int8_t>& value) const {
    Subproblem all;
    all.constant.add(f_.offset);
    std::vector<int> ones;
    for (int i = 0; i < f_.size(); ++i) {
      if (value[at(i)] == kUnfixed) {
        all.variables.push_back(i);
      } else if (value[at(i)] == 1) {
        all.constant.add(f_.linear[at(i)]);
        for (const int k : ones) {
          all.constant.add(j_(i, k));
        }
        ones.push_back(i);
      }
    }
    all.rest = all.constant;
    all.rest.add(rest_);
    const std::size_t n = all.variables.size() + 1;
    all.m.resize(n * n);
    for (std::size_t a = 0; a + 1 < n; ++a) {
      const int i = all.variables[a];
      ExactSum& linear = all.linear.emplace_back();
      linear.add(f_.linear[at(i)]);
      for (const int k : ones) {
        linear.add(j_(i, k));
      }
      add_spin(a, n, all);
    }
    return all;
  }

  /// Adds the terms of a variable as a spin, x = (1 + s) / 2.
  void add_spin(std::size_t a, std::size_t n, Subproblem& all) const {
    const int i = all.variables[a];
    const TwoDoubles linear = all.linear[a].two();
    ExactSum own;
    for (const double part : {linear.value, linear.rest}) {
      own.add(0.5 * part);
      all.rest.add(0.5 * part);
    }
    // Adds the part of the term that exceeds two doubles.
    all.rest.add(-0x1p-104 * std::abs(linear.value));
    for (std::size_t b = 0; b + 1 < n; ++b) {
      if (b != a) {
        const double weight = j_(i, all.variables[b]);
        own.add(0.25 * weight);
        all.rest.add(0.125 * weight);  // the symmetric entry adds the same
        all.m[a * n + b] = 0.25 * weight;
      }
    }
    const double rounded = own.take_value();
    all.rest.add(-2.0 * std::abs(own.value()));  // s_i s_k is 1 or -1
    all.m[a * n + n - 1] = all.m[(n - 1) * n + a] = rounded;
  }

  /// A subproblem to bound.
  struct Part {
    std::vector<std::int8_t> value;
    CliqueBound::State state;
    double at_least;  // known lower bound
  };

  /// The outcome of bounding a Part.
  struct Seen {
    std::vector<Solution> found;     // each better than the previous best
    std::optional<SearchNode> node;  // set if the part is still open
    double lost = kEndless;          // bound of an unfinished part
  };

  /// Bounds parts in parallel, then uses results in order.  Parts do not share
  /// solutions, so the outcome does not depend on the number of threads.
  void look(std::vector<Part> parts) {
    std::vector<Seen> seen(parts.size());
    parallel_for(std::ssize(parts), task_.threads, [&](std::int64_t k, int) {
      seen[at(k)] = look(std::move(parts[at(k)]), made_ + k);
    });
    made_ += std::ssize(parts);
    for (Seen& one : seen) {
      for (Solution& s : one.found) {
        nodes_.offer(std::move(s));
      }
      nodes_.lose(one.lost);
      if (one.node) {
        const CliqueBound::State& state = one.node->state;
        bytes_ = static_cast<double>(sizeof(SpinVector) * state.vectors.size() +
                                     sizeof(OddClique) * state.cliques.size());
        nodes_.insert(*std::move(one.node));
      }
    }
  }

  [[nodiscard]] Seen look(Part part, std::int64_t number) const {
    Seen seen;
    if (stop_()) {
      seen.lost = part.at_least;
      return seen;
    }
    const Subproblem all = left(part.value);
    if (std::ssize(all.variables) <= kMaxSpins) {
      finish(all, part, seen);
      return seen;
    }
    const int n = static_cast<int>(all.variables.size()) + 1;
    // Large problems are rarely proved, so the root bound matters.
    const bool alone = number == 0 && n > kMaxOrdered;
    CliqueBound relaxation(
        n, all.m, alone ? CliqueBound::kAlone : effort_, std::move(part.state));
    ExactSum wanted;
    wanted.add(nodes_.cutoff());
    wanted.subtract(all.rest);
    const double goal = wanted.value();
    const double found = relaxation.improve(goal + 1e-12 * std::abs(goal), stop_);
    ExactSum sum = all.rest;
    sum.add(found);
    const double bound =
        std::max(part.at_least, std::isfinite(found) ? sum.rounded_down() : found);
    try_cuts(relaxation, all, part.value, number, seen);
    if (bound < nodes_.cutoff()) {
      seen.node = {
          bound, number, std::move(part.value), {}, least_decided(relaxation, n - 1)};
      seen.node->state = relaxation.take_state();
    }
    return seen;
  }

  static int least_decided(const CliqueBound& relaxation, int last) {
    int spin = 0;
    for (int i = 1; i < last; ++i) {
      const double doubt = std::abs(relaxation.product(i, last));
      spin = doubt < std::abs(relaxation.product(spin, last)) ? i : spin;
    }
    return spin;
  }

  /// Branches on the best nodes, or on the worst nodes if memory is short.
  void branch() {
    std::vector<Part> parts;
    for (int k = 0; k < kTogether && !nodes_.empty(); ++k) {
      const bool many = static_cast<double>(nodes_.size()) * bytes_ > kOpenBytes;
      SearchNode node = many ? nodes_.take_last() : nodes_.take_first();
      if (node.bound < nodes_.cutoff()) {
        divide(std::move(node), parts);
      }
    }
    look(std::move(parts));
  }

  void divide(SearchNode node, std::vector<Part>& parts) const {
    std::vector<int> free;
    for (int i = 0; i < f_.size(); ++i) {
      if (node.value[at(i)] == kUnfixed) {
        free.push_back(i);
      }
    }
    const int n = static_cast<int>(free.size()) + 1;
    for (const bool one : {true, false}) {
      node.value[at(free[at(node.spin)])] = std::int8_t{one};
      parts.push_back(
          {node.value,
           CliqueBound::contracted(node.state, n, node.spin, one ? 1.0 : -1.0),
           node.bound});
    }
  }

  /// Enumerates a part with few variables.
  void finish(const Subproblem& all, Part& part, Seen& seen) const {
    std::vector<std::int8_t>& value = part.value;
    std::vector<double> h;
    std::vector<qubo::Term> rests;
    for (std::size_t a = 0; a < all.linear.size(); ++a) {
      const auto i = static_cast<std::int32_t>(a);
      ExactSum linear = all.linear[a];
      h.push_back(linear.take_value());
      for (double over = linear.take_value(); over != 0.0; over = linear.take_value()) {
        rests.push_back({i, i, over});
      }
    }
    if (h.empty()) {
      keep(value, seen);
      return;
    }
    add_rests(all, value, rests);
    const qubo::Matrix matrix = j_.restricted(all.variables);
    const Result result = Exact(matrix, {}, stop_).solve(h, stop_, {}, rests);
    for (std::size_t a = 0; a < h.size(); ++a) {
      value[at(all.variables[a])] = static_cast<std::int8_t>(result.best[0].x[a]);
    }
    keep(value, seen);
    if (result.status != qubo::Status::ProvedOptimal) {
      seen.lost = part.at_least;
    }
  }

  /// Adds remainders of the coefficients of free variables.
  void add_rests(const Subproblem& all,
                 const std::vector<std::int8_t>& value,
                 std::vector<qubo::Term>& rests) const {
    std::vector<std::int32_t> place(value.size(), -1);
    for (std::size_t a = 0; a < all.variables.size(); ++a) {
      place[at(all.variables[a])] = static_cast<std::int32_t>(a);
    }
    for (const qubo::Term& t : f_.rests()) {
      if (t.first == qubo::kConstant) {
        continue;
      }
      const std::int32_t a = place[at(t.first)];
      const std::int32_t b = place[at(t.second)];
      if (a >= 0 && b >= 0) {
        rests.push_back({a, b, t.weight});
      } else if (a >= 0 && value[at(t.second)] == 1) {
        rests.push_back({a, a, t.weight});
      } else if (b >= 0 && value[at(t.first)] == 1) {
        rests.push_back({b, b, t.weight});
      }
    }
  }

  void try_cuts(const CliqueBound& relaxation,
                const Subproblem& all,
                std::vector<std::int8_t> value,
                std::int64_t number,
                Seen& seen) const {
    Rng rng = Rng(3).fork(static_cast<std::uint64_t>(number));
    const std::size_t n = all.variables.size() + 1;
    for (int t = 0; t < kCuts; ++t) {
      std::vector<double> s;
      for (const std::uint8_t side : relaxation.cut(rng)) {
        s.push_back(side != 0 ? 1.0 : -1.0);
      }
      descend_spins(all.m, s);
      for (std::size_t a = 0; a + 1 < n; ++a) {
        value[at(all.variables[a])] = std::int8_t{s[a] == s[n - 1]};
      }
      keep(value, seen);
    }
  }

  /// Flips spins as long as the energy falls.
  static void descend_spins(const std::vector<double>& m, std::vector<double>& s) {
    const std::size_t n = s.size();
    bool flipped = true;
    for (std::size_t round = 0; round < n && flipped; ++round) {
      flipped = false;
      for (std::size_t i = 0; i < n; ++i) {
        double pull = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
          pull += m[i * n + k] * s[k];
        }
        if (pull * s[i] > 0.0) {
          s[i] = -s[i];
          flipped = true;
        }
      }
    }
  }

  /// Keeps a complete assignment if it improves on the best.
  void keep(const std::vector<std::int8_t>& value, Seen& seen) const {
    std::vector<std::uint8_t> x(value.begin(), value.end());
    const TwoDoubles energy = exact_energy(f_, x).two();
    if (energy < nodes_.best().value()) {
      seen.found.emplace_back(energy, std::move(x));
    }
  }

  const qubo::Quadratic& f_;
  const PartTask& task_;
  CliqueBound::Effort effort_;
  const Stop& stop_;
  qubo::Matrix j_;
  ExactSum rest_;  // lower bound of f_.rests()
  OpenNodes<SearchNode> nodes_;
  double bytes_ = 0.0;  // of a node
  std::int64_t made_ = 0;
};

}  // namespace

Result search_spins(const PartTask& task, const Stop& stop) {
  Result result = SpinSearch(task, CliqueBound::kBranching, stop).solve();
  result.proof = "semidefinite";
  return result;
}

Result search_root(const PartTask& task, const Stop& stop) {
  PartTask root = begun_at(task.known, task);
  root.settings.max_nodes = 1;
  Result result = SpinSearch(root, CliqueBound::kAlone, stop).solve();
  result.proof = "semidefinite";
  return result;
}

double root_seconds(int n) {
  return kRootSeconds * n * n;
}

std::int64_t few_nodes(int n) {
  return static_cast<std::int64_t>(kSearchWork / (1.0 * n * n)) + 1;
}

}  // namespace oa::solve
