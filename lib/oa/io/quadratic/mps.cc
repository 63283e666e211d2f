#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/quadratic/columns.h"
#include "oa/io/quadratic/decimal_sum.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/lp_lexer.h"
#include "oa/io/quadratic/polynomial_formats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Reads programs of binary and integer variables in the format MPS: objective and
// constraints, each with an optional quadratic part (QUADOBJ or QMATRIX, QCMATRIX), and
// bounds.  Blanks separate words, so names have no blanks.

namespace oa::io {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::string in_quotes(std::string_view word) {
  return "'" + std::string(word.substr(0, 40)) + "'";
}

std::string count_of(std::span<const std::string_view> words, std::string_view what) {
  return std::string(what) + " of " + format(std::ssize(words)) + " words (expected ";
}

class MpsReader {
 public:
  MpsReader(Input& input, Open& open)
      : lines_(input),
        open_(open),
        name_(input.name()),
        rows_(name_),
        columns_(name_) {}

  qubo::Polynomial read() {
    std::string_view line;
    while (lines_.next(line)) {
      const auto words = words_in(line);
      if (words.empty() || line.starts_with('*')) {
        comment(words);
        continue;
      }
      if (line[0] == ' ' || line[0] == '\t' || is_sense(words)) {
        data(words);
      } else if (words[0] == "ENDATA") {
        finish();
        return std::move(p_);
      } else {
        begin(words);
      }
    }
    throw InputError(name_ + ": truncated (expected ENDATA)");
  }

 private:
  /// The entries of a matrix Q.
  struct Squares {
    std::string section;
    bool begun = false;
    bool symmetric = false;  // both triangles are present
    std::vector<qubo::Term> terms;
  };

  struct Row {
    char kind;  // N, E, L or G
    qubo::Constraint constraint;
    double range = 0.0;
    bool ranged = false;
    bool has_right = false;
    std::int32_t last_column = -1;
    Squares squares = {};
  };

  [[noreturn]] void fail(const std::string& what) const { lines_.fail(what); }

  double number(std::string_view word) const {
    const auto value = parse_weight(word);
    if (!value || rounds_integer(word)) {
      fail(unexpected_weight(word));
    }
    return *value;
  }
  /// Parses a number; integers are exact.
  TwoDoubles exact(std::string_view word) const {
    const auto value = parse_exact_weight(word);
    if (!value) {
      fail(unexpected_weight(word));
    }
    return *value;
  }
  /// Parses a bound, which may be infinite.
  double bound_value(std::string_view word) const {
    const bool sign = word.starts_with('-') || word.starts_with('+');
    if (is_infinity(word.substr(sign ? 1 : 0))) {
      return word.starts_with('-') ? -kInfinite : kInfinite;
    }
    return bound_of(number(word));
  }

  /// True if the line is the value of OBJSENSE, which some files do not indent.
  [[nodiscard]] bool is_sense(std::span<const std::string_view> words) const {
    return section_ == "OBJSENSE" && words.size() == 1 &&
           (words[0].starts_with("MAX") || words[0].starts_with("MIN"));
  }

  /// Finds "maximise" in a comment, where some programs write the sense.
  void comment(std::span<const std::string_view> words) {
    for (const std::string_view word : words) {
      if (lower_case(word).ends_with("sense:maximize")) {
        open_.warning = name_ +
                        ": minimised, since there is no OBJSENSE, and a comment says "
                        "maximise (the option sense changes this)";
      }
    }
  }

  /// Reads the first line of a section.
  void begin(std::span<const std::string_view> words) {
    constexpr std::string_view kSections =
        " NAME OBJSENSE OBJNAME ROWS COLUMNS RHS RANGES BOUNDS QUADOBJ QMATRIX "
        "QCMATRIX ";
    const std::string_view section = words[0];
    if (kSections.find(" " + std::string(section) + " ") == kSections.npos) {
      fail("the section " + unexpected(section,
                                       "ROWS, COLUMNS, RHS, RANGES, BOUNDS, "
                                       "QUADOBJ, QMATRIX, QCMATRIX or ENDATA"));
    }
    const bool of_row = section == "QCMATRIX";
    const bool once = section != "NAME" && !of_row;
    if (once && std::ranges::find(begun_, section) != begun_.end()) {
      fail("a second section " + std::string(section));
    }
    begun_.emplace_back(section);
    section_ = section;
    set_.clear();
    if (section != "ROWS" && rows_.size() == 0 && section != "NAME" &&
        section != "OBJSENSE" && section != "OBJNAME") {
      fail("the section " + std::string(section) + " before ROWS");
    }
    if (section == "QMATRIX" || section == "QUADOBJ") {
      if (objective_squares_.begun) {
        fail("both QUADOBJ and QMATRIX");
      }
      objective_squares_ = {section_, true, section == "QMATRIX", {}};
    }
    if (of_row) {
      if (words.size() != 2) {
        fail("the section QCMATRIX without the name of a row");
      }
      Row& row = row_named(words[1]);
      if (row.kind == 'N' || row.squares.begun) {
        fail("the row " + unexpected(words[1], "a constraint without a QCMATRIX"));
      }
      row.squares = {section_ + " " + row.constraint.name, true, true, {}};
      squares_ = &row.squares;
      return;
    }
    squares_ = &objective_squares_;
    if (section == "OBJSENSE" && words.size() == 2) {
      sense(words[1]);
    } else if (words.size() > 1 && section != "NAME") {
      fail(unexpected(words[1], "the end of the line"));
    }
  }

  void data(std::span<const std::string_view> words) {
    if (section_ == "ROWS") {
      row(words);
    } else if (section_ == "COLUMNS") {
      column(words);
    } else if (section_ == "RHS" || section_ == "RANGES") {
      right(words);
    } else if (section_ == "BOUNDS") {
      bound(words);
    } else if (section_.starts_with('Q')) {
      quadratic(words);
    } else if (section_ == "OBJSENSE" && words.size() == 1) {
      sense(words[0]);
    } else if (section_ == "OBJNAME" && words.size() == 1) {
      objective_ = words[0];
    } else {
      fail(unexpected(words[0], "a section"));
    }
  }

  void sense(std::string_view text) {
    const std::string word = lower_case(text);
    p_.sense = word.starts_with("max") ? qubo::Sense::Max : qubo::Sense::Min;
    if (p_.sense == qubo::Sense::Min && !word.starts_with("min")) {
      fail(unexpected(text, "MIN or MAX"));
    }
  }

  void row(std::span<const std::string_view> words) {
    if (words.size() != 2) {
      fail(count_of(words, "a row") + "two: N, E, L or G and a name)");
    }
    const char kind = words[0].size() == 1 ? words[0][0] : ' ';
    if (std::string_view("NELGnelg").find(kind) == std::string_view::npos) {
      fail("the row of type " + unexpected(words[0], "N, E, L or G"));
    }
    const auto known = rows_.size();
    if (std::cmp_less(rows_(words[1]), known)) {
      fail("a second row " + in_quotes(words[1]));
    }
    Row r;
    r.kind = static_cast<char>(kind >= 'a' ? kind - 'a' + 'A' : kind);
    r.constraint.name = words[1];
    r.constraint.relation = r.kind == 'E'   ? qubo::Relation::Equal
                            : r.kind == 'L' ? qubo::Relation::AtMost
                                            : qubo::Relation::AtLeast;
    if (r.kind == 'N' && objective_.empty()) {
      objective_ = words[1];
    }
    table_.push_back(std::move(r));
  }

  Row& row_named(std::string_view name) {
    const auto known = rows_.size();
    const auto i = static_cast<std::size_t>(rows_(name));
    if (i >= known) {
      fail("the row " + unexpected(name, "one of ROWS"));
    }
    return table_[i];
  }
  /// Returns the place of a variable, which may be new if `add`.
  std::int32_t column_named(std::string_view name, bool add = false) {
    const auto i = columns_(name);
    if (std::cmp_equal(i, variables_.size())) {
      if (!add) {
        fail("the variable " + unexpected(name, "one of COLUMNS"));
      }
      variables_.push_back({.integer = integer_});
      bounded_.push_back(false);
    }
    return i;
  }
  [[nodiscard]] bool is_objective(const Row& r) const {
    return r.kind == 'N' && r.constraint.name == objective_;
  }

  void column(std::span<const std::string_view> words) {
    if (words.size() == 3 && (words[1] == "'MARKER'" || words[1] == "MARKER")) {
      integer_ = words[2] == "'INTORG'" || words[2] == "INTORG";
      if (!integer_ && words[2] != "'INTEND'" && words[2] != "INTEND") {
        fail("the marker " + unexpected(words[2], "'INTORG' or 'INTEND'"));
      }
      return;
    }
    if (words.size() != 3 && words.size() != 5) {
      fail(count_of(words, "a line") + "a variable, and one or two rows with numbers)");
    }
    const auto known = columns_.size();
    const std::int32_t i = column_named(words[0], true);
    if (std::cmp_less(i + 1, known)) {
      fail("the variable " + in_quotes(words[0]) +
           " in two places (expected its lines together)");
    }
    for (std::size_t k = 1; k < words.size(); k += 2) {
      Row& r = row_named(words[k]);
      if (r.last_column == i) {
        fail("a second number of " + in_quotes(words[0]) + " in the row " +
             in_quotes(words[k]));
      }
      r.last_column = i;
      if (r.kind != 'N') {
        r.constraint.terms.push_back({i, i, number(words[k + 1])});
      } else if (const TwoDoubles weight = exact(words[k + 1]); is_objective(r)) {
        add_monomial(p_, {i}, weight);
      }
    }
  }

  /// Checks the name of a set of numbers:
  /// files with several alternative sets are refused.
  void use_set(std::string_view name) {
    if (!set_.empty() && set_ != name) {
      fail("a second set " + in_quotes(name) + " of " + section_);
    }
    set_ = name;
  }

  void right(std::span<const std::string_view> words) {
    if (words.size() < 2 || words.size() > 5) {
      fail(count_of(words, "a line") + "one or two rows with numbers)");
    }
    if (words.size() % 2 == 1) {
      use_set(words[0]);
      words = words.subspan(1);
    }
    for (std::size_t k = 0; k < words.size(); k += 2) {
      Row& r = row_named(words[k]);
      const bool constant = is_objective(r) && section_ == "RHS";
      const TwoDoubles value =
          constant ? exact(words[k + 1]) : TwoDoubles(number(words[k + 1]));
      bool& given = section_ == "RHS" ? r.has_right : r.ranged;
      if (given) {
        fail("a second number of the row " + in_quotes(words[k]) + " in " + section_);
      }
      given = true;
      if (section_ == "RANGES") {
        r.range = value.value;
      } else if (constant) {
        add_monomial(p_, {}, {-value.value, -value.rest});
      } else {
        r.constraint.right = value.value;
      }
    }
  }

  void bound(std::span<const std::string_view> words) {
    constexpr std::string_view kTypes = " UP LO FX BV LI UI FR MI PL ";
    const std::string_view type = words[0];
    if (kTypes.find(" " + std::string(type) + " ") == kTypes.npos) {
      fail("the bound of type " +
           unexpected(type, "UP, LO, FX, BV, LI, UI, FR, MI or PL"));
    }
    const bool valued = type != "BV" && type != "FR" && type != "MI" && type != "PL";
    const std::size_t least = valued ? 3 : 2;
    if (words.size() < least || words.size() > 4) {
      fail(count_of(words, "a bound") + "its type, a set, a variable and a number)");
    }
    if (words.size() > least) {
      use_set(words[1]);
      words = words.subspan(1);
    }
    // HiGHS and OR-tools list variables without entries only here.
    const bool whole = type == "BV" || type == "LI" || type == "UI" || type == "FX";
    const std::int32_t i = column_named(words[1], whole);
    Column& c = variables_[at(i)];
    bounded_[at(i)] = true;
    const double value = valued ? bound_value(words[2]) : 0.0;
    if (type == "BV") {
      c = {true, 0.0, 1.0};
    } else if (type == "UP" || type == "UI") {
      c.upper = value;
      c.lower = value < 0.0 && c.lower == 0.0 ? -kInfinite : c.lower;
    } else if (type == "LO" || type == "LI") {
      c.lower = value;
    } else if (type == "FX") {
      c.lower = c.upper = value;
    } else {
      c.lower = type == "PL" ? c.lower : -kInfinite;
      c.upper = type == "MI" ? c.upper : kInfinite;
    }
    c.integer = c.integer || type == "LI" || type == "UI";
  }

  void quadratic(std::span<const std::string_view> words) {
    if (words.size() != 3) {
      fail(count_of(words, "a line") + "two variables and a number)");
    }
    const std::int32_t i = column_named(words[0]);
    squares_->terms.push_back({i, column_named(words[1]), number(words[2])});
  }

  /// Checks that the entries have the form of their section,
  /// and adds factor x'Qx to `sum`.
  void add_squares(const Squares& squares,
                   double factor,
                   std::vector<qubo::Monomial>& sum) const {
    const bool symmetric = squares.symmetric;
    const auto pair = [&](const qubo::Term& t) {
      return "of " + in_quotes(columns_.names()[at(t.first)]) + " and " +
             in_quotes(columns_.names()[at(t.second)]);
    };
    using Key = std::pair<std::int32_t, std::int32_t>;
    const auto key = [&](const qubo::Term& t) {
      return symmetric || t.first < t.second ? Key(t.first, t.second)
                                             : Key(t.second, t.first);
    };
    std::vector<qubo::Term> sorted = squares.terms;
    std::ranges::stable_sort(sorted, {}, key);
    for (std::size_t k = 1; k < sorted.size(); ++k) {
      const bool halves = symmetric && sorted[k].first == sorted[k].second;  // SCIP
      if (key(sorted[k - 1]) == key(sorted[k]) && !halves) {
        throw InputError(name_ + ": " + squares.section + ": two entries " +
                         pair(sorted[k]) +
                         (symmetric ? "" : " (expected one triangle)"));
      }
    }
    for (const qubo::Term& t : squares.terms) {
      if (symmetric && t.weight != 0.0 && t.first != t.second) {
        const Key across(t.second, t.first);
        const auto other = std::ranges::lower_bound(sorted, across, {}, key);
        if (other == sorted.end() || key(*other) != across ||
            other->weight != t.weight) {
          throw InputError(name_ + ": " + squares.section + ": the entry " + pair(t) +
                           " without an equal one across the diagonal");
        }
      }
      const double times = t.first == t.second ? factor : 2.0 * factor;
      if (!symmetric || t.first <= t.second) {  // halves of a pair may round to 0
        sum.push_back({{t.first, t.second}, times * t.weight});
      }
    }
  }

  void add_constraints() {
    for (Row& r : table_) {
      if (r.kind == 'N') {
        continue;
      }
      qubo::Constraint& c = r.constraint;
      add_squares(r.squares, 1.0, c.products);
      if (r.ranged && !(r.kind == 'E' && r.range == 0.0)) {
        // Adds the other limit of a range: above a lower limit, below an upper limit.
        qubo::Constraint other = c;
        const bool above = r.kind == 'G' || (r.kind == 'E' && r.range > 0.0);
        DecimalSum right;
        right.add(c.right);
        right.add(std::abs(r.range), above ? 1.0 : -1.0);
        other.right = right.value();
        other.relation = above ? qubo::Relation::AtMost : qubo::Relation::AtLeast;
        c.relation = above ? qubo::Relation::AtLeast : qubo::Relation::AtMost;
        other.name += " (range)";
        p_.constraints.push_back(std::move(other));
      }
      p_.constraints.push_back(std::move(c));
    }
  }

  void finish() {
    if (columns_.size() == 0) {
      fail("no variable");
    }
    const auto objective =
        std::ranges::find_if(table_, [&](const Row& r) { return is_objective(r); });
    if (objective == table_.end()) {
      fail(objective_.empty()
               ? "no row of type N (expected the objective)"
               : "the objective " + unexpected(objective_, "a row of type N"));
    }
    if (objective->ranged) {
      fail("a range of the objective");
    }
    open_.sense = std::ranges::find(begun_, "OBJSENSE") == begun_.end();
    add_squares(objective_squares_, 0.5, p_.monomials);
    add_constraints();
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].integer && !bounded_[i]) {
        variables_[i].upper = 1.0;  // integers without bounds are binary
      }
    }
    take_columns(p_, variables_, columns_.names(), name_);
  }

  LineReader lines_;
  Open& open_;
  const std::string& name_;
  std::string section_;
  std::vector<std::string> begun_;
  std::string set_;        // set of the section
  std::string objective_;  // row of the objective
  VariableNames rows_;
  std::vector<Row> table_;
  VariableNames columns_;
  std::vector<Column> variables_;
  std::vector<bool> bounded_;
  bool integer_ = false;  // between the markers of integers
  Squares objective_squares_;
  Squares* squares_ = nullptr;  // the matrix that the section fills
  qubo::Polynomial p_;
};

}  // namespace

bool looks_like_mps(std::string_view start) {
  bool begins = false;
  while (!start.empty()) {
    const std::string_view line = take_line(start);
    const std::string_view word = Words(line).next();
    if (word.empty() || line.starts_with('*')) {
      continue;
    }
    if (line.starts_with("ROWS") && word == "ROWS") {
      return true;
    }
    const bool header =
        line.starts_with(word) && (word == "NAME" || word == "OBJSENSE");
    if (!begins && !header) {
      return false;
    }
    begins = true;
  }
  return false;
}

qubo::Polynomial read_mps(Input& input, Open& open) {
  return MpsReader(input, open).read();
}

}  // namespace oa::io
