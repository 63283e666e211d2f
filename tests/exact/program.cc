#include "exact/program.h"

#include "app/solve/solving.h"
#include "exact/problem_text.h"
#include "oa/base/number.h"
#include "oa/qubo/polynomial.h"
#include "oa/qubo/reduce.h"
#include "oa/solve/single/constrained.h"
#include "oa/solve/single/solve_model.h"
#include "oa_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace oa::exact {
namespace {

using enum io::ProblemFormat;

Exact times(const Exact& x, int factor) {
  Exact sum;
  for (int k = 0; k < std::abs(factor); ++k) {
    sum += x;
  }
  return factor < 0 ? -sum : sum;
}

class Drawer {
 public:
  Drawer(Rng& rng, const Draw& draw) : rng_(rng), draw_(draw) {}

  Program program() {
    p_.format = std::array{Hubo, Hubo, Lp, Mps}[rng_.below(4)];
    p_.n = 1 + below(one_in(6) ? 12 : 8);
    p_.spins = p_.format == Hubo && one_in(3);
    p_.maximise = one_in(3);
    const int degree = p_.format == Mps ? 1 : p_.format == Lp ? 2 : 1 + below(5);
    for (int k = below(3 * p_.n + 2); k > 0; --k) {
      Product product;
      for (int d = below(degree + 1); d > 0; --d) {
        product.variables.push_back(below(p_.n));
      }
      std::ranges::sort(product.variables);
      product.variables.erase(std::ranges::unique(product.variables).begin(),
                              product.variables.end());
      product.weight = weight();
      p_.products.push_back(std::move(product));
    }
    for (int k = p_.format == Hubo && one_in(3) ? 0 : below(4); k > 0; --k) {
      p_.limits.push_back(limit());
    }
    switch (p_.format) {
      case Lp: write_lp(); break;
      case Mps: write_mps(); break;
      default:
        p_.limits.empty() && !p_.maximise && one_in(2) ? write_text() : write_json();
    }
    return std::move(p_);
  }

 private:
  int below(int n) {
    return static_cast<int>(rng_.below(static_cast<std::uint32_t>(n)));
  }
  bool one_in(int n) { return below(n) == 0; }

  static Written written(double value, std::string text = {}) {
    return {text.empty() ? format(value) : std::move(text), exactly(value)};
  }

  /// A whole number beyond 2^53, of at most 62 bits: JSON has no more.
  Written long_integer() {
    const std::int64_t high = (std::int64_t{1} << 53) + below(1 << 30) * (1LL << 28);
    const std::int64_t all = (one_in(2) ? 1 : -1) * (high + below(5));
    Exact value = exactly(static_cast<double>(all - all % 8));
    value += exactly(static_cast<double>(all % 8));
    return {std::to_string(all), value};
  }

  Written weight() {
    if (one_in(8)) {
      return long_integer();
    }
    const double value = draw_(rng_);
    return written(value, random_number(rng_, value));
  }

  Limit limit() {
    Limit limit;
    limit.relation = below(3) - 1;
    const int kind = below(5);
    limit.rough = kind >= 3;
    const auto number = [&]() -> double {
      switch (kind) {
        case 0: return below(7) - 3;
        case 1: return below(2);
        case 2: return std::ldexp(below(2001) - 1000, -3);
        case 3: return (below(7) - 3) / 3.0;
        default: return rng_.normal();
      }
    };
    std::vector<double> all;
    double right = 0.0;  // often of a vector, so that some are feasible
    for (int i = 0; i < p_.n; ++i) {
      all.push_back(one_in(4) ? 0.0 : number());
      right += one_in(2) ? all.back() : p_.spins ? -all.back() : 0.0;
      limit.weights.push_back(written(all.back()));
    }
    right = one_in(4) ? number() : right;
    limit.right = written(right);
    if (!limit.rough && one_in(3)) {
      make_decimal(limit, all, right);
    }
    return limit;
  }

  /// Divides all numbers by 10; their files then have decimals, meant exactly.
  static void make_decimal(Limit& limit, const std::vector<double>& all, double right) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      limit.weights[i].text = format(all[i] / 10.0);
    }
    limit.right.text = format(right / 10.0);
  }

  void say(const std::string& text) { p_.bytes += text; }
  static std::string name(int i) { return "x" + std::to_string(i); }
  static std::string relation(int r) { return r < 0 ? "<=" : r > 0 ? ">=" : "="; }

  void write_text() {
    say(std::string("p hubo ") + (p_.spins ? "spin " : "binary ") +
        std::to_string(p_.n) + "\n");
    for (const Product& one : p_.products) {
      for (const int i : one.variables) {
        say(std::to_string(i) + " ");
      }
      say(one.weight.text + "\n");
    }
  }

  void write_json() {
    say(std::string("{\"vartype\": \"") + (p_.spins ? "SPIN" : "BINARY") +
        "\", \"sense\": \"" + (p_.maximise ? "max" : "min") + "\", \"hubo\": [");
    for (int i = 0; i < p_.n; ++i) {  // so that they come in this order
      say((i == 0 ? "[[" : ", [[") + std::to_string(i) + "], 0]");
    }
    for (const Product& one : p_.products) {
      say(", [[");
      for (std::size_t k = 0; k < one.variables.size(); ++k) {
        say((k == 0 ? "" : ",") + std::to_string(one.variables[k]));
      }
      say("], " + one.weight.text + "]");
    }
    say("], \"constraints\": [");
    for (std::size_t k = 0; k < p_.limits.size(); ++k) {
      const Limit& limit = p_.limits[k];
      say(std::string(k == 0 ? "" : ", ") + "{\"relation\": \"" +
          relation(limit.relation) + "\", \"right\": " + limit.right.text +
          ", \"linear\": {");
      for (std::size_t i = 0; i < limit.weights.size(); ++i) {
        say((i == 0 ? "\"" : ", \"") + std::to_string(i) +
            "\": " + limit.weights[i].text);
      }
      say("}}");
    }
    say("]}\n");
  }

  /// "- 3", since a space follows signs before numbers.
  static std::string with_sign(const std::string& text) {
    return text.starts_with('-') ? "- " + text.substr(1) : "+ " + text;
  }

  void write_lp() {
    say(p_.maximise ? "maximize\n obj:" : "minimize\n obj:");
    for (int i = 0; i < p_.n; ++i) {
      say(" + 0 " + name(i));
    }
    for (const Product& one : p_.products) {
      const std::string weight = " " + with_sign(one.weight.text) + " ";
      if (one.variables.size() < 2) {
        say(weight + (one.variables.empty() ? "" : name(one.variables[0])));
      } else {
        say(" + [" + weight + name(one.variables[0]) + " * " + name(one.variables[1]) +
            " ]");
      }
      say("\n");
    }
    say("\nsubject to\n");
    for (const Limit& limit : p_.limits) {
      for (std::size_t i = 0; i < limit.weights.size(); ++i) {
        say(" " + with_sign(limit.weights[i].text) + " " + name(static_cast<int>(i)));
      }
      say(" " + relation(limit.relation) + " " + limit.right.text + "\n");
    }
    say("binary\n");
    for (int i = 0; i < p_.n; ++i) {
      say(" " + name(i));
    }
    say("\nend\n");
  }

  /// Each variable with one number a row: the first product of it counts.
  void write_mps() {
    std::vector<const Product*> of(static_cast<std::size_t>(p_.n) + 1);
    std::vector<Product> kept;
    for (const Product& one : p_.products) {
      const auto place = one.variables.empty()
                             ? of.size() - 1
                             : static_cast<std::size_t>(one.variables[0]);
      if (of[place] == nullptr) {
        of[place] = &one;
        kept.push_back(one);
      }
    }
    say(std::string("NAME p\nOBJSENSE\n") + (p_.maximise ? "    MAX\n" : "    MIN\n") +
        "ROWS\n N cost\n");
    for (std::size_t k = 0; k < p_.limits.size(); ++k) {
      const int r = p_.limits[k].relation;
      say(std::string(r < 0   ? " L"
                      : r > 0 ? " G"
                              : " E") +
          " r" + std::to_string(k) + "\n");
    }
    say("COLUMNS\n");
    for (int i = 0; i < p_.n; ++i) {
      const auto* const one = of[static_cast<std::size_t>(i)];
      say(" " + name(i) + " cost " + (one == nullptr ? "0" : one->weight.text) + "\n");
      for (std::size_t k = 0; k < p_.limits.size(); ++k) {
        say(" " + name(i) + " r" + std::to_string(k) + " " +
            p_.limits[k].weights[static_cast<std::size_t>(i)].text + "\n");
      }
    }
    say("RHS\n");
    if (const Product* constant = of.back(); constant != nullptr) {
      const std::string& text = constant->weight.text;
      say(" rhs cost " + (text.starts_with('-') ? text.substr(1) : "-" + text) + "\n");
    }
    for (std::size_t k = 0; k < p_.limits.size(); ++k) {
      say(" rhs r" + std::to_string(k) + " " + p_.limits[k].right.text + "\n");
    }
    say("BOUNDS\n");
    for (int i = 0; i < p_.n; ++i) {
      say(" BV b " + name(i) + "\n");
    }
    say("ENDATA\n");
    p_.products = std::move(kept);
  }

  Rng& rng_;
  const Draw& draw_;
  Program p_;
};

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

Program random_program(Rng& rng, const Draw& draw) {
  return Drawer(rng, draw).program();
}

std::vector<std::string> wrong_in(const Program& program, Rng& rng) {
  return Asking(program, rng).wrong();
}

}  // namespace oa::exact
