#pragma once

#include "oa/io/table/csv.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// Reads a comma-separated square matrix row by row.  The caller checks the cells and
/// reports a table that is not square.
class SquareCsvReader {
 public:
  explicit SquareCsvReader(Input& input) : lines_(input) {}

  /// Advances to the next row.  False at the end.
  [[nodiscard]] bool next();

  [[nodiscard]] std::span<const std::string_view> cells() const { return cells_; }

  /// The number of cells in the first row, which is the number of rows expected.
  [[nodiscard]] std::int64_t size() const { return size_; }

  /// The number of rows read so far.
  [[nodiscard]] std::int64_t rows() const { return rows_; }

  /// True if the last row has size() cells and at most size() rows were read.
  [[nodiscard]] bool fits() const {
    return std::ssize(cells_) == size_ && rows_ <= size_;
  }

  /// True if all rows were read and there is at least one.
  [[nodiscard]] bool complete() const { return rows_ == size_ && rows_ > 0; }

  /// "file:12", the line that was read last, for messages.
  [[nodiscard]] std::string where() const { return lines_.where(); }

 private:
  CsvReader lines_;
  std::vector<std::string_view> cells_;
  std::int64_t size_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace oa::io
