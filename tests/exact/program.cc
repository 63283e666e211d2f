#include "exact/program.h"

#include "exact/problem_text.h"
#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace oa::exact {
namespace {

using enum io::ProblemFormat;

class Drawer {
 public:
  Drawer(Rng& rng, const Draw& draw) : rng_(rng), draw_(draw) {}

  Program program() {
    p_.format = std::array{Hubo, Hubo, Lp, Mps}[rng_.below(4)];
    p_.n = 1 + below(one_in(6) ? 12 : 8);
    p_.spins = p_.format == Hubo && one_in(3);
    p_.maximise = one_in(3);
    const int degree = p_.format == Hubo ? 1 + below(5) : 2;
    for (int k = below(3 * p_.n + 2); k > 0; --k) {
      Product product;
      for (int d = below(degree + 1); d > 0; --d) {
        product.variables.push_back(below(p_.n));
      }
      std::ranges::sort(product.variables);
      product.variables.erase(std::ranges::unique(product.variables).begin(),
                              product.variables.end());
      // A matrix of MPS has numbers that can be halved.
      const bool halved = p_.format == Mps && product.variables.size() == 2;
      product.weight = halved ? written((below(41) - 20) / 4.0) : weight();
      p_.products.push_back(std::move(product));
    }
    for (int k = p_.format == Hubo && one_in(3) ? 0 : below(4); k > 0; --k) {
      Limit one = limit();
      if (!one.range.text.empty()) {
        p_.limits.push_back(other_side(one));
      }
      p_.limits.push_back(std::move(one));
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
    if (p_.format == Mps && limit.relation != 0 && !limit.rough && one_in(2)) {
      limit.range = written(1 + below(4));
    }
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
    if (!limit.range.text.empty()) {
      limit.range.text = format(nearest(limit.range.value) / 10.0);
    }
  }

  static Limit other_side(Limit limit) {
    const bool above = limit.relation > 0;
    limit.right.value += above ? limit.range.value : -limit.range.value;
    limit.relation = -limit.relation;
    limit.range = {};
    return limit;
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

  /// The first product of the same variables counts: a row has one number of each.
  void drop_repeated_products() {
    std::vector<Product> kept;
    for (Product& one : p_.products) {
      if (std::ranges::find(kept, one.variables, &Product::variables) == kept.end()) {
        kept.push_back(std::move(one));
      }
    }
    p_.products = std::move(kept);
  }

  /// The numbers of the limits that are rows, not only the other side of one.
  [[nodiscard]] std::vector<std::size_t> rows() const {
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < p_.limits.size(); ++k) {
      if (k + 1 == p_.limits.size() || p_.limits[k + 1].range.text.empty()) {
        all.push_back(k);
      }
    }
    return all;
  }

  [[nodiscard]] std::string weight_of(const std::vector<int>& variables) const {
    const auto found = std::ranges::find(p_.products, variables, &Product::variables);
    return found == p_.products.end() ? "0" : found->weight.text;
  }

  static std::string negative(const std::string& text) {
    return text.starts_with('-') ? text.substr(1) : "-" + text;
  }

  void write_mps() {
    drop_repeated_products();
    say(std::string("NAME p\nOBJSENSE\n") + (p_.maximise ? "    MAX\n" : "    MIN\n") +
        "ROWS\n N cost\n");
    std::string ranges;
    for (const std::size_t k : rows()) {
      const Limit& limit = p_.limits[k];
      std::string type = limit.relation < 0 ? "L" : limit.relation > 0 ? "G" : "E";
      const std::string row = "r" + std::to_string(k);
      if (const std::string& range = limit.range.text; !range.empty()) {
        // The sign matters where the row is an equation.
        const bool equation = one_in(2);
        const bool minus = equation ? limit.relation < 0 : one_in(2);
        type = equation ? "E" : type;
        ranges += " rng " + row + " " + (minus ? negative(range) : range) + "\n";
      }
      say(" " + type + " " + row + "\n");
    }
    const bool markers = one_in(2);
    say(markers ? "COLUMNS\n M 'MARKER' 'INTORG'\n" : "COLUMNS\n");
    for (int i = 0; i < p_.n; ++i) {
      say(" " + name(i) + " cost " + weight_of({i}) + "\n");
      for (const std::size_t k : rows()) {
        say(" " + name(i) + " r" + std::to_string(k) + " " +
            p_.limits[k].weights[static_cast<std::size_t>(i)].text + "\n");
      }
    }
    say(markers ? " M 'MARKER' 'INTEND'\nRHS\n" : "RHS\n");
    say(" rhs cost " + negative(weight_of({})) + "\n");
    for (const std::size_t k : rows()) {
      say(" rhs r" + std::to_string(k) + " " + p_.limits[k].right.text + "\n");
    }
    say(ranges.empty() ? "" : "RANGES\n" + ranges);
    say("BOUNDS\n");
    for (int i = 0; i < p_.n; ++i) {
      say((markers ? " UP b " + name(i) + " 1" : " BV b " + name(i)) + "\n");
    }
    write_products();
    say("ENDATA\n");
  }

  /// Half of x'Qx: the whole of the matrix, or one of its triangles.
  void write_products() {
    const bool whole = one_in(2);
    bool begun = false;
    for (const Product& one : p_.products) {
      if (one.variables.size() == 2) {
        const std::string first = name(one.variables[0]);
        const std::string second = name(one.variables[1]);
        say(std::exchange(begun, true) ? "" : whole ? "QMATRIX\n" : "QUADOBJ\n");
        say(" " + first + " " + second + " " + one.weight.text + "\n");
        say(whole ? " " + second + " " + first + " " + one.weight.text + "\n" : "");
      }
    }
  }

  Rng& rng_;
  const Draw& draw_;
  Program p_;
};

}  // namespace

Program random_program(Rng& rng, const Draw& draw) {
  return Drawer(rng, draw).program();
}

}  // namespace oa::exact
