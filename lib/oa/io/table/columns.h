#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// A summary of the values of a column.
struct ColumnSummary {
  std::string name;
  std::int64_t numbers = 0;  ///< finite values
  double min = 0.0;
  double max = 0.0;
  double sum = 0.0;
  std::int64_t texts = 0;                  ///< values that are no finite numbers
  std::vector<std::string> examples = {};  ///< the first distinct texts

  static constexpr std::size_t kExamples = 4;

  void add(double number);
  void add(std::string_view text);
  /// Adds `text` as a number if it is one, else as text; ignores empty text.
  void add_cell(std::string_view text);
  [[nodiscard]] double mean() const;
};

/// A summary of a table, whose memory does not grow with the rows.
struct TableSummary {
  std::vector<ColumnSummary> all;
  std::int64_t rows = 0;
  bool named = true;  ///< false: the first line has numbers, as in a matrix

  /// Finds the column or adds it.
  /// After 1,024 names, all new names share the column "...".
  [[nodiscard]] ColumnSummary& column(std::string_view name);
};

/// Reads comma-separated text.
/// Throws InputError if a row has more or fewer cells than the first line.
[[nodiscard]] TableSummary read_csv_columns(Input& input);

/// Reads JSON: one value, or one per line.
/// A number in {"a":{"b":[1]}} belongs to the column "a.b[]".
/// A row is a line, or an element of the outermost list.  Throws InputError.
[[nodiscard]] TableSummary read_json_columns(Input& input);

}  // namespace oa::io
