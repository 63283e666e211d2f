#include "app/solve/solving.h"
#include "exact/program.h"
#include "oa/base/number.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/solve_model.h"
#include "oa_test.h"

#include <algorithm>
#include <cmath>

namespace oa::exact {
namespace {

Exact times(const Exact& x, int factor) {
  Exact sum;
  for (int k = 0; k < std::abs(factor); ++k) {
    sum += x;
  }
  return factor < 0 ? -sum : sum;
}

bool one_at(Mask x, int i, int n) {
  return (x >> (n - 1 - i) & 1U) != 0;
}

/// What a product is at x, of weight 1.
int product_at(const Program& p, const std::vector<int>& variables, Mask x) {
  int value = 1;
  for (const int i : variables) {
    value *= one_at(x, i, p.n) ? 1 : p.spins ? -1 : 0;
  }
  return value;
}

Exact energy_at(const Program& p, Mask x) {
  Exact sum;
  for (const Product& one : p.products) {
    sum += times(one.weight.value, product_at(p, one.variables, x));
  }
  return sum;
}

enum class Holds : std::uint8_t { No, Either, Yes };  // a worse one comes first

/// Rough limits hold within 1e-9 of the sum of their weights; closer to that than by a
/// factor of 2, both answers are right.
Holds holds_at(const Program& p, const Limit& limit, Mask x) {
  Exact above = -limit.right.value;
  double total = 0.0;
  for (int i = 0; i < p.n; ++i) {
    const Written& weight = limit.weights[static_cast<std::size_t>(i)];
    above += times(weight.value, product_at(p, {i}, x));
    total += std::abs(nearest(weight.value));
  }
  const double over = nearest(above);
  const double missed = limit.relation < 0   ? over
                        : limit.relation > 0 ? -over
                                             : std::abs(over);
  if (missed <= (limit.rough ? 0.4e-9 * total : 0.0)) {
    return Holds::Yes;
  }
  return limit.rough && missed <= 1.1e-9 * total ? Holds::Either : Holds::No;
}

struct Feasible {
  Exact energy;
  Mask x = 0;
};

/// The feasible vectors, best first.
struct Order {
  std::vector<Feasible> all;
  bool open = false;  ///< it is open which are feasible
};

Order order_of(const Program& p) {
  Order order;
  for (Mask x = 0; x < Mask{1} << p.n; ++x) {
    auto holds = Holds::Yes;
    for (const Limit& limit : p.limits) {
      holds = std::min(holds, holds_at(p, limit, x));
    }
    order.open = order.open || holds == Holds::Either;
    if (holds == Holds::Yes) {
      order.all.push_back({energy_at(p, x), x});
    }
  }
  std::ranges::stable_sort(order.all, [&](const Feasible& a, const Feasible& b) {
    return p.maximise ? b.energy < a.energy : a.energy < b.energy;
  });
  return order;
}

class Asking {
 public:
  Asking(const Program& p, Rng& rng) : p_(p), rng_(rng), order_(order_of(p)) {}

  std::vector<std::string> wrong() {
    io::Input input = io::Input::memory(test::bytes_of(p_.bytes), "problem");
    const io::ProblemFile file = io::read_problems(input, p_.format, {});
    const qubo::Model& model = file.problems.at(0);
    if (model.size() != p_.n) {
      return {"reading: " + std::to_string(model.size()) + " variables"};
    }
    read_right(model);
    if (!order_.open) {
      ask_tool(model);
      if (rng_.below(4) == 0) {
        ask_library(model);
      }
    }
    return std::move(wrong_);
  }

 private:
  void say(const std::string& what) { wrong_.push_back(what); }

  /// Values and feasibility of some vectors, as the library sees them.
  void read_right(const qubo::Model& model) {
    for (int k = 0; k < 8; ++k) {
      const Mask x = rng_.below(std::uint32_t{1} << p_.n);
      const auto vector = vector_of(x, p_.n);
      const double right = nearest(energy_at(p_, x));
      if (const double got = qubo::exact_value(model, vector).value(); got != right) {
        say("reading: " + format(got) + " is " + format(right));
      }
      for (std::size_t c = 0; c < p_.limits.size(); ++c) {
        qubo::Model one(model.f);
        one.constraints = {model.constraints[c]};
        const Holds holds = holds_at(p_, p_.limits[c], x);
        if (holds != Holds::Either &&
            (qubo::violated(one, vector) < 0) != (holds == Holds::Yes)) {
          say("feasible: limit " + std::to_string(c));
        }
      }
    }
  }

  /// What oa-anneal does: small programs are always proved.
  void ask_tool(const qubo::Model& model) {
    app::Common common;
    common.threads = 1;
    app::SolveOptions solving;
    solving.solver = rng_.below(2) == 0 ? "auto" : "exact";
    solving.settings.top = rng_.below(3) == 0 ? 1 + static_cast<int>(rng_.below(9)) : 1;
    app::SingleOptions options;
    options.count_optima = true;
    options.all_optima = solving.settings.top == 1 && rng_.below(3) == 0;
    const io::ResultLine line =
        app::solve_single({common, solving}, options, {.model = model}, {}).line;
    if (order_.all.empty()) {
      if (!line.infeasible) {
        say("proof: nothing is feasible");
      }
      return;
    }
    const Feasible& best = order_.all.front();
    if (line.status != qubo::Status::ProvedOptimal) {
      say("no proof: of a small program");
    } else if (mask_of(line.x) != best.x || line.energy != nearest(best.energy) ||
               line.bound != line.energy) {
      say("proof: wrong, " + format(line.energy) + " is " +
          format(nearest(best.energy)));
    }
    const auto end = std::ranges::find_if(
        order_.all, [&](const Feasible& one) { return !(one.energy == best.energy); });
    const auto optima = static_cast<std::size_t>(end - order_.all.begin());
    if (!line.optima_count || *line.optima_count != optima ||
        (options.all_optima && line.optima.size() != optima)) {
      say("optima: not " + std::to_string(optima));
    }
    for (std::size_t k = 0; k < line.top.size(); ++k) {
      if (k >= order_.all.size() || mask_of(line.top[k].second) != order_.all[k].x) {
        say("order: number " + std::to_string(k));
      }
    }
  }

  /// What larger programs get; its claims must be right.
  void ask_library(const qubo::Model& model) {
    const auto methods = solve::methods();
    solve::ModelSettings settings;
    settings.method = &methods[rng_.below(static_cast<std::uint32_t>(methods.size()))];
    settings.solver.time_limit_s = 0.02;
    const Rng rng(1);
    const solve::ModelResult found =
        model.constraints.empty()
            ? solve::solve_model(
                  qubo::quadratic_of(model, "problem"), settings, rng, {})
            : solve::solve_constrained(model, settings, rng, {});
    std::vector<std::uint8_t> vector = found.best.front().x;
    vector.resize(static_cast<std::size_t>(p_.n));
    const Mask x = mask_of(vector);
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    const bool feasible = qubo::violated(model, vector) < 0;
    const auto place = std::ranges::find(order_.all, x, &Feasible::x);
    if (feasible != (place != order_.all.end())) {
      say("feasible: the answer of the library");
    } else if (proved && (feasible ? !(place->energy == order_.all.front().energy)
                                   : !order_.all.empty())) {
      say("proof: wrong, of the library");
    }
    if (feasible && std::isfinite(found.bound) && !proved) {
      const auto compared = exactly(found.bound) <=> order_.all.front().energy;
      if (p_.maximise ? compared < 0 : compared > 0) {
        say("bound: " + format(found.bound));
      }
    }
  }

  const Program& p_;
  Rng& rng_;
  Order order_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> wrong_in(const Program& program, Rng& rng) {
  return Asking(program, rng).wrong();
}

}  // namespace oa::exact
