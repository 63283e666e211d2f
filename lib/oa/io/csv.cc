#include "oa/io/csv.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/lines.h"

#define CSV_IO_NO_THREAD  // a table is read by the thread that asks for it
#include <csv.h>

#include <algorithm>
#include <utility>

namespace oa::io {
namespace {

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view kSpace = " \t\r";
  const auto begin = cell.find_first_not_of(kSpace);
  if (begin == cell.npos) {
    return {};
  }
  return cell.substr(begin, cell.find_last_not_of(kSpace) - begin + 1);
}

/// Our Input as the package wants its bytes.
class Source : public ::io::ByteSourceBase {
 public:
  explicit Source(Input& input) : input_(input) {}

  int read(char* buffer, int size) override {
    auto n = input_.read({reinterpret_cast<std::byte*>(buffer),  // NOLINT
                          static_cast<std::size_t>(size)});
    refuse_nul({buffer, n}, input_.name());
    last_ = n > 0 ? buffer[n - 1] : last_;
    // Behind a last line without its end the package looks at what it never wrote.
    if (n < static_cast<std::size_t>(size) && last_ != '\n') {
      last_ = buffer[n++] = '\n';
    }
    return static_cast<int>(n);
  }

 private:
  Input& input_;
  char last_ = '\n';
};

}  // namespace

class CsvReader::Lines {
 public:
  explicit Lines(Input& input)
      : name(input.name()),
        reader(input.name(), std::make_unique<Source>(input)) {}

  std::string name;
  ::io::LineReader reader;
};

CsvReader::CsvReader(Input& input) : lines_(std::make_unique<Lines>(input)) {}

CsvReader::~CsvReader() = default;

std::string CsvReader::where() const {
  return lines_->name + ":" + format(std::int64_t{lines_->reader.get_file_line()});
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  const char* text = nullptr;
  do {
    try {
      text = lines_->reader.next_line();
    } catch (const ::io::error::base&) {
      throw InputError(where() + ": a line of over 16 MiB");
    }
    if (text == nullptr) {
      return false;
    }
  } while (trimmed(text).empty());
  cells.clear();
  std::string_view line(text);
  while (true) {
    const auto comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) {
      return true;
    }
    line.remove_prefix(comma + 1);
  }
}

}  // namespace oa::io
