#include "oa/io/table/csv.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#define CSV_IO_NO_THREAD  // a table is read by the thread that asks for it
#include <csv.h>

#include <algorithm>
#include <span>
#include <utility>

namespace oa::io {
namespace {

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view kSpace = " \t";
  const auto begin = cell.find_first_not_of(kSpace);
  if (begin == cell.npos) {
    return {};
  }
  return cell.substr(begin, cell.find_last_not_of(kSpace) - begin + 1);
}

/// Our Input as the package wants its bytes: whole blocks of them up to the end, and
/// lines that end with LF.
class Source : public ::io::ByteSourceBase {
 public:
  explicit Source(Input& input) : input_(input) {}

  int read(char* buffer, int size) override {
    std::span<char> room(buffer, static_cast<std::size_t>(size));
    while (!room.empty()) {
      const auto n = input_.read(std::as_writable_bytes(room));
      if (n == 0) {
        break;
      }
      refuse_nul({room.data(), n}, input_.name());
      room = room.subspan(with_newlines(room.first(n)));
    }
    // Behind a last line without its end the package looks at what it never wrote.
    if (!room.empty() && last_ != '\n') {
      last_ = room.front() = '\n';
      room = room.subspan(1);
    }
    return size - static_cast<int>(room.size());
  }

 private:
  /// Makes LF of CR LF and of CR.  Returns how many bytes are left.
  std::size_t with_newlines(std::span<char> text) {
    if (last_was_cr_ || std::ranges::find(text, '\r') != text.end()) {
      std::size_t left = 0;
      for (const char c : text) {
        if (c != '\n' || !last_was_cr_) {
          text[left++] = c == '\r' ? '\n' : c;
        }
        last_was_cr_ = c == '\r';
      }
      text = text.first(left);
    }
    last_ = text.empty() ? last_ : text.back();
    return text.size();
  }

  Input& input_;
  char last_ = '\n';
  bool last_was_cr_ = false;
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
