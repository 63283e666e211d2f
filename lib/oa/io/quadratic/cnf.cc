#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

// Reads CNF and WCNF of DIMACS as MAX-SAT: minimises the weight of false clauses.

namespace oa::io {
namespace {

struct Clause {
  double weight = 1.0;
  bool hard = false;
  std::vector<Literal> literals;
};

class CnfReader {
 public:
  explicit CnfReader(Input& input) : lines_(input), name_(input.name()) {}

  qubo::Polynomial read() {
    std::string_view line;
    while (lines_.next(line)) {
      Words words(line);
      const std::string_view first = words.next();
      if (first.empty() || first.starts_with('c')) {
        continue;
      }
      if (first.starts_with('%')) {  // end mark of SATLIB
        break;
      }
      if (first == "p") {
        header(words);
        continue;
      }
      Words all(line);
      for (auto word = all.next(); !word.empty(); word = all.next()) {
        token(word);
      }
    }
    if (begun_) {
      throw InputError(name_ + ": truncated: no 0 after the last clause");
    }
    if (std::ssize(clauses_) < announced_) {
      throw InputError(name_ + ": truncated: " + format(std::ssize(clauses_)) +
                       " clauses of " + format(announced_));
    }
    return problem();
  }

 private:
  void header(Words& words) {
    const std::string_view kind = words.next();
    const auto n = parse_index(words.next());
    const auto m = parse_index(words.next());
    if (headed_ || !clauses_.empty() || (kind != "cnf" && kind != "wcnf") || !n ||
        *n > kMaxSparseVariables || !m) {
      lines_.fail("no line 'p cnf n m' or 'p wcnf n m top' before the first clause");
    }
    headed_ = true;
    weighted_ = kind == "wcnf";
    n_ = most_ = *n;
    announced_ = *m;
    if (const std::string_view word = words.next(); weighted_ && !word.empty()) {
      top_ = weight(word);
    }
    expect_end(lines_, words);
  }

  /// Parses a clause's weight, a whole number.
  double weight(std::string_view word) const {
    constexpr std::int64_t kMax = std::int64_t{1} << 53;
    const auto value = parse_int(word);
    if (!value || *value < 0 || *value > kMax) {
      lines_.fail("the weight " + unexpected(word, "a whole number from 0 to 2^53"));
    }
    return static_cast<double>(*value);
  }

  void token(std::string_view word) {
    if (!begun_) {
      begun_ = true;
      clause_ = {};
      if (!headed_ && word == "h") {
        clause_.hard = true;
        return;
      }
      if (weighted_ || !headed_) {
        clause_.weight = weight(word);
        clause_.hard = top_ && clause_.weight >= *top_;
        return;
      }
    }
    const auto number = parse_int(word);
    const std::int64_t most = headed_ ? most_ : kMaxSparseVariables;
    if (!number || *number > most || *number < -most) {
      lines_.fail("the literal " + unexpected(word,
                                              "a whole number from " + format(-most) +
                                                  " to " + format(most)));
    }
    if (*number != 0) {
      const std::int64_t variable = std::abs(*number);
      n_ = std::max(n_, static_cast<int>(variable));
      clause_.literals.push_back(
          {static_cast<std::int32_t>(variable - 1), *number < 0});
      return;
    }
    begun_ = false;
    if (headed_ && std::ssize(clauses_) == announced_) {
      lines_.fail("more than the " + format(announced_) + " clauses announced");
    }
    clauses_.push_back(std::move(clause_));
  }

  qubo::Polynomial problem() {
    if (n_ == 0) {
      throw InputError(name_ + ": no variable");
    }
    qubo::Polynomial p;
    std::int32_t extra = n_;
    std::vector<std::string> extra_names;
    for (std::size_t k = 0; k < clauses_.size(); ++k) {
      Clause& c = clauses_[k];
      std::string name = "clause " + std::to_string(k + 1);
      if (!simplify(c.literals) || (!c.hard && c.weight == 0.0)) {
        continue;  // always true, or of weight 0
      }
      if (c.hard) {
        p.constraints.push_back(clause_of(std::move(name), c.literals));
        continue;
      }
      const std::int32_t before = extra;
      add_soft_clause(p, c.weight, name, c.literals, extra);
      if (extra != before) {
        extra_names.push_back(std::move(name));
      }
    }
    p.n = extra;
    if (!extra_names.empty()) {
      std::vector<std::string> names;
      for (int i = 1; i <= n_; ++i) {
        names.push_back(std::to_string(i));
      }
      std::ranges::move(extra_names, std::back_inserter(names));
      p.names = names_of_text(names, name_);
    }
    return p;
  }

  LineReader lines_;
  std::string name_;
  bool headed_ = false;    // the line "p" was read
  bool weighted_ = false;  // clauses begin with weights
  int n_ = 0;
  int most_ = 0;
  std::int64_t announced_ = 0;
  std::optional<double> top_;
  bool begun_ = false;
  Clause clause_;
  std::vector<Clause> clauses_;
};

}  // namespace

qubo::Polynomial read_cnf(Input& input) {
  return CnfReader(input).read();
}

}  // namespace oa::io
