#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/quadratic/names.h"
#include "oa/io/quadratic/polynomial_formats.h"
#include "oa/io/table/json_tree.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

// Reads dictionaries of biases as JSON, in which dimod,
// PyQUBO and other programs write models: {"linear": {...}, "quadratic":
// {...}}, {"h", "J"} or {"Q"}. Also reads a matrix as nested lists.

namespace oa::io {
namespace {

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const auto begin = text.find_first_not_of(kSpace);
  return begin == text.npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view without_quotes(std::string_view text) {
  text = without_spaces(text);
  if (text.size() >= 2 && text.front() == text.back() &&
      (text.front() == '"' || text.front() == '\'')) {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

/// The names of a problem's members in one family of programs.
struct Form {
  std::string linear;  ///< empty: no linear member
  std::string quadratic;
  std::optional<qubo::Vartype> vartype;  ///< implied by these names
  bool squares = false;                  ///< a pair (i, i) is a linear term
};

/// In the last form, the object itself holds the pairs.
const std::array<Form, 4>& forms() {
  static const std::array<Form, 4> all{Form{"linear", "quadratic", std::nullopt, false},
                                       Form{"h", "J", qubo::Vartype::Spin, false},
                                       Form{"", "Q", qubo::Vartype::Binary, true},
                                       Form{"", "", std::nullopt, true}};
  return all;
}

/// Returns the place of the first comma outside quotes and brackets, as in
/// "'a,b', c" and "(0, 1), (0, 2)".
std::size_t comma_in(std::string_view text) {
  char quote = '\0';
  int open = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == ',' && open == 0) {
      return k;
    } else if ((c == '\'' || c == '"') &&
               (k == 0 || std::string_view(" ,(").find(text[k - 1]) != text.npos)) {
      quote = c;
    }
    open += quote != '\0' ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  return quote == '\0' && open == 0 ? text.npos : text.find(',');
}

/// Splits "a,b", "(a, b)", "('a', 'b')" or "a b" into two variables.
std::optional<std::pair<std::string_view, std::string_view>> pair_in(
    std::string_view key) {
  std::string_view text = without_spaces(key);
  if (text.starts_with('(') && text.ends_with(')')) {
    text = text.substr(1, text.size() - 2);
  }
  auto between = comma_in(text);
  between = between == text.npos ? text.find(' ') : between;
  if (between == text.npos || comma_in(text.substr(between + 1)) != text.npos) {
    return std::nullopt;
  }
  return std::pair{without_quotes(text.substr(0, between)),
                   without_quotes(text.substr(between + 1))};
}

/// True for a key with a comma: two words with a space may be one name.
bool is_pair(std::string_view key) {
  return pair_in(key) && key.find(',') != key.npos;
}

/// True for an object of pairs with weights, {"a,b": 1}.
bool is_pairs(JsonNode json) {
  bool any = false;
  for (const JsonNode weight : json) {
    if (!json.is_object() || !weight.is_number() || !is_pair(weight.name())) {
      return false;
    }
    any = true;
  }
  return any;
}

/// True if `list` has lists of two variables and a weight.
/// The variables may be equal only if `squares`.
bool is_terms(JsonNode list, bool squares) {
  for (const JsonNode row : list) {
    const bool term = row.is_array() && row.size() == 3 && row[2].is_number() &&
                      (row[0].is_string() || row[0].is_unsigned()) &&
                      (row[1].is_string() || row[1].is_unsigned()) &&
                      (squares || row[0].json() != row[1].json());
    if (!term) {
      return false;
    }
  }
  return true;
}

/// Returns the entries of a square matrix of nested lists; messages call it `what`.
qubo::Terms matrix_terms(JsonNode rows,
                         const std::string& what,
                         const std::string& name) {
  const std::size_t n = rows.size();
  if (n < 1 || n > kMaxMatrixVariables) {
    throw InputError(name + ": " + std::to_string(n) + " rows in " + what +
                     " (expected 1 to " + format_grouped(kMaxMatrixVariables) + ")");
  }
  qubo::Terms terms;
  std::int32_t i = 0;
  for (const JsonNode row : rows) {
    const std::string where = what + "[" + format(int{i}) + "]";
    if (!row.is_array() || row.size() != n) {
      throw InputError(name + ": " + where + " is not a list of " + std::to_string(n) +
                       " numbers (expected a square matrix)");
    }
    std::int32_t k = 0;
    for (const JsonNode number : row) {
      if (!number.is_number()) {
        throw InputError(name + ": " + where + "[" + format(int{k}) +
                         "] is not a finite number");
      }
      if (const TwoDoubles weight = number.number(); weight.value != 0.0) {
        add_term(terms, i, k, weight);
      }
      ++k;
    }
    ++i;
  }
  return terms;
}

/// True if `list` is a square matrix; its diagonal may be nonzero only if `squares`.
bool is_matrix(JsonNode list, bool squares) {
  const std::size_t n = list.size();
  std::size_t i = 0;
  for (const JsonNode row : list) {
    if (!row.is_array() || row.size() != n) {
      return false;
    }
    std::size_t k = 0;
    for (const JsonNode number : row) {
      if (!number.is_number() ||
          (k++ == i && !squares && number.number().value != 0.0)) {
        return false;
      }
    }
    ++i;
  }
  return n > 0;
}

/// True if `list` has terms and is no matrix.  Throws InputError if it may be either.
bool holds_terms(JsonNode list,
                 bool squares,
                 const std::string& what,
                 const std::string& name) {
  const bool terms = is_terms(list, squares);
  if (terms && is_matrix(list, squares)) {
    throw InputError(name + ": " + what +
                     " may be a matrix or three terms (expected terms as an object, "
                     "{\"0,1\": 2}, or a matrix as csv)");
  }
  return terms;
}

qubo::Quadratic read_matrix(JsonNode rows,
                            const std::string& name,
                            std::optional<qubo::Vartype> vartype) {
  (void)holds_terms(rows, true, "the list", name);
  const qubo::Terms terms = matrix_terms(rows, "matrix", name);
  qubo::Quadratic f(static_cast<int>(rows.size()));
  f.vartype = vartype.value_or(qubo::Vartype::Binary);
  assemble(f, terms, name);
  return f;
}

class DictReader {
 public:
  DictReader(JsonNode json, const Form& form, const Input& input)
      : json_(json),
        form_(form),
        input_(input),
        variables_(input.name()) {}

  qubo::Quadratic read(std::optional<qubo::Vartype> wanted, bool& open) {
    const auto stated = vartype();
    if (stated && wanted && *stated != *wanted) {
      refuse_vartype(input_.name(), *stated);
    }
    open = !stated && !wanted;
    vartype_ = stated.value_or(wanted.value_or(qubo::Vartype::Binary));
    read_linear();
    read_quadratic();
    if (variables_.size() == 0) {
      fail("no variable in " +
           (form_.linear.empty() ? "" : quoted(form_.linear) + " or ") +
           quoted(form_.quadratic));
    }
    if (rows_ > 0 && variables_.size() != rows_) {
      fail(quoted(form_.linear) + " has other variables than the " +
           std::to_string(rows_) + " rows of " + quoted(form_.quadratic));
    }
    qubo::Quadratic f(static_cast<int>(variables_.size()));
    f.vartype = vartype_;
    if (const auto value = json_.find("offset")) {
      const TwoDoubles offset = number(*value, [] { return "offset"; });
      f.add_constant(offset.value);
      f.add_constant(offset.rest);
    }
    const std::vector<std::int32_t> place = sorted(f);
    for (qubo::Term& t : linear_) {
      t.first = t.second = place[at(t.first)];
    }
    for (qubo::Term& t : pairs_) {
      t.first = place[at(t.first)];
      t.second = place[at(t.second)];
    }
    f.add_linear(linear_);
    assemble(f, pairs_, input_.name(), input_.token());
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(input_.name() + ": " + what);
  }

  static std::string quoted(const std::string& key) { return "'" + key + "'"; }

  /// Messages call the number `what`.
  template <class What>
  TwoDoubles number(JsonNode value, const What& what) const {
    if (!value.is_number()) {
      fail(std::string(what()).substr(0, 60) + " is not a finite number");
    }
    return value.number();
  }

  std::optional<qubo::Vartype> vartype() const {
    for (const char* key : {"vartype", "variable_type"}) {
      const auto value = json_.find(key);
      if (!value) {
        continue;
      }
      const std::string text(value->is_string() ? value->text() : "");
      if (text != "BINARY" && text != "SPIN") {
        fail("'" + std::string(key) + "' is " +
             unexpected(value->json(), "BINARY or SPIN"));
      }
      const auto stated = text == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
      if (form_.vartype && *form_.vartype != stated) {
        fail(quoted(form_.quadratic) +
             (stated == qubo::Vartype::Spin ? " has 0/1 variables" : " has spins") +
             ", and '" + key + "' says " + text);
      }
      return stated;
    }
    return form_.vartype;
  }

  std::int32_t labelled(JsonNode label) {
    return variables_(label.is_string() ? std::string(label.text()) : label.json());
  }

  void read_linear() {
    const auto linear = form_.linear.empty() ? std::nullopt : json_.find(form_.linear);
    if (!linear) {
      return;
    }
    if (!linear->is_array() && !linear->is_object()) {
      fail(quoted(form_.linear) + " is not an object or a list");
    }
    std::size_t k = 0;
    for (const JsonNode bias : *linear) {
      add_linear(linear->is_array() ? std::to_string(k++) : std::string(bias.name()),
                 bias);
    }
  }

  void add_linear(const std::string& name, JsonNode bias) {
    const std::int32_t i = variables_(name);
    add_term(
        linear_, i, i, number(bias, [&] { return form_.linear + "['" + name + "']"; }));
  }

  /// Messages call the term `what`.
  template <class What>
  void add_pair(std::int32_t i,
                std::int32_t k,
                const TwoDoubles& weight,
                const What& what) {
    refuse_stopped(input_);
    if (i != k) {
      add_term(pairs_, i, k, weight);
    } else if (form_.squares && vartype_ == qubo::Vartype::Binary) {
      add_term(linear_, i, i, weight);
    } else {
      fail(what().substr(0, 60) + " couples a variable to itself");
    }
  }

  void read_quadratic() {
    if (form_.quadratic.empty()) {
      read_pairs(json_);
      return;
    }
    const auto all = json_.find(form_.quadratic);
    if (!all) {
      return;
    }
    if (all->is_object()) {
      read_pairs(*all);
    } else if (!all->is_array()) {
      fail(quoted(form_.quadratic) + " is not an object or a list");
    } else if (form_.quadratic == "quadratic" ||
               holds_terms(
                   *all, form_.squares, quoted(form_.quadratic), input_.name())) {
      read_terms(*all);
    } else {
      read_rows(*all);
    }
  }

  void read_pairs(JsonNode all) {
    for (const JsonNode bias : all) {
      const auto what = [&] {
        return form_.quadratic + "['" + std::string(bias.name()) + "']";
      };
      if (bias.is_object()) {
        const std::int32_t i = variables_(bias.name());
        for (const JsonNode weight : bias) {
          add_pair(i, variables_(weight.name()), number(weight, what), what);
        }
      } else if (const auto pair = pair_in(bias.name())) {
        const std::int32_t i = variables_(pair->first);
        const std::int32_t k = variables_(pair->second);
        add_pair(i, k, number(bias, what), what);
      } else {
        fail(form_.quadratic + "['" + std::string(bias.name().substr(0, 40)) +
             "'] (expected a key of two variables, \"a,b\" or \"('a', 'b')\")");
      }
    }
  }

  void read_terms(JsonNode all) {
    std::size_t place = 0;
    for (const JsonNode term : all) {
      const auto what = [&] {
        return form_.quadratic + "[" + std::to_string(place) + "]";
      };
      if (!term.is_array() || term.size() != 3 || term[0].is_float() ||
          term[1].is_float()) {
        fail(what() + " is not a list of two variables and a bias");
      }
      const std::int32_t first = labelled(term[0]);
      const std::int32_t second = labelled(term[1]);
      add_pair(first, second, number(term[2], what), what);
      ++place;
    }
  }

  void read_rows(JsonNode rows) {
    rows_ = rows.size();
    const qubo::Terms terms = matrix_terms(rows, form_.quadratic, input_.name());
    std::vector<std::int32_t> places;
    for (std::size_t i = 0; i < rows_; ++i) {
      places.push_back(variables_(std::to_string(i)));
    }
    for (const qubo::Term& t : terms) {
      add_pair(places[at(t.first)], places[at(t.second)], t.weight, [&] {
        return form_.quadratic + "[" + format(int{t.first}) + "][" +
               format(int{t.second}) + "]";
      });
    }
  }

  /// Permutes variables: sorted if all names are numbers, else in the file's order.
  /// Returns each variable's new index, and sets the names of f.
  std::vector<std::int32_t> sorted(qubo::Quadratic& f) const {
    const std::vector<std::string>& all = variables_.names();
    std::vector<std::int32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::int32_t> numbers;
    for (const std::string& name : all) {
      if (const auto number = parse_index(name)) {
        numbers.push_back(*number);
      }
    }
    if (numbers.size() == all.size()) {
      std::ranges::stable_sort(
          order, {}, [&](std::int32_t i) { return numbers[at(i)]; });
    }
    std::vector<std::int32_t> place(order.size());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < order.size(); ++k) {
      place[at(order[k])] = static_cast<std::int32_t>(k);
      names.push_back(all[at(order[k])]);
    }
    f.names = names_of_text(names, input_.name());
    return place;
  }

  JsonNode json_;
  const Form& form_;
  const Input& input_;
  qubo::Vartype vartype_ = qubo::Vartype::Binary;
  std::size_t rows_ = 0;  // rows of the matrix, if any
  VariableNames variables_;
  qubo::Terms linear_;
  qubo::Terms pairs_;
};

/// Returns the only form whose members `json` has, or null.
const Form* form_of(JsonNode json, const std::string& name) {
  if (is_pairs(json)) {
    return &forms().back();
  }
  const Form* found = nullptr;
  for (const Form& form : forms()) {
    const bool has = (!form.quadratic.empty() && json.find(form.quadratic)) ||
                     (!form.linear.empty() && json.find(form.linear));
    if (has && found != nullptr) {
      throw InputError(name + ": both '" + found->quadratic + "' and '" +
                       form.quadratic + "' (expected one of them)");
    }
    found = has ? &form : found;
  }
  return found;
}

}  // namespace

qubo::Quadratic read_dict(std::string_view text,
                          const Input& input,
                          std::optional<qubo::Vartype> vartype,
                          bool& open) {
  const std::string& name = input.name();
  const JsonTree tree(text, input);
  const JsonNode json = tree.root();
  if (json.is_array() && json.size() > 0 && json[0].is_array()) {
    open = false;  // a matrix is always binary
    return read_matrix(json, name, vartype);
  }
  const Form* form = json.is_object() ? form_of(json, name) : nullptr;
  if (form == nullptr) {
    const std::string what = recognised(std::as_bytes(std::span(text)));
    throw InputError(name + ": " +
                     (what.find('(') != what.npos
                          ? what + ", not a problem"
                          : std::string("JSON, but not a problem")) +
                     " (expected \"linear\" and \"quadratic\", \"h\" and \"J\", "
                     "\"Q\", a matrix as nested lists, or a BinaryQuadraticModel)");
  }
  return DictReader(json, *form, input).read(vartype, open);
}

}  // namespace oa::io
