#pragma once

#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// What the values of a column have in common.
struct ColumnSummary {
  std::string name;
  std::int64_t numbers = 0;  ///< finite ones
  double min = 0.0;
  double max = 0.0;
  double sum = 0.0;
  std::int64_t texts = 0;  ///< values that are no finite numbers
  std::vector<std::string> examples =
      {};  ///< the first different texts, at most kExamples

  static constexpr std::size_t kExamples = 4;

  void add(double number);
  void add(std::string_view text);
  /// Adds a number if `text` is one, else the text; nothing if it is empty.
  void add_cell(std::string_view text);
  [[nodiscard]] double mean() const;
};

/// A summary of a table, in memory that does not grow with its rows.
struct TableSummary {
  std::vector<ColumnSummary> all;
  std::int64_t rows = 0;
  bool named = true;  ///< false: the first line has numbers, as that of a matrix

  /// The column of this name, a new one behind the others if there is none.  A file may
  /// have 1,024 names; what has other names shares one column, "...".
  [[nodiscard]] ColumnSummary& column(std::string_view name);
};

/// Comma-separated text.  Throws InputError where a row has more or fewer cells than
/// the first one.
[[nodiscard]] TableSummary read_csv_columns(Input& input);

/// JSON: one value, or one in each line.  A number in {"a":{"b":[1]}} belongs to the
/// column "a.b[]"; a row is a line, or an element of a file that is one list.  Throws
/// InputError.
[[nodiscard]] TableSummary read_json_columns(Input& input);

}  // namespace oa::io
