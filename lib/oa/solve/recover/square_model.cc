#include "oa/base/counted.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/solve/recover/squares.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace oa::solve {
namespace {

/// Adds a row as one constraint, or as two constraints if it has both limits.
void add_constraints(const qubo::ProgramRow& row,
                     const std::string& name,
                     std::vector<qubo::Constraint>& all) {
  qubo::Constraint c{name, {}, qubo::Relation::Equal, static_cast<double>(row.low)};
  for (const auto& e : row.entries) {
    c.terms.push_back({e.variable, e.variable, static_cast<double>(e.weight)});
  }
  if (row.low == row.high) {
    all.push_back(c);
    return;
  }
  if (row.low > row.least) {
    c.relation = qubo::Relation::AtLeast;
    all.push_back(c);
  }
  if (row.high < row.most) {
    c.relation = qubo::Relation::AtMost;
    c.right = static_cast<double>(row.high);
    c.name += row.low > row.least ? "_high" : "";
    all.push_back(c);
  }
}

/// The kind of a square: its number of variables and its slack digits.
using Kind = std::pair<std::int64_t, std::vector<std::int64_t>>;

Kind kind_of(const Square& s, std::span<const std::int32_t> variables) {
  Kind kind;
  for (const auto& e : s.entries) {
    if (std::ranges::binary_search(variables, e.variable)) {
      ++kind.first;
    } else {
      kind.second.push_back(e.weight);
    }
  }
  std::ranges::sort(kind.second);
  return kind;
}

/// Returns the maximum number of squares that share a variable.
int overlap(const Squares& squares) {
  std::vector<int> count(squares.rest.linear.size());
  for (const Square& s : squares.squares) {
    for (const auto& e : s.entries) {
      ++count[at(e.variable)];
    }
  }
  return std::ranges::max(count);
}

}  // namespace

qubo::Model model_of(const Squares& squares, const std::vector<std::string>& names) {
  const SquareProgram program(squares);
  qubo::Model model(program.objective());
  for (const std::int32_t i : program.variables()) {
    model.f.names.push_back(names.empty() ? format(std::int64_t{i}) : names[at(i)]);
  }
  for (std::size_t k = 0; k < program.rows().size(); ++k) {
    add_constraints(
        program.rows()[k], "square" + std::to_string(k + 1), model.constraints);
  }
  return model;
}

std::string summary_of(const Squares& squares) {
  if (squares.squares.empty()) {
    return "";
  }
  const SquareProgram program(squares);
  std::map<Kind, std::int64_t> kinds;
  for (const Square& s : squares.squares) {
    ++kinds[kind_of(s, program.variables())];
  }
  std::string text;
  for (const auto& [kind, count] : kinds) {
    const auto& [variables, digits] = kind;
    text += (text.empty() ? "" : "; ") + counted(count, "square") + " over " +
            counted(variables, "variable");
    for (std::size_t k = 0; k < digits.size(); ++k) {
      text += (k == 0 ? " with digits " : ", ") + format(digits[k]);
    }
  }
  if (const int most = overlap(squares); most > 1) {
    text += "; up to " + format(most) + " over the same variable";
  }
  return text;
}

}  // namespace oa::solve
