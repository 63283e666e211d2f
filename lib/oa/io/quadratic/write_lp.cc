#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/lp_lexer.h"
#include "oa/io/quadratic/problem_file.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace oa::io {
namespace {

constexpr std::size_t kWidth = 100;  // characters before a line break

/// Writes terms, and breaks lines that become too long.
class LpLines {
 public:
  explicit LpLines(Output& output) : output_(output) {}

  void line(const std::string& text) {
    output_.write((column_ > 0 ? "\n" : "") + text);
    column_ = text.size();
  }

  void word(const std::string& text) {
    if (column_ > kWidth) {
      line(" ");
    }
    output_.write(" " + text);
    column_ += text.size() + 1;
  }

  void term(double weight, const std::string& what) {
    const double size = std::abs(weight);
    word(weight < 0.0 ? "-" : "+");
    word(size == 1.0 && !what.empty()
             ? what
             : format(size) + (what.empty() ? "" : " " + what));
  }

 private:
  Output& output_;
  std::size_t column_ = 0;
};

/// Names variables in a file: x0, x1, ... for numbers.
class LpNames {
 public:
  LpNames(const qubo::Model& model, std::string_view name) {
    for (int i = 0; i < model.size(); ++i) {
      const std::string json = model.f.names.empty() ? format(i) : model.f.names[at(i)];
      const bool text = json.starts_with('"');
      all_.push_back(text ? json.substr(1, json.size() - 2) : "x" + json);
      if (!valid(all_.back()) || !seen_.insert(all_.back()).second) {
        throw InputError(std::string(name) + ": the name " + json +
                         " cannot be kept in a file of lp (--drop-names leaves names"
                         " out)");
      }
    }
  }

  const std::string& operator[](std::int32_t i) const { return all_[at(i)]; }

 private:
  /// True for letters, digits and _ that begin no number and are no word of the format.
  static bool valid(const std::string& name) {
    constexpr std::string_view kWords =
        " bin binaries binary bound bounds end free gen general generals inf infinity "
        "int integer integers max maximize maximum min minimize minimum semi semis sos "
        "sos1 sos2 st subject such ";
    if (kWords.find(" " + lower_case(name) + " ") != kWords.npos) {
      return false;
    }
    const auto plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && name.size() < 256 && std::ranges::all_of(name, plain) &&
           !(name[0] >= '0' && name[0] <= '9') && name[0] != 'e' && name[0] != 'E';
  }

  std::vector<std::string> all_;
  std::set<std::string> seen_;
};

void write_objective(LpLines& lines, const qubo::Quadratic& f, const LpNames& names) {
  lines.line(f.sense == qubo::Sense::Max ? "Maximize" : "Minimize");
  lines.line(" obj:");
  bool any = f.offset != 0.0;
  for (int i = 0; i < f.size(); ++i) {
    if (f.linear[at(i)] != 0.0) {
      lines.term(f.linear[at(i)], names[i]);
      any = true;
    }
  }
  if (f.pairs() > 0) {
    lines.word("+ [");
    for (const qubo::Term& t : f.terms()) {
      lines.term(2.0 * t.weight, names[t.first] + " * " + names[t.second]);
    }
    lines.word("] / 2");
  } else if (!any) {
    lines.word("0 " + names[0]);
  }
  if (f.offset != 0.0) {
    lines.term(f.offset, "");
  }
}

void write_constraints(LpLines& lines, const qubo::Model& model, const LpNames& names) {
  lines.line("Subject To");
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const qubo::Constraint& c = model.constraints[k];
    lines.line(" c" + std::to_string(k + 1) + ":");
    for (const qubo::Term& t : c.terms) {
      lines.term(t.weight, names[t.first]);
    }
    if (c.terms.empty()) {
      lines.word("0 " + names[0]);
    }
    lines.word(c.relation == qubo::Relation::Equal    ? "="
               : c.relation == qubo::Relation::AtMost ? "<="
                                                      : ">=");
    lines.word(format(c.right));
  }
}

}  // namespace

void write_lp(Output& output, qubo::Model model, std::string_view name) {
  const std::string where = std::string(name) + ": ";
  if (!model.higher.empty()) {
    throw InputError(where +
                     "products of three variables cannot be kept in a file of lp");
  }
  if (model.f.vartype == qubo::Vartype::Spin) {
    qubo::Converted c = qubo::converted(model.f, qubo::Vartype::Binary);
    if (!c.exact || !model.constraints.empty()) {
      throw InputError(where + "these spins cannot be kept in a file of lp");
    }
    model.f = std::move(c.f);
  }
  if (!model.f.rests().empty()) {
    throw InputError(where +
                     "weights that a double cannot hold cannot be kept in a file"
                     " of lp");
  }
  const LpNames names(model, name);
  LpLines lines(output);
  write_objective(lines, model.f, names);
  write_constraints(lines, model, names);
  lines.line("Binary");
  for (int i = 0; i < model.size(); ++i) {
    lines.word(names[i]);
  }
  lines.line("End");
  output.write("\n");
}

}  // namespace oa::io
