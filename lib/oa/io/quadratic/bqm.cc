#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/quadratic/formats.h"
#include "oa/io/table/json_lists.h"
#include "oa/io/table/json_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

// Reads JSON problems: here D-Wave's BinaryQuadraticModel, schema 3.0.0.

namespace oa::io {
namespace {

constexpr std::size_t kMaxJson = std::size_t{1} << 31;
constexpr std::size_t kResultStart = 65536;  // bytes within which a result has its keys

constexpr std::string_view kModel = "BinaryQuadraticModel";

/// The long lists of the model.
enum List { kLinear, kBiases, kHead, kTail };
constexpr std::array<std::string_view, 4> kLists = {
    "linear_biases", "quadratic_biases", "quadratic_head", "quadratic_tail"};

class Reader {
 public:
  explicit Reader(const Input& input) : input_(input) {}

  /// First step: takes elements of a list, in order.
  void take_numbers(std::size_t list,
                    std::size_t first,
                    std::span<const double> numbers) {
    lengths_[list] = first + numbers.size();
    if (list == kLinear) {
      linear_.insert(linear_.end(), numbers.begin(), numbers.end());
      return;
    }
    pairs_.resize(std::max(pairs_.size(), *lengths_[list]));
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      qubo::Term& pair = pairs_[first + k];
      switch (list) {
        case kBiases: pair.weight = numbers[k]; break;
        case kHead: pair.first = variable(numbers[k]); break;
        default: pair.second = variable(numbers[k]);
      }
    }
  }

  /// Last step: reads the rest of the document.
  qubo::Quadratic read(JsonNode json) {
    json_ = json;
    if (text("type") != kModel) {
      fail("no object of type BinaryQuadraticModel");
    }
    check_version();
    if (const auto packed = json.find("use_bytes");
        packed && packed->json() != "false") {
      fail("its numbers are packed as bytes (expected lists)");
    }
    const std::string vartype = text("variable_type");
    if (vartype != "BINARY" && vartype != "SPIN") {
      fail("variable_type " + unexpected(vartype, "BINARY or SPIN"));
    }
    const std::size_t n = length(kLinear);
    if (n == 0 || n > kMaxSparseVariables ||
        member("num_variables").json() != std::to_string(n)) {
      fail("num_variables is not the length of linear_biases, or out of range");
    }
    qubo::Quadratic f(static_cast<int>(n));
    f.vartype = vartype == "SPIN" ? qubo::Vartype::Spin : qubo::Vartype::Binary;
    const JsonNode offset = member("offset");
    if (!offset.is_number()) {
      fail("offset is not a finite number");
    }
    f.add_constant(offset.number().value);
    f.add_constant(offset.number().rest);
    f.linear = std::move(linear_);
    check_pairs(f.size());
    assemble(f, pairs_, input_.name(), input_.token());
    f.names = labels(n);
    return f;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(input_.name() + ": " + what);
  }
  JsonNode member(std::string_view key) const {
    const auto found = json_->find(key);
    if (!found) {
      fail("no member '" + std::string(key) + "'");
    }
    return *found;
  }
  std::string text(const char* key) const {
    const JsonNode value = member(key);
    if (!value.is_string()) {
      fail(std::string("'") + key + "' is not a string");
    }
    return std::string(value.text());
  }
  std::size_t length(List list) const {
    if (!member(kLists[list]).is_array() || !lengths_[list]) {
      fail("'" + std::string(kLists[list]) + "' is not a list");
    }
    return *lengths_[list];
  }
  static std::string element(List list, std::size_t k) {
    return std::string(kLists[list]) + "[" + std::to_string(k) + "]";
  }
  void check_version() const {
    const JsonNode version = member("version");
    const auto schema = version.is_object() ? version.find("bqm_schema") : std::nullopt;
    if (!schema || !schema->is_string() || !schema->text().starts_with("3.0")) {
      fail("no version with bqm_schema 3.0.0");
    }
  }
  /// Returns the index of a variable, or -1 if a number is no index.
  static std::int32_t variable(double number) {
    const bool index =
        number >= 0 && number < kMaxSparseVariables && number == std::floor(number);
    return index ? static_cast<std::int32_t>(number) : -1;
  }
  void check_variable(List list, std::size_t k, std::int32_t variable, int n) const {
    if (variable < 0 || variable >= n) {
      fail(element(list, k) + " is not a variable (expected a whole number from 0 to " +
           format(n - 1) + ")");
    }
  }
  void check_pairs(int n) const {
    if (length(kBiases) != length(kHead) || length(kBiases) != length(kTail)) {
      fail("quadratic_biases, quadratic_head and quadratic_tail differ in length");
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      check_variable(kHead, k, pairs_[k].first, n);
      check_variable(kTail, k, pairs_[k].second, n);
      if (pairs_[k].first == pairs_[k].second) {
        fail(element(kHead, k) + " couples a variable to itself");
      }
    }
  }
  /// Reads the labels; returns none if they are 0, 1, 2, ...
  std::vector<std::string> labels(std::size_t n) const {
    const JsonNode names = member("variable_labels");
    if (!names.is_array() || names.size() != n) {
      fail("variable_labels is not a list of num_variables elements");
    }
    std::vector<std::string> all;
    bool plain = true;
    for (const JsonNode label : names) {
      plain = plain && label.is_number() &&
              label.number().value == static_cast<double>(all.size());
      all.push_back(label.json());
    }
    if (plain) {
      return {};
    }
    std::vector<std::string> sorted = all;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
      fail("variable_labels has " + twice->substr(0, 40) + " twice");
    }
    return all;
  }

  const Input& input_;
  std::optional<JsonNode> json_;
  std::vector<double> linear_;
  qubo::Terms pairs_;
  std::array<std::optional<std::size_t>, kLists.size()> lengths_;  ///< elements read
};

/// True for a BinaryQuadraticModel or a part of its members.
bool is_model(JsonNode json) {
  const auto type = json.is_object() ? json.find("type") : std::nullopt;
  return (type && type->is_string() && type->text() == kModel) ||
         (json.is_object() && std::ranges::any_of(kLists, [&](std::string_view list) {
            return json.find(list).has_value();
          }));
}

/// False only if a text cannot be a BinaryQuadraticModel.
bool mentions_model(std::string_view text) {
  return text.find(kModel) != text.npos ||
         std::ranges::any_of(kLists, [&](std::string_view list) {
           return text.find(list) != text.npos;
         });
}

}  // namespace

void read_bqm(Input& input, std::optional<qubo::Vartype> vartype, ProblemFile& file) {
  const auto start = input.peek(16);
  if (looks_like_bqm_file(as_text(start))) {
    file.problems.emplace_back(read_bqm_file(input));
    return;
  }
  skip_mark(input);
  Bytes bytes;
  bytes.read(input,
             std::min<std::uint64_t>(kMaxJson, input.remaining().value_or(kMaxJson)));
  if (!input.at_end()) {
    throw InputError(input.name() + ": over 2 GiB of JSON");
  }
  file.problems.emplace_back(
      read_json_problem(as_text(bytes.span()), input, vartype, file.vartype_open));
}

void refuse_result(std::string_view text, const std::string& name) {
  if (looks_like_result(text.substr(0, kResultStart))) {
    throw InputError(name +
                     ": a result, not a problem (oa-anneal --verify, oa-anneal "
                     "--join and oa-heatmap targets read it)");
  }
}

qubo::Quadratic read_json_problem(std::string_view text,
                                  const Input& input,
                                  std::optional<qubo::Vartype> vartype,
                                  bool& open) {
  const std::string& name = input.name();
  refuse_result(text, name);
  if (!mentions_model(text)) {
    return read_dict(text, input, vartype, open);
  }
  Reader reader(input);
  const std::string rest = cut_lists(
      text,
      kLists,
      name,
      [&](std::size_t list, std::size_t first, std::span<const double> numbers) {
        refuse_stopped(input);
        reader.take_numbers(list, first, numbers);
      });
  const JsonTree tree(rest, input);
  return is_model(tree.root()) ? reader.read(tree.root())
                               : read_dict(text, input, vartype, open);
}

}  // namespace oa::io
