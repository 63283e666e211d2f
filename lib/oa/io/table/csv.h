#pragma once

#include "oa/io/bytes/input.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

/// Reads a comma-separated table line by line: no quoting, any line ending, blank lines
/// passed over, spaces around a cell dropped.
class CsvReader {
 public:
  explicit CsvReader(Input& input);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;
  ~CsvReader();

  /// The cells of the next line, valid until the next call.  False at the end.  Throws
  /// InputError on a line of over 16 MiB and on a NUL byte.
  [[nodiscard]] bool next(std::vector<std::string_view>& cells);

  /// "file:12", the line last read, for messages.
  [[nodiscard]] std::string where() const;

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace oa::io
