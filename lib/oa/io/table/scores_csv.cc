#include "oa/io/table/scores_csv.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/table/csv.h"

#include <algorithm>
#include <optional>
#include <string>

namespace oa::io {
namespace {

/// Indices of the columns; -1 if missing.
struct Columns {
  int index = -1;
  int label = -1;
  int predicted = -1;
  std::vector<int> probabilities;
  std::size_t count = 0;
};

/// The class of a column "logits_3", "logit_3" or "probability_3".
std::optional<std::int64_t> class_of(std::string_view name) {
  for (const std::string_view prefix : {"logits_", "logit_", "probability_"}) {
    if (name.starts_with(prefix)) {
      return parse_int(name.substr(prefix.size()));
    }
  }
  return std::nullopt;
}

void set(int& column, std::size_t at, std::string_view name, const std::string& where) {
  if (column >= 0) {
    throw InputError(where + ": column '" + std::string(name) + "' appears twice");
  }
  column = static_cast<int>(at);
}

Columns read_header(const std::vector<std::string_view>& names,
                    const std::string& where) {
  constexpr std::int64_t kMaxClasses = 256;  // labels are bytes
  Columns columns;
  columns.count = names.size();
  for (std::size_t at = 0; at < names.size(); ++at) {
    const std::string_view name = names[at];
    if (name == "idx") {
      set(columns.index, at, name, where);
    } else if (name == "label") {
      set(columns.label, at, name, where);
    } else if (name == "pred" || name == "prediction") {
      set(columns.predicted, at, name, where);
    } else if (const auto k = class_of(name); k && *k >= 0 && *k < kMaxClasses) {
      const auto slot = static_cast<std::size_t>(*k);
      columns.probabilities.resize(std::max(columns.probabilities.size(), slot + 1),
                                   -1);
      set(columns.probabilities[slot], at, name, where);
    }
  }
  if (columns.predicted < 0 || columns.probabilities.empty() ||
      std::ranges::find(columns.probabilities, -1) != columns.probabilities.end()) {
    throw InputError(where +
                     ": not a table of predictions (expected the columns pred and "
                     "logits_0, logits_1, ... without a gap)");
  }
  return columns;
}

class RowReader {
 public:
  RowReader(const Columns& columns,
            const std::vector<std::string_view>& cells,
            const std::string& where)
      : columns_(columns),
        cells_(cells),
        where_(where) {}

  score::Prediction read(std::int64_t row) const {
    score::Prediction p;
    p.index = columns_.index < 0 ? row : whole(columns_.index, "idx");
    p.predicted = whole(columns_.predicted, "pred");
    if (columns_.label >= 0 && !cell(columns_.label).empty()) {
      p.label = whole(columns_.label, "label");
    }
    for (const int column : columns_.probabilities) {
      const auto value = parse_double(cell(column));
      if (!value) {
        fail(column, "a number");
      }
      p.probabilities.push_back(*value);
    }
    return p;
  }

 private:
  [[nodiscard]] std::string_view cell(int column) const {
    return cells_[static_cast<std::size_t>(column)];
  }
  [[noreturn]] void fail(int column, const std::string& expected) const {
    throw InputError(where_ + ": '" + std::string(cell(column).substr(0, 40)) +
                     "' (expected " + expected + ")");
  }
  [[nodiscard]] std::int64_t whole(int column, const std::string& what) const {
    const auto value = parse_int(cell(column));
    const bool is_class = what != "idx";
    if (!value || *value < 0 || (is_class && *value > 255)) {
      fail(column, what + ", a whole number from 0" + (is_class ? " to 255" : ""));
    }
    return *value;
  }

  const Columns& columns_;
  const std::vector<std::string_view>& cells_;
  const std::string& where_;
};

}  // namespace

std::vector<score::Prediction> read_scores(Input& input) {
  CsvReader reader(input);
  std::vector<std::string_view> cells;
  if (!reader.next(cells)) {
    throw InputError(input.name() + ": empty (expected a table of predictions)");
  }
  const Columns columns = read_header(cells, reader.where());
  std::vector<score::Prediction> predictions;
  while (reader.next(cells, columns.count)) {
    const std::string where = reader.where();
    predictions.push_back(
        RowReader(columns, cells, where).read(std::ssize(predictions)));
  }
  return predictions;
}

void ScoresWriter::write(const score::Prediction& p) {
  if (!begun_) {
    begun_ = true;
    std::string header = "idx,label,pred,correct";
    for (std::size_t k = 0; k < p.probabilities.size(); ++k) {
      header += ",logits_" + std::to_string(k);
    }
    output_.write(header + "\n");
  }
  std::string line = format(p.index) + "," + (p.label ? format(*p.label) : "") + "," +
                     format(p.predicted) + "," +
                     (!p.label      ? ""
                      : p.correct() ? "True"
                                    : "False");
  for (const double v : p.probabilities) {
    line += "," + format(v);
  }
  output_.write(line + "\n");
}

}  // namespace oa::io
