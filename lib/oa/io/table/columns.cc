#include "oa/io/table/columns.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/table/csv.h"
#include "oa/io/table/json_lists.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxCsvColumns = 65'536;          // limit of a matrix
constexpr std::size_t kMaxNames = 1'024;                // limit of JSON
constexpr std::size_t kMaxJson = std::size_t{1} << 30;  // oa-formats(5), LIMITS
constexpr std::size_t kMaxNesting = 64;
constexpr std::size_t kLongestExample = 60;  // bytes of an example

/// Adds the values of a JSON text to columns while it is parsed.
class ColumnFiller : public nlohmann::json_sax<Json> {
 public:
  explicit ColumnFiller(TableSummary& columns) : columns_(columns) {}

  bool null() override { return true; }  // null has no column
  bool boolean(bool value) override {
    column().add(std::string_view(value ? "true" : "false"));
    return true;
  }
  bool number_integer(number_integer_t value) override {
    column().add(static_cast<double>(value));
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    column().add(static_cast<double>(value));
    return true;
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    column().add(value);
    return true;
  }
  bool string(string_t& value) override {
    column().add(std::string_view(path_of(value)));
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return enter(""); }
  bool key(string_t& name) override {
    path_.resize(lengths_.back());
    path_ += (path_.empty() ? "" : ".") + name;
    return true;
  }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t /*size*/) override {
    list_ = list_ || lengths_.empty();
    return enter(lengths_.empty() ? "" : "[]");
  }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const nlohmann::detail::exception& /*why*/) override {
    failed_at_ = position == 0 ? 0 : position - 1;
    return false;
  }

  [[nodiscard]] std::size_t failed_at() const { return failed_at_; }
  [[nodiscard]] bool too_deep() const { return too_deep_; }
  /// The number of elements of the outermost list; 1 if the value is no list.
  [[nodiscard]] std::int64_t rows() const { return list_ ? elements_ : 1; }

 private:
  bool enter(std::string_view step) {
    count_element();
    too_deep_ = lengths_.size() >= kMaxNesting;
    path_ += step;
    lengths_.push_back(path_.size());
    return !too_deep_;
  }
  bool leave() {
    lengths_.pop_back();
    path_.resize(lengths_.empty() ? 0 : lengths_.back());
    return true;
  }
  void count_element() { elements_ += list_ && lengths_.size() == 1 ? 1 : 0; }
  ColumnSummary& column() {
    count_element();
    const auto known = places_.find(path_);
    if (known != places_.end()) {
      return columns_.all[known->second];
    }
    ColumnSummary& found = columns_.column(path_);
    if (found.name == path_) {
      places_.emplace(path_, static_cast<std::size_t>(&found - columns_.all.data()));
    }
    return found;
  }

  TableSummary& columns_;
  std::map<std::string, std::size_t, std::less<>> places_;  // by column name
  std::string path_;
  std::vector<std::size_t> lengths_;  // length of path_ without the key, by level
  std::size_t failed_at_ = 0;
  std::int64_t elements_ = 0;
  bool list_ = false;
  bool too_deep_ = false;
};

/// Adds a JSON text to the columns.  Returns the number of its rows.
std::int64_t add_json(std::string_view json,
                      const std::string& name,
                      std::size_t line,
                      TableSummary& columns) {
  ColumnFiller filler(columns);
  const std::string text = without_surrogates(json);
  if (Json::sax_parse(text, &filler)) {
    return filler.rows();
  }
  if (filler.too_deep()) {
    throw InputError(name + ": values nested deeper than " +
                     std::to_string(kMaxNesting));
  }
  if (line > 0) {
    throw InputError(name + ":" + std::to_string(line) + ": not JSON");
  }
  throw InputError(not_json(text, std::min(filler.failed_at(), text.size()), name));
}

}  // namespace

void ColumnSummary::add(double number) {
  number += 0.0;  // turns -0 into 0
  if (!std::isfinite(number)) {
    add(std::string_view(format(number)));
    return;
  }
  min = numbers == 0 ? number : std::min(min, number);
  max = numbers == 0 ? number : std::max(max, number);
  sum += number;
  ++numbers;
}

void ColumnSummary::add(std::string_view text) {
  ++texts;
  text = text.substr(0, kLongestExample);
  if (examples.size() < kExamples &&
      std::ranges::find(examples, text) == examples.end()) {
    examples.emplace_back(text);
  }
}

void ColumnSummary::add_cell(std::string_view text) {
  if (const auto number = parse_double(text)) {
    add(*number);
  } else if (!text.empty()) {
    add(text);
  }
}

double ColumnSummary::mean() const {
  return numbers > 0 ? sum / static_cast<double>(numbers) : 0.0;
}

ColumnSummary& TableSummary::column(std::string_view name) {
  const auto found = std::ranges::find(all, name, &ColumnSummary::name);
  if (found != all.end()) {
    return *found;
  }
  if (all.size() > kMaxNames) {
    return all.back();
  }
  all.push_back({.name = all.size() == kMaxNames ? "..." : std::string(name)});
  return all.back();
}

TableSummary read_csv_columns(Input& input) {
  CsvReader reader(input);
  TableSummary columns;
  std::vector<std::string_view> cells;
  if (!reader.next(cells)) {
    return columns;
  }
  if (cells.size() > kMaxCsvColumns) {
    reader.fail("over 65,536 columns");
  }
  columns.named = !std::ranges::all_of(
      cells, [](std::string_view cell) { return parse_double(cell).has_value(); });
  for (const std::string_view cell : cells) {
    columns.all.push_back({.name = columns.named ? std::string(cell) : ""});
  }
  for (bool more = !columns.named || reader.next(cells, columns.all.size()); more;
       more = reader.next(cells, columns.all.size())) {
    for (std::size_t k = 0; k < cells.size(); ++k) {
      columns.all[k].add_cell(cells[k]);
    }
    ++columns.rows;
  }
  return columns;
}

TableSummary read_json_columns(Input& input) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxJson, "JSON of over 1 GiB");
  refuse_nul(text, input.name());
  TableSummary columns;
  std::string_view rest = text;
  const std::string_view first = take_line(rest);
  if (rest.empty() ||
      !Json::accept(without_surrogates(first))) {  // maybe a value of many lines
    columns.rows = add_json(text, input.name(), 0, columns);
    return columns;
  }
  rest = text;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    if (const std::string_view one = take_line(rest); !Words(one).next().empty()) {
      (void)add_json(one, input.name(), line, columns);
      ++columns.rows;
    }
  }
  return columns;
}

}  // namespace oa::io
