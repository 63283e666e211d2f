#pragma once

#include "oa/io/bytes/input.h"
#include "oa/io/bytes/lines.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// Splits a line of comma-separated text into cells,
/// and removes spaces and quotation marks around each cell: "a, ""b""" is one cell.
/// The cells view `line`, which is changed.  False if a quotation mark is not closed.
[[nodiscard]] bool split_cells(std::string& line, std::vector<std::string_view>& cells);

/// Reads comma-separated text line by line and skips blank lines.
class CsvReader {
 public:
  explicit CsvReader(Input& input) : lines_(input) {}

  /// The cells of the next line, valid until the next call.  False at the end.
  /// Throws InputError on a line of over 16 MiB,
  /// a NUL byte or a quotation mark that is not closed.
  [[nodiscard]] bool next(std::vector<std::string_view>& cells);

  /// Reads the next line, which must have `count` cells; otherwise throws InputError.
  [[nodiscard]] bool next(std::vector<std::string_view>& cells, std::size_t count);

  /// "file:12", the line that was read last, for messages.
  [[nodiscard]] std::string where() const { return lines_.where(); }

  /// Throws InputError: "file:12: what".
  [[noreturn]] void fail(const std::string& what) const { lines_.fail(what); }

 private:
  LineReader lines_;
  std::string line_;
};

}  // namespace oa::io
