#include "oa/io/table/csv.h"

#include "oa/base/number.h"

#define CSV_IO_NO_THREAD
#include <csv.h>

namespace oa::io {

bool split_cells(std::string& line, std::vector<std::string_view>& cells) {
  using Spaces = ::io::trim_chars<' ', '\t'>;
  using Quotes = ::io::double_quote_escape<',', '"'>;
  cells.clear();
  char* begin = line.data();
  try {
    for (bool more = true; more;) {
      char* end = begin + (Quotes::find_next_column_end(begin) - begin);
      char* next = end + 1;
      more = *end != '\0';
      Spaces::trim(begin, end);
      Quotes::unescape(begin, end);
      cells.emplace_back(begin, end);
      begin = next;
    }
  } catch (const ::io::error::escaped_string_not_closed&) {
    return false;
  }
  return true;
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  std::string_view line;
  do {
    if (!lines_.next(line)) {
      return false;
    }
  } while (Words(line).next().empty());
  line_ = line;
  if (!split_cells(line_, cells)) {
    fail("a quotation mark without its end");
  }
  return true;
}

bool CsvReader::next(std::vector<std::string_view>& cells, std::size_t count) {
  if (!next(cells)) {
    return false;
  }
  if (cells.size() != count) {
    fail(format(std::ssize(cells)) + " cells (expected " +
         format(static_cast<std::int64_t>(count)) + ")");
  }
  return true;
}

}  // namespace oa::io
