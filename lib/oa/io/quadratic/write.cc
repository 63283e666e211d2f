#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/exact_sum.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/problem_file.h"
#include "oa/io/tensor/npy.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace oa::io {
namespace {

using qubo::Quadratic;
using qubo::Sense;
using qubo::Term;
using qubo::Vartype;

class Writer {
 public:
  Writer(Output& output, ProblemFormat format, std::string_view name)
      : output_(output),
        format_(format),
        name_(name) {}

  void write(Quadratic f) {
    if (!f.names.empty() && f.names.size() != f.linear.size()) {
      throw InputError(std::string(name_) + ": " +
                       counted(std::ssize(f.names), "name") + " of " +
                       counted(f.size(), "variable"));
    }
    if (f.sense != info(format_).sense) {
      f = negated(std::move(f));
    }
    const bool named = format_ == ProblemFormat::Bqm || format_ == ProblemFormat::Csv;
    if (!named && !f.names.empty()) {
      refuse("names of variables", " (--drop-names leaves them out)");
    }
    switch (format_) {
      case ProblemFormat::Qubo: write_qbsolv(binary(f)); break;
      case ProblemFormat::Gset: write_gset(f); break;
      case ProblemFormat::Orlib: write_halves(binary(f), "1\n"); break;
      case ProblemFormat::Biqmac: write_halves(binary(f), ""); break;
      case ProblemFormat::Bq: write_entries(binary(f), ""); break;
      case ProblemFormat::Qs: write_qs(checked(f, Vartype::Binary).f); break;
      case ProblemFormat::Csv: write_table(binary(f), ","); break;
      case ProblemFormat::Txt: write_table(binary(f), " "); break;
      case ProblemFormat::Npy: write_matrix(binary(f)); break;
      case ProblemFormat::Npz:
      case ProblemFormat::Jsonl:
      case ProblemFormat::Hubo:
      case ProblemFormat::Lp:
      case ProblemFormat::Mps:
      case ProblemFormat::Dimacs:
      case ProblemFormat::Cnf:
      case ProblemFormat::Opb:
        throw InputError(std::string(name_) + ": " + std::string(info(format_).name) +
                         " is only read");
      case ProblemFormat::Mtx: write_mtx(binary(f)); break;
      case ProblemFormat::Coo: write_coo(f); break;
      case ProblemFormat::Bqm: write_bqm(f); break;
      case ProblemFormat::Kaiwu: write_ising(f); break;
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what,
                           const std::string& remedy = "") const {
    throw InputError(std::string(name_) + ": " + what +
                     " cannot be kept in a file of " + std::string(info(format_).name) +
                     remedy);
  }

  /// Converts f to variables of `vartype`, and throws if a number cannot be read back.
  qubo::Converted checked(const Quadratic& f, Vartype vartype) const {
    qubo::Converted c = converted(f, vartype);
    double total = std::abs(c.f.offset);
    for (const Term& t : entries(c.f)) {
      total += std::abs(t.weight);
    }
    if (!c.exact || !(total < kMaxTotal)) {
      refuse(c.exact ? "weights that large" : "weights too small to be halved");
    }
    return c;
  }

  /// Converts f to 0/1 variables, and drops the constant.
  Quadratic binary(const Quadratic& f) const {
    qubo::Converted c = checked(f, Vartype::Binary);
    if (c.f.offset != 0.0) {
      refuse("the constant " + format(c.f.offset), " (bqm and qs keep it)");
    }
    return std::move(c.f);
  }

  void term(std::int64_t i, std::int64_t k, double weight) {
    output_.write(format(i) + " " + format(k) + " " + format(weight) + "\n");
  }

  void refuse_rests(const Quadratic& f) const {
    if (!f.rests().empty()) {
      refuse("weights that a double cannot hold");
    }
  }

  /// Lists linear terms (as diagonal entries) and pairs, row by row,
  /// then the remainders of rounded sums, with the indices of their terms.
  static std::vector<Term> entries(const Quadratic& f) {
    std::vector<Term> all;
    for (int i = 0; i < f.size(); ++i) {
      if (const double h = f.linear[static_cast<std::size_t>(i)]; h != 0.0) {
        all.push_back({i, i, h});
      }
      for (const qubo::Coupling& c : f.row(i)) {
        if (c.other > i) {
          all.push_back({i, c.other, c.weight});
        }
      }
    }
    std::ranges::copy_if(f.rests(), std::back_inserter(all), [](const Term& t) {
      return t.first != qubo::kConstant;
    });
    return all;
  }

  void write_qbsolv(const Quadratic& f) {
    const std::vector<Term> all = entries(f);
    const std::int64_t nodes =
        std::ranges::count_if(all, [](const Term& t) { return t.first == t.second; });
    output_.write("p qubo 0 " + format(f.size()) + " " + format(nodes) + " " +
                  format(std::ssize(all) - nodes) + "\n");
    for (const bool diagonal : {true, false}) {
      for (const Term& t : all) {
        if ((t.first == t.second) == diagonal) {
          term(t.first, t.second, t.weight);
        }
      }
    }
  }

  void write_gset(const Quadratic& f) {
    const qubo::Converted c = checked(f, Vartype::Spin);
    const std::vector<Term> edges = entries(c.f);
    if (std::ranges::any_of(edges, [](const Term& t) { return t.first == t.second; })) {
      refuse("linear terms");
    }
    ExactSum rest;
    rest.add(c.f.offset);
    for (const Term& t : c.f.rests()) {
      rest.add(t.first == qubo::kConstant ? t.weight : 0.0);
    }
    for (const Term& t : edges) {
      rest.add(t.weight);
    }
    if (rest.value() != 0.0) {
      refuse("a constant");
    }
    output_.write(format(f.size()) + " " + format(std::ssize(edges)) + "\n");
    for (const Term& t : edges) {
      term(t.first + 1, t.second + 1, -2.0 * t.weight);
    }
  }

  void write_halves(const Quadratic& f, std::string_view before) {
    const std::vector<Term> all = entries(f);
    output_.write(before);
    output_.write(format(f.size()) + " " + format(std::ssize(all)) + "\n");
    for (const Term& t : all) {
      const double factor = t.first == t.second ? 1.0 : 0.5;
      if (factor * t.weight / factor != t.weight) {
        refuse("weights too small to be halved");
      }
      term(t.first + 1, t.second + 1, factor * t.weight);
    }
  }

  void write_qs(const Quadratic& f) {
    if (std::ranges::find(f.rests(), qubo::kConstant, &Term::first) !=
        f.rests().end()) {
      refuse("a constant that no double holds");
    }
    write_halves(f, "# ObjectiveOffset " + format(f.offset) + "\n");
  }

  std::vector<double> upper_triangle(const Quadratic& f) const {
    refuse_rests(f);
    if (f.size() > kMaxMatrixVariables) {
      refuse(format(f.size()) + " variables");
    }
    const auto n = static_cast<std::size_t>(f.size());
    std::vector<double> matrix(n * n);
    for (const Term& t : entries(f)) {
      matrix[static_cast<std::size_t>(t.first) * n +
             static_cast<std::size_t>(t.second)] = t.weight;
    }
    return matrix;
  }

  /// Writes names in a line before the numbers.
  /// If names look like numbers, rows also begin with names.
  void write_table(const Quadratic& f, std::string_view separator) {
    const std::vector<double> matrix = upper_triangle(f);
    const std::vector<std::string> names = cells_of_names(f.names, std::string(name_));
    const bool before_rows =
        names.size() == 1 || std::ranges::any_of(names, [](const std::string& name) {
          return parse_weight(name).has_value();
        });
    for (std::size_t i = 0; i < names.size(); ++i) {
      output_.write(i > 0 || before_rows ? separator : "");
      output_.write(names[i]);
    }
    output_.write(names.empty() ? "" : "\n");
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      const std::size_t column = k % f.linear.size();
      if (column == 0 && before_rows) {
        output_.write(names[k / f.linear.size()]);
        output_.write(separator);
      }
      output_.write(format(matrix[k]));
      output_.write(column + 1 == f.linear.size() ? "\n" : separator);
    }
  }

  void write_matrix(const Quadratic& f) {
    const std::vector<double> matrix = upper_triangle(f);
    write_npy(
        output_, Dtype::F64, {f.size(), f.size()}, std::as_bytes(std::span(matrix)));
  }

  /// Writes each pair once.
  void write_entries(const Quadratic& f, const std::string& before) {
    const std::vector<Term> all = entries(f);
    output_.write(before + format(f.size()) + " " + format(std::ssize(all)) + "\n");
    for (const Term& t : all) {
      term(t.first + 1, t.second + 1, t.weight);
    }
  }

  void write_mtx(const Quadratic& f) {
    write_entries(
        f, "%%MatrixMarket matrix coordinate real general\n" + format(f.size()) + " ");
  }

  /// Writes f unchanged, unless a change of variables removes its constant.
  void write_coo(const Quadratic& f) {
    const qubo::Converted c =
        f.offset == 0.0
            ? qubo::Converted{f}
            : checked(f, f.vartype == Vartype::Spin ? Vartype::Binary : Vartype::Spin);
    const Quadratic& g = c.f;
    if (g.offset != 0.0) {
      refuse("the constant " + format(f.offset));
    }
    output_.write(g.vartype == Vartype::Spin ? "# vartype=SPIN\n"
                                             : "# vartype=BINARY\n");
    const std::vector<Term> all = entries(g);
    const int last = g.size() - 1;
    // The largest index tells readers the number of variables, so it must occur.
    if (all.empty() ||
        std::ranges::none_of(all, [&](const Term& t) { return t.second == last; })) {
      term(last, last, 0.0);
    }
    for (const Term& t : all) {
      term(t.first, t.second, t.weight);
    }
  }

  void write_ising(const Quadratic& f) {
    const Quadratic g = checked(f, Vartype::Spin).f;
    refuse_rests(g);
    if (std::ranges::any_of(entries(g), [](const Term& t) {
          return 2.0 * (0.5 * t.weight) != t.weight;
        })) {
      refuse("weights too small to be halved");
    }
    if (g.size() >= kMaxMatrixVariables) {
      refuse(format(g.size()) + " variables");
    }
    write_kaiwu(output_, g);
  }

  void write_list(std::string_view name, std::int64_t n, const auto& element) {
    output_.write(",\"" + std::string(name) + "\":[");
    for (std::int64_t i = 0; i < n; ++i) {
      output_.write((i > 0 ? "," : "") + element(static_cast<std::size_t>(i)));
    }
    output_.write("]");
  }

  /// Remainders of rounded pairs follow as additional pairs, which readers add.
  void write_bqm(const Quadratic& f) {
    std::vector<Term> pairs = f.terms();
    for (const Term& t : f.rests()) {
      if (t.first == t.second) {
        refuse("a sum of linear weights or constants that no double holds");
      }
      pairs.push_back(t);
    }
    const std::int64_t m = std::ssize(pairs);
    output_.write(
        "{\"type\":\"BinaryQuadraticModel\",\"version\":{\"bqm_schema\":\"3.0.0\"},"
        "\"use_bytes\":false,\"index_type\":\"int32\",\"bias_type\":\"float64\","
        "\"num_variables\":" +
        format(f.size()) + ",\"num_interactions\":" + format(m));
    write_list("variable_labels", f.size(), [&](std::size_t i) {
      return f.names.empty() ? std::to_string(i) : f.names[i];
    });
    output_.write(std::string(",\"variable_type\":\"") +
                  (f.vartype == Vartype::Spin ? "SPIN" : "BINARY") +
                  "\",\"offset\":" + format(f.offset));
    write_list(
        "linear_biases", f.size(), [&](std::size_t i) { return format(f.linear[i]); });
    write_list(
        "quadratic_biases", m, [&](std::size_t k) { return format(pairs[k].weight); });
    write_list("quadratic_head", m, [&](std::size_t k) {
      return format(int{pairs[k].first});
    });
    write_list("quadratic_tail", m, [&](std::size_t k) {
      return format(int{pairs[k].second});
    });
    output_.write(",\"info\":{}}\n");
  }

  Output& output_;
  ProblemFormat format_;
  std::string_view name_;
};

}  // namespace

void write_quadratic(Output& output,
                     Quadratic problem,
                     ProblemFormat format,
                     std::string_view name) {
  Writer(output, format, name).write(std::move(problem));
}

}  // namespace oa::io
